"""How much the unit of resampling matters: the same votes, three ways to be unsure."""

import betterthan as bt

votes = bt.read_judgments("examples/votes.csv")
for unit in ("row", "item", "judge"):
    board = bt.rank(votes, unit=unit).board
    low, high = board["aurora"].interval
    print(f"{unit:5s}  aurora {board['aurora'].score:.3f}  {low:.3f} … {high:.3f}  {len(board.clusters)} clusters")
