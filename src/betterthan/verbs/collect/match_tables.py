"""Tables of the chosen comparisons and of all pairs."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from betterthan.base import BoolArray, FloatArray
from betterthan.findings import Finding, kinds, marked
from betterthan.inference import sequential
from betterthan.verbs.collect.collection_state import CollectionState, place_of
from betterthan.verbs.collect.matches_result import Forecast, Match, Pair
from betterthan.verbs.collect.pair_choice import PairChoice

#: Shares of all pairs for which a forecast is made.
_SHARES = (0.5, 0.9, 1.0)


@dataclass(frozen=True)
class Chosen:
    """A choice, with its item and judge."""

    choice: PairChoice
    handed_out: Mapping[str, Any] = field(default_factory=dict)


def matches(chosen: Sequence[Chosen], known: CollectionState, rng: np.random.Generator) -> Iterable[Match]:
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


def pairs(known: CollectionState) -> tuple[Pair, ...]:
    """Describe what is known of every pair."""
    counts, decisions, names = known.counts, known.decisions, known.counts.systems
    columns = zip(
        counts.first.tolist(),
        counts.second.tolist(),
        decisions.state.tolist(),
        decisions.record.units.tolist(),
        decisions.record.share.tolist(),
        decisions.p.tolist(),
        decisions.p_equivalent.tolist(),
        known.needed.tolist(),
        strict=True,
    )
    return tuple(
        Pair(
            names[first],
            names[second],
            sequential.STATES[state],
            round(units),
            share,
            p,
            None if known.margin is None else alike,
            _whole(needed),
        )
        for first, second, state, units, share, p, alike, needed in columns
    )


def forecast(known: CollectionState) -> tuple[Forecast, ...]:
    """Add up what the pairs need, the quickest first."""
    total = np.cumsum(np.sort(known.needed))
    return tuple(Forecast(share, _whole(total[int(np.ceil(share * len(total))) - 1])) for share in _SHARES)


def shortage(found: int, wanted: int, known: CollectionState, room: FloatArray) -> tuple[Finding, ...]:
    """Describe why there are fewer comparisons than requested."""
    if found == wanted:
        return ()
    if not np.any(room > 0):
        return (kinds.collecting.NOTHING_LEFT.found(),)
    if not np.any(known.decisions.undecided & (room > 0)):
        return (kinds.collecting.ALL_SETTLED.found(),)
    return (kinds.collecting.LIMITS.found(found=found, wanted=wanted),)


def match_findings(known: CollectionState, judgments: FloatArray, unit: str) -> tuple[Finding, ...]:
    """Report the basis of decisions, and pairs that no number of judgments can decide."""
    findings = []
    again = int(np.sum(judgments > known.decisions.record.units + 1e-9))
    if again:
        findings.append(kinds.collecting.JUDGED_AGAIN.found(number=again, unit=unit.split("+", maxsplit=1)[0]))
    scarce = known.counts.units.crossed[1] if known.counts.units.crossed else None
    if scarce is not None and scarce.size < kinds.resampling.FEW_UNITS.thresholds["exact_tests"]:
        findings.append(kinds.resampling.FEW_UNITS.found(units=scarce.size, unit=scarce.name))
    judged = ~_nobody(known)
    alike = np.isinf(known.needed) & judged[known.counts.first] & judged[known.counts.second]
    hopeless = int(np.sum(alike))
    if hopeless and known.margin is None:
        findings.append(kinds.collecting.ALIKE.found(number=hopeless))
    return tuple(findings)


def unjudged(known: CollectionState) -> tuple[Finding, ...]:
    """Name the systems that nobody judged: new ones, or slips of the pen."""
    counts, nobody = known.counts, _nobody(known)
    if not np.any(nobody) or np.all(nobody):
        return ()
    return (kinds.collecting.UNJUDGED.found(systems=marked(counts.systems, nobody)),)


def _nobody(known: CollectionState) -> BoolArray:
    """Mark the systems without a judgment."""
    met = known.counts.outcomes.sum(axis=0)
    nobody: BoolArray = known.counts.add_up(met, met) == 0
    return nobody


def _whole(value: float) -> int | None:
    return int(value) if np.isfinite(value) else None
