"""Duels: what is compared, what is recommended, what is said, and what is refused."""

from pathlib import Path

import pytest

import betterthan as bt


def test_topicalchat(shared: Path) -> None:
    duel = bt.compare(shared / "dialogue" / "topicalchat-moverscore.wide.csv", "M0", "M1")
    assert (duel.wins, duel.ties, duel.losses) == (39, 0, 21)
    assert duel.effect("superiority").value == pytest.approx(0.65)
    assert duel.test("sign").p == pytest.approx(0.02734013, abs=1e-8)


def test_ceval_grammar(shared: Path) -> None:
    # No name says whether a large diff_probs is good; it is not what is compared here.
    lower = ["distance", "perplexity", "diff_probs"]
    scores = bt.read_scores(shared / "ceval-imdb" / "scores.parquet", lower_is_better=lower)
    table = next(table for table in scores if "grammar" in table.title)
    crowd, expert = (next(name for name in table.systems if word in name) for word in ("crowd", "expert"))
    duel = bt.compare(bt.Scores((table,), scores.account, scores.name), crowd, expert)
    assert (duel.wins, duel.ties, duel.losses) == (87, 319, 82)
    assert duel.test("sign").p == pytest.approx(0.758, abs=5e-4)
