"""The default call of every verb in worlds of known truth: the quick form of `benchmarks/run.py honesty`."""

import importlib.util
import sys
from pathlib import Path
from typing import Any

import pytest

SCRIPT = Path(__file__).parents[1] / "benchmarks" / "honesty.py"


def _simulation() -> Any:
    spec = importlib.util.spec_from_file_location("honesty", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["honesty"] = module
    spec.loader.exec_module(module)
    return module


HONESTY = _simulation()


@pytest.mark.parametrize("cell", HONESTY.QUICK, ids=lambda cell: cell.name)
def test_no_verb_promises_more_than_it_keeps(cell: Any) -> None:
    for row in HONESTY.simulate([cell], 60):
        assert not row["missed"], f"{row['measure']}: {row['share']:.3f} ± {row['error']:.3f}"


def test_a_world_that_is_not_allowed_for_is_a_miss(monkeypatch: pytest.MonkeyPatch) -> None:
    """The simulation itself must be able to fail: judgments of a few judges with tastes, taken as independent."""
    cell, plain = HONESTY.Cell("judgments", "judge", 5, "ties 0 %"), HONESTY.judgments

    def without_units(cell: Any, rng: Any) -> dict[str, Any]:
        return {name: column for name, column in plain(cell, rng).items() if name not in {"item", "judge"}}

    monkeypatch.setattr(HONESTY, "PER_UNIT", 200)
    monkeypatch.setattr(HONESTY, "judgments", without_units)
    missed = {row["measure"] for row in HONESTY.simulate([cell], 30) if row["missed"]}
    assert {"rank: interval", "compare: false alarm", "fit: false alarm per coefficient"} <= missed
