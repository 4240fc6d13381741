"""Judging speed, and judges who are too fast."""

from collections.abc import Sequence

import numpy as np

from betterthan.base import EvidenceError, FloatArray, scipy
from betterthan.engine import MISSING, Coded
from betterthan.evidence import Judgments, moment_of, text_numbers
from betterthan.findings import kinds
from betterthan.verbs.diagnose.judges.votes import Mask


def paces(evidence: Judgments, names: Sequence[str]) -> FloatArray:
    """Return every judge's median time from one moment of judging to the next, NaN where there is none."""
    paces = np.full(len(names), np.nan)
    if "time" not in evidence.roles or evidence.counts:
        return paces
    try:
        tally = evidence.tally("judge", "time")
    except EvidenceError:  # some judge is missing, too
        return paces
    if np.any(tally.units["time"].codes == MISSING):  # that stops who asks for their order, not who asks for the judges
        return paces
    when = _seconds(tally.units["time"].labels)[tally.units["time"].codes]
    place = {name: number for number, name in enumerate(names)}
    translate = np.array([place.get(label, -1) for label in tally.units["judge"].labels])
    judge = translate[tally.units["judge"].codes]
    known = np.isfinite(when) & (judge >= 0)
    judge, when = judge[known], when[known]
    order = np.lexsort((when, judge))
    judge, gap = judge[order], np.diff(when[order])
    # All pairs of a ranking, and all that is sent with one click, have one moment.
    next_one = (np.diff(judge) == 0) & (gap > 0)
    judge, gap = judge[1:][next_one], gap[next_one]
    gap, number = gap[np.lexsort((gap, judge))], np.bincount(judge, minlength=len(names))
    start, some = np.cumsum(number) - number, number >= kinds.judges.JUDGE_SPEED.thresholds["judgments"]
    paces[some] = (gap[(start + (number - 1) // 2)[some]] + gap[(start + number // 2)[some]]) / 2
    return paces


def _seconds(labels: Sequence[str]) -> FloatArray:
    """Return times as numbers, dates as seconds, NaN for what is neither."""
    values = text_numbers.numbers(Coded(np.arange(len(labels)), tuple(labels))).values
    return values if np.all(np.isfinite(values)) else np.array([moment_of(label) for label in labels])


def hasty(pace: FloatArray) -> Mask:
    """Mark judges five times faster than the middle one, and beyond three robust deviations of the logarithms."""
    known = np.isfinite(pace)
    limits = kinds.judges.JUDGE_SPEED.thresholds
    if int(known.sum()) < limits["judges"]:
        return np.zeros(len(pace), dtype=bool)
    logs = np.log(np.where(known, pace, 1.0))
    middle = np.median(logs[known])
    deviation = float(np.median(np.abs(logs[known] - middle)) / scipy.special.ndtri(0.75))
    hasty: Mask = known & (logs < middle - np.log(limits["times"])) & (logs < middle - limits["deviations"] * deviation)
    return hasty
