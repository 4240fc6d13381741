"""Pairformance, the tool of Peyrard et al. (2021), on its own example: p-values and shares of every pair."""

import csv
from pathlib import Path

import pytest

import betterthan as bt
from tests.reference.r_estimates import TABLES


def test_every_pair_has_the_tools_p_values(shared: Path) -> None:
    found = bt.compare_models(
        shared / "dialogue" / "topicalchat-moverscore.wide.csv",
        "mean,median,bradley-terry,elo,trueskill",
        correction="none",
    )
    with (TABLES / "pairformance_dialogue.csv").open(encoding="utf-8") as lines:
        rows = list(csv.DictReader(lines))
    assert len(rows) == 10
    for row in rows:
        for model, column in (("mean", "t_p"), ("median", "mood_p"), ("bradley-terry", "sign_p"), ("elo", "sign_p")):
            pairs = found[model]
            at = pairs.systems.index(row["a"]), pairs.systems.index(row["b"])
            assert pairs.p[at] == pytest.approx(float(row[column]), abs=1e-10)
            assert pairs.share[at] == pytest.approx(float(row["share"]), abs=1e-9)
