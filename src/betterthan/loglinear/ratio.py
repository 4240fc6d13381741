"""Likelihood-ratio tests of nested models, and the table that R calls anova."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from scipy import stats

from betterthan.errors import PlanError

if TYPE_CHECKING:
    from betterthan.loglinear.result import LogLinear


@dataclass(frozen=True)
class LikelihoodRatio:
    """Twice the gain in log-likelihood, its degrees of freedom, and the chance of so much by luck alone."""

    statistic: float
    df: int
    p: float
    name: str = "likelihood ratio"

    def to_dict(self) -> dict[str, Any]:
        """Return plain JSON values."""
        return asdict(self)

    def __str__(self) -> str:
        return f"{self.name} {self.statistic:.4f} on {self.df} degrees of freedom, p = {self.p:.4g}"


def lr_test(small: "LogLinear", large: "LogLinear") -> LikelihoodRatio:
    """Test a model against a larger one that contains it, fitted to the same judgments.

    >>> import betterthan as bt
    >>> votes = 40 * [("owl", "yak", "a")] + 20 * [("owl", "yak", "b"), ("yak", "owl", "a"), ("yak", "owl", "b")]
    >>> test = bt.lr_test(bt.fit(votes), bt.fit(votes, position=True))
    >>> test.df, round(test.statistic, 3)
    (1, 2.769)
    """
    if small.data != large.data:
        raise PlanError(
            f"the two models were not fitted to the same judgments ({small.judgments:,.0f} and "
            f"{large.judgments:,.0f}): their likelihoods cannot be compared. Treat ties and missing values alike."
        )
    outcomes = [model.null_df / max(len(model.left), 1) for model in (small, large)]
    if outcomes[0] != outcomes[1]:
        raise PlanError("one model has ties and the other has none: their likelihoods cannot be compared.")
    df = large.parameters - small.parameters
    statistic = 2 * (large.log_likelihood - small.log_likelihood)
    if df < 1 or statistic < -1e-6 * (1 + abs(large.log_likelihood)):
        raise PlanError(
            f"the second model must contain the first: it has {large.parameters} coefficients against "
            f"{small.parameters}, and fits {'worse' if statistic < 0 else 'no better'}. Exchange them?"
        )
    return LikelihoodRatio(max(statistic, 0.0), df, float(stats.chi2.sf(max(statistic, 0.0), df)))


def anova(models: Sequence["LogLinear"]) -> list[LikelihoodRatio]:
    """Test each of several nested models against the one before it, the smallest first."""
    return [lr_test(small, large) for small, large in pairwise(models)]
