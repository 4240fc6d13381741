"""What outcomes mean: words of other tools, shares, scales with a sign, words that nobody knows."""

import numpy as np
import pytest

import betterthan as bt
from betterthan.evidence.outcomes import LEFT, RIGHT, TIE


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
