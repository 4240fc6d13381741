"""The pair explorer of the page: rounded numbers of `compare_all` and `compare`, with sentences."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from betterthan.base import FloatArray
from betterthan.datasets import ScoredSet, ScoreMatrix
from betterthan.inference import all_pairs_tests, questions
from betterthan.verbs.compare import TESTS, AllPairs, mean_differences, win_rate_intervals
from betterthan.verbs.rank import Leaderboard
from betterthan.verbs.report.report_part import ReportPart
from betterthan.verbs.report.report_verdict import samples

_Answers = tuple[questions.QuestionAnswer | None, ...]
#: Up to this number of scores are in the page, for the items that decide a pair.
_MOST_SCORES = 40_000


def explorer(part: ReportPart, ids: Mapping[str, int], *, brief: bool) -> dict[str, Any]:
    """Return the data of the page's script on pairs and systems; the script reverses pairs, and computes nothing.

    If `brief`, mean differences have no interval and no test of their own.
    """
    found = None if brief else mean_differences(part.data, part.pairs)
    return {
        "systems": list(part.pairs.systems),
        "ids": [ids[name] for name in part.pairs.systems],
        "ranges": _ranges(part),
        "words": _words(part, found),
        "pairs": pair_table(part),
        "models": [] if brief else [_of_model(pairs, part.pairs.systems) for pairs in part.by_model],
        **_means(part, found),
        **_scores(part),
    }


def _ranges(part: ReportPart) -> list[tuple[int, int] | None]:
    """Return every system's range of ranks on the main board, None if it has none."""
    rows = [part.main[name] for name in part.pairs.systems]
    return [None if row.rank_low is None or row.rank_high is None else (row.rank_low, row.rank_high) for row in rows]


def _words(part: ReportPart, found: _Answers | None) -> dict[str, Any]:
    """Return the names of the numbers."""
    pairs = part.pairs
    return {
        "kind": part.main.evidence.kind,
        "main": part.main.mechanism,
        "level": f"{100 * pairs.level:g} %",
        "value": f"expected score by {pairs.model}" if pairs.shares else f"difference by {pairs.model}",
        "expected": pairs.shares,
        "test": pairs.tested.split(",")[0],
        "correction": pairs.corrected,
        "samples": samples(part.main),
        "mean_note": _mean_note(part, found),
    }


def pair_table(part: ReportPart) -> dict[str, list[Any]]:
    """Return every pair's numbers, row by row of the upper triangle.

    Shares have four decimals, so that one less a share is exact in four decimals, too. A significant pair is 1 where
    its first system is better, −1 where the second one is, and 0 if it is not significant.
    """
    pairs = part.pairs
    upper = np.triu_indices(len(pairs.systems), 1)
    low, high = win_rate_intervals(part.data, pairs)
    value = _decimals if pairs.shares else _digits
    significant = np.where(pairs.significant, np.where(pairs.sign < 0, -1, 1), 0)
    return {
        **{
            name: [_digits(number, 7) for number in pairs.record[place][upper]]
            for place, name in enumerate(("won", "tied", "lost"))
        },
        "share": [_decimals(number) for number in pairs.share[upper]],
        "low": [_decimals(number) for number in low[upper]],
        "high": [_decimals(number) for number in high[upper]],
        "value": [value(number) for number in pairs.values[upper]],
        "p": [_digits(number) for number in pairs.p[upper]],
        "p_adjusted": [_digits(number) for number in pairs.p_adjusted[upper]],
        "significant": significant[upper].tolist(),
        "confidence": _confidence(part.main, pairs.systems),
    }


def _of_model(pairs: AllPairs, systems: Sequence[str]) -> dict[str, Any]:
    """Return one model's estimate and test of every pair, in the order of the main board."""
    order = [pairs.systems.index(system) for system in systems]
    return {
        "model": pairs.model,
        "test": pairs.test_name,
        "correction": pairs.corrected,
        "shares": pairs.shares,
        "value": _upper(pairs.values, order),
        "p": _upper(pairs.p, order),
        "p_adjusted": _upper(pairs.p_adjusted, order),
    }


def _confidence(board: Leaderboard, names: Sequence[str]) -> list[float | None]:
    """Return for every pair in which share of the resamples the first is the better one."""
    size = len(names)
    if board.draws is None:
        return [None] * (size * (size - 1) // 2)
    order = [board.fit.systems.index(name) for name in names]
    shares = [board.draws.better_than(one, order[place + 1 :]) for place, one in enumerate(order)]
    return [_decimals(share) for row in shares for share in row]


def _means(part: ReportPart, found: _Answers | None) -> dict[str, Any]:
    """Return the mean differences of scores with interval and recommended test, and how far they reach."""
    scores = part.data.statistic(ScoreMatrix)
    if scores is None:
        return {}
    order = [scores.systems.index(system) for system in part.pairs.systems]
    mean = {
        "value": _upper(all_pairs_tests.t_tests(scores.values)[0], order),
        "median": _upper(all_pairs_tests.median_differences(scores.values), order),
    }
    if found is not None:
        mean |= _tested(found)
    ends = (abs(end) for name in ("value", "low", "high") for end in mean.get(name, ()) if end is not None)
    return {"mean": mean, "reach": max(ends, default=0.0)}


def _tested(found: _Answers) -> dict[str, list[Any]]:
    """Return estimates with intervals, and the tests that `compare` recommends for each pair alone."""
    answers = found
    return {
        **{name: [_end(answer, name) for answer in answers] for name in ("value", "low", "high")},
        "test": [None if answer is None else TESTS.get(answer.test.name, answer.test.name) for answer in answers],
        "p": [None if answer is None else _digits(answer.test.p) for answer in answers],
    }


def _end(answer: questions.QuestionAnswer | None, name: str) -> float | None:
    value = None if answer is None else getattr(answer.effect, name)
    return None if value is None else _digits(value)


def _mean_note(part: ReportPart, found: _Answers | None) -> str:
    """Return a note on the sign of a difference, and on where its interval is shown."""
    lower = " (lower scores are better)" if part.data.lower_is_better else ""
    more = "" if found is not None else " For its interval and the recommended test, compare the two systems alone."
    return f"A positive difference means that the first system is better{lower}.{more}"


def _scores(part: ReportPart) -> dict[str, Any]:
    """Return all scores where they are few enough, with what the items are called."""
    if not isinstance(part.data, ScoredSet) or part.data.scores.values.size > _MOST_SCORES:
        return {}
    table = part.data.scores
    order = [table.systems.index(system) for system in part.pairs.systems]
    return {
        "items": list(table.items),
        "lower": table.negated,
        "scores": [[_digits(value, 5) for value in column] for column in table.as_given[:, order].T],
    }


def _upper(differences: FloatArray, order: Sequence[int]) -> list[float | None]:
    """Return the differences of all pairs, row by row of the upper triangle."""
    square = differences[np.ix_(order, order)]
    return [_digits(value) for value in square[np.triu_indices(len(order), 1)]]


def _decimals(value: Any) -> float | None:
    return round(float(value), 4) if np.isfinite(value) else None


def _digits(value: Any, digits: int = 4) -> float | None:
    if not np.isfinite(value):
        return None
    short = float(f"{float(value):.{digits}g}")
    return int(short) if short.is_integer() else short
