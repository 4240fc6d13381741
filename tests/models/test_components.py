"""Components of "has beaten", against SciPy's search for them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csgraph

from betterthan.models.likelihood.components import Met, find_components, held_together


@st.composite
def records(draw: st.DrawFn) -> Met:
    size = draw(st.integers(1, 12))
    first, second = np.triu_indices(size, 1)
    counts = st.lists(st.integers(0, 1), min_size=len(first), max_size=len(first))
    won, lost = (np.array(draw(counts), dtype=float) for _ in range(2))
    return Met(size, first, second, won, lost)


@given(met=records())
def test_components_are_those_of_the_general_search(met: Met) -> None:
    count, label = csgraph.connected_components(met.beats, directed=True, connection="strong")
    found = find_components(met)
    assert found.count == count
    assert found.label.tolist() == label.tolist()
    for number in (1, 2, count):
        assert held_together(met, number) == (number == count)


@pytest.mark.parametrize("length", [3, 8, 9, 40])
def test_a_long_way_round_is_one_component_too(length: int) -> None:
    ring = np.arange(length)
    first, second = np.minimum(ring, (ring + 1) % length), np.maximum(ring, (ring + 1) % length)
    met = Met(length, first, second, (first == ring).astype(float), (first != ring).astype(float))
    assert find_components(met).connected
    assert held_together(met)
