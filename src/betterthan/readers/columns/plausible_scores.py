"""Scores that are none: summaries among items or systems, codes for missing values, percentages next to shares."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from betterthan.base import BoolArray, EvidenceError, FloatArray, UnclearError, spelling
from betterthan.engine import Distinct
from betterthan.evidence import Scores, ScoreTable
from betterthan.findings import kinds
from betterthan.options import ReadOptions
from betterthan.readers.columns.known_names import may_be_summary, summaries
from betterthan.readers.columns.roles import normal

#: Shares are compared with percentages where the means of both differ by no more than this factor.
_ALIKE = 4.0
#: Percentages below this are hardly distinguished from shares, and where shares are few, from small numbers.
_LEAST_PERCENT, _LEAST_SHARES = 10.0, 3
#: Metrics whose values are no shares.
_UNBOUNDED = frozenset({"reward", "return", "returns", "elo", "throughput", "speed", "speedup", "psnr", "snr", "sdr"})
#: Metrics that may be −1.
_SIGNED = frozenset({"mcc", "kappa", "correlation", "corr", "pearson", "spearman", "kendall", "cosine", "similarity"})
#: Codes that people and programs use, and those that are so common as numbers that only their sign is odd.
_CODES = tuple(sign * code for code in (99, 999, 9999, 99999, 999999, 1e9, 1e10) for sign in (-1, 1))
_SMALL, _LEAST_CODE = (-1, -9), 99
#: How far from the other values a code is, as a multiple of their range.
_FAR = 2.0
#: Of fewer scores than this, all of them small whole numbers, a -1 is as likely a score.
_LEAST_CELLS, _POINTS = 20, 10
#: Codes are fewer than other values; among whole numbers, a -1 that occurs often is a result.
_MOST, _MOST_AMONG_WHOLE = 0.5, 0.2


def plausible(scores: Scores, options: ReadOptions | None = None) -> Scores:
    """Return scores that look like scores; refuse others with the readings that leave out what is none."""
    options = options or ReadOptions()
    items, systems = set[str](), set[str]()
    for table in scores.tables:
        items |= summaries(table.items, table.as_given)
        systems |= summaries(table.systems, table.as_given.T, of_systems=True)
    if items or systems:
        _refuse_summaries(scores, sorted(items), sorted(systems), options)
    for table in scores.tables:
        if options.missing_codes is None:
            _refuse_codes(table, scores.name)
        if not table.negated:
            _refuse_mixed_shares(table, scores.name)
    odd = [name for name in scores.systems if may_be_summary(name)]
    if not odd or scores.reading is None:
        return scores
    finding = kinds.reading.CALLED_LIKE_SUMMARIES.found(systems=", ".join(map(repr, odd)), number=len(odd))
    return replace(scores, reading=replace(scores.reading, findings=(finding, *scores.reading.findings)))


def _conditions(options: ReadOptions) -> list[str]:
    where = options.where or []
    return [f"{column}={value}" for column, value in where.items()] if isinstance(where, Mapping) else list(where)


def _refuse_summaries(scores: Scores, items: Sequence[str], systems: Sequence[str], options: ReadOptions) -> None:
    used = scores.reading.used if scores.reading else {}
    names = [*systems, *items]
    shown = ", ".join(map(repr, names[:5])) + (f" and {len(names) - 5} more" if len(names) > 5 else "")
    columns = {**dict.fromkeys(items, used.get("item", "")), **dict.fromkeys(systems, used.get("system", ""))}
    without: dict[str, list[str]] = {}
    if all(columns.values()):
        without = {"where": [*_conditions(options), *(f"{columns[name]}!={name}" for name in names)]}
    elif "systems" in used and not items:
        without = {"systems": [name for name in scores.systems if name not in systems]}
    one = len(names) == 1
    raise UnclearError(
        f"{shown} seem{'s' * one} to sum up other {'systems' if systems else 'items'}",
        where=scores.name,
        remedy=f"Leave {'it' if one else 'them'} out, or rename {'it' if one else 'them'}.",
        choices=[(without, f"without {shown}")] if without else [],
    )


def _refuse_codes(table: ScoreTable, where: str) -> None:
    values = table.as_given
    signed = not _SIGNED.isdisjoint(normal(table.metric or table.title).split("_"))
    if codes := missing_codes(values, signed=signed):
        shown = " and ".join(codes)
        cells = int(np.sum(np.isin(values, [float(code) for code in codes])))
        of = f" of {table.metric or table.title}" if table.metric or table.title else ""
        raise UnclearError(
            f"{shown} seem{'s' if len(codes) == 1 else ''} to stand for missing scores{of} ({cells:,} of "
            f"{int(np.sum(~np.isnan(values))):,} cells)",
            where=where,
            remedy="Leave cells empty where there is no score.",
            choices=[
                ({"missing_codes": codes}, f"{shown} stands for a missing score"),
                ({"missing_codes": ["none"]}, f"{shown} is a score like the others"),
            ],
        )


def _refuse_mixed_shares(table: ScoreTable, where: str) -> None:
    """Refuse scores that are shares for some systems or items and percentages for others."""
    values = table.values
    if not _UNBOUNDED.isdisjoint(normal(table.metric or table.title).split("_")):
        return
    with np.errstate(invalid="ignore"):
        if not np.any(values > 1) or np.any(values < 0) or np.any(values > 100):
            return
    for rows, kind in ((values.T, "system"), (values, "item")):
        shares, percents = _shares(rows), _percents(rows)
        if np.any(shares) and np.any(percents) and np.all(shares | percents | _blank(rows)):
            names = table.systems if kind == "system" else table.items
            if _comparable(rows[shares], rows[percents]):
                _refuse_shares(repr(names[int(np.argmax(shares))]), repr(names[int(np.argmax(percents))]), where)
    flat = values[~np.isnan(values) & (values > 0)]
    small, large = flat[flat <= 1], flat[flat > 1]
    apart = np.all(large >= _LEAST_PERCENT) and len(np.unique(small[small < 1])) >= _LEAST_SHARES
    if apart and _comparable(small, large):
        _refuse_shares(f"a score of {small[0]:g}", f"one of {large[0]:g}", where)


def _refuse_shares(shares: str, percents: str, where: str) -> None:
    raise EvidenceError(
        f"{shares} seems to be a share from 0 to 1, and {percents} a percentage",
        where=where,
        remedy="Write all scores as shares or all as percentages. If they are on one scale, multiply all by 1,000.",
    )


def _blank(rows: FloatArray) -> BoolArray:
    found: BoolArray = np.all(np.isnan(rows) | (rows == 0), axis=1)
    return found


def _shares(rows: FloatArray) -> BoolArray:
    """Mark rows whose numbers are at most 1, and not all whole."""
    there = ~np.isnan(rows)
    found: BoolArray = np.all(~there | (rows <= 1), axis=1) & np.any(there & (rows > 0) & (rows < 1), axis=1)
    return found


def _percents(rows: FloatArray) -> BoolArray:
    """Mark rows whose numbers are 0 or more than 1, some of them much more."""
    there = ~np.isnan(rows)
    found: BoolArray = np.all(~there | (rows == 0) | (rows > 1), axis=1) & np.any(
        there & (rows >= _LEAST_PERCENT), axis=1
    )
    return found


def _comparable(shares: FloatArray, percents: FloatArray) -> bool:
    """Whether hundred times the shares are about as large as the percentages."""
    ratio = 100 * float(np.nanmean(shares)) / float(np.nanmean(percents))
    return 1 / _ALIKE <= ratio <= _ALIKE


def missing_codes(values: FloatArray, *, signed: bool = False) -> list[str]:
    """Return the numbers that seem to stand for missing values; values that are `signed` may be −1.

    >>> missing_codes(np.array([0.5, 0.75, -999, 0.25])), missing_codes(np.array([1.0, 0, -1, 1]))
    (['-999'], [])
    """
    there = values[~np.isnan(values)]
    far = (there < 0) | (there >= _LEAST_CODE)  # most scores are neither, and tables may be large
    if not np.any(far) or not np.any(np.isin(there[far], (*_CODES, *_SMALL))):
        return []
    among = np.isin(there, (*_CODES, *_SMALL))
    rest = there[~among]
    if not np.any(among) or np.mean(among) > _MOST or len(np.unique(rest)) < 2:
        return []
    low, high = float(rest.min()), float(rest.max())
    found = [code for code in np.unique(there[among]) if abs(code) > 9 and _is_far(code, low, high)]
    zero_or_one = set(np.unique(rest)) <= {0.0, 0.5, 1.0}  # lost, drawn and won
    often = np.all(rest == np.round(rest)) and np.mean(among) > _MOST_AMONG_WHOLE
    points = len(there) < _LEAST_CELLS and high <= _POINTS and np.all(rest == np.round(rest))
    if not signed and not zero_or_one and not often and not points and low >= 0:
        found += [code for code in _SMALL if code in there]
    return [f"{code:.15g}" for code in sorted(found)]


def _is_far(code: float, low: float, high: float) -> bool:
    return (code < 0 <= low) or min(abs(code - low), abs(code - high)) > _FAR * (high - low) + max(abs(low), abs(high))


def without_codes(rows: Distinct, missing: Sequence[str] | None) -> Distinct:
    """Return rows in whose columns of numbers these codes are missing values."""
    codes = [] if missing is None or [*missing] == ["none"] else [_number(code) for code in missing]
    if not codes:
        return rows
    numbers = {name: np.where(np.isin(values, codes), np.nan, values) for name, values in rows.numbers.items()}
    return replace(rows, numbers=numbers)


def _number(code: str) -> float:
    try:
        return float(code)
    except ValueError:
        raise EvidenceError(
            f"{spelling.option('missing_codes')} takes numbers that stand for missing scores, got {code!r}",
            remedy=f"Words such as NA are missing values already. If all numbers are scores, pass "
            f"{spelling.option('missing_codes', 'none')}.",
        ) from None
