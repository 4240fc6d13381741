"""Decide whether a new version is not worse than an old one."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from betterthan.base import PlanError, nearest, need_text, parallel, spelling
from betterthan.datasets import data_sets
from betterthan.evidence import MetricPart
from betterthan.findings import Finding, kinds, merge_findings
from betterthan.inference import Estimate
from betterthan.options import GateOptions, takes
from betterthan.present import digits
from betterthan.readers import AnyEvidence, as_evidence
from betterthan.verbs.gate.flipped_items import FlippedItem, flipped_items
from betterthan.verbs.gate.gate_checks import GateCheck, corrected, decided, detectable, further_needed, together
from betterthan.verbs.gate.gate_result import Gate, Rerun
from betterthan.verbs.gate.margins import Margin, suggested
from betterthan.verbs.gate.version_pairs import VersionPair

#: Findings about the choice of a model or a question, which a gate leaves none of.
_OF_CHOICE = ("many-ties", "questions-disagree")


@takes(GateOptions)
def gate(evidence: Any, options: GateOptions) -> Gate:
    """Decide whether a new version is not worse than an old one: pass, fail or inconclusive.

    It passes if the one-sided interval of the difference shows that it is worse by less than a margin
    (`not_worse_than`), or better (`better_by`). It fails if the interval shows the opposite. Otherwise more items must
    decide. A `guard` has a margin of its own; all other metrics are decided by the general one. All of them must pass,
    on all items and in every slice, against every old version.

    >>> runs = {"new": [1, 1, 1, 0, 1, 1, 1, 1] * 9, "old": [1, 0, 1, 0, 1, 1, 1, 1] * 9}
    >>> found = gate(runs, "new", "old", not_worse_than=0.02)
    >>> found.decision, found.checks[0].difference.value
    ('pass', 0.125)
    """
    read = as_evidence(evidence)
    new, old = _versions(read.systems, options)
    limits = _Limits.of(options)
    with parallel.one_blas_thread():
        return _gated(read, new, old, limits, options)


def _versions(systems: Sequence[str], options: GateOptions) -> tuple[str, tuple[str, ...]]:
    """Return the names of the new version and of the old ones."""
    old = (options.old,) if isinstance(options.old, str) else tuple(dict.fromkeys(options.old or ()))
    if options.new is None or not old:
        raise PlanError(f"name the new version and the old one; there are: {', '.join(systems[:20])}.")
    for name in (options.new, *old):
        need_text(name, "the name of a version")
        if name not in systems:
            raise PlanError(f"no system {name!r} in this evidence. {nearest(name, systems)}")
    if options.new in old:
        raise PlanError(f"{options.new!r} cannot be compared with itself. Name two versions.")
    return options.new, old


@dataclass(frozen=True)
class _Limits:
    """The margin of every metric that was given one."""

    general: Margin | None
    better: bool
    guards: dict[str, Margin]

    @classmethod
    def of(cls, options: GateOptions) -> "_Limits":
        both = [name for name in ("not_worse_than", "better_by") if getattr(options, name) is not None]
        if len(both) == 2:
            raise PlanError(
                f"{spelling.option('not_worse_than')} and {spelling.option('better_by')} are two different gates",
                remedy="Leave one of them out.",
            )
        general = Margin.of(both[0], getattr(options, both[0])).unsigned(both[0]) if both else None
        guards = {metric: Margin.of("guard", margin) for metric, margin in (options.guard or {}).items()}
        return cls(general, both == ["better_by"], guards)

    def known(self, metrics: set[str]) -> None:
        """Refuse guards of metrics that there are not."""
        for metric in self.guards:
            if metric not in metrics:
                listed = ", ".join(sorted(metrics - {""})) or "none"
                raise PlanError(
                    f"{spelling.option('guard')} names {metric!r}, which is no metric here; there are: {listed}",
                    remedy=f"Name the columns of all metrics with {spelling.option('score')}.",
                )

    def of_metric(self, metric: str, *, less: bool) -> tuple[Margin | None, bool]:
        """Return the margin of a metric, and whether it is a guard's."""
        if metric in self.guards:
            return self.guards[metric].suits(metric, less=less), True
        return self.general, False


def _gated(read: AnyEvidence, new: str, old: tuple[str, ...], limits: _Limits, options: GateOptions) -> Gate:
    level = _level_of(options)
    pairs = [
        VersionPair(part, new, each) for each in old for part in MetricPart.all_of(read, new, each, options.slices)
    ]
    limits.known({pair.of.metric for pair in pairs})
    found = [_check(pair, limits, options, level) for pair in pairs]
    checks = [check for check, _ in found]
    _need_margins(checks, level)

    def fails(place: int, stricter: float) -> bool:
        return _check(pairs[place], limits, options, stricter)[0].decision == "fail"

    checks = corrected(checks, fails, level)
    checks = [replace(check, more=further_needed(check, level)) for check in checks]
    reruns, unsure = _reruns(options, old)
    findings = merge_findings([(check.title, findings) for check, findings in found])
    decision = together(checks)
    if decision == "pass" and (unsure or any(_lacks(finding, new) for finding in findings)):
        decision = "inconclusive"
    looks = kinds.gates.OFTEN_LOOKED_AT
    if options.look is not None and options.look >= looks.thresholds["looks"]:
        unsure = [*unsure, looks.found(look=options.look)]
    sets = data_sets(read, unit=options.unit, pools_tasks=True)
    return Gate(
        settings=options.changed(new=new, old=old, rerun=None),
        data="+".join(dict.fromkeys(data.digest for data in sets)),
        reading=sets.reading,
        findings=(*unsure, *findings),
        new=new,
        old=old,
        kind=read.kind,
        decision=decision,
        decided_at=level,
        checks=tuple(checks),
        reruns=reruns,
        flips=tuple(_flips(pairs, options.flips)) if options.flips else (),
    )


def _lacks(finding: Finding, new: str) -> bool:
    """Whether the new version lacks items that an old one has: what it failed on may be missing for that reason."""
    return finding.code == kinds.evidence.UNMATCHED.code and finding.numbers["system"] == new


def _level_of(options: GateOptions) -> float:
    """Return the level of this look; the chances of a wrong decision at all looks add up to that of a single one."""
    if options.look is None:
        return options.level
    return 1 - (1 - options.level) / (options.look * (options.look + 1))


def _check(pair: VersionPair, limits: _Limits, options: GateOptions, level: float) -> tuple[GateCheck, list[Finding]]:
    """Measure two versions by one metric, and decide by the interval."""
    metric, less = pair.of.metric, pair.of.lower_is_better
    margin, guard = limits.of_metric(metric, less=less)
    better = limits.better and not guard
    allowed = 0.0 if margin is None else margin.amount if better else -margin.amount
    relative = margin is not None and margin.relative
    sign = -1.0 if less else 1.0
    factor = 1 + sign * allowed if relative else 1.0
    if margin is not None and factor <= 0:
        raise PlanError(f"a margin of {margin.text} leaves nothing of the old mean", remedy="Give less than 100%.")
    measured = pair.measured(options, level, factor)
    new_value, old_value = measured.values or (None, None)
    difference = measured.as_read(lower_is_better=less)
    if relative:
        mean = old_value = _above_zero(old_value, pair)
        ends = (None if end is None else end / mean + factor - 1 for end in vars(difference).values())
        difference = Estimate(*ends)
    elif old_value is None and difference.value is not None:  # of judgments, both have a share
        new_value, old_value = 0.5 + difference.value, 0.5 - difference.value
    limit = None if margin is None else sign * allowed
    return (
        GateCheck(
            metric=metric,
            part=pair.of.part,
            old=pair.old,
            guard=guard,
            better=better,
            less=less,
            new_value=new_value,
            old_value=old_value,
            difference=difference,
            relative=relative,
            limit=limit,
            margin="" if margin is None else margin.text,
            n=measured.n,
            units=measured.units,
            unit=measured.unit,
            scope=measured.scope,
            decision=None if limit is None else decided(difference, limit, less=less),
            detectable=detectable(difference, level),
            more=None,
        ),
        [finding for finding in measured.findings if finding.code not in _OF_CHOICE],
    )


def _above_zero(mean: float | None, pair: VersionPair) -> float:
    if mean is None or mean <= 0:
        by = f" by {pair.of.metric}" if pair.of.metric else ""
        raise PlanError(
            f"the mean of {pair.old!r}{by} is 0, and a percentage of it, too",
            remedy="Give the margin in the metric's unit, such as 0.02.",
        )
    return mean


def _need_margins(checks: list[GateCheck], level: float) -> None:
    """Refuse metrics without a margin, with those that this number of items can usually show."""
    lacking = [check for check in checks if check.limit is None and not check.part]
    if not lacking:
        return
    about: dict[str, GateCheck] = {}
    for check in lacking:
        about.setdefault(check.metric, check)
    margins = {metric: suggested(check.detectable) for metric, check in about.items()}
    first, *others = margins
    told = "; ".join(f"{metric or 'the score'}: {margin or 'unknown'}" for metric, margin in margins.items())
    options: dict[str, Any] = {"not_worse_than": margins[first] or "MARGIN"}
    if others:
        options["guard"] = {metric: margins[metric] or "MARGIN" for metric in others}
    spelled = " ".join(spelling.option(name, value) for name, value in options.items())
    number = (
        f"{about[first].units:,} {about[first].unit.replace('+', 's and ')}{'' if about[first].units == 1 else 's'}"
    )
    raise PlanError(
        f"a gate needs the loss that you would accept, and no data can say it. With {number}, a version as good as the "
        f"old one usually passes (80 %, level {100 * level:g} %) if the margin is at least {told}",
        remedy=f"Decide what a loss costs you, and give it: {spelled}",
    )


def _reruns(options: GateOptions, old: tuple[str, ...]) -> tuple[tuple[Rerun, ...], list[Finding]]:
    """Return how much two runs of an old version differ, and findings where they differ significantly."""
    if options.rerun is None:
        return (), []
    read = as_evidence(options.rerun)
    known = [name for name in old if name in read.systems]
    if len(read.systems) != 2 or not known:
        raise PlanError(f"{spelling.option('rerun')} needs scores of two runs, one of them {' or '.join(old)}.")
    again = next(name for name in read.systems if name != known[0])
    found, unsure = [], []
    for part in MetricPart.all_of(read, again, known[0]):
        measured = VersionPair(part, again, known[0]).measured(options, (1 + options.level) / 2)
        difference = measured.as_read(lower_is_better=part.lower_is_better)
        low, high = difference.low, difference.high
        found.append(Rerun(part.metric, known[0], again, difference, options.level))
        if low is not None and high is not None and (low > 0 or high < 0):
            places = digits.decimals([(low, high)])
            unsure.append(
                kinds.gates.RERUN_DIFFERS.found(
                    old=known[0],
                    difference=digits.rounded(difference.value, places),
                    metric=f" on {part.metric}" if part.metric else "",
                    confidence=options.level,
                    interval=f"{digits.rounded(low, places)} to {digits.rounded(high, places)}",
                )
            )
    return tuple(found), unsure


def _flips(pairs: list[VersionPair], most: int) -> Iterator[FlippedItem]:
    first = pairs[0].old
    for pair in pairs:
        if not pair.of.part and pair.old == first:
            yield from flipped_items(pair.of.tables, pair.new, pair.old, most)
