"""Validate distinct rows as judgments: names, outcomes, weights and units."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from betterthan.base import BoolArray, FloatArray, IntArray, UnclearError, spelling
from betterthan.engine import MISSING, Coded, Distinct, conditions
from betterthan.evidence.outcomes import ABSENT, KNOWN, LEFT, RIGHT, TIE, UNKNOWN, meaning, shares
from betterthan.evidence.rows.row_checks import Check
from betterthan.evidence.rows.size_limits import bounded_names, need_two
from betterthan.evidence.rows.tally import Tally

if TYPE_CHECKING:
    from betterthan.evidence.judgments import Judgments

#: The role of the column with people's outcomes of some judgments.
GOLD = "gold"
#: How the role of a column begins that a model takes as a covariate.
COVARIATE = "covariate "
#: Columns that say which side was chosen.
_CHOOSING = frozenset({"winner", "label", "choice", "chosen", "preference", "preferred", "preferred_index", "selected"})
#: An inverse chance counts at most this many times the mean.
LARGEST_INVERSE = 10.0


def checked(
    evidence: "Judgments", distinct: Distinct, by: tuple[str, ...] = (), *, timed: bool = False
) -> tuple[Tally, IntArray | slice]:
    """Check the distinct rows, account for all of them, and keep the good ones; return the row of each, too."""
    roles, columns = evidence.roles, distinct.columns
    left, right, systems = _one_set_of_names(columns[roles["left"]], columns[roles["right"]])
    check = Check(evidence.table, distinct, evidence.on_error)
    check.refuse(
        "missing name",
        (left == MISSING) | (right == MISSING),
        "a system's name is missing",
        "Every judgment needs two named systems: fill it in.",
    )
    check.refuse(
        "against itself",
        left == right,
        "{0} is compared with itself",
        "A judgment needs two different systems: correct or remove the row.",
        [roles["left"]],
    )
    weight = check.amounts(roles["weight"], "weight") if "weight" in roles else np.ones(len(left))
    if "propensity" in roles:
        weight = weight * inverse(check.chances(roles["propensity"]), distinct.times)
    outcome, times, source, part = _outcomes(evidence, columns, check)
    amount = weight[source] if part is None else weight[source] * part
    for unit in by:
        if np.any(lacking := _lacking(columns[roles[unit]], unit)):
            check.refuse(
                f"missing {unit}",
                lacking,
                f"the {unit} is missing",
                f"Rows are kept apart by {unit}: fill it in, or choose another unit such as "
                f"{spelling.option('unit', 'row')}.",
            )
    for name, values in distinct.numbers.items():
        check.refuse(
            f"missing {name}",
            ~np.isfinite(values),
            f"there is no number in column {name!r}",
            "The model needs one for every judgment: fill it in, or leave the column out of the model.",
        )
    when = check.moments(roles["time"]) if timed else None
    account = check.settle()
    kept = ~check.bad[source] & (times > 0) & (amount > 0)
    # Millions of good rows stay where they are: copying them costs more than all checks.
    good: IntArray | slice = slice(None) if np.all(kept) else np.flatnonzero(kept)
    if when is not None:
        places = np.arange(len(kept))[good]
        good = places[np.argsort(when[source][places], kind="stable")]
        if not evidence.table.ordered:  # rows that share a time have no order: take one that nothing changes
            codes = [
                columns[name].codes[source][good]
                for name in (*evidence.roles.values(), *evidence.counts)
                if name in columns
            ]
            good = good[np.lexsort((*codes, when[source][good]))]
    rows = good if isinstance(source, slice) else source[good]
    kept_left, kept_right, names = _only_used(left[rows], right[rows], systems)
    bounded_names(names, evidence.name)
    need_two(names, evidence.name, "a ranking needs at least two systems that were compared")
    units = {unit: columns[roles[unit]].take(rows) for unit in by}
    numbers = {name: values[rows] for name, values in distinct.numbers.items()}
    tally = Tally(
        names,
        kept_left,
        kept_right,
        outcome[good],
        amount[good],
        times[good],
        units,
        account,
        numbers,
        None if part is None else part[good],
    )
    return tally, rows


def _lacking(column: Coded, unit: str) -> BoolArray:
    """Mark rows without a value; NA counts as a value for a name, but not for a covariate."""
    if unit in {"time", GOLD}:  # only models that order judgments by time need it, and people judge some only
        return np.zeros(len(column.codes), dtype=bool)
    absent = [unit.startswith(COVARIATE) and conditions.is_absent(label) for label in column.labels]
    return np.array([*absent, True])[column.codes]


def _outcomes(
    evidence: "Judgments", columns: Mapping[str, Coded], check: Check
) -> tuple[IntArray, FloatArray, IntArray | slice, FloatArray | None]:
    """Return outcome and number per judgment, the row of each, and how much of a judgment it is.

    A row of counts is several judgments, one with a share for each side is two parts of one.
    """
    size, rows = len(check.times), slice(None)
    multiplicity = check.times.astype(float)
    counted = [check.amounts(name, "count") for name in evidence.counts]
    if len(counted) >= 2:
        sides = (LEFT, RIGHT) if len(counted) == 2 else (LEFT, TIE, RIGHT)
        outcome = np.concatenate([np.full(size, side, dtype=np.int64) for side in sides])
        return (
            outcome,
            np.concatenate([multiplicity * values for values in counted]),
            np.tile(np.arange(size), len(sides)),
            None,
        )
    if counted:
        multiplicity = multiplicity * counted[0]
    if "outcome" not in evidence.roles:  # columns winner and loser: the left side won
        return np.full(size, LEFT, dtype=np.int64), multiplicity, rows, None
    column = evidence.roles["outcome"]
    named = (evidence.roles["left"], evidence.roles["right"])
    sides_of = (columns[named[0]], columns[named[1]])
    if not evidence.outcomes:
        _refuse_places(columns[column], column, evidence.table.name)
    outcome = meaning(columns[column], *sides_of, evidence.outcomes, evidence.table.name, named)
    check.refuse(
        "missing outcome",
        outcome == ABSENT,
        "the outcome is missing",
        f"Known outcomes: {KNOWN}. Fill it in or remove the row.",
        expected=evidence.unanswered == "skip",
    )
    if np.any(unknown := outcome == UNKNOWN):
        _refuse_unknown(check, unknown, columns[column], named)
    soft = shares(columns[column], evidence.outcomes)
    if soft is None:
        return outcome, multiplicity, rows, None
    halves = np.flatnonzero(~np.isnan(soft))
    return (
        np.concatenate([outcome, np.full(len(halves), RIGHT)]),
        np.concatenate([multiplicity, multiplicity[halves]]),
        np.concatenate([np.arange(size), halves]),
        np.concatenate([np.where(np.isnan(soft), 1.0, soft), 1.0 - soft[halves]]),
    )


def _refuse_places(outcome: Coded, column: str, where: str) -> None:
    """Refuse 0 and 1 in a column that says which side was chosen: 0 may be the first one, or mean that it lost."""
    if {*outcome.labels} <= {"0", "1"} and outcome.labels and column.strip().casefold() in _CHOOSING:
        raise UnclearError(
            f"0 and 1 in {column!r} may count the sides from 0, or say whether the left one won",
            where=where,
            remedy=f"Say what they mean with {spelling.option('outcomes')}.",
        )


def _refuse_unknown(check: Check, wrong: BoolArray, column: Coded, sides: tuple[str, str]) -> None:
    """Refuse all unknown outcomes at once; which side each means is for the user to say, never guessed."""
    rows = np.bincount(column.codes[wrong & ~check.bad], check.times[wrong & ~check.bad], len(column.labels))
    words = [column.labels[code] for code in np.argsort(-rows, kind="stable") if rows[code]]
    counted = [f"{word!r} ({rows[column.labels.index(word)]:,.0f})" for word in words[:10]]
    shown = f"{', '.join(counted)}{f' and {len(words) - 10} more' if len(words) > 10 else ''}"
    what = f"unknown outcome {words[0]!r}" if len(words) == 1 else f"unknown outcomes (with their rows): {shown}"
    check.refuse(
        "unknown outcome",
        wrong,
        what,
        f"Known: {KNOWN}. Say whether each word means left (the system in {sides[0]!r}), right (in {sides[1]!r}) or "
        f"tie: {spelling.option('outcomes')}.",
    )


def _one_set_of_names(left: Coded, right: Coded) -> tuple[IntArray, IntArray, tuple[str, ...]]:
    if left.labels == right.labels:
        return left.codes, right.codes, left.labels
    names = tuple(sorted({*left.labels, *right.labels}))
    place = {name: code for code, name in enumerate(names)}
    translate = [np.array([*(place[name] for name in side.labels), MISSING], dtype=np.int64) for side in (left, right)]
    return translate[0][left.codes], translate[1][right.codes], names


def _only_used(left: IntArray, right: IntArray, names: tuple[str, ...]) -> tuple[IntArray, IntArray, tuple[str, ...]]:
    """Drop names that only refused rows mention."""
    used = np.zeros(len(names), dtype=bool)
    used[left] = used[right] = True
    if np.all(used):
        return left, right, names
    place = np.cumsum(used) - 1
    return place[left], place[right], tuple(name for name, keep in zip(names, used, strict=True) if keep)


def inverse(chance: FloatArray, times: IntArray) -> FloatArray:
    """Return inverse chances with a mean of 1; the largest are clipped, because single rows must not decide."""
    weight = np.divide(1.0, chance, out=np.zeros_like(chance), where=chance > 0)
    mean = float(weight @ times) / max(float(times[chance > 0].sum()), 1.0) or 1.0
    clipped: FloatArray = np.minimum(weight / mean, LARGEST_INVERSE)
    return clipped
