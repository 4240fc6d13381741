"""The tiles of a page round nothing up to certainty, and an anonymous page names no judge."""

from dataclasses import replace

import pytest

import betterthan as bt
from betterthan.datasets.data_sets_of import data_sets
from betterthan.findings import Finding
from betterthan.options.rank import Plan
from betterthan.verbs.report.anonymous import without_judges
from betterthan.verbs.report.headline import leading_system
from betterthan.verbs.report.report_part import examine

VOTES = [("owl", "yak", "a")] * 14 + [("owl", "yak", "b")] * 6


@pytest.mark.parametrize(
    ("share", "shown"),
    [(1.0, "100 %"), (0.999, "more than 99 %"), (0.995, "more than 99 %"), (0.994, "99 %"), (0.5, "50 %")],
)
def test_only_all_draws_are_all_draws(share: float, shown: str) -> None:
    board = bt.rank(VOTES, resamples=100).board
    first = replace(board.rows[0], p_best=share)
    found = leading_system(replace(board, rows=(first, *board.rows[1:])))
    assert found.evidence.endswith(f"ranks first in {shown} of 100 bootstrap samples.")


def test_judges_are_named_neither_in_messages_nor_in_hints() -> None:
    rows = [
        {"left": "owl", "right": "yak", "outcome": "left" if (item + judge) % 3 else "right", "item": f"i{item}", "judge": f"Ada-{judge}"}
        for item in range(8) for judge in range(5)
    ]  # fmt: skip
    sets = data_sets(bt.read_judgments(rows))
    part = examine(sets.sets[0], sets, Plan.of(resamples=20), None, progress=lambda *_: None)
    said = (
        Finding("x", "info", "Ask 'Ada-1'."),
        Finding("y", "info", "Somebody.", "Ask 'Ada-2' again."),
        Finding("z", "info", "Fine."),
    )
    hidden = without_judges(replace(part, diagnosis=replace(part.diagnosis, findings=said)))
    assert [each.code for each in hidden.diagnosis.findings] == ["z"]
    assert hidden.diagnosis.judges is None
