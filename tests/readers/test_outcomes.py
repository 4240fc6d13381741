"""What outcomes mean: words of other tools, shares, scales with a sign, words that nobody knows."""

from typing import Any

import numpy as np
import pytest

import betterthan as bt
from betterthan.evidence.outcome_phrases import side_of
from betterthan.evidence.outcomes import LEFT, RIGHT, TIE, folded


def _votes(*outcomes: object) -> dict[str, list[object]]:
    size = len(outcomes)
    return {"model_a": ["owl"] * size, "model_b": ["yak"] * size, "winner": list(outcomes)}


@pytest.mark.parametrize(
    ("words", "sides"),
    [
        (("A>>B", "A > B", "A=B", "B>A", "a<<b"), (2, 1, 2)),
        (("[[A]]", "[[B]]", "[[C]]"), (1, 1, 1)),
        (("model_1", "model_2", "tie"), (1, 1, 1)),
        (("tie (bothbad)", "both_bad", "model_a"), (1, 2, 0)),
    ],
)
def test_words_of_other_tools(words: tuple[str, ...], sides: tuple[int, int, int]) -> None:
    tally = bt.read_judgments(_votes(*words)).tally()
    counted = np.bincount(tally.outcome, tally.times, 3)
    assert counted[[LEFT, TIE, RIGHT]].tolist() == list(sides)


def test_shares_are_two_parts_of_one_judgment() -> None:
    evidence = bt.read_judgments({**_votes(0.9, 0.2, 0.5, 1), "item": list("abcd")})
    tally = evidence.tally("item")
    assert tally.number == 4.0
    assert tally.effective is None
    amount = np.bincount(tally.outcome, tally.times * tally.weight, 3)
    assert amount[[LEFT, TIE, RIGHT]] == pytest.approx([2.1, 1.0, 0.9])
    assert str(evidence).startswith("4 judgments")
    # Bradley–Terry of one pair is its share, ties half.
    board = bt.rank(evidence, ci="none").board
    assert board["owl"].log_strength - board["yak"].log_strength == pytest.approx(np.log(2.6 / 1.4))  # type: ignore[operator]
    duel = bt.compare(evidence, "owl", "yak")
    assert (duel.wins, duel.ties, duel.losses) == (2, 1, 1)


def test_a_scale_with_a_sign_is_read_when_its_direction_is_said() -> None:
    scale = _votes(-3, -1, 0, 2, 3, 3)
    with pytest.raises(bt.EvidenceError, match=r"unknown outcomes \(with their rows\): '3' \(2\)"):
        bt.read_judgments(scale).tally()
    tally = bt.read_judgments(scale, outcomes={"negative": "left", "positive": "right"}).tally()
    assert np.bincount(tally.outcome, tally.times, 3)[[LEFT, TIE, RIGHT]].tolist() == [2, 1, 3]


def test_a_number_in_a_map_means_every_spelling() -> None:
    tally = bt.read_judgments(_votes("1.0", "2", "0"), outcomes={"1": "right", "2.0": "left", "0": "tie"}).tally()
    assert np.bincount(tally.outcome, tally.times, 3)[[LEFT, TIE, RIGHT]].tolist() == [1, 1, 1]


def test_all_unknown_words_are_listed_and_no_map_is_suggested() -> None:
    with pytest.raises(bt.EvidenceError) as refusal:
        bt.read_judgments(_votes("good", "good", "bad", "meh", "a")).tally()
    assert "unknown outcomes (with their rows): 'good' (2), 'bad' (1), 'meh' (1)" in str(refusal.value)
    # No trial can find an inversion: what a word means is never suggested.
    assert "Say whether each word means left (the system in 'model_a'), right" in str(refusal.value)
    assert "'good': 'left'" not in str(refusal.value)


def _by_pair(evidence: Any) -> dict[tuple[str, str], int]:
    tally = evidence.tally()
    sides = zip(np.array(tally.systems)[tally.left], np.array(tally.systems)[tally.right], strict=True)
    return dict(zip(sides, tally.outcome.tolist(), strict=True))


@pytest.mark.parametrize(
    ("phrase", "side"),
    [
        ("Response A", "left"),
        ("Assistant B is better", "right"),
        ("A is much better", "left"),
        ("B slightly worse", "left"),
        ("left_better", "left"),
        ("I prefer the second one", "right"),
        ("Model 2 wins", "right"),
        ("Both are the same", "tie"),
        ("About the same", "tie"),
        ("equally bad", "tie"),
        ("No preference.", "tie"),
        ("first is nicer", None),
        ("both fine", None),
        ("A is not better", None),
        ("better", None),
        ("1", None),
        ("i", None),
        ("system c", None),
    ],
)
def test_phrases_have_the_meaning_of_their_words(phrase: str, side: str | None) -> None:
    assert side_of(folded(phrase)) == side


def test_a_phrase_that_names_a_system_is_a_name() -> None:
    """Systems may be called Model A and Model B, and stand on either side."""
    votes = {"left": ["Model B", "Model A"], "right": ["Model A", "Model B"], "winner": ["Model A", "Model A"]}
    assert _by_pair(bt.read_judgments(votes)) == {("Model B", "Model A"): RIGHT, ("Model A", "Model B"): LEFT}


def test_words_that_name_the_columns_of_the_sides_mean_these() -> None:
    votes = {"candidate": ["owl", "elk"], "baseline": ["yak", "yak"], "preferred": ["candidate", "baseline"]}
    assert _by_pair(bt.read(votes)) == {("owl", "yak"): LEFT, ("elk", "yak"): RIGHT}
    swapped = {"model_b": ["owl", "elk"], "model_a": ["yak", "yak"], "winner": ["model_b", "A"]}
    described = bt.read_judgments(swapped, left="model_b", right="model_a")
    assert _by_pair(described) == {("owl", "yak"): LEFT, ("elk", "yak"): RIGHT}
    games = {"HomeTeam": ["owl", "owl"], "AwayTeam": ["yak", "elk"], "result": ["A", "D"]}
    assert _by_pair(bt.read(games)) == {("owl", "yak"): RIGHT, ("owl", "elk"): TIE}


def test_0_1_and_2_are_not_guessed_from_columns_with_numbers() -> None:
    votes = {"player_1": ["owl"] * 3, "player_2": ["yak"] * 3, "winner": [0, 1, 2]}
    with pytest.raises(
        bt.EvidenceError, match=r"unknown outcomes \(with their rows\): '0' \(1\), '1' \(1\), '2' \(1\)"
    ):
        bt.read(votes).tally()


def test_a_name_that_is_a_word_for_the_other_side_is_settled_by_either_map() -> None:
    votes = {"left": ["b", "owl"], "right": ["a", "b"], "winner": ["a", "b"]}
    with pytest.raises(bt.EvidenceError) as refusal:
        bt.read_judgments(votes).tally()
    assert str(refusal.value).endswith("Say what it means: outcomes={'a': 'name'} or outcomes={'a': 'left'}.")


def test_a_beside_b_is_the_first_side_also_of_home_and_away() -> None:
    games = {"home_team": ["owl", "yak"], "away_team": ["yak", "owl"]}
    for words, won in ((["A", "B"], "owl"), (["A", "H"], "yak"), (["H", "A"], "owl")):
        board = bt.rank({**games, "result": words}, ci="none").board
        assert {row.system: row.wins for row in board}[won] == 2


@pytest.mark.parametrize("column", ["winner", "choice", "preferred"])
def test_0_and_1_of_a_chosen_side_are_asked_about(column: str) -> None:
    votes = {"model_a": ["owl", "yak"], "model_b": ["yak", "owl"], column: [0, 1]}
    with pytest.raises(bt.EvidenceError, match="may count the sides from 0, or say whether the left one won"):
        bt.rank(votes)
    board = bt.rank(votes, outcomes={"0": "left", "1": "right"}, ci="none").board
    assert {row.system: row.wins for row in board} == {"owl": 2, "yak": 0}
