"""Components of "has beaten", against SciPy's search for them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csgraph

from betterthan.models.likelihood.components import Met, find_components, held_together
from betterthan.models.likelihood.linked import still_linked


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


@given(data=st.data())
def test_resamples_are_held_together_where_the_general_search_says_so(data: st.DataObject) -> None:
    size, groups, resamples = (data.draw(st.integers(1, most)) for most in (9, 3, 130))
    label = np.arange(size) % groups % size
    first, second = np.triu_indices(size, 1)
    inside = label[first] == label[second]
    first, second = first[inside], second[inside]
    rng = np.random.default_rng(data.draw(st.integers(0, 1000)))
    won, lost = rng.random((2, len(first), resamples)) < data.draw(st.sampled_from([0.2, 0.5, 0.8]))
    met = [Met(size, first, second, won[:, column], lost[:, column]) for column in range(resamples)]
    wanted = [held_together(one, len(np.unique(label))) for one in met]
    assert still_linked(label, first, second, won, lost).tolist() == wanted
