"""What everything else stands on: distinct codes, bounds of options, spelling in other threads."""

import joblib
import numpy as np
import pytest

from betterthan.base.arrays import distinct
from betterthan.base.parallel import each
from betterthan.base.registry import number
from betterthan.base.spelling import option, spell_for


@pytest.mark.parametrize("start", [0, 10**12])
def test_distinct_codes_are_those_of_numpy(start: int) -> None:
    codes = start + np.array([5, 4, 4, 7, 10**9, 10**9 + 1, 5])
    assert distinct(codes).tolist() == np.unique(codes).tolist()


def test_a_bound_that_must_be_exceeded_is_no_value() -> None:
    number("k", 0.001, least=0, above=True)
    number("k", 0, least=0)
    with pytest.raises(ValueError, match=r"^k must be a number above 0 and at most 1e\+09, got 0$"):
        number("k", 0, least=0, above=True)
    with pytest.raises(ValueError, match=r"^k must be a number of at least 0 and at most 5, got 6$"):
        number("k", 6, least=0, most=5)
    number("k", 5, least=0, most=5)


def _spelled(name: str) -> str:
    return option(name, "item")


def test_work_elsewhere_spells_options_as_its_reader_does() -> None:
    with joblib.parallel_config(backend="threading"):
        with spell_for("command line"):
            assert each(_spelled, ["unit", "unit"]) == ["--unit item"] * 2
        assert each(_spelled, ["unit", "unit"]) == ["unit='item'"] * 2
