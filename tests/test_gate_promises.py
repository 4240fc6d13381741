"""Gates at the margin: the quick form of `benchmarks/run.py gate`."""

import pytest
from scipy import stats

from tests.scripts import load_script

DATA_SETS = 60


GATES = load_script("benchmarks/gate_worlds.py", "gate_worlds")
WORLDS = {f"{world.name} {world.units}": world for world in GATES.worlds()}
#: More false passes than this are seen in one of a thousand runs of a gate that passes 6 % falsely.
MOST = stats.binom.ppf(0.999, DATA_SETS, 0.06)


@pytest.mark.parametrize("name", GATES.QUICK)
def test_versions_at_the_margin_seldom_pass_and_seldom_fail(name: str) -> None:
    found = GATES.simulated(WORLDS[name], 0, DATA_SETS, equal_too=False)
    assert found["false passes"] <= MOST
    assert found["false fails"] <= MOST


def test_a_world_that_is_not_allowed_for_is_a_miss() -> None:
    """The simulation itself must be able to fail: documents whose items are taken as independent."""
    world = WORLDS["documents 20"]
    blind = GATES.GateWorld(world.name, world.units, world.make, {"not_worse_than": 0.3})
    assert GATES.simulated(blind, 0, 200, equal_too=False)["false passes"] > stats.binom.ppf(0.999, 200, 0.06)
