"""Checks that every model, format and policy must pass; plug-ins can run them in their tests.

>>> check_model("bradley-terry")
>>> check_policy("uniform")
"""

import json
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from betterthan.base.errors import EvidenceError
from betterthan.datasets.statistics.pair_counts import PairCounts
from betterthan.datasets.units.units import RowUnits
from betterthan.engine.files.placed_files import Places
from betterthan.models.base import Model, build_model
from betterthan.options.read import ReadOptions
from betterthan.readers.format import Format
from betterthan.readers.open_tables import open_table
from betterthan.readers.read_evidence import read_judgments, read_rankings, read_scores
from betterthan.verbs.collect.collection_state import CollectionState
from betterthan.verbs.collect.policies.base import policy_of
from betterthan.verbs.collect.trueskill_beliefs import Beliefs
from betterthan.verbs.rank.rank_evidence import rank

__all__ = ["check_format", "check_model", "check_policy"]

_SYSTEMS = ("owl", "yak", "elk", "fox")
_RENAMED = {"owl": "zebra", "yak": "ant", "elk": "mole", "fox": "bat"}
_Rows = list[dict[str, Any]]
#: Rows of evidence, and weights if they have any, to evidence.
_Read = Callable[[_Rows], Any]


def check_model(model: str, *, seeds: int = 5) -> None:
    """Check that a model has the properties every model must have.

    Properties that it names in `exempt` are left out.

    Parameters
    ----------
    model
        The model's name, with options if it has any: `name(option=value)`.
    seeds
        How many random data sets are tried.

    Raises
    ------
    AssertionError
        Where a property does not hold, with the property and the data set's seed.
    """
    built = build_model(model)
    kind = built.accepts[0]
    for seed in range(seeds):
        rows = _ROWS[kind](np.random.default_rng(seed))
        _check_invariance(model, built, kind, rows, seed)
        _check_result(model, kind, rows, seed)


def check_format(form: Format) -> None:
    """Check that a format recognises and reads its own example.

    Parameters
    ----------
    form
        The format, registered or not.

    Raises
    ------
    AssertionError
        If it does not describe itself in one line, does not recognise its example, exceeds its declared confidence, or
        reads another kind of evidence than it announces.
    """
    assert form.about, f"{form.name} does not say what it looks like"
    assert "\n" not in form.about, f"{form.name}: `about` must be one line"
    with TemporaryDirectory() as folder:
        example = form.example(Path(folder))
        found: Any = Places([str(example)]) if form.takes == "places" else open_table(example)
        try:
            recognition = form.recognise(found, ReadOptions())
            assert recognition is not None, f"{form.name} does not recognise its own example"
            assert 0 < recognition.certainty <= form.surest, f"{form.name} is more certain than `surest`"
            evidence = form.read(found, ReadOptions(format=form.name))  # some are read on request only
            assert evidence.kind == form.kind, f"{form.name} announces {form.kind} and reads {evidence.kind}"
            assert len(evidence.systems) > 1, f"the example of {form.name} has fewer than two systems"
        finally:
            found.close()
    nothing = open_table({"text": ["x"], "other": ["y"]}) if form.takes == "table" else None
    if nothing is not None:
        assert form.recognise(nothing, ReadOptions()) is None, f"{form.name} recognises columns that are not its own"
        try:
            form.read(nothing, ReadOptions())
        except EvidenceError:
            return
        raise AssertionError(f"{form.name} reads a table that lacks its columns instead of refusing it")


def check_policy(policy: str, *, seeds: int = 5) -> None:
    """Check that a policy returns chances that can be drawn from, and does not depend on how systems are numbered.

    Parameters
    ----------
    policy
        The policy's name, with options if it has any: `name(option=value)`.
    seeds
        How many random states of a collection are tried.

    Raises
    ------
    AssertionError
        Where a chance is negative, infinite or given to a pair that is not allowed, or changes when asked again.
    """
    built = policy_of(policy)
    for seed in range(seeds):
        rng = np.random.default_rng(seed)
        size = int(rng.integers(3, 6))
        first, second = np.triu_indices(size, 1)
        outcomes = rng.integers(0, 9, size=(3, len(first))).astype(float)
        units = RowUnits.of(np.arange(outcomes.size), np.ones(outcomes.size), outcomes.ravel(), outcomes.shape)
        counts = PairCounts(tuple("abcdefgh"[:size]), first, second, outcomes, units)
        known = CollectionState(counts, partial(_start, size))
        pending = rng.integers(0, 3, size=len(first)).astype(float)
        allowed = rng.random(len(first)) < 0.7
        allowed[rng.integers(len(first))] = True
        chances = built.chances(known, pending, allowed)
        where = f"{policy} (seed {seed})"
        assert chances.shape == allowed.shape, f"{where}: one chance per pair is needed"
        assert np.all(np.isfinite(chances)), f"{where}: a chance is not finite"
        assert np.all(chances >= 0), f"{where}: a chance is negative"
        assert not np.any(chances[~allowed]), f"{where}: a pair that is not allowed has a chance"
        np.testing.assert_array_equal(built.chances(known, pending, allowed), chances, f"{where}: chances change")


def _start(size: int, preset: str) -> Beliefs:
    return Beliefs.start(size, preset or "game", 10)


def _check_invariance(model: str, built: Model, kind: str, rows: _Rows, seed: int) -> None:
    before = _strengths(rows, kind, model)
    rng = np.random.default_rng(seed)
    changed: dict[str, tuple[_Rows, Mapping[str, float]]] = {
        "relabelling": (_relabelled(rows, kind), {_RENAMED[name]: value for name, value in before.items()}),
        "row order": ([rows[place] for place in rng.permutation(len(rows))], before),
        "sides": ([_swapped(row, kind) for row in rows], before),
    }
    for prop, (other, expected) in changed.items():
        if prop not in built.exempt:
            found = _strengths(other, kind, model)
            assert found.keys() == expected.keys(), f"{model}, {prop} (seed {seed}): other systems are ranked"
            for system, strength in expected.items():
                close = np.isclose(found[system], strength, rtol=1e-6, atol=1e-6)
                assert close, f"{model}, {prop} (seed {seed}): {system} has {found[system]}, expected {strength}"
    if "weights" not in built.exempt and kind == "judgments":
        twice = [row | {"weight": 2} for row in rows]
        for system, strength in _strengths(rows + rows, kind, model).items():
            close = np.isclose(_strengths(twice, kind, model)[system], strength, rtol=1e-6, atol=1e-6)
            assert close, f"{model}, weights (seed {seed}): weight 2 is not the row twice"


def _check_result(model: str, kind: str, rows: _Rows, seed: int) -> None:
    evidence = _READ[kind](rows)
    one, two = (rank(evidence, model=model, resamples=20, seed=seed).board for _ in range(2))
    assert one.to_json() == two.to_json(), f"{model} (seed {seed}): the same seed gives other numbers"
    assert np.all(np.isfinite(one.fit.strength)), f"{model} (seed {seed}): a strength is not finite"
    document = json.loads(one.to_json(), parse_constant=_refuse)
    assert document == one.to_dict(), f"{model} (seed {seed}): the document does not survive JSON"
    chances = one.model.probability(one.fit, 0, 1)
    assert chances is None or np.isclose(sum(chances), 1), f"{model} (seed {seed}): chances do not add up to 1"


def _refuse(word: str) -> None:
    raise AssertionError(f"{word} is no JSON")


def _strengths(rows: _Rows, kind: str, model: str) -> dict[str, float]:
    board = rank(_READ[kind](rows), model=model, ci="none").board
    return dict(zip(board.fit.systems, board.fit.strength.tolist(), strict=True))


def _judged(rng: np.random.Generator) -> _Rows:
    pairs = [rng.permutation(_SYSTEMS)[:2] for _ in range(25)]
    words = rng.choice(["left", "tie", "right"], size=25, p=[0.5, 0.2, 0.3])
    return [{"left": str(a), "right": str(b), "outcome": str(word)} for (a, b), word in zip(pairs, words, strict=True)]


def _ranked(rng: np.random.Generator) -> _Rows:
    return [dict(zip(_SYSTEMS, rng.integers(1, 4, size=4).tolist(), strict=True)) for _ in range(10)]


def _scored(rng: np.random.Generator) -> _Rows:
    return [dict(zip(_SYSTEMS, rng.integers(-3, 4, size=4).tolist(), strict=True)) for _ in range(10)]


def _columns(rows: _Rows) -> dict[str, list[Any]]:
    return {name: [row.get(name) for row in rows] for name in rows[0]}


def _relabelled(rows: _Rows, kind: str) -> _Rows:
    if kind == "judgments":
        return [row | {"left": _RENAMED[row["left"]], "right": _RENAMED[row["right"]]} for row in rows]
    return [{_RENAMED[name]: value for name, value in row.items()} for row in rows]


def _swapped(row: dict[str, Any], kind: str) -> dict[str, Any]:
    if kind != "judgments":
        return dict(reversed(row.items()))
    turned = {"left": "right", "right": "left", "tie": "tie"}[row["outcome"]]
    return {"left": row["right"], "right": row["left"], "outcome": turned}


_ROWS: Mapping[str, Callable[[np.random.Generator], _Rows]] = {
    "judgments": _judged,
    "rankings": _ranked,
    "scores": _scored,
}
_READ: Mapping[str, _Read] = {
    "judgments": lambda rows: read_judgments(_columns(rows)),
    "rankings": lambda rows: read_rankings(_columns(rows), systems=list(rows[0])),
    "scores": lambda rows: read_scores(_columns(rows), systems=list(rows[0])),
}
