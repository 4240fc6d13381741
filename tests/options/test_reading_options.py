"""Options of reading that are given to a verb: one union, checked, wherever evidence is read."""

from typing import Any

import pytest

import betterthan as bt
from betterthan.options import ReadOptions, declared_options

SCORES = {
    "llm": ["owl", "yak"] * 6,
    "problem": [f"q{number // 2}" for number in range(12)],
    "grade": [3, 1, 2, 1, 3, 2, 1, 2, 3, 1, 2, 0],
    "kind": ["a", "b"] * 2 + ["c"] * 8,
}
ROLES: dict[str, Any] = {"system": "llm", "item": "problem", "score": "grade"}
VOTES = {"p": ["owl", "yak", "elk"] * 4, "q": ["yak", "elk", "owl"] * 4, "won": ["a", "b", "tie", "a", "b", "a"] * 2}
SIDES: dict[str, Any] = {"left": "p", "right": "q", "outcome": "won"}


@pytest.mark.parametrize(
    ("verb", "options"),
    [
        (bt.rank, {"model": "mean", "ci": "none"}),
        (bt.compare, {}),
        (bt.compare_all, {}),
        (bt.diagnose, {}),
    ],
)
def test_scores_are_described_with_the_options_of_a_verb(verb: Any, options: dict[str, Any]) -> None:
    assert verb(SCORES, **ROLES, **options).to_dict() == verb(bt.read(SCORES, **ROLES), **options).to_dict()


@pytest.mark.parametrize(
    ("verb", "options"), [(bt.fit, {}), (bt.select, {"models": "win-rate,bradley-terry"}), (bt.next_matches, {"n": 2})]
)
def test_judgments_are_described_with_the_options_of_a_verb(verb: Any, options: dict[str, Any]) -> None:
    assert verb(VOTES, **SIDES, **options).to_dict() == verb(bt.read(VOTES, **SIDES), **options).to_dict()


def test_pictures_take_them_too() -> None:
    assert bt.plot("ranks", SCORES, **ROLES, model="mean").columns


def test_an_option_of_both_is_the_verb_s_own() -> None:
    """`exclude` of `next` names systems that are not to be judged; their judgments count."""
    kept = bt.next_matches(VOTES, 2, exclude=["elk"], **SIDES)
    assert {name for match in kept.matches for name in match.systems} == {"owl", "yak"}


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: bt.rank(SCORES, sytem="llm"), "unknown option 'sytem'; known: model, ties,"),
        (
            lambda: bt.rank(SCORES, score=3),
            "score must be a list of texts, or one text with commas between them, got 3",
        ),
        (
            lambda: bt.rank(bt.read(SCORES, **ROLES), item="problem"),
            "item says how evidence is read, and these scores were read already. Give it to bt.read with the files.",
        ),
        (lambda: bt.power(score="grade"), "score says how evidence is read, and none was given."),
    ],
)
def test_wrong_options_are_refused(call: Any, message: str) -> None:
    with pytest.raises(bt.BetterthanError) as refusal:
        call()
    assert message in str(refusal.value)


@pytest.mark.parametrize("name", declared_options(ReadOptions))
def test_no_option_of_reading_is_unknown_to_a_verb_that_reads(name: str) -> None:
    with pytest.raises(bt.BetterthanError) as refusal:
        bt.rank(bt.read(SCORES, **ROLES), **{name: object()})
    assert "unknown option" not in str(refusal.value)
