"""Where random clicks end and swapped sides begin."""

import numpy as np
import pytest

from betterthan.findings import kinds
from betterthan.verbs.diagnose.judges.judge_findings import on_following
from betterthan.verbs.diagnose.judges.judge_rates import JudgeRates


@pytest.mark.parametrize(
    ("agreeing", "pattern"),
    [(20, "swapped sides"), (44, "swapped sides"), (45, "random clicks"), (50, "random clicks")],
)
def test_fewer_than_45_of_100_agreements_are_swapped_sides(agreeing: int, pattern: str) -> None:
    number, hits = np.full(2, 100.0), np.array([95.0, agreeing])
    rates = JudgeRates(
        number, hits, np.full(2, 0.9), np.full(2, 9.0), 1.0, np.ones(2, dtype=bool), kinds.judges.JUDGE_AGAINST_REST
    )
    (found,) = on_following(np.array([False, True]), rates, ("ann", "bob"))
    assert found.numbers["worst"] == "bob"
    assert pattern in f"{found.message} {found.hint}"
