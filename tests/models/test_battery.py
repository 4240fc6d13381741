"""Every registered model meets the same properties, without a list to maintain."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import betterthan as bt
from betterthan.models.base import known
from tests.arenas import arena

MODELS = known()
SYSTEMS = ("owl", "yak", "elk", "fox")


@st.composite
def judgments(draw: st.DrawFn) -> list[tuple[str, str, str]]:
    """Draw judgments of up to four systems; any record is allowed, also one without a maximum."""
    pair = st.permutations(SYSTEMS).map(lambda names: names[:2])
    entry = st.tuples(pair, st.sampled_from(["left", "tie", "right"]))
    drawn = draw(st.lists(entry, min_size=1, max_size=30))
    return [(pair[0], pair[1], outcome) for pair, outcome in drawn]


def _strengths(rows: list[tuple[str, str, str]], model: str, **choices: object) -> dict[str, float]:
    board = bt.rank(rows, model=model, ci="none", **choices)
    return {row.system: row.log_strength for row in board}


def _same(one: dict[str, float], other: dict[str, float]) -> None:
    assert one.keys() == other.keys()
    for system, strength in one.items():
        assert strength == pytest.approx(other[system], abs=1e-6), system


@pytest.mark.parametrize("model", MODELS)
@given(rows=judgments())
def test_relabelling_systems_relabels_the_result(model: str, rows: list[tuple[str, str, str]]) -> None:
    new = dict(zip(SYSTEMS, ("zebra", "ant", "mole", "bat"), strict=True))
    renamed = [(new[left], new[right], outcome) for left, right, outcome in rows]
    _same({new[name]: value for name, value in _strengths(rows, model).items()}, _strengths(renamed, model))


@pytest.mark.parametrize("model", MODELS)
@given(rows=judgments(), data=st.data())
def test_sides_and_order_of_rows_do_not_matter(
    model: str, rows: list[tuple[str, str, str]], data: st.DataObject
) -> None:
    other = {"left": "right", "right": "left", "tie": "tie"}
    shuffled = data.draw(st.permutations(rows))
    swapped = [(b, a, other[o]) if data.draw(st.booleans()) else (a, b, o) for a, b, o in shuffled]
    _same(_strengths(rows, model), _strengths(swapped, model))


@pytest.mark.parametrize("model", MODELS)
@given(rows=judgments(), data=st.data())
def test_weight_two_is_the_row_twice(model: str, rows: list[tuple[str, str, str]], data: st.DataObject) -> None:
    double = [data.draw(st.booleans()) for _ in rows]
    left, right, outcome = zip(*rows, strict=True)
    weighted = {"left": left, "right": right, "outcome": outcome, "weight": [1 + twice for twice in double]}
    repeated = [row for row, twice in zip(rows, double, strict=True) for _ in range(1 + twice)]
    board = bt.rank(weighted, model=model, ci="none")
    _same({row.system: row.log_strength for row in board}, _strengths(repeated, model))


@pytest.mark.parametrize("model", MODELS)
@given(rows=judgments())
def test_any_record_gives_finite_numbers_and_valid_json(model: str, rows: list[tuple[str, str, str]]) -> None:
    board = (
        bt.rank(rows, model=model, resamples=20, resample="row")
        if len(rows) > 1
        else bt.rank(rows, model=model, ci="none")
    )
    document = json.loads(board.to_json(), parse_constant=lambda word: pytest.fail(f"{word} in JSON"))
    for row in document["leaderboards"][0]["rows"]:
        assert np.isfinite(row["score"])
        assert np.isfinite(row["log_strength"])
        low, high = row["low"], row["high"]
        assert low is None or high is None or low <= high


@pytest.mark.parametrize("model", MODELS)
def test_same_seed_same_bits_other_seed_other_intervals(model: str) -> None:
    evidence = bt.read_judgments(arena())
    one, two, other = (bt.rank(evidence, model=model, resamples=300, seed=seed) for seed in (0, 0, 1))
    np.testing.assert_array_equal(one.draws.strength, two.draws.strength)
    assert not np.array_equal(one.draws.strength, other.draws.strength)


@pytest.mark.parametrize("model", MODELS)
def test_a_result_survives_a_json_round_trip(model: str) -> None:
    board = bt.rank(arena(), model=model, resamples=50)
    document = json.loads(board.to_json())
    assert document == board.to_dict()
    assert document["leaderboards"][0]["rows"] == [row.to_dict() for row in board]
    plan = bt.Plan.load(document["signature"])
    assert bt.rank(arena(), plan).to_json() == board.to_json()


@pytest.mark.parametrize("model", MODELS)
def test_a_second_data_set_never_sees_the_first(model: str) -> None:
    fresh = bt.rank(arena(seed=1), model=model, resamples=50).to_json()
    bt.rank(arena(seed=2), model=model, resamples=50)
    assert bt.rank(arena(seed=1), model=model, resamples=50).to_json() == fresh
