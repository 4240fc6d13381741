"""Audit a judge: compare what it says with people's labels of the same."""

from dataclasses import dataclass

import numpy as np

from betterthan.base import BoolArray, FloatArray, IntArray
from betterthan.datasets import DataSet, GoldJudgments, GoldMatrix
from betterthan.findings import Finding, kinds
from betterthan.inference import Estimate, clustered_error, rater_agreement, share_intervals, student
from betterthan.verbs.diagnose.audit.audit_report import CORRECTED, TRUSTED, USELESS, JudgeAudit, SystemBias

_LEVEL = 0.95


@dataclass(frozen=True)
class _Labelled:
    """Labelled values one by one: the judge's and people's, the unit of each, and their systems.

    `sided` has 1 for the system that a value is of, and −1 for the one that it is against (values × systems).
    """

    systems: tuple[str, ...]
    judge: FloatArray
    people: FloatArray
    unit: IntArray
    sided: FloatArray
    sides: bool

    @property
    def error(self) -> FloatArray:
        """By how much the judge exceeds people."""
        gap: FloatArray = self.judge - self.people
        return gap

    @property
    def alike(self) -> bool:
        """Whether judge and people use the same values."""
        return set(np.unique(self.judge)) <= set(np.unique(self.people)) or len(self._values) <= _FEW_VALUES

    @property
    def _values(self) -> set[float]:
        return {*np.unique(self.judge), *np.unique(self.people)}

    @property
    def two_valued(self) -> bool:
        """Whether both say one of two values."""
        return len(self._values) == 2


#: With at most this many values in all, judge and people use one scale.
_FEW_VALUES = 7


def audit(data: DataSet) -> JudgeAudit | None:
    """Return the audit of the judge by people's labels; None where there are none."""
    if not data.labelled:
        return None
    scores, judgments = data.statistic(GoldMatrix), data.statistic(GoldJudgments)
    if scores is not None:
        found = _of_scores(scores)
    else:
        assert judgments is not None
        found = _of_judgments(judgments)
    if not found.alike:
        found = _on_one_scale(found)
    margin = kinds.gold.JUDGE_BIASED.thresholds["margin"] * max(float(np.ptp(found.people)), 1e-12)
    correlation, systems = _correlation(found), _biases(found)
    verdict, reason = _verdict(correlation, systems, margin)
    two = found.two_valued and not found.sides
    right = found.people == found.people.max()
    same = found.judge == found.people
    return JudgeAudit(
        labels=len(found.judge),
        agreement=_share(found, same, np.ones(len(same), dtype=bool)) if found.alike else None,
        kappa=_kappa(found) if found.alike else None,
        sensitivity=_share(found, same, right) if two else None,
        specificity=_share(found, same, ~right) if two else None,
        correlation=correlation,
        side=_mean(found.error, found.unit, _LEVEL) if found.sides else None,
        systems=systems,
        margin=margin,
        verdict=verdict,
        reason=reason,
    )


def findings_of(audit: JudgeAudit) -> list[Finding]:
    """Warn of a judge that prefers systems, or that says nothing about labels."""
    biased = [each for each in audit.systems if each.p <= 1 - _LEVEL]
    found = []
    if audit.verdict == USELESS:
        found.append(kinds.gold.JUDGE_USELESS.found(labels=audit.labels))
    if biased:
        biased.sort(key=lambda each: -abs(each.bias.known))
        how = ", ".join(f"{each.system!r} {'higher' if each.bias.known > 0 else 'lower'}" for each in biased)
        found.append(kinds.gold.JUDGE_BIASED.found(how=how, largest=abs(biased[0].bias.known)))
    return found


def _of_scores(statistic: GoldMatrix) -> _Labelled:
    item, system = np.nonzero(statistic.labelled)
    sign = -1.0 if statistic.lower_is_better else 1.0
    unit = statistic.units.factors[0][item] if statistic.units.factors else item
    sided = np.eye(statistic.size)[system]
    judged, people = (sign * values[item, system] for values in (statistic.judged, statistic.gold))
    return _Labelled(statistic.systems, judged, people, unit, sided * sign, sides=False)


def _of_judgments(statistic: GoldJudgments) -> _Labelled:
    row = np.flatnonzero(statistic.labelled)
    unit = statistic.units.factors[0][row] if statistic.units.factors else np.arange(len(row))
    every = np.eye(statistic.size)
    sided = every[statistic.left[row]] - every[statistic.right[row]]
    return _Labelled(statistic.systems, statistic.judged[row], statistic.gold[row], unit, sided, sides=True)


def _on_one_scale(found: _Labelled) -> _Labelled:
    """Return the judge's values on people's scale, by the line through both."""
    gaps = found.judge - found.judge.mean()
    spread = float(gaps @ gaps)
    slope = float(gaps @ (found.people - found.people.mean())) / spread if spread > 0 else 0.0
    fitted = found.people.mean() + slope * gaps
    return _Labelled(found.systems, fitted, found.people, found.unit, found.sided, found.sides)


def _sums(values: FloatArray, unit: IntArray) -> FloatArray:
    place = np.unique(unit, return_inverse=True)[1].ravel()
    sums: FloatArray = np.bincount(place, values).astype(float)
    return sums


def _mean(values: FloatArray, unit: IntArray, level: float) -> Estimate:
    """Return a mean over units with Student's interval."""
    sums, sizes = _sums(values, unit), _sums(np.ones(len(values)), unit)
    mean = float(values.mean())
    if len(sums) < 2:
        return Estimate(mean, None, None)
    error, freedom = clustered_error(sums, sizes)
    reach = float(student.quantile(np.atleast_1d(freedom), (1 + level) / 2)[0] * error)
    return Estimate(mean, mean - reach, mean + reach)


def _share(found: _Labelled, same: BoolArray, among: BoolArray) -> Estimate | None:
    """Return the share of labels that the judge gives, too, with Wilson's interval by units."""
    if not np.any(among):
        return None
    hits = same[among].astype(float)
    sums, sizes = _sums(hits, found.unit[among]), _sums(np.ones(len(hits)), found.unit[among])
    share = float(hits.mean())
    variance = float(clustered_error(sums, sizes)[0]) ** 2 if len(sums) > 1 else 0.0
    number = share_intervals.effective_number(share, variance, len(hits), len(sums), _LEVEL)
    low, high = share_intervals.wilson(share, number, _LEVEL)
    return Estimate(share, float(low), float(high))


def _kappa(found: _Labelled) -> float | None:
    """Return Cohen's kappa of judge and people."""
    values = np.unique(np.concatenate([found.judge, found.people]))
    if len(values) < 2:
        return None
    one, two = (np.searchsorted(values, each) for each in (found.judge, found.people))
    table = np.bincount(one * len(values) + two, minlength=len(values) ** 2).reshape(len(values), len(values))
    kappa = rater_agreement.kappas(table.astype(float), symmetric=False)
    return None if np.isnan(kappa) else float(kappa)


def _correlation(found: _Labelled) -> Estimate | None:
    """Return the correlation within systems, with the jackknife's interval over units on Fisher's scale."""
    within = [_within(values, found) for values in (found.judge, found.people)]
    products = [_sums(one * two, found.unit) for one, two in ((within[0],) * 2, (within[1],) * 2, tuple(within))]
    totals = [each.sum() for each in products]
    if min(totals[:2]) <= 1e-12 or len(products[0]) < 4:
        return None
    value = totals[2] / np.sqrt(totals[0] * totals[1])
    left = [total - each for total, each in zip(totals, products, strict=True)]
    with np.errstate(divide="ignore", invalid="ignore"):
        parts = left[2] / np.sqrt(left[0] * left[1])
    fisher = np.arctanh(np.clip([value, *parts[np.isfinite(parts)]], -0.9999, 0.9999))
    away, number = fisher[1:] - fisher[1:].mean(), len(fisher) - 1
    error = float(np.sqrt(np.sum(away**2) * (number - 1) / number))
    reach = float(student.quantile(np.array([number - 1.0]), (1 + _LEVEL) / 2)[0]) * error
    return Estimate(float(value), float(np.tanh(fisher[0] - reach)), float(np.tanh(fisher[0] + reach)))


def _within(values: FloatArray, found: _Labelled) -> FloatArray:
    """Return values less what is expected of their systems, by least squares."""
    design = found.sided if found.sides else np.abs(found.sided)
    centred = values - values.mean() if found.sides else values
    fitted: FloatArray = centred - design @ np.linalg.lstsq(design, centred, rcond=None)[0]
    return fitted


def _biases(found: _Labelled) -> tuple[SystemBias, ...]:
    """Return how much higher the judge puts every system than others, allowing for their number (Bonferroni)."""
    number = len(found.systems)
    inverse = np.linalg.pinv(found.sided.T @ found.sided)
    centre = np.eye(number) - 1 / number
    onto = centre @ inverse
    bias = onto @ (found.sided.T @ found.error)
    residual = found.error - found.sided @ (inverse @ (found.sided.T @ found.error))
    place = np.unique(found.unit, return_inverse=True)[1].ravel()
    units = int(place.max()) + 1
    parts = np.zeros((units, number))
    np.add.at(parts, place, (found.sided * residual[:, None]) @ onto.T)
    freedom = max(units - 1.0, 1.0)
    error = np.sqrt(np.sum(parts**2, axis=0) * units / freedom)
    tail = 1 - (1 - _LEVEL) / number
    reach = float(student.quantile(np.array([freedom]), (1 + tail) / 2)[0]) * error
    ratio = np.divide(np.abs(bias), error, out=np.zeros(number), where=error > 0)
    p = np.minimum(student.two_sided(ratio, np.full(number, freedom)) * number, 1.0)
    return tuple(
        SystemBias(system, Estimate(float(value), float(value - width), float(value + width)), float(chance))
        for system, value, width, chance in zip(found.systems, bias, reach, p, strict=True)
    )


def _verdict(correlation: Estimate | None, systems: tuple[SystemBias, ...], margin: float) -> tuple[str, str]:
    """Return what may be done with the judge, and why."""
    if correlation is None or correlation.low is None or correlation.low <= 0:
        return USELESS, "its scores are not shown to say anything about people's, apart from the systems"
    within = all(abs(each.bias.low or 0.0) <= margin and abs(each.bias.high or 0.0) <= margin for each in systems)
    if within:
        return TRUSTED, f"it puts no system higher or lower than others by more than {margin:.3g}"
    biased = [each for each in systems if each.p <= 1 - _LEVEL]
    if biased:
        worst = max(biased, key=lambda each: abs(each.bias.known))
        how = "higher" if worst.bias.known > 0 else "lower"
        return CORRECTED, f"it puts {worst.system} {how} than people do, compared with the other systems"
    return CORRECTED, f"labels are too few to show that it prefers no system by more than {margin:.3g}"
