"""Outcomes of several policies, with intervals over runs."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite

import numpy as np
from scipy import optimize

from betterthan.base import FloatArray, IntArray
from betterthan.inference import Estimate, mean_of, share_of
from betterthan.verbs.collect.replays.replay_run import Trace

#: How often runs are resampled for an interval.
_RESAMPLES = 2000
#: Numbers of judgments and pairs are not negative.
_POSITIVE = (0.0, np.inf)


@dataclass(frozen=True)
class ReplayGoal:
    """The number of judgments a policy needed to reach a goal, also relative to the first policy."""

    name: str
    judgments: Estimate
    ratio: Estimate


@dataclass(frozen=True)
class ReplayLook:
    """The ranking after that many judgments: means over runs."""

    judgments: int
    clusters: Estimate
    kendall: Estimate
    misplaced: Estimate
    settled: Estimate


@dataclass(frozen=True)
class Outcome:
    """The outcome of the runs of one policy."""

    policy: str
    settled: tuple[ReplayGoal, ...]
    reached: tuple[ReplayGoal, ...]
    looks: tuple[ReplayLook, ...]
    wrong: Estimate  # share of runs in which any pair was ever separated the wrong way
    separated: Estimate
    used: Estimate
    early: tuple[float, ...]  # how often pairs were requested in the first fifth of a run, and in the last: means
    late: tuple[float, ...]


def outcomes(
    policies: Sequence[str],
    traces: Sequence[Sequence[Trace]],
    *,
    targets: int,
    shares: Sequence[float],
    looks: Sequence[int],
    reach: Sequence[int],
    level: float,
    seed: int,
) -> tuple[Outcome, ...]:
    """Compare every policy with the first one; `targets` pairs can be settled."""
    found = []
    for policy, runs in zip(policies, traces, strict=True):
        beside = _AgainstBaseline(runs, traces[0], level, seed)
        found.append(
            Outcome(
                policy,
                tuple(beside.settled(share, targets) for share in shares if targets),
                tuple(beside.reached(at, looks) for at in reach),
                tuple(_look(runs, place, at, targets, level) for place, at in enumerate(looks)),
                share_of([bool(np.any(trace.wrong > 0)) for trace in runs], level),
                mean_of([float(trace.separated[-1]) for trace in runs], level, _POSITIVE),
                mean_of([float(trace.judgments[-1]) for trace in runs], level, _POSITIVE),
                tuple(np.mean([trace.early for trace in runs], axis=0).tolist()),
                tuple(np.mean([trace.late for trace in runs], axis=0).tolist()),
            )
        )
    return tuple(found)


@dataclass(frozen=True)
class _AgainstBaseline:
    """Runs of a policy next to those of the first one."""

    runs: Sequence[Trace]
    first: Sequence[Trace]
    level: float
    seed: int

    def settled(self, share: float, targets: int) -> ReplayGoal:
        """Measure the median number of judgments until a share of the pairs that can be settled is."""
        wanted = np.ceil(share * targets - 1e-9)
        mine, base = (np.array([trace.until(wanted) for trace in some]) for some in (self.runs, self.first))
        again = self._drawn_again()
        drawn = np.stack([np.median(mine[again], axis=1), np.median(base[again], axis=1)])
        return self._goal(f"{100 * share:g} % settled", float(np.median(mine)), float(np.median(base)), drawn)

    def reached(self, at: int, looks: Sequence[int]) -> ReplayGoal:
        """Measure when the mean number of clusters reaches what the first policy has after some judgments."""
        mine, base = (np.stack([_clusters(trace) for trace in some]) for some in (self.runs, self.first))
        again = self._drawn_again()
        drawn = [
            [_crossing(own, first, at, looks), _crossing(first, first, at, looks)]
            for own, first in zip(mine[again].mean(axis=1), base[again].mean(axis=1), strict=True)
        ]
        curve, other = mine.mean(axis=0), base.mean(axis=0)
        value, first = _crossing(curve, other, at, looks), _crossing(other, other, at, looks)
        name = f"{_rising(other)[looks.index(at)]:.2f} clusters, as at {at:,}"
        return self._goal(name, value, first, np.array(drawn).T)

    def _drawn_again(self) -> IntArray:
        """Draw runs with replacement (resamples × runs): those of both policies together, since they share seeds."""
        return np.random.default_rng(self.seed).integers(len(self.runs), size=(_RESAMPLES, len(self.runs)))

    def _goal(self, name: str, value: float, base: float, drawn: FloatArray) -> ReplayGoal:
        # Where the first policy never got there, nothing is known about the ratio: it counts as the worst.
        ratios = np.divide(drawn[0], drawn[1], out=np.full_like(drawn[0], np.inf), where=np.isfinite(drawn[1]))
        ratio = value / base if isfinite(base) else np.inf
        return ReplayGoal(name, _between(value, drawn[0], self.level), _between(ratio, ratios, self.level))


def _to_the_end(values: FloatArray) -> FloatArray:
    """Let a run that ended early keep what it had at its last look."""
    known = np.flatnonzero(~np.isnan(values))
    return np.where(np.isnan(values), values[known[-1]] if len(known) else np.nan, values)


def _clusters(trace: Trace) -> FloatArray:
    return np.nan_to_num(_to_the_end(trace.clusters), nan=1.0)


def _rising(curve: FloatArray) -> FloatArray:
    """Smooth a curve that can only rise but for chance."""
    return np.asarray(optimize.isotonic_regression(curve).x)


def _crossing(curve: FloatArray, other: FloatArray, at: int, looks: Sequence[int]) -> float:
    """Return where a curve reaches another curve's height at a look, by linear interpolation."""
    curve, wanted = _rising(curve), _rising(other)[looks.index(at)]
    there = np.flatnonzero(curve >= wanted - 1e-9)
    if not len(there):
        return np.inf
    after = int(there[0])
    if after == 0:
        return float(looks[0])
    part = (wanted - curve[after - 1]) / (curve[after] - curve[after - 1])
    return float(looks[after - 1] + part * (looks[after] - looks[after - 1]))


def _between(value: float, drawn: FloatArray, level: float) -> Estimate:
    tail = (1 - level) / 2
    ends = np.quantile(drawn, [tail, 1 - tail], method="inverted_cdf")
    return Estimate(*(float(each) if isfinite(each) else None for each in (value, *ends)))


def _look(runs: Sequence[Trace], place: int, at: int, targets: int, level: float) -> ReplayLook:
    ends = {"clusters": (1.0, np.inf), "kendall": (-1.0, 1.0), "misplaced": (0.0, np.inf)}
    clusters, kendall, misplaced = (
        mean_of([float(_to_the_end(getattr(trace, name))[place]) for trace in runs], level, within)
        for name, within in ends.items()
    )
    if not targets:
        return ReplayLook(at, clusters, kendall, misplaced, Estimate(None, None, None))
    settled = [float(trace.settled[np.searchsorted(trace.judgments, at, side="right") - 1]) for trace in runs]
    return ReplayLook(
        at, clusters, kendall, misplaced, mean_of([each / targets for each in settled], level, (0.0, 1.0))
    )
