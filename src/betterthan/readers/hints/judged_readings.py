"""Readings of tables as judgments: two columns of names, and what says who won."""

import re
from collections.abc import Iterator, Sequence

import numpy as np

from betterthan.evidence import outcomes
from betterthan.readers.columns.direction import less_is_better
from betterthan.readers.columns.known_names import numbered
from betterthan.readers.columns.name_tables import name_set
from betterthan.readers.columns.roles import NAMES, normal
from betterthan.readers.hints.called import identifies, is_answer
from betterthan.readers.hints.candidates import Candidate, Situation
from betterthan.readers.hints.seen_columns import SeenColumn

_WINNERS = re.compile(r"w|(.*_)?(winn?(er|ers|ing|s)?|won|victor|victors|chosen|preferred|better)(_.*)?")
_LOSERS = re.compile(r"l|(.*_)?(los(er|ers|ing|es)|lost|vanquished|defeated|beaten|rejected|worse)(_.*)?")
#: Where that many pairs of columns share their names, none of them are systems.
_PAIRS = 8
#: Of fewer systems, each may have had the same score every time.
_LEAST_NUMBERED = 5
#: How the names of two columns differ that hold the same about both sides.
_SIDES = (
    ("home", "away"),
    ("left", "right"),
    ("first", "second"),
    ("h", "a"),
    ("a", "b"),
    ("l", "r"),
    ("x", "y"),
    ("1", "2"),
)
#: Columns that say who lost, or whether anybody won.
_SAYS_ELSE = re.compile(rf"{_LOSERS.pattern}|(is_)?(ties?|tied|draws?|drawn)|.*_for_(b|2|right|second)")
#: Of what columns are called so, less is better.
_LESS = name_set("rank place position strokes time seconds ms loss error errors faults penalties cost seed odds age")
_NUMBERED = re.compile(r"(.*?)_?\d+")
_WINS = re.compile(r"(^|_)(n|w|win|wins|won|votes|count)(_|$)")
#: More different numbers than that are no outcomes, but chances, or how certain a judge was.
_OUTCOMES = 11
_POINTS = re.compile(r"(^|_)(score|scores|goal|goals|point|points|pts|runs|sets|f ?t ?[ha] ?g)(_|$)")


def candidates(situation: Situation) -> list[Candidate]:
    """Return readings as judgments for the most plausible sides."""
    # Columns that are called alike are sides rather than those that share some names.
    pairs = sorted(_pairs(situation), key=lambda sides: not _paired(sides[0].name, sides[1].name))
    for sides in pairs[:_PAIRS]:
        found = [*_by_outcome(situation, sides), *_by_numbers(situation, sides), *_by_order(sides)]
        if found:
            return found
    return []


def _pairs(situation: Situation) -> Iterator[tuple[SeenColumn, SeenColumn]]:
    """Return pairs of columns that may name the systems: as given, by their names, or by the names they share."""
    texts, options = situation.texts, situation.options
    known = situation.columns.sides() if not (options.left or options.right) else None
    for place, left in enumerate(texts):
        for right in texts[place + 1 :]:
            names = (left.name, right.name)
            if _are_several((left, right), texts):
                continue
            if any(given is not None and given not in names for given in (options.left, options.right)):
                continue
            if options.right == left.name or options.left == right.name:
                yield from [(right, left)] if _same_names(left, right) else []
            elif known in {names, names[::-1]} or _same_names(left, right):
                turned = _paired(right.name, left.name) and not _paired(left.name, right.name)
                yield (right, left) if turned or names[::-1] == known else (left, right)


def _are_several(sides: tuple[SeenColumn, SeenColumn], texts: Sequence[SeenColumn]) -> bool:
    """Whether two columns belong to three or more that differ in their number alone, such as guess_1 to guess_3."""
    left, right = (_NUMBERED.fullmatch(normal(column.name)) for column in sides)
    if left is None or right is None or left[1] != right[1]:
        return False
    found = (_NUMBERED.fullmatch(normal(column.name)) for column in texts)
    return len([each for each in found if each is not None and each[1] == left[1]]) > len(sides)


def _same_names(left: SeenColumn, right: SeenColumn) -> bool:
    """Whether two columns hold names of the same systems, which repeat; words such as yes and no are none."""
    shared, both = left.labels & right.labels, left.labels | right.labels
    enough = 2 * len(shared) >= min(left.number_of_values, right.number_of_values)
    names = len(both) >= 2 and not (is_answer(left) and is_answer(right))
    return enough and names and len(both) <= len(left.values.codes)


def _by_outcome(situation: Situation, sides: tuple[SeenColumn, SeenColumn]) -> list[Candidate]:
    left, right = sides
    found = []
    given = situation.options.outcome
    for column in situation.seen:
        if column in sides or column.number_of_values < 2 or given not in {None, column.name}:
            continue
        if given is None and (_SAYS_ELSE.fullmatch(normal(column.name)) or _has_partner(column, situation)):
            continue
        called = any(
            word in NAMES["outcome"] or word in {"won", "pref", "pick"} for word in normal(column.name).split("_")
        )
        points = normal(column.name) in {"score", "points"} and column.labels <= {"1", "0", "0.5", "-1", "1.0", "0.0"}
        if column.is_number and not ((called and column.number_of_values <= _OUTCOMES) or points):
            continue
        if outcomes.understood(column.values, left.values, right.values, (left.name, right.name)):
            found.append((not called, _candidate(sides, {"outcome": column.name}, f"{column.name!r} says who won")))
    # Of several judges in columns of their own, none alone is the outcome.
    columns = [str(candidate.changes["outcome"]) for _, candidate in found]
    several = {*numbered(columns)}
    return [each for _, each in sorted(found, key=lambda each: each[0]) if each.changes["outcome"] not in several]


def _by_numbers(situation: Situation, sides: tuple[SeenColumn, SeenColumn]) -> list[Candidate]:
    """Return readings of the first two columns of numbers that are called alike, one for each side."""
    for one in situation.numbers:
        for other in situation.numbers:
            named = _of_side(one, sides[0]) and _of_side(other, sides[1])
            if one is other or not (named or _paired(one.name, other.name)):
                continue
            if less_is_better(one.name) or _LESS & {*normal(one.name).split("_")}:
                return []
            if identifies(one.name) or _are_chances(one, other) or _are_numbers_of(sides, (one, other)):
                continue
            names = [one.name, other.name]
            scores = _candidate(sides, {"scores_of": names}, f"the higher of {one.name!r} and {other.name!r} wins")
            counts = _candidate(
                sides, {"counts": names}, f"{one.name!r} and {other.name!r} count how often each side won"
            )
            called = normal(one.name)
            if _POINTS.search(called) or not (one.is_whole and other.is_whole):
                return [scores]
            return [counts] if _WINS.search(called) else [scores, counts]
    return []


def _has_partner(column: SeenColumn, situation: Situation) -> bool:
    """Whether another column of numbers says the same of the other side, so that neither says who won."""
    return column.is_number and any(
        _paired(column.name, other.name) or _paired(other.name, column.name)
        for other in situation.numbers
        if other is not column
    )


def _are_numbers_of(sides: tuple[SeenColumn, SeenColumn], numbers: tuple[SeenColumn, SeenColumn]) -> bool:
    """Whether every system has one number, as its identifier is, and every number one system."""
    for side, number in zip(sides, numbers, strict=True):
        pairs = np.unique(np.stack([side.values.codes, number.values.codes]), axis=1)
        if pairs.shape[1] > side.number_of_values or side.number_of_values < _LEAST_NUMBERED:
            return False
    return True


def _are_chances(one: SeenColumn, other: SeenColumn) -> bool:
    """Whether two columns hold what was expected of both sides, and not what happened."""
    both = np.concatenate([one.numbers, other.numbers])
    there = both[~np.isnan(both)]
    return bool(np.all((there >= 0) & (there <= 1)) and np.any(there != np.round(there * 2) / 2))


def _by_order(sides: tuple[SeenColumn, SeenColumn]) -> list[Candidate]:
    """Return the reading of two columns that are called like winner and loser."""
    for winner, loser in (sides, sides[::-1]):
        if _WINNERS.fullmatch(normal(winner.name)) and _LOSERS.fullmatch(normal(loser.name)):
            changes = {"format": "winner-loser", "left": winner.name, "right": loser.name}
            return [Candidate(changes, f"{winner.name!r} won against {loser.name!r}")]
    return []


def _candidate(sides: tuple[SeenColumn, SeenColumn], changes: dict[str, object], meaning: str) -> Candidate:
    left, right = sides
    return Candidate(
        {"left": left.name, "right": right.name, **changes}, f"{left.name!r} against {right.name!r}, {meaning}"
    )


def _of_side(column: SeenColumn, side: SeenColumn) -> bool:
    """Whether a column is called after that of a side: host and host_points."""
    words, wanted = (normal(each.name).split("_") for each in (column, side))
    return {*wanted} < {*words}


def _paired(one: str, other: str) -> bool:
    """Whether two names differ by the side alone: FTHG and FTAG, score of team 1 and score of team 2."""
    first, second = one.casefold(), other.casefold()
    return any(
        first[:place] + right + first[place + len(left) :] == second
        for left, right in _SIDES
        for place in range(len(first))
        if first.startswith(left, place)
    )
