"""A new version against an old one by one metric: both values, the difference and its interval."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from betterthan.datasets import scope_of_tasks
from betterthan.evidence import MetricPart
from betterthan.findings import Finding
from betterthan.inference import Estimate
from betterthan.options import GateOptions
from betterthan.verbs.compare import compare, compare_tasks


@dataclass(frozen=True)
class Measured:
    """A difference with its interval, from how many items or judgments in how many units, and what was found.

    `values` are those of both versions as they were read; None of judgments.
    """

    gain: Estimate
    values: tuple[float, float] | None
    n: int
    units: int
    unit: str
    scope: str
    findings: Sequence[Finding]

    def as_read(self, *, lower_is_better: bool) -> Estimate:
        """Return the difference in the direction of the metric itself."""
        if not lower_is_better:
            return self.gain
        value, low, high = (None if end is None else -end for end in vars(self.gain).values())
        return Estimate(value, high, low)


@dataclass(frozen=True)
class VersionPair:
    """Two versions, and the evidence of one metric on all items or on a slice."""

    of: MetricPart
    new: str
    old: str

    def measured(self, options: GateOptions, level: float, factor: float = 1.0) -> Measured:
        """Return the difference with its one-sided interval at a level; positive means that the new one is better.

        Scores of the old one are multiplied by the factor, so that a margin relative to their mean becomes one of zero.
        """
        both = 2 * level - 1
        part = self.of if factor == 1.0 else self.of.multiplied(self.old, factor)
        if part.several_tasks:
            duels = compare_tasks(part.evidence, self.new, self.old, unit=options.unit, level=both, seed=options.seed)
            whole, means = duels.overall[0], np.array([each.values for each in duels.tasks], dtype=float).mean(axis=0)
            return Measured(
                whole.difference,
                (float(means[0]), float(means[1] / factor)),
                sum(each.n for each in duels.tasks),
                sum(each.units for each in duels.duels),
                "task" if duels.random else duels.duels[0].unit,
                scope_of_tasks(whole.tasks, random=bool(duels.random)),
                duels.findings,
            )
        duel = compare(part.evidence, self.new, self.old, unit=options.unit, level=both, seed=options.seed)
        effect, none = duel.answer.effect, 0.5 if duel.question == "wins" else 0.0
        ends = [None if end is None else end - none for end in (effect.value, effect.low, effect.high)]
        values = duel.values and (duel.values[0], duel.values[1] / factor)
        return Measured(Estimate(*ends), values, duel.n, duel.units, duel.unit, duel.scope, duel.findings)
