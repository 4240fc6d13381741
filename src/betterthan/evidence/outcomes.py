"""Outcome words and their meaning, seen from the left side."""

import re
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from types import MappingProxyType
from typing import Final

import numpy as np

from betterthan.base import BoolArray, EvidenceError, FloatArray, IntArray, spelling
from betterthan.engine import MISSING, Coded, conditions

LEFT: Final = 0
TIE: Final = 1
RIGHT: Final = 2
UNKNOWN: Final = -1
ABSENT: Final = -2

#: What a user may say a word means; a name is not a word, so its word is unknown.
_SIDE = {"left": LEFT, "tie": TIE, "right": RIGHT, "name": UNKNOWN}
_SIDES = {code: side for side, code in _SIDE.items()}
#: What the side that plays abroad is called.
_GUESTS = ("away", "visitor", "visiting")
#: What a column of systems is called in addition to its side: `model_a`, `home_team`.
_KIND = r"(?:model|system|item|response|answer|output|assistant|player|team)"
#: Words of a user's map that stand for all numbers of a sign: which end of a scale from −3 to 3 is the left side's?
_SIGNS = {"positive": 1.0, "negative": -1.0}
_WORDS: Mapping[int, tuple[str, ...]] = {
    LEFT: (
        "left",
        "a",
        "model_a",
        "system_a",
        "item_a",
        "first",
        "win",
        "won",
        "wins",
        "w",
        ">",
        ">>",
        "x",
        "home",
        "true",
        "a>b",
        "a>>b",
        "b<a",
        "b<<a",
        "[[a]]",
        "model_1",
        "system_1",
        "model1",
        "system1",
        "response_a",
        "answer_a",
        "output_a",
        "response_1",
        "answer_1",
        "output_1",
        "assistant_a",
        "a wins",
        "left wins",
        "1-0",
    ),
    TIE: (
        "tie",
        "draw",
        "equal",
        "same",
        "tied",
        "d",
        "t",
        "=",
        "==",
        "both",
        "neither",
        "tie (bothbad)",
        "tie (both bad)",
        "bothbad",
        "both bad",
        "both_bad",
        "tie_bothbad",
        "both good",
        "a=b",
        "b=a",
        "[[c]]",
        "no preference",
        "undecided",
        "1/2-1/2",
        "½-½",
    ),
    RIGHT: (
        "right",
        "b",
        "model_b",
        "system_b",
        "item_b",
        "second",
        "loss",
        "lose",
        "lost",
        "losses",
        "l",
        "<",
        "<<",
        "y",
        "away",
        "false",
        "b>a",
        "b>>a",
        "a<b",
        "a<<b",
        "[[b]]",
        "model_2",
        "system_2",
        "model2",
        "system2",
        "response_b",
        "answer_b",
        "output_b",
        "response_2",
        "answer_2",
        "output_2",
        "assistant_b",
        "b wins",
        "right wins",
        "0-1",
    ),
}
_MEANING = {word: side for side, words in _WORDS.items() for word in words}
KNOWN = (
    "a/b/tie, left/right/tie, model_a/model_b/tie (bothbad), A is better, win/loss/tie of the left one, >/</=, A>B, "
    "1/0/0.5 or a share of the left one, or the winner's own name"
)


def is_tie(word: str) -> bool:
    """Whether this is a word for a tie.

    >>> is_tie("Tie"), is_tie("left")
    (True, False)
    """
    return _of_word(word.strip().casefold()) == TIE


def is_outcome(word: str) -> bool:
    """Whether this is a word for a side or a tie.

    >>> is_outcome("A"), is_outcome("fluent")
    (True, False)
    """
    return _of_word(word.strip().casefold()) != UNKNOWN


def understood(outcome: Coded, left: Coded, right: Coded, sides: tuple[str, str]) -> bool:
    """Whether every outcome means a side or a tie, or is the name of one of its row's systems."""
    try:
        return not np.any(meaning(outcome, left, right, {}, "", sides) == UNKNOWN)
    except EvidenceError:
        return False


def parse_map(given: Mapping[str, str] | None) -> dict[str, int]:
    """Check a user's own words: each must map to left, tie or right, or be a system's name."""
    mapping = {}
    for word, side in (given or {}).items():
        if side not in _SIDE:
            raise EvidenceError(f"{spelling.option('outcomes')} maps {word!r} to {side!r}", allowed=", ".join(_SIDE))
        mapping[str(word)] = _SIDE[side]
    return mapping


def shares(outcome: Coded, given: Mapping[str, int]) -> FloatArray | None:
    """Return the left side's share per row where outcomes are soft, NaN where a row is decided or tied; else None.

    Numbers from 0 to 1 are shares where some lie between.
    """
    values = {label: value for label, value in _values(outcome.labels).items() if _given(label, given) is None}
    between = {label: value for label, value in values.items() if value not in {0.0, 0.5, 1.0}}
    if not between or not all(0.0 <= value <= 1.0 for value in values.values()):
        return None
    return np.array([*(between.get(label, np.nan) for label in outcome.labels), np.nan])[outcome.codes]


def meaning(  # noqa: PLR0917 (the columns of a judgment, and what is known of them)
    outcome: Coded,
    left: Coded,
    right: Coded,
    given: Mapping[str, int],
    where: str,
    sides: tuple[str, str] = ("left", "right"),
) -> IntArray:
    """Return LEFT, TIE, RIGHT, UNKNOWN or ABSENT per row; `sides` are the names of the columns of the two systems.

    Words are read first; a word that no list knows may be the winner's own name. Where systems are called like
    outcome words ('a' against 'b') and the two readings contradict each other, the evidence is refused.
    """
    names = {*left.labels, *right.labels}
    words = _by_word(outcome.labels, given, names, _words_of_columns(*sides, outcome.labels))
    if not {*outcome.labels} & names:  # no outcome is a name: one look-up reads all rows
        absent = [
            ABSENT if word == UNKNOWN and conditions.is_absent(label) else word
            for word, label in zip(words, outcome.labels, strict=True)
        ]
        return np.array([*absent, ABSENT], dtype=np.int64)[outcome.codes]
    said = np.append(words, UNKNOWN)[outcome.codes]
    named = _by_name(outcome, left, right)
    settled = np.array([*(_given(label, given) is not None for label in outcome.labels), True])[outcome.codes]
    clash = (said != UNKNOWN) & (named != UNKNOWN) & (said != named) & ~settled
    both = np.where(said != UNKNOWN, said, named)
    result = np.where((both == UNKNOWN) & _is_absent(outcome), ABSENT, both)
    if not np.any(clash):
        return result
    known = both != UNKNOWN
    words_suffice = bool(np.all(said[known] != UNKNOWN))
    names_suffice = bool(np.all((named != UNKNOWN)[known] | (said == TIE)[known]))
    if words_suffice and not names_suffice:
        return result
    if names_suffice and not words_suffice:
        return np.where(named != UNKNOWN, named, result)
    rows = np.flatnonzero(clash)
    word = outcome.labels[outcome.codes[rows[0]]]
    sided = {outcome.labels[outcome.codes[row]]: _SIDES[int(said[row])] for row in rows}
    raise EvidenceError(
        f"the outcome {word!r} is both the name of a system and a word for a side, and the two disagree",
        where=where,
        remedy=f"Say what it means: {spelling.option('outcomes', dict.fromkeys(sided, 'name'))} or "
        f"{spelling.option('outcomes', sided)}.",
    )


def _is_absent(outcome: Coded) -> BoolArray:
    """Mark the rows without an outcome: empty, or one of the words for absence."""
    absent = np.array([*(conditions.is_absent(label) for label in outcome.labels), True])
    return absent[outcome.codes]


def _given(label: str, given: Mapping[str, int]) -> int | None:
    """Return the user's meaning of a word; 1 is also 1.0, and one word may cover all numbers of a sign."""
    if (found := given.get(label, given.get(label.strip().casefold()))) is not None:
        return found
    value = _values([label]).get(label)
    if value is None:
        return None
    same = (side for word, side in given.items() if _values([word]).get(word) == value)
    signs = (given[word] for word, sign in _SIGNS.items() if word in given and value * sign > 0)
    balanced = TIE if value == 0.0 and _SIGNS.keys() & given.keys() else None
    return next(same, next(signs, balanced))


def _values(words: Sequence[str]) -> dict[str, float]:
    """Return the words that are finite numbers."""
    found = {}
    for word in words:
        with suppress(ValueError):
            found[word] = float(word)
    return {word: value for word, value in found.items() if np.isfinite(value)}


def _by_word(
    labels: Sequence[str], given: Mapping[str, int], names: Collection[str], sides: Mapping[str, str]
) -> IntArray:
    """Read words and phrases; one that is the name of a system is a phrase only by accident."""
    words = [
        "".join(label.split()).casefold() if "[[" in label or ">" in label or "<" in label else label.strip().casefold()
        for label in labels
    ]
    numbers = _by_number(words)
    meanings = []
    for label, word in zip(labels, words, strict=True):
        found = _given(label, given)
        if found is None:
            found = numbers.get(word)
        if found is None:
            found = _MEANING.get(word, UNKNOWN) if label in names else _of_word(word, sides)
        meanings.append(found)
    return np.array(meanings, dtype=np.int64)


def _of_word(word: str, sides: Mapping[str, str] = MappingProxyType({})) -> int:
    """Return the meaning of a word in lower case: called like the column of a side, listed, or a phrase."""
    phrase = folded(word)
    if (side := sides.get(phrase)) is None and (known := _MEANING.get(word)) is not None:
        return known
    if side is None:
        from betterthan.evidence.outcome_phrases import side_of  # noqa: PLC0415 (most outcomes are single words)

        side = side_of(phrase)
    return UNKNOWN if side is None else _SIDE[side]


def _words_of_columns(left: str, right: str, labels: Sequence[str]) -> Mapping[str, str]:
    """Return the words by which outcomes name a side as its column is called, such as candidate and baseline.

    H stands for home and D for a draw, and with them A for away and V for visitor; with B, A is the first of two.

    >>> _words_of_columns("candidate_model", "baseline", [])
    {'candidate model': 'left', 'baseline': 'right', 'candidate': 'left'}
    >>> _words_of_columns("HomeTeam", "AwayTeam", ["H", "A", "D"])["a"]
    'right'
    """
    names = [folded(re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", name)) for name in (left, right)]
    short = [re.sub(rf"^{_KIND} | {_KIND}$", "", name) for name in names]
    words = dict(zip((*names, *short), ("left", "right") * 2, strict=True)) if names[0] != names[1] else {}
    letters = {*map(folded, labels)}
    if short[0] == "home" and short[1] in _GUESTS and letters & {"h", "d"} and "b" not in letters:
        words |= {"h": "left", "a": "right", "v": "right"}
    # What numbers mean is decided by all of them.
    return {word: side for word, side in words.items() if not word.isdigit()}


def folded(text: str) -> str:
    """Fold a text: 'A_is better!' is 'a is better'."""
    return " ".join(re.sub(r"[\s_.!:-]+", " ", text.casefold()).split())


def _by_number(words: Sequence[str]) -> dict[str, int]:
    """Read numbers by what all of them can mean together: the left side's score, a sign, or which side won."""
    values = _values(words)
    present = set(values.values())
    if present <= {0.0, 0.5, 1.0}:
        scale = {1.0: LEFT, 0.5: TIE, 0.0: RIGHT}
    elif all(0.0 <= value <= 1.0 for value in present):  # shares: `shares` has the rest of each
        scale = {value: TIE if value == 0.5 else LEFT if value else RIGHT for value in present}
    elif present <= {-1.0, 0.0, 1.0}:
        scale = {1.0: LEFT, 0.0: TIE, -1.0: RIGHT}
    elif present <= {1.0, 2.0}:
        scale = {1.0: LEFT, 2.0: RIGHT}
    else:  # {0, 1, 2} could mean either of the above: never guess
        return {}
    return {word: scale[value] for word, value in values.items()}


def _by_name(outcome: Coded, left: Coded, right: Coded) -> IntArray:
    """Compare each outcome with the two names of its row, as they are written."""
    left_code = _codes_in(left, outcome)
    right_code = _codes_in(right, outcome)
    present = outcome.codes != MISSING
    result = np.full(len(outcome.codes), UNKNOWN, dtype=np.int64)
    result[present & (outcome.codes == right_code)] = RIGHT
    result[present & (outcome.codes == left_code)] = LEFT
    return result


def _codes_in(names: Coded, words: Coded) -> IntArray:
    """Translate codes of names into codes of equal words, −2 where no word is equal."""
    place = {word: code for code, word in enumerate(words.labels)}
    lookup = np.array([place.get(name, -2) for name in names.labels] + [-2], dtype=np.int64)
    return lookup[names.codes]
