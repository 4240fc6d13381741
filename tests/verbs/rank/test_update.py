"""Judgments that are added to known ones give the ranking of all judgments at once."""

import pickle
import time
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import betterthan as bt

Columns = dict[str, list[str]]
SYSTEMS = ["owl", "yak", "elk", "ant", "bee"]


def _votes(number: int, seed: int, systems: list[str], *, items: int = 40, judges: int = 25) -> Columns:
    rng = np.random.default_rng(seed)
    left = rng.integers(len(systems), size=number)
    right = (left + rng.integers(1, len(systems), size=number)) % len(systems)
    won = rng.random(number) < 1 / (1 + np.exp(0.4 * (left - right)))
    winner = np.where(rng.random(number) < 0.15, "tie", np.where(won, "a", "b"))
    return {
        "item": [f"i{place}" for place in rng.integers(items, size=number)],
        "judge": [f"j{place}" for place in rng.integers(judges, size=number)],
        "left": [systems[place] for place in left],
        "right": [systems[place] for place in right],
        "winner": winner.tolist(),
    }


def _joined(*parts: Columns) -> Columns:
    return {name: [value for part in parts for value in part[name]] for name in parts[0]}


def _without(votes: Columns, *columns: str) -> Columns:
    return {name: values for name, values in votes.items() if name not in columns}


FIRST = _votes(400, 1, SYSTEMS[:4])
SECOND = _votes(60, 2, SYSTEMS)  # with a new system, new items and known ones
THIRD = _votes(30, 3, SYSTEMS[1:], items=60)


def _same(one: bt.Leaderboards, two: bt.Leaderboards) -> None:
    assert one.signature == two.signature
    for ours, theirs in zip(one, two, strict=True):
        assert ours.evidence.effective == pytest.approx(theirs.evidence.effective)
        assert replace(ours.evidence, effective=None) == replace(theirs.evidence, effective=None)
        assert [row.system for row in ours] == [row.system for row in theirs]
        for name in ("score", "log_strength", "low", "high", "rank_low", "rank_high", "p_best", "wins", "ties"):
            one_by_one = [[getattr(row, name) for row in board] for board in (ours, theirs)]
            values = [np.array(each, dtype=float) for each in one_by_one]  # NaN where there is none
            np.testing.assert_allclose(values[0], values[1], rtol=1e-9, atol=1e-9, err_msg=name)


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"ties": "drop"},
        {"model": "davidson"},
        {"model": "rao-kupper"},
        {"model": "thurstone", "unit": "judge"},
        {"model": "win-rate,borda,rank-centrality", "ci": "none"},
        {"model": "bradley-terry,davidson", "ci": "analytic", "unit": "item"},
        {"unit": "row", "reweight": "pairs"},
        {"buckets": 8},
        {"ci": "none", "anchor": "yak=1500"},
    ],
    ids=str,
)
def test_updates_are_the_ranking_of_all_at_once(options: Mapping[str, Any]) -> None:
    said: dict[str, Any] = {**({} if options.get("ci") else {"resamples": 100}), **options}
    boards = bt.rank(FIRST, **said).update(SECOND).update(THIRD)
    _same(boards, bt.rank(_joined(FIRST, SECOND, THIRD), **said))
    assert boards.findings[0].message.startswith("30 judgments of")


def test_any_order_of_updates_gives_the_same() -> None:
    one = bt.rank(FIRST, ci="none").update(SECOND).update(THIRD)
    two = bt.rank(THIRD, ci="none").update(FIRST).update(SECOND)
    _same(one, two)


def test_judgments_without_units_are_kept_as_counts(tmp_path: Path) -> None:
    first, second = (_without(votes, "item", "judge") for votes in (FIRST, SECOND))
    boards = bt.rank(first, resamples=100)
    boards.save_state(tmp_path / "board.duckdb")
    whole = bt.rank(_joined(first, second), resamples=100)
    _same(boards.update(second), whole)
    _same(bt.rank(bt.load_state(tmp_path / "board.duckdb").add(second)), whole)


def test_weights_and_counts_are_added_up() -> None:
    weighted = [
        {**votes, "weight": [0.5 + place % 3 for place in range(len(votes["left"]))]} for votes in (FIRST, SECOND)
    ]
    _same(bt.rank(weighted[0], ci="none").update(weighted[1]), bt.rank(_joined(*weighted), ci="none"))
    counted = [{**votes, "count": [1 + place % 3 for place in range(len(votes["left"]))]} for votes in (FIRST, SECOND)]
    _same(bt.rank(counted[0], resamples=100).update(counted[1]), bt.rank(_joined(*counted), resamples=100))


def test_intervals_can_be_left_for_later() -> None:
    boards = bt.rank(FIRST, resamples=100)
    quick = boards.update(SECOND, ci="none")
    assert quick.board.draws is None
    _same(quick.update(THIRD, ci="bootstrap", resamples=100), bt.rank(_joined(FIRST, SECOND, THIRD), resamples=100))


def test_a_saved_state_goes_on(tmp_path: Path) -> None:
    place = tmp_path / "board.duckdb"
    bt.rank(FIRST, model="davidson", resamples=100).save_state(place)
    state = bt.load_state(place).add(SECOND)
    assert [each.judgments for each in state.added] == [400, 60]
    boards = bt.rank(state)
    boards.save_state(place)
    whole = bt.rank(_joined(FIRST, SECOND), model="davidson", resamples=100)
    _same(boards, whole)
    _same(bt.rank(bt.load_state(place)), whole)
    assert bt.rank(bt.load_state(place)).board.fit.iterations <= 2  # it begins where it ended
    _same(bt.rank(THIRD, state=place), bt.rank(_joined(FIRST, SECOND, THIRD), model="davidson", resamples=100))


def test_a_system_can_be_withdrawn() -> None:
    votes = _joined(FIRST, SECOND)
    state = bt.State.of(FIRST).add(SECOND)
    kept = [place for place in range(460) if "owl" not in {votes["left"][place], votes["right"][place]}]
    rest = {name: [values[place] for place in kept] for name, values in votes.items()}
    _same(bt.rank(state.without("owl"), resamples=100), bt.rank(rest, resamples=100))
    with pytest.raises(bt.EvidenceError, match="no system is called 'owls'"):
        state.without("owls")


def test_an_update_does_not_go_over_known_judgments() -> None:
    rng = np.random.default_rng(5)
    systems = [f"s{place:02}" for place in range(60)]
    known = _votes(150_000, 4, systems, items=50_000, judges=5_000)
    boards = bt.rank(bt.State.of(known), ci="none")
    taken = []
    for seed in range(3):
        new = _votes(1000, int(rng.integers(1000)) + seed, systems, items=60_000)
        begun = time.perf_counter()
        boards = boards.update(new)
        taken.append(time.perf_counter() - begun)
    begun = time.perf_counter()
    bt.rank(known, ci="none")
    assert min(taken) < (time.perf_counter() - begun) / 4


REFUSED: list[tuple[Any, dict[str, Any], str]] = [
    (
        FIRST,
        {},
        "these 400 judgments were added already, as the given arrays. Leave them out. To count the same "
        "judgments twice, pass again=True.",
    ),
    (
        _without(SECOND, "judge"),
        {},
        "has no column of judges, but the known judgments have one. Name the same columns "
        "for every file, or begin another state.",
    ),
    (
        {**SECOND, "weight": [1.5] * 60},
        {},
        "has a column of weights, but the known judgments have none. Name the same "
        "columns for every file, or begin another state.",
    ),
    (
        {"owl": [0.5, 0.7], "yak": [0.4, 0.1]},
        {},
        "a state is of judgments, but this evidence is scores. Rank all files at once instead.",
    ),
    (
        {**SECOND, "dataset": ["x", "y"] * 30},
        {},
        "a state does not keep several data sets. Rank all files at once instead.",
    ),
    (
        {**SECOND, "winner": ["0.7"] * 60},
        {},
        "an outcome is a share for each side, which a state does not keep. Rank all files at once instead.",
    ),
    (
        SECOND,
        {"model": "davidson"},
        "model='davidson' differs from the state, which was made with "
        "model='bradley-terry'. Leave out model, or begin another state.",
    ),
    (
        SECOND,
        {"ties": "drop"},
        "ties='drop' differs from the state, which was made without ties. Leave out ties, or begin another state.",
    ),
]


@pytest.mark.parametrize(("new", "changed", "sentence"), REFUSED, ids=[sentence[:30] for *_, sentence in REFUSED])
def test_what_cannot_be_added_is_refused(new: Any, changed: dict[str, Any], sentence: str) -> None:
    boards = bt.rank(FIRST, ci="none")
    with pytest.raises(bt.BetterthanError) as refused:
        boards.update(new, **changed)
    assert str(refused.value).endswith(sentence)


def test_the_same_judgments_count_twice_when_asked() -> None:
    boards = bt.rank(FIRST, ci="none").update(_joined(FIRST), again=True)
    _same(boards, bt.rank(_joined(FIRST, FIRST), ci="none"))


def test_models_of_single_judgments_are_refused() -> None:
    with pytest.raises(bt.ModelError, match="elo takes judgments one by one, but a state keeps counts of pairs"):
        bt.rank(bt.State.of(FIRST), model="elo")


def test_words_for_outcomes_are_remembered() -> None:
    said = {"a": "ja", "b": "nein", "tie": "gleich"}
    words = {"ja": "left", "nein": "right", "gleich": "tie"}
    first, second = ({**votes, "winner": [said[word] for word in votes["winner"]]} for votes in (FIRST, SECOND))
    state = bt.State.of(bt.read_judgments(first, outcomes=words))
    _same(bt.rank(state.add(second), ci="none"), bt.rank(_joined(FIRST, SECOND), ci="none"))
    other = bt.read_judgments(second, outcomes={**words, "gleich": "left"})
    with pytest.raises(bt.EvidenceError, match="outcomes differs from that of the known judgments"):
        state.add(other)


def test_a_copy_of_a_board_has_forgotten_its_judgments() -> None:
    copied = pickle.loads(pickle.dumps(bt.rank(FIRST, ci="none")))
    with pytest.raises(bt.EvidenceError, match="does not know its judgments, because it was copied"):
        copied.update(SECOND)


def test_a_board_reads_its_judgments_once_however_often_it_grows() -> None:
    votes = bt.read_judgments(FIRST)
    boards = bt.rank(votes, ci="none")
    one, two = boards.update(SECOND), boards.update(THIRD)
    assert one.origin is not None
    assert two.origin is not None
    assert one.origin.evidence.known.parts[0] is two.origin.evidence.known.parts[0]
    _same(two, bt.rank(_joined(FIRST, THIRD), ci="none"))
