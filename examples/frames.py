"""Rank evidence that lives in a data frame: the engine that holds the rows does the counting."""

import polars as pl

import betterthan as bt

votes = pl.scan_csv("examples/votes.csv").filter(pl.col("judge") != "j00")
board = bt.rank(bt.read_judgments(votes), scale="elo").board
print(board)
print(board.to_polars().select("system", "score", "low", "high"))
