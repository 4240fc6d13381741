"""The default call of every verb in worlds of known truth: the quick form of `benchmarks/run.py honesty`."""

import dataclasses
from typing import Any

import pytest

from betterthan.verbs.study import promises
from betterthan.worlds import equal_worlds
from tests.scripts import load_script

HONESTY = load_script("benchmarks/honesty.py", "honesty")


@pytest.mark.parametrize("kind", ["judgments", "scores", "plans"])
def test_no_verb_promises_more_than_it_keeps(kind: str) -> None:
    rows = HONESTY.simulate([cell for cell in HONESTY.QUICK if cell.kind == kind], 60)
    for row in [*rows, *HONESTY.pooled(rows)]:
        where = row.get("cell", "all worlds")
        named = "cell" in row and HONESTY.known(row) is not None
        assert named or not row["missed"], f"{where}, {row['measure']}: {row['share']:.3f} ± {row['error']:.3f}"


def test_a_world_that_is_not_allowed_for_is_a_miss(monkeypatch: pytest.MonkeyPatch) -> None:
    """The simulation itself must be able to fail: judgments of a few judges with tastes, taken as independent."""
    cell, plain = equal_worlds.WorldCell("judgments", "judge", 5, "ties 0 %", per_unit=200), equal_worlds.judgments

    def without_units(cell: Any, rng: Any) -> dict[str, Any]:
        return {name: column for name, column in plain(cell, rng).items() if name not in {"item", "judge"}}

    monkeypatch.setattr(equal_worlds, "judgments", without_units)
    missed = {row["measure"] for row in HONESTY.simulate([cell], 30) if row["missed"]}
    assert {"rank: interval", "compare: false alarm", "fit: false alarm per coefficient"} <= missed


def test_a_small_fault_everywhere_is_a_miss(monkeypatch: pytest.MonkeyPatch) -> None:
    """Intervals of ranks two fifths too narrow, which many single worlds do not show."""
    plain = promises.rank

    class Narrow:
        def __init__(self, board: Any) -> None:
            self.board, self.rows, self.clusters, self.first = self, board.rows, board.clusters, board.first

        def __iter__(self) -> Any:
            for row in self.rows:
                low, high = (row.score + 0.6 * (end - row.score) for end in row.interval)
                yield dataclasses.replace(row, low=low, high=high)

    monkeypatch.setattr(promises, "rank", lambda *a, **k: Narrow(plain(*a, **k).board))
    rows = HONESTY.simulate([cell for cell in HONESTY.QUICK if cell.kind == "judgments"], 40)
    assert "rank: interval" in {row["measure"] for row in HONESTY.pooled(rows) if row["missed"]}
