"""Every registered model meets the same properties, without a list to maintain.

A model that cannot have a property declares it in `exempt`, with the reason; that it really cannot is tested too.
"""

import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import betterthan as bt
from betterthan.models.base import build_model, known_models
from tests.models.worlds import OF_MODEL, RENAMED, WORLDS, World

MODELS = known_models()
PROPERTIES = ("relabelling", "sides", "row order", "weights", "open intervals")


def _with(prop: str) -> list[str]:
    return [name for name in MODELS if prop not in build_model(name).exempt]


def _world(model: str) -> World:
    return OF_MODEL.get(model) or WORLDS[build_model(model).accepts[0]]


def _strengths(evidence: Any, model: str) -> dict[str, float]:
    board = bt.rank(evidence, model=model, ci="none").board
    return dict(zip(board.fit.systems, board.fit.strength.tolist(), strict=True))


def _same(one: dict[str, float], other: dict[str, float]) -> None:
    assert one.keys() == other.keys()
    for system, strength in one.items():
        assert strength == pytest.approx(other[system], abs=1e-6, rel=1e-6), system


@pytest.mark.parametrize("model", _with("relabelling"))
@given(data=st.data())
def test_relabelling_systems_relabels_the_result(model: str, data: st.DataObject) -> None:
    world = _world(model)
    rows = data.draw(world.rows())
    before = _strengths(world.read(rows), model)
    _same({RENAMED[name]: value for name, value in before.items()}, _strengths(world.read(world.renamed(rows)), model))


@pytest.mark.parametrize("model", _with("sides"))
@given(data=st.data())
def test_sides_and_columns_do_not_matter(model: str, data: st.DataObject) -> None:
    world = _world(model)
    rows = data.draw(world.rows())
    swapped = world.swapped(rows, data.draw(st.lists(st.booleans(), min_size=len(rows), max_size=len(rows))))
    _same(_strengths(world.read(rows), model), _strengths(world.read(swapped), model))


@pytest.mark.parametrize("model", _with("row order"))
@given(data=st.data())
def test_the_order_of_rows_does_not_matter(model: str, data: st.DataObject) -> None:
    world = _world(model)
    rows = data.draw(world.rows())
    _same(_strengths(world.read(rows), model), _strengths(world.read(data.draw(st.permutations(rows))), model))


@pytest.mark.parametrize("model", [name for name in _with("weights") if _world(name).weighted])
@given(data=st.data())
def test_weight_two_is_the_row_twice(model: str, data: st.DataObject) -> None:
    world = _world(model)
    rows = data.draw(world.rows())
    twice = data.draw(st.lists(st.booleans(), min_size=len(rows), max_size=len(rows)))
    repeated = [row for row, double in zip(rows, twice, strict=True) for _ in range(1 + double)]
    weighted = world.read(rows, [1 + double for double in twice])
    _same(_strengths(weighted, model), _strengths(world.read(repeated), model))


@pytest.mark.parametrize("model", MODELS)
@given(data=st.data())
def test_any_record_gives_finite_numbers_and_valid_json(model: str, data: st.DataObject) -> None:
    world = _world(model)
    rows = data.draw(world.rows())
    board = bt.rank(world.read(rows), model=model, **({"resamples": 20} if len(rows) > 1 else {"ci": "none"})).board
    document = json.loads(board.to_json(), parse_constant=lambda word: pytest.fail(f"{word} in JSON"))
    assert np.all(np.isfinite(board.fit.strength))
    for row in document["rows"]:
        assert row["score"] is None or np.isfinite(row["score"])
        low, high = row["low"], row["high"]
        assert low is None or high is None or low <= high
    assert board.to_text(80)
    chances = board.model.probability(board.fit, 0, 1)
    assert chances is None or sum(chances) == pytest.approx(1)


@pytest.mark.parametrize("model", MODELS)
def test_same_seed_same_bits_other_seed_other_intervals(model: str) -> None:
    evidence = _world(model).fixed(0)
    one, two, other = (bt.rank(evidence, model=model, resamples=60, seed=seed).board for seed in (0, 0, 1))
    np.testing.assert_array_equal(one.draws.strength, two.draws.strength)
    assert not np.array_equal(one.draws.strength, other.draws.strength)


@pytest.mark.parametrize("model", _with("open intervals"))
def test_intervals_hold_the_estimate_and_shrink_with_the_level(model: str) -> None:
    evidence = _world(model).fixed(3)
    wide, narrow = (bt.rank(evidence, model=model, resamples=400, level=level).board for level in (0.95, 0.5))
    for row in wide:
        assert row.low < row.score < row.high
        assert narrow[row.system].high - narrow[row.system].low < row.high - row.low


@pytest.mark.parametrize("model", MODELS)
def test_a_result_survives_a_json_round_trip(model: str) -> None:
    evidence = _world(model).fixed(0)
    board = bt.rank(evidence, model=model, resamples=50).board
    document = json.loads(board.to_json())
    assert document == board.to_dict()
    assert document["rows"] == board.records
    plan = bt.Plan.load(document["signature"])
    assert bt.rank(evidence, plan).board.to_json() == board.to_json()


@pytest.mark.parametrize("model", MODELS)
def test_a_second_data_set_never_sees_the_first(model: str) -> None:
    world = _world(model)
    fresh = bt.rank(world.fixed(1), model=model, resamples=50).board.to_json()
    bt.rank(world.fixed(2), model=model, resamples=50)
    assert bt.rank(world.fixed(1), model=model, resamples=50).board.to_json() == fresh


@pytest.mark.parametrize("kind", WORLDS)
@pytest.mark.parametrize("model", MODELS)
def test_every_kind_of_evidence_is_ranked_or_refused_with_a_way_out(model: str, kind: str) -> None:
    evidence = (_world(model) if kind == build_model(model).accepts[0] else WORLDS[kind]).fixed(0)
    if kind in build_model(model).accepts:
        board = bt.rank(evidence, model=model, resamples=20).board
        assert board.evidence.kind == kind
        assert ("conversion" in board.signature.facts) == bool(board.evidence.conversion)
        return
    with pytest.raises(bt.ModelError) as refusal:
        bt.rank(evidence, model=model)
    assert f"but this evidence is {kind}." in str(refusal.value)
    assert f"a model for {kind}, such as bradley-terry or win-rate." in str(refusal.value)


@pytest.mark.parametrize("model", MODELS)
def test_a_model_says_what_it_is(model: str) -> None:
    built = build_model(model)
    text = " ".join((type(built).__doc__ or "").split())
    for word in ("Assumes", "Consumes", "the score is"):
        assert word.lower() in text.lower(), f"{model} does not say: {word}"
    assert any(f"({year})" in text for year in range(1700, 2030)), f"{model} cites nobody"
    has_likelihood = bt.rank(_world(model).fixed(0), model=model, ci="none").board.fit.log_likelihood is not None
    assert has_likelihood != ("has no likelihood" in text or "without a likelihood" in text)


@pytest.mark.parametrize(("model", "prop"), [(name, prop) for name in MODELS for prop in build_model(name).exempt])
def test_an_exemption_is_real_and_says_why(model: str, prop: str) -> None:
    assert prop in PROPERTIES
    assert len(build_model(model).exempt[prop].split()) > 5
    if prop == "open intervals":
        rows = bt.rank(_world(model).fixed(3), model=model, resamples=400).board
        assert any(row.score in {row.low, row.high} for row in rows)
        assert all(row.low <= row.score <= row.high for row in rows)
        return
    world = WORLDS["judgments"]
    rows = [("owl", "yak", "left"), ("yak", "elk", "left"), ("elk", "owl", "tie"), ("fox", "owl", "right")] * 3
    one, other = {
        "relabelling": (world.read(rows), world.read(world.renamed(rows))),
        "row order": (world.read(rows), world.read(rows[::-1])),
        "weights": (world.read(rows, [2] * len(rows)), world.read([row for row in rows for _ in range(2)])),
    }[prop]
    before, after = _strengths(one, model), _strengths(other, model)
    names = RENAMED if prop == "relabelling" else {name: name for name in before}
    assert any(abs(before[name] - after[names[name]]) > 1e-6 for name in before)


@pytest.mark.parametrize("model", MODELS)
def test_chances_of_many_pairs_are_those_of_each(model: str) -> None:
    board = bt.rank(_world(model).fixed(0), model=model, ci="none").board
    first, second = np.divmod(np.arange(len(board) ** 2), len(board))
    chances = board.model.chances(board.fit, first, second)
    if chances is None:
        assert board.model.probability(board.fit, 0, 1) is None
        return
    assert chances.shape == (3, len(board) ** 2)
    assert np.all(chances >= 0)
    assert chances.sum(axis=0) == pytest.approx(1.0, abs=1e-12)
    turned = board.model.chances(board.fit, second, first)
    assert turned is not None
    assert turned == pytest.approx(chances[::-1], abs=1e-12)
    for place, (a, b) in enumerate(zip(first.tolist(), second.tolist(), strict=True)):
        assert board.model.probability(board.fit, a, b) == tuple(chances[:, place].tolist())


@pytest.mark.parametrize("model", MODELS)
def test_a_model_lives_in_the_file_of_its_name(model: str) -> None:
    assert type(build_model(model)).__module__ == f"betterthan.models.{model.replace('-', '_')}"
