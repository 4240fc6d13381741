"""Splits: whole units, never in two parts, and training that only grows."""

from itertools import combinations, pairwise

import numpy as np
import pytest

from betterthan import PlanError
from betterthan.datasets.data_sets_of import data_sets
from betterthan.models.base import build_model
from betterthan.readers.read_evidence import read
from betterthan.verbs.select import divisible_evidence, unit_splits
from tests.verbs.select.worlds import votes


def _pieces(unit: str, *models: str) -> divisible_evidence.Pieces:
    built = [build_model(name) for name in models or ("bradley-terry",)]
    return divisible_evidence.cut_up(data_sets(votes(300), unit=unit).sets[0], built)


def _check(split: unit_splits.Split, units: int) -> None:
    together = np.concatenate([split.train, split.dev, split.test])
    assert sorted(together) == list(range(units))  # every unit once: none is in two parts


def test_folds_test_every_unit_once_in_each_repeat() -> None:
    splits = unit_splits.by_folds(23, 5, 3, seed=1)
    assert len(splits) == 15
    for split in splits:
        _check(split, 23)
        assert {len(split.dev), len(split.test)} <= {4, 5}
    for repeat in range(3):
        tested = np.concatenate([split.test for split in splits[5 * repeat : 5 * repeat + 5]])
        assert sorted(tested) == list(range(23))
    assert splits[0].test.tolist() != splits[5].test.tolist()
    for first, second in pairwise(splits[:5]):
        assert first.dev.tolist() == second.test.tolist()  # development is the next fold


def test_amounts_are_reached_by_whole_units() -> None:
    judgments = np.random.default_rng(0).integers(1, 9, size=60).astype(float)
    for split in unit_splits.by_amounts(judgments, dev=30, test=50, repeats=10, seed=0):
        _check(split, 60)
        for units, wanted in ((split.test, 50), (split.dev, 30)):
            assert judgments[units].sum() >= wanted > judgments[units[:-1]].sum()


@pytest.mark.parametrize(("dev", "test"), [(10, 100), (100, 10), (60, 60), (1000, 1000)])
def test_something_must_be_left_to_train_on(dev: int, test: int) -> None:
    with pytest.raises(PlanError, match=r"leave nothing to train on: there are 100 judgments in 50 units"):
        unit_splits.by_amounts(np.full(50, 2.0), dev, test, 1, seed=0)


@pytest.mark.parametrize("unit", ["item", "judge", "row"])
def test_rows_follow_their_unit(unit: str) -> None:
    pieces = _pieces(unit)
    columns = votes(300)
    for split in unit_splits.by_folds(len(pieces.per_unit), 3, 2, seed=0):
        parts = [pieces.part(units) for units in (split.train, split.dev, split.test)]
        assert sum(part.times.sum() for part in parts) == 300
        if unit != "row":
            names = [
                {pieces.tally.units[unit].labels[code] for code in pieces.tally.units[unit].codes[part.rows]}
                for part in parts
            ]
            assert not [one & other for one, other in combinations(names, 2) if one & other]
            assert set.union(*names) == set(columns[unit])
        counts = sum(pieces.counts(part) for part in parts)
        assert np.array_equal(counts, pieces.counts(pieces.part(np.arange(len(pieces.per_unit)))))


@pytest.mark.parametrize("unit", ["item", "judge", "row"])
def test_training_is_nested_and_has_the_exact_number(unit: str) -> None:
    pieces = _pieces(unit)
    split = unit_splits.by_folds(len(pieces.per_unit), 3, 1, seed=0)[0]
    before: set[int] = set()
    for size in (10, 25, 60, 80):
        part = pieces.part(split.train, size)
        assert part.times.sum() == size
        assert before <= set(part.rows.tolist())
        assert np.all(np.diff(part.rows) > 0)  # in the order of the evidence
        assert set(pieces.unit[part.rows]) <= set(split.train)
        before = set(part.rows.tolist())


def test_counted_judgments_are_cut_within_a_row() -> None:
    table = {
        "left": ["a", "a", "b"],
        "right": ["b", "c", "c"],
        "outcome": ["left", "tie", "right"],
        "n": [5, 4, 7],
        "item": ["x", "y", "z"],
    }
    model = build_model("bradley-terry")
    pieces = divisible_evidence.cut_up(data_sets(read(table, counts=["n"]), unit="item").sets[0], [model])
    assert pieces.per_unit.tolist() == [5.0, 4.0, 7.0]
    part = pieces.part(np.array([2, 0, 1]), 10)
    assert (part.rows.tolist(), part.times.tolist()) == ([0, 2], [3.0, 7.0])
    assert pieces.statistic(model, part).systems == ("a", "b", "c")
    assert pieces.statistic(model, pieces.part(np.array([0]))).systems == ("a", "b")


def test_models_of_games_get_them_in_the_order_of_the_file() -> None:
    pieces, model = _pieces("item", "elo"), build_model("elo")
    split = unit_splits.by_folds(len(pieces.per_unit), 3, 1, seed=0)[0]
    games = pieces.statistic(model, pieces.part(split.train))
    columns, inside = votes(300), {pieces.tally.units["item"].labels[code] for code in split.train}
    wanted = [left for left, item in zip(columns["left"], columns["item"], strict=True) if item in inside]
    assert [games.systems[code] for code in games.left] == wanted
