"""Overall scores keep their level: the quick form of `benchmarks/run.py suites`."""

import pytest
from scipy import stats

from tests.scripts import load_script

DATA_SETS = 25

SUITES = load_script("benchmarks/suite_worlds.py", "suite_worlds")
WORLDS = {world.name: world for world in SUITES.worlds()}
#: More errors than this are seen in one of a thousand runs where 6 % are expected.
MOST = stats.binom.ppf(0.999, DATA_SETS, 0.06)


@pytest.mark.parametrize("name", SUITES.QUICK)
def test_equal_systems_are_seldom_decided_and_differences_covered(name: str) -> None:
    found = SUITES.simulated(WORLDS[name], 0, DATA_SETS)
    assert found["alarms"] <= MOST
    assert found["firsts"] <= MOST
    if found["covers"]:
        assert DATA_SETS - found["covered"] <= MOST


def test_a_sample_of_tasks_that_is_taken_as_fixed_is_a_miss() -> None:
    """The simulation itself must be able to fail: tasks that favour systems, taken as the only ones."""
    blind = SUITES.SuiteWorld("blind", 3, SUITES.normal(1.0), covers=True)
    found = SUITES.simulated(blind, 0, DATA_SETS)
    assert found["alarms"] > MOST
