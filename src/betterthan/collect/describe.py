"""The comparisons chosen and all pairs, described for people and files."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from betterthan.arrays import BoolArray, FloatArray
from betterthan.collect.choose import Choice
from betterthan.collect.known import Known, place_of
from betterthan.collect.matches import Forecast, Match, Pair
from betterthan.findings import Finding, marked
from betterthan.findings.collecting import ALIKE, ALL_SETTLED, JUDGED_AGAIN, LIMITS, NOTHING_LEFT, UNJUDGED
from betterthan.findings.resampling import FEW_UNITS
from betterthan.infer.sequential import STATES

#: Shares of all pairs for which a forecast is made.
_SHARES = (0.5, 0.9, 1.0)


@dataclass(frozen=True)
class Chosen:
    """A choice, and the item and judge it was handed out to."""

    choice: Choice
    handed_out: Mapping[str, Any] = field(default_factory=dict)


def matches(chosen: Sequence[Chosen], known: Known, rng: np.random.Generator) -> Iterable[Match]:
    """Describe the comparisons; who is shown first is left to chance."""
    record, place = known.decisions.record, place_of(known.counts.size)
    pair_of = np.array([place[each.choice.systems[0], each.choice.systems[1]] for each in chosen], dtype=np.int64)
    distinct, of = np.unique(pair_of, return_inverse=True)
    low, high = known.decisions.intervals(distinct)
    for number, each in enumerate(chosen):
        shown = [int(system) for system in rng.permutation(each.choice.systems)]
        names = tuple(known.counts.systems[system] for system in shown)
        about = dict(each.handed_out)
        if len(shown) == 2:
            pair = int(pair_of[number])
            ends = float(low[of[number]]), float(high[of[number]])
            share, turned = float(record.share[pair]), shown[0] > shown[1]
            about |= {
                "units": round(float(record.units[pair])),
                "share": 1 - share if turned else share,
                "low": 1 - ends[1] if turned else ends[0],
                "high": 1 - ends[0] if turned else ends[1],
                "needed": _whole(known.needed[pair]),
            }
        yield Match(names, each.choice.probability, **about)


def pairs(known: Known) -> tuple[Pair, ...]:
    """Describe what is known of every pair."""
    counts, decisions, names = known.counts, known.decisions, known.counts.systems
    columns = zip(
        counts.first.tolist(), counts.second.tolist(), decisions.state.tolist(), decisions.record.units.tolist(),
        decisions.record.share.tolist(), decisions.p.tolist(), decisions.p_equivalent.tolist(), known.needed.tolist(),
        strict=True,
    )  # fmt: skip
    return tuple(
        Pair(
            names[first], names[second], STATES[state], round(units), share, p,
            None if known.margin is None else alike, _whole(needed),
        )
        for first, second, state, units, share, p, alike, needed in columns
    )  # fmt: skip


def forecast(known: Known) -> tuple[Forecast, ...]:
    """Add up what the pairs need, the quickest first."""
    total = np.cumsum(np.sort(known.needed))
    return tuple(Forecast(share, _whole(total[int(np.ceil(share * len(total))) - 1])) for share in _SHARES)


def shortage(found: int, wanted: int, known: Known, room: FloatArray) -> tuple[Finding, ...]:
    """Say why there are fewer comparisons than asked for."""
    if found == wanted:
        return ()
    if not np.any(room > 0):
        return (NOTHING_LEFT.found(),)
    if not np.any(known.decisions.undecided & (room > 0)):
        return (ALL_SETTLED.found(),)
    return (LIMITS.found(found=found, wanted=wanted),)


def doubts(known: Known, judgments: FloatArray, unit: str) -> tuple[Finding, ...]:
    """Say what decisions rest on, and which pairs no number of judgments settles."""
    findings = []
    again = int(np.sum(judgments > known.decisions.record.units + 1e-9))
    if again:
        findings.append(JUDGED_AGAIN.found(number=again, unit=unit.split("+", maxsplit=1)[0]))
    scarce = known.counts.units.crossed[1] if known.counts.units.crossed else None
    if scarce is not None and scarce.size < FEW_UNITS.thresholds["exact_tests"]:
        findings.append(FEW_UNITS.found(units=scarce.size, unit=scarce.name))
    judged = ~_nobody(known)
    alike = np.isinf(known.needed) & judged[known.counts.first] & judged[known.counts.second]
    hopeless = int(np.sum(alike))
    if hopeless and known.margin is None:
        findings.append(ALIKE.found(number=hopeless))
    return tuple(findings)


def unjudged(known: Known) -> tuple[Finding, ...]:
    """Name the systems that nobody judged: new ones, or slips of the pen."""
    counts, nobody = known.counts, _nobody(known)
    if not np.any(nobody) or np.all(nobody):
        return ()
    return (UNJUDGED.found(systems=marked(counts.systems, nobody)),)


def _nobody(known: Known) -> BoolArray:
    """Mark the systems without a judgment."""
    met = known.counts.outcomes.sum(axis=0)
    nobody: BoolArray = known.counts.add_up(met, met) == 0
    return nobody


def _whole(value: float) -> int | None:
    return int(value) if np.isfinite(value) else None
