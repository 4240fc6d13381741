"""A verdict names what was compared and in which units it counts."""

import re
from typing import Any

import numpy as np
import pytest

import betterthan as bt


def _judgments(items: int, judges: int, **left_out: bool) -> list[dict[str, str]]:
    rng = np.random.default_rng(0)
    return [
        {"left": "owl", "right": "yak", "outcome": "left" if rng.random() < 0.6 else "right",
         **({} if left_out.get("item") else {"item": f"i{item}"}),
         **({} if left_out.get("judge") else {"judge": f"j{judge}"})}
        for item in range(items) for judge in range(judges)
    ]  # fmt: skip


def _over(duel: Any) -> str:
    (words,) = re.findall(r"\(.*? over (.*?), p = ", duel.verdict)
    return str(words)


@pytest.mark.parametrize(
    ("left_out", "expected"),
    [
        ({}, "60 judgments by item and judge"),
        ({"judge": True}, "60 judgments in 10 items"),
        ({"item": True}, "60 judgments in 6 judges"),
        ({"item": True, "judge": True}, "60 judgments"),
    ],
)
def test_of_judgments(left_out: dict[str, bool], expected: str) -> None:
    assert _over(bt.compare(bt.read_judgments(_judgments(10, 6, **left_out)), "owl", "yak")) == expected


def test_of_scores_by_several_judges() -> None:
    rng = np.random.default_rng(1)
    rows = [
        {"system": system, "item": f"i{item}", "judge": f"j{judge}", "score": float(rng.normal())}
        for system in ("owl", "yak") for item in range(12) for judge in range(5)
    ]  # fmt: skip
    assert _over(bt.compare(bt.read_scores(rows, judge="judge"), "owl", "yak")) == "12 items by item and judge"


def test_a_whole_verdict() -> None:
    duel = bt.compare(bt.read_judgments(_judgments(10, 6)), "owl", "yak", seed=0)
    assert duel.verdict == (
        "owl and yak do not differ significantly on the share of judgments won, for items and judges like these: share won 0.55 (ties count half), "
        "95 % confidence interval 0.40 to 0.69 (sign test over 60 judgments by item and judge, p = 0.46)."
    )
