"""Packages that compare systems by a table of scores, items × systems."""

import pandas as pd


def ours(path: str) -> None:
    """Rank by the mean with intervals, then test all pairs."""
    import betterthan as bt

    scores = bt.read_scores(path)
    bt.rank(scores)
    bt.compare_all(scores)


def autorank(path: str) -> None:
    """Test all pairs as its documentation shows."""
    from autorank import autorank

    autorank(pd.read_csv(path).drop(columns="item"), alpha=0.05, verbose=False)


def evalstats(path: str) -> None:
    """Compare all systems as its documentation shows."""
    import evalstats

    frame = pd.read_csv(path).drop(columns="item")
    evalstats.compare_models({name: frame[name].to_numpy() for name in frame.columns})
