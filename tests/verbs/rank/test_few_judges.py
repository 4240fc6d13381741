"""Two judges or items are a sample of others; a single one is taken as given, and a finding says so."""

from typing import Any

import numpy as np
import pytest

import betterthan as bt
from betterthan.findings.kinds.resampling import FIXED_UNITS

LEAST = 2


def _judgments(items: int, judges: int) -> list[dict[str, str]]:
    rng = np.random.default_rng(0)
    return [
        {"left": "owl", "right": "yak", "outcome": "left" if rng.random() < 0.6 else "right",
         "item": f"i{item}", "judge": f"j{judge}"}
        for item in range(items) for judge in range(judges)
    ]  # fmt: skip


def _scores(judges: int) -> list[dict[str, Any]]:
    rng = np.random.default_rng(0)
    return [
        {"system": system, "item": f"i{item}", "judge": f"j{judge}", "score": float(rng.normal())}
        for system in ("owl", "yak") for item in range(20) for judge in range(judges)
    ]  # fmt: skip


def _codes(found: Any) -> dict[str, dict[str, Any]]:
    return {finding.code: dict(finding.numbers) for finding in found.findings}


def test_the_number_is_the_documented_one() -> None:
    assert FIXED_UNITS.thresholds["least"] == LEAST


@pytest.mark.parametrize(
    ("items", "judges", "unit"),
    [(20, 5, "item+judge"), (20, 2, "item+judge"), (20, 1, "row"), (1, 20, "row"), (2, 2, "item+judge")],
)
def test_what_judgments_are_resampled_by(items: int, judges: int, unit: str) -> None:
    board = bt.rank(bt.read_judgments(_judgments(items, judges)), resamples=100).board
    assert board.settings.unit == unit
    fixed = _codes(board).get("fixed-units")
    few = {(20, 1): ("judge", 1), (1, 20): ("item", 1)}.get((items, judges))
    assert (None if fixed is None else (fixed["unit"], fixed["units"])) == few


@pytest.mark.parametrize(("judges", "unit"), [(5, "item+judge"), (2, "item+judge"), (1, "item")])
def test_what_scores_are_resampled_by(judges: int, unit: str) -> None:
    board = bt.rank(bt.read_scores(_scores(judges), judge="judge"), model="mean", resamples=100).board
    assert board.settings.unit == unit
    assert ("fixed-units" in _codes(board)) == (judges < LEAST)


@pytest.mark.parametrize("judges", [2, 5])
def test_judges_who_are_not_resampled_could_have_been(judges: int) -> None:
    board = bt.rank(bt.read_judgments(_judgments(20, judges)), unit="item", resamples=100).board
    assert "other-units" in _codes(board)
    assert "fixed-units" not in _codes(board)


def _width(judges: list[str], rows: list[dict[str, str]]) -> float:
    board = bt.rank(bt.read_judgments([row for row in rows if row["judge"] in judges]), resamples=200).board
    return float(np.mean([row.high - row.low for row in board]))


@pytest.mark.parametrize("judges", [3, 4, 6])
def test_without_one_judge_intervals_are_not_narrower_on_average(judges: int) -> None:
    """Intervals of judges who were no longer resampled below five were a third as wide."""
    gain = []
    for seed in range(30):
        rng = np.random.default_rng(seed)
        taste = rng.normal(0, 0.8, judges)
        rows = [
            {"left": "owl", "right": "yak", "item": f"i{item}", "judge": f"j{judge}",
             "outcome": "left" if rng.random() < 1 / (1 + np.exp(-taste[judge])) else "right"}
            for item in range(30) for judge in range(judges)
        ]  # fmt: skip
        names = [f"j{judge}" for judge in range(judges)]
        gain.append(np.log(_width(names[:-1], rows) / _width(names, rows)))
    assert np.mean(gain) > 0
