"""Where models disagree: by the definitions, counted pair by pair, and as the paper prints it."""

from pathlib import Path
from typing import Any

import pytest
from scipy import stats

import betterthan as bt

MEAN = {"M0": 0.507889, "M1": 0.511617, "M2": 0.504666, "M3": 0.502622, "M4": 0.513556}


MEDIAN = {"M0": 0.502070, "M1": 0.497850, "M2": 0.498216, "M3": 0.494140, "M4": 0.506194}


WORTH = {"M0": 0.248276, "M1": 0.143577, "M2": 0.164768, "M3": 0.149662, "M4": 0.293717}


def test_topicalchat(shared: Path) -> None:
    """Better than Average, its own example: scores are ranked by three mechanisms unless one is chosen."""
    boards = bt.rank(shared / "dialogue" / "topicalchat-moverscore.wide.csv", resamples=100, scale="worth")
    assert isinstance(boards, bt.Leaderboards)
    assert boards.models == ("mean", "median", "bradley-terry")
    for model, printed in (("mean", MEAN), ("median", MEDIAN), ("bradley-terry", WORTH)):
        assert {row.system: round(row.score, 6) for row in boards[model]} == printed
    found: dict[tuple[str, str], Any] = {(each.a, each.b): each for each in boards.disagreement}
    assert {
        names: (round(1 - each.pairs_differ, 12), each.same_best, each.same_top3) for names, each in found.items()
    } == {
        ("mean", "median"): (0.8, True, False),
        ("mean", "bradley-terry"): (0.7, True, False),
        ("median", "bradley-terry"): (0.9, True, True),
    }
    scores = {
        model: [row.score for row in sorted(boards[model], key=lambda row: row.system)] for model in boards.models
    }
    for (a, b), each in found.items():
        assert each.kendall == pytest.approx(stats.kendalltau(scores[a], scores[b]).statistic, abs=1e-12)
        assert each.spearman == pytest.approx(stats.spearmanr(scores[a], scores[b]).statistic, abs=1e-12)
