"""Five judges or items are a sample of others; fewer are taken as given, and a finding says so."""

from typing import Any

import numpy as np
import pytest

import betterthan as bt
from betterthan.findings.kinds.resampling import FIXED_UNITS

LEAST = 5


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
    [(20, 5, "item+judge"), (20, 4, "item"), (5, 20, "item+judge"), (4, 20, "judge"), (5, 5, "item+judge")],
)
def test_what_judgments_are_resampled_by(items: int, judges: int, unit: str) -> None:
    board = bt.rank(bt.read_judgments(_judgments(items, judges)), resamples=100).board
    assert board.settings.unit == unit
    fixed = _codes(board).get("fixed-units")
    few = {(20, 4): ("judge", 4), (4, 20): ("item", 4)}.get((items, judges))
    assert (None if fixed is None else (fixed["unit"], fixed["units"])) == few


@pytest.mark.parametrize(("judges", "unit"), [(5, "item+judge"), (4, "item")])
def test_what_scores_are_resampled_by(judges: int, unit: str) -> None:
    board = bt.rank(bt.read_scores(_scores(judges), judge="judge"), model="mean", resamples=100).board
    assert board.settings.unit == unit
    assert ("fixed-units" in _codes(board)) == (judges < LEAST)


@pytest.mark.parametrize(
    ("judges", "code", "other"), [(5, "other-units", "fixed-units"), (4, "fixed-units", "other-units")]
)
def test_five_judges_who_are_not_resampled_could_have_been(judges: int, code: str, other: str) -> None:
    board = bt.rank(bt.read_judgments(_judgments(20, judges)), unit="item", resamples=100).board
    assert code in _codes(board)
    assert other not in _codes(board)
