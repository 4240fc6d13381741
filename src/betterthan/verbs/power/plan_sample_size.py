"""Plan a comparison: the number of items or judgments needed, from evidence or from given numbers."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import ceil
from typing import Any

import numpy as np

from betterthan.base import EvidenceError, PlanError, scipy, spelling
from betterthan.datasets import DataSets, data_sets
from betterthan.findings import Finding, kinds
from betterthan.inference import Differences, RunVariance, mcnemar, paired_tests
from betterthan.options import PowerOptions, declared_options, takes
from betterthan.verbs.compare import Pairing, pair_systems
from betterthan.verbs.power import power_simulation, sample_size
from betterthan.verbs.power.power_result import Need, Power, Simulated
from betterthan.verbs.power.run_plan import Costs, Design, RunPlan, designs


@dataclass(frozen=True)
class _Case:
    """A planned test: the observed evidence and its size, and how to simulate a difference."""

    plan: sample_size.MeanPlan | sample_size.SharePlan | sample_size.AnswerPlan | RunPlan
    measure: str
    observed: float | None = None
    low: float | None = None
    high: float | None = None
    spread: float | None = None
    tie_share: float | None = None
    design_effect: float | None = None
    size: float = 1.0  # items per unit
    units_for: Callable[[float], power_simulation.PlannedUnits | None] | None = None
    tests: tuple[str, ...] = ()
    designs: tuple[Design, ...] = ()


@takes(PowerOptions, optional=True)
def power(evidence: Any, options: PowerOptions) -> Power:
    """Return how many items or judgments are needed to distinguish two systems, and what those available can detect.

    With evidence and two systems, spread, ties and groups are theirs, and formulas are checked by simulations drawn
    from it. What is to be detected is a `difference` of scores or a `win_share` among decided judgments, by default the
    observed one. Without evidence give `sd`, the standard deviation of the differences, or `win_share` and `tie_share`.
    `n` is a number planned, instead of the number available.

    >>> power(sd=1, difference=0.5).needed
    34
    >>> power(win_share=0.6, tie_share=0.3, power=0.9).needed
    384
    """
    if evidence is None:
        if any(asked is not None for asked in (options.a, options.b, options.groups, options.unit)):
            raise PlanError("systems, groups and unit need evidence: give it first, as in power(scores, 'A', 'B').")
        _without_effect(options, ("tolerance", "simulations", "seed"), "without evidence")
        return _from_numbers(options)
    if options.sd is not None or options.tie_share is not None:
        name = "sd" if options.sd is not None else "tie_share"
        raise PlanError(
            f"{spelling.option(name)} is taken from the evidence", remedy="Leave it out, or plan without evidence."
        )
    if options.simulations == 0:
        _without_effect(options, ("seed",), f"with {spelling.option('simulations', 0)}")
    sets = data_sets(evidence, unit=None if options.groups is not None else options.unit, tolerance=options.tolerance)
    pairing = _paired(sets, options)
    if (case := _of_runs(sets, pairing, options)) is not None:
        return _planned(case, pairing.kind, pairing, options)
    if options.costs is not None:
        raise PlanError(
            f"{spelling.option('costs')} is for scores of several runs",
            remedy=f"Name the column of runs with {spelling.option('repeat')}, or leave it out.",
        )
    return _from_evidence(pairing, options)


def _of_runs(sets: DataSets, pairing: Pairing, options: PowerOptions) -> _Case | None:
    """Return the plan of scores that vary between items and runs; None of others."""
    repeats = sets.scored[0].scores.repeats if sets.scored else None
    if pairing.unit != "item+run" or repeats is None or options.win_share is not None:
        return None
    systems = sets.scored[0].scores.systems
    one, two = systems.index(pairing.a), systems.index(pairing.b)
    variance = RunVariance.of(repeats, one, two, options.level, options.seed)
    if variance is None or not np.any(pairing.differences.values):
        return None
    values = pairing.differences.values
    plan = RunPlan(variance, max(2, round(variance.runs)), options.power, options.level)
    items = options.n or len(values)
    return _Case(
        plan,
        "difference",
        *_observed(pairing.differences, options),
        float(np.std(values, ddof=1)),
        designs=designs(plan, items, options.difference, Costs.of(options.costs)),
    )


def _without_effect(options: PowerOptions, names: Sequence[str], where: str) -> None:
    """Refuse options that mean nothing here, so that nobody believes they had an effect."""
    for name in names:
        value = getattr(options, name)
        if value != declared_options(PowerOptions)[name].default:
            raise PlanError(f"{spelling.option(name, value)} has no effect {where}", remedy="Leave it out.")


def _paired(sets: DataSets, options: PowerOptions) -> Pairing:
    of_runs = any(each.unit == "item+run" for each in sets)
    return pair_systems(
        sets,
        options.a,
        options.b,
        options.groups,
        unit=options.unit,
        tolerance=options.tolerance,
        by_item="" if of_runs else "planning",
    )


def _from_numbers(options: PowerOptions) -> Power:
    judged = options.win_share is not None or options.tie_share is not None
    if judged == (options.sd is not None) or (judged and options.difference is not None):
        raise PlanError(
            "a plan needs evidence and two systems, or numbers",
            remedy=f"For scores give {spelling.option('sd')} and {spelling.option('difference')}; for "
            f"judgments {spelling.option('win_share')} "
            f"and, if there are ties, {spelling.option('tie_share')}.",
        )
    if options.difference is None and options.win_share is None and options.n is None:
        raise PlanError(
            "a plan needs what is to be detected, or how many there are, or both",
            remedy=f"Pass {spelling.option('win_share', 0.55) if judged else spelling.option('difference', 1)} "
            f"or {spelling.option('n', 500)}.",
        )
    if options.sd is not None:
        case = _Case(sample_size.MeanPlan(options.sd, options.power, options.level), "difference", spread=options.sd)
        return _planned(case, "scores", None, options)
    ties = options.tie_share or 0.0
    case = _Case(sample_size.SharePlan(ties, options.power, options.level), "win share", tie_share=ties)
    return _planned(case, "judgments", None, options)


def _from_evidence(pairing: Pairing, options: PowerOptions) -> Power:
    scores = pairing.kind == "scores"
    if scores and options.win_share is not None:
        raise PlanError(
            f"{spelling.option('win_share')} is for judgments",
            remedy=f"For scores use {spelling.option('difference')}.",
        )
    if not scores and options.difference is not None:
        raise PlanError(
            f"{spelling.option('difference')} is for scores: judgments say which system won, not by how much",
            remedy=f"Use {spelling.option('win_share')}.",
        )
    if not np.any(pairing.differences.values):
        return _identical(pairing, options, scores=scores)
    case = _scores(pairing, options) if scores else _judgments(pairing, options)
    return _planned(case, pairing.kind, pairing, options)


def _scores(pairing: Pairing, options: PowerOptions) -> _Case:
    differences = pairing.differences
    values, what = differences.values, "group" if differences.grouped else "item"
    if pairing.units < 2:
        raise EvidenceError(f"planning needs at least two {what}s, got one", remedy=_instead("sd", "difference"))
    observed = _observed(differences, options)
    if differences.binary and not differences.grouped:
        ties, step = float(np.mean(values == 0)), float(np.abs(values).max())
        wins, _, losses = pairing.counts
        low, high = mcnemar.bonett_price_interval(wins, losses, len(values), options.level)
        observed = (observed[0], low * step, high * step)
        answers = sample_size.AnswerPlan(step, ties, options.power, options.level)
        return _Case(
            answers,
            "difference",
            *observed,
            float(np.std(values, ddof=1)),
            ties,
            units_for=lambda asked: (
                power_simulation.tilted(differences, answers.win_share(asked)) if answers.possible(asked) else None
            ),
            tests=("mcnemar-mid-p", "t"),
        )
    spread, effect = sample_size.spread_of(differences)
    if spread <= 1e-12 * float(np.abs(values).max()):
        raise EvidenceError(
            f"{pairing.a!r} and {pairing.b!r} differ by {observed[0]:.4g} in every {what}; without any spread there is "
            "nothing to plan",
            remedy=_instead("sd", "difference"),
        )
    return _Case(
        sample_size.MeanPlan(spread, options.power, options.level),
        "difference",
        *observed,
        float(np.std(values, ddof=1)),
        design_effect=effect if differences.grouped else None,
        size=len(values) / pairing.units,
        units_for=lambda asked: power_simulation.shifted(differences, asked),
        tests=("t", "wilcoxon", "sign"),
    )


def _observed(differences: Differences, options: PowerOptions) -> tuple[float, float, float]:
    """Return the mean difference with its interval."""
    mean, (error, freedom) = float(differences.values.mean()), paired_tests.standard_error(differences, options.level)
    reach = float(scipy.stats.t.ppf((1 + options.level) / 2, freedom)) * error
    return mean, mean - reach, mean + reach


def _judgments(pairing: Pairing, options: PowerOptions) -> _Case:
    differences, (wins, ties, losses) = pairing.differences, pairing.counts
    assert pairing.judged is not None
    share, independent = pairing.judged.decided, None
    if wins and losses:  # the squared error that as many independent judgments would have
        independent = share.value * (1 - share.value) / (wins + losses)
    if differences.grouped and (pairing.units < 2 or (independent is not None and share.errors.variances[0][0] == 0.0)):
        raise EvidenceError(
            f"the judgments between {pairing.a!r} and {pairing.b!r} do not vary by {pairing.unit}, so nothing can be "
            "planned from them",
            remedy=_instead("win_share", "tie_share"),
        )
    size, tie_share = len(differences.values) / pairing.units, ties / len(differences.values)
    low, high = share.interval(options.level)
    effect, freedom = 1.0, None
    if differences.grouped:
        # Few units may vary less than chance would let them: nothing to plan with.
        effect = 1.0 if independent is None else max(1.0, float(share.errors.variances[0][0]) / independent)
        freedom = (
            None if share.exact else float(share.errors.freedom[0][0]) / pairing.units
        )  # units of one opinion can be counted
    plan = sample_size.SharePlan(tie_share, options.power, options.level, size / effect, freedom)
    crossed = "+" in pairing.unit  # units drawn one way would leave the other one out
    return _Case(
        plan,
        "win share",
        share.value,
        low,
        high,
        None,
        tie_share,
        effect if differences.grouped else None,
        size,
        None if crossed else lambda asked: power_simulation.tilted(differences, asked),
        ("sign",),
    )


def _identical(pairing: Pairing, options: PowerOptions, *, scores: bool) -> Power:
    pair = f"{pairing.a!r} and {pairing.b!r}"
    return Power(
        settings=_settled(pairing, options),
        data=pairing.data,
        reading=pairing.reading,
        pairing=pairing.facts,
        a=pairing.a,
        b=pairing.b,
        kind=pairing.kind,
        grouping=pairing.grouping,
        measure="difference" if scores else "win share",
        test="t" if scores else "sign",
        n=len(pairing.differences.values),
        units=pairing.units,
        observed=0.0 if scores else None,
        low=None,
        high=None,
        spread=0.0 if scores else None,
        tie_share=None if scores else 1.0,
        design_effect=None,
        smallest=None,
        reached=None,
        needs=(),
        simulated=(),
        findings=(*pairing.findings, kinds.evidence.IDENTICAL.found(pairs=pair, number=1)),
    )


def _planned(case: _Case, kind: str, pairing: Pairing | None, options: PowerOptions) -> Power:
    asked = options.difference if options.difference is not None else options.win_share
    wanted = [("asked", asked), *zip(("observed", "low", "high"), (case.observed, case.low, case.high), strict=True)]
    hand = len(pairing.differences.values) if pairing else None
    grouped = pairing is not None and pairing.differences.grouped
    kept = wanted[:1] if asked is not None else wanted[1:] if case.low != case.high else wanted[1:2]
    needs = tuple(_need(case, what, value, hand, grouped) for what, value in kept if value is not None)
    n = options.n or hand
    counted = pairing.units if pairing and not options.n and not case.designs else None
    units = None if n is None else counted if counted is not None else int(n / case.size + 1e-9)
    simulated: tuple[Simulated, ...] = ()
    findings: list[Finding] = []
    if pairing is not None and hand is not None:
        findings = [*pairing.findings, *_own_findings(case, needs, pairing)]
        if options.simulations:
            simulated = _simulate(case, needs[0], options)
            findings += _simulation_findings(case, needs[0], simulated, hand)
    return Power(
        settings=_settled(pairing, options),
        data=pairing.data if pairing else "none",
        reading=pairing.reading if pairing else None,
        pairing=pairing.facts if pairing else {"evidence": "none"},
        a=pairing.a if pairing else None,
        b=pairing.b if pairing else None,
        kind=kind,
        grouping=pairing.grouping if pairing else None,
        measure=case.measure,
        test=case.plan.test,
        n=n,
        units=units,
        observed=case.observed,
        low=case.low,
        high=case.high,
        spread=case.spread,
        tie_share=case.tie_share,
        design_effect=case.design_effect,
        smallest=None if units is None else case.plan.smallest(units),
        reached=None if units is None or asked is None else case.plan.reached(asked, units),
        needs=needs,
        simulated=simulated,
        variance=case.plan.variance if isinstance(case.plan, RunPlan) else None,
        designs=case.designs,
        findings=tuple(findings),
    )


def _settled(pairing: Pairing | None, options: PowerOptions) -> PowerOptions:
    """Return the options with the names that the evidence decided."""
    return options if pairing is None else options.changed(a=pairing.a, b=pairing.b, groups=None, unit=pairing.unit)


def _need(case: _Case, what: str, value: float, hand: int | None, grouped: bool) -> Need:
    units = case.plan.needed(value)
    needed = None if units is None else ceil(units * case.size - 1e-9)
    more = None if needed is None or hand is None else max(0, needed - hand)
    return Need(what, value, needed, units if grouped else None, more)


def _simulate(case: _Case, need: Need, options: PowerOptions) -> tuple[Simulated, ...]:
    """Return the power of every test at the number needed, from the evidence as it would be with the difference."""
    units = case.units_for(need.value) if case.units_for is not None and need.needed is not None else None
    if units is None or need.needed is None:
        return ()
    rng = np.random.default_rng(options.seed)
    found, simulations = power_simulation.simulate(
        units, need.groups or need.needed, options.level, options.simulations, rng
    )
    found["mcnemar-mid-p"] = found["sign-mid-p"]
    if case.measure == "win share" and need.groups is not None:
        found["sign"] = found["share"]
    return tuple(
        Simulated(
            test, need.needed, found[test], power_simulation.simulation_error(found[test], simulations), simulations
        )
        for test in case.tests
    )


def _own_findings(case: _Case, needs: tuple[Need, ...], pairing: Pairing) -> list[Finding]:
    """Describe how far what was observed can be planned with."""
    findings = []
    if needs[0].what == "observed" and case.low is not None and case.high is not None:
        none = 0.5 if case.measure == "win share" else 0.0
        also = f"; its interval includes {none:g}, which no number can detect" if case.low <= none <= case.high else ""
        findings.append(kinds.planning.OBSERVED.found(measure=case.measure, includes=also))
    if pairing.units < kinds.resampling.FEW_UNITS.thresholds["exact_tests"]:
        findings.append(kinds.resampling.FEW_UNITS.found(units=pairing.units, unit=pairing.grouping))
    return findings


def _simulation_findings(case: _Case, need: Need, simulated: tuple[Simulated, ...], hand: int) -> list[Finding]:
    """Report where simulations contradict the formula, reach far beyond the evidence, or could not be made."""
    main = next((found for found in simulated if found.test == case.plan.test), None)
    if main is None:
        why = f"This evidence cannot be resampled to a {case.measure} of {need.value:.4g}"
        if case.units_for is None:
            why = "Simulations draw one unit of dependence, and this evidence has two"
        return [] if need.needed is None else [kinds.planning.NOT_SIMULATED.found(why=why, value=need.value)]
    findings = []
    expected = case.plan.reached(need.value, need.groups or main.n)
    off, limits = main.power - expected, kinds.planning.FORMULA.thresholds
    if abs(off) > limits["difference"] + limits["standard_errors"] * main.error:
        findings.append(kinds.planning.FORMULA.found(simulated=main.power, expected=expected, difference_found=off))
    if "wilcoxon" in case.tests and main.n > kinds.planning.EXTRAPOLATED.thresholds["times"] * hand:
        findings.append(kinds.planning.EXTRAPOLATED.found(planned=main.n, available=hand))
    return findings


def _instead(*names: str) -> str:
    return f"Plan from numbers instead: {' and '.join(spelling.option(name) for name in names)}."
