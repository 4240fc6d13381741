"""A verdict must not contradict the interval beside it, and the study counts where one does."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from betterthan.verbs.study import promises
from betterthan.worlds import equal_worlds


@pytest.mark.parametrize(
    ("shown", "low", "high", "contradicts"),
    [
        ("better", 0.0, 0.4, True),
        ("worse", -0.4, 0.0, True),
        ("better", -0.1, 0.4, True),
        ("better", 0.1, 0.4, False),
        (None, -0.1, 0.4, False),
        ("better", None, 0.4, False),
    ],
)
def test_no_difference_is_inside_an_interval_that_ends_there(
    monkeypatch: pytest.MonkeyPatch, shown: str | None, low: float | None, high: float, *, contradicts: bool
) -> None:
    board = SimpleNamespace(clusters=(), first=None)
    boards = dict.fromkeys(("mean", "median", "bradley-terry"), type("Board", (list,), vars(board))())
    duel = SimpleNamespace(p=0.5, shown=shown, effect=lambda _: SimpleNamespace(low=low, high=high))
    answers: dict[str, Any] = {
        "rank": boards,
        "compare": duel,
        "compare_all": SimpleNamespace(p_adjusted=np.ones((4, 4))),
        "diagnose": SimpleNamespace(findings=()),
    }
    for name, answer in answers.items():
        monkeypatch.setattr(promises, name, lambda *_, answer=answer, **__: answer)
    cell = equal_worlds.WorldCell("scores", "none", 5, "continuous")
    found = promises.ask(cell, np.random.default_rng(0), "alarms")
    assert found["compare: verdict against its interval"] == (float(contradicts), 1)
