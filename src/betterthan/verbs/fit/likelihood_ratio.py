"""Tests of nested models: by the likelihood ratio, or by Wald's test where judgments are dependent."""

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from betterthan.base import PlanError, quoted_value, scipy, spelling
from betterthan.models import formulas
from betterthan.verbs.fit.design.term_names import UNDECIDED

if TYPE_CHECKING:
    from betterthan.verbs.fit.fitted_model import LogLinear

#: Ties treated in one way are a special case of their treatment in the other.
_CONTAINS = {("fixed", "davidson")}


@dataclass(frozen=True)
class LikelihoodRatio:
    """Twice the gain in log-likelihood, its degrees of freedom and the p-value.

    Clustered or weighted judgments have no likelihood to compare, so the test is Wald's with the robust covariance.
    Then `statistic` is F, and `df_residual` are its second degrees of freedom. `p` and `statistic` are None if there
    are too few clusters to test all coefficients at once.
    """

    statistic: float | None
    df: int
    p: float | None
    name: str = "likelihood ratio"
    df_residual: float | None = None
    term: str | None = None  # what the smaller model lacks, where one term after the other is tested

    def to_dict(self) -> dict[str, Any]:
        """Return plain JSON values."""
        return asdict(self)

    def __str__(self) -> str:
        if self.statistic is None or self.p is None:
            return f"{self.name}: too few clusters to test {self.df} coefficients at once"
        second = f" and {self.df_residual:.1f}" if self.df_residual is not None else ""
        return f"{self.name} {self.statistic:.4f} on {self.df}{second} degrees of freedom, p = {self.p:.4g}"


def lr_test(small: "LogLinear", large: "LogLinear") -> LikelihoodRatio:
    """Test a model against a larger one that contains it, fitted to the same judgments.

    By the likelihood ratio where judgments are independent, and by Wald's test with the covariance of the larger model
    where they are clustered or weighted.

    Parameters
    ----------
    small : LogLinear
        The smaller model.
    large : LogLinear
        The larger model.

    Returns
    -------
    LikelihoodRatio
        The test.

    Examples
    --------
    >>> import betterthan as bt
    >>> votes = 40 * [("owl", "yak", "a")] + 20 * [("owl", "yak", "b"), ("yak", "owl", "a"), ("yak", "owl", "b")]
    >>> test = bt.lr_test(bt.fit(votes), bt.fit(votes, position=True))
    >>> test.df, round(test.statistic, 3)
    (1, 2.769)
    """
    _refuse_others(small, large)
    df = large.parameters - small.parameters
    if large.random is None and (large.errors.robust is not None or large.weight != 1.0):
        return _wald(small, large)
    statistic = 2 * (large.log_likelihood - small.log_likelihood)
    if statistic < -1e-6 * (1 + abs(large.log_likelihood)):
        raise PlanError("the second model must contain the first, but it fits worse. Exchange them?")
    return LikelihoodRatio(max(statistic, 0.0), df, float(scipy.special.chdtrc(df, max(statistic, 0.0))))


def _refuse_others(small: "LogLinear", large: "LogLinear") -> None:
    """Refuse models of other judgments, and models that are not nested."""
    for model in (small, large):
        if not hasattr(model, "log_likelihood"):
            raise PlanError(f"the models must be results of {spelling.verb('fit')}, got {quoted_value(model)}.")
    if small.data != large.data:
        raise PlanError(
            f"the two models were not fitted to the same judgments ({small.judgments:,.0f} and "
            f"{large.judgments:,.0f}): their likelihoods cannot be compared. Treat ties and missing values alike."
        )
    outcomes = [model.null_df / max(len(model.left), 1) for model in (small, large)]
    if len(small.left) and len(large.left) and outcomes[0] != outcomes[1]:
        raise PlanError("one model has ties and the other has none: their likelihoods cannot be compared.")
    if small.settings.model != large.settings.model:
        raise PlanError("one model is fitted to pairs and the other to whole rankings: they cannot be compared.")
    if (small.classes or large.classes) and (
        not small.classes or not large.classes or small.classes.number != large.classes.number
    ):
        raise PlanError("the number of latent classes has no test; choose it by the smallest BIC.")
    missing = small.settings.missing, large.settings.missing
    if missing[0] != missing[1] and missing not in {("ignorable", "separate"), ("systems", "outcome")}:
        raise PlanError(
            f"the models treat missing answers differently ({missing[0]} and {missing[1]}): they cannot be compared."
        )
    ties = small.settings.ties, large.settings.ties
    if ties[0] != ties[1] and ties not in _CONTAINS:
        raise PlanError(f"the models treat ties differently ({ties[0]} and {ties[1]}): they cannot be compared.")
    if small.random is not None and (large.random is None or large.random.column != small.random.column):
        raise PlanError("the second model must contain the first, but it has not the same random effects.")
    if large.parameters <= small.parameters:
        raise PlanError(
            f"the second model must contain the first: it has {large.parameters} coefficients against "
            f"{small.parameters}. Exchange them?"
        )
    lacking = [term for term in _terms(small) if term not in set(_terms(large))]
    if large.settings.undecided == "object" and small.settings.undecided is None:
        lacking = [term for term in lacking if term != UNDECIDED]  # equal ones of all systems
    if lacking and not _of_objects(small, large):
        raise PlanError(
            f"the second model must contain the first, but it has no term {lacking[0]!r}",
            remedy="Compare models of which one has all terms of the other.",
        )


def _terms(model: "LogLinear") -> list[str]:
    return [each.term for each in model if not each.aliased]


def _of_objects(small: "LogLinear", large: "LogLinear") -> bool:
    """Whether one model replaces the free strengths of the other by covariates of systems."""
    one, two = small.settings, large.settings
    if one.object is None or (two.object is not None and not two.residual):
        return False
    kinds = dict(zip(small.names, small.kinds, strict=True))
    others = all(term in large.names for term in _terms(small) if kinds.get(term, "strength") != "strength")
    of_systems = str(one.object).rsplit(" (", 1)[0].split(" + ")  # as settings have it: columns and digest
    of_subjects = [name for name in formulas.variables(one.terms) if name not in of_systems]
    return others and {*formulas.variables(one.subject), *of_subjects} <= set(formulas.variables(two.subject))


def _wald(small: "LogLinear", large: "LogLinear") -> LikelihoodRatio:
    """Test what the smaller model lacks by the covariance: Hotelling's T² as F.

    Its degrees of freedom are the fewest of the single contrasts: the covariance of several is known no better.
    """
    there = set(_terms(small))
    more = [place for place, name in enumerate(large.names) if name not in there and not large[name].aliased]
    contrasts = np.eye(len(large.names))[more]
    if UNDECIDED in there and UNDECIDED not in large.names:  # those of systems are equal
        ties = np.array([large.kinds[place] == "width" for place in more])
        contrasts = np.concatenate([contrasts[~ties], np.diff(contrasts[ties], axis=0)])
    size = len(contrasts)
    if size != large.parameters - small.parameters:
        raise PlanError(
            "with clusters or weights, the larger model must have all terms of the smaller one",
            remedy=f"Fit it with {spelling.option('residual')}, or both with the same {spelling.option('reference')}.",
        )
    name = "Wald test with robust covariance, F"
    freedom = float(np.min(large.errors.error(contrasts)[1]))
    left = freedom - size + 1
    if not left > 0:  # also where the error of a term is not known
        return LikelihoodRatio(None, size, None, name)
    values = contrasts @ [each if (each := large[term].estimate) is not None else 0.0 for term in large.names]
    spread = contrasts @ np.nan_to_num(large.covariance) @ contrasts.T
    distance = float(values @ np.linalg.solve(spread, values)) / size
    if np.isinf(freedom):
        return LikelihoodRatio(distance, size, float(scipy.special.chdtrc(size, distance * size)), name)
    statistic = distance * left / freedom
    return LikelihoodRatio(statistic, size, float(scipy.special.fdtrc(size, left, statistic)), name, left)
