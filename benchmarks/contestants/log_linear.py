"""betterthan's log-linear model with covariates."""

import betterthan as bt


def style(path: str, ties: str) -> dict[str, float]:
    """Fit with five numeric covariates and standard errors; return their coefficients."""
    names = [f"z{place}" for place in range(5)]
    model = bt.fit(path, contrast="~ " + " + ".join(names), ties=ties)
    assert all(model[name].se for name in names)
    return {name: model[name].estimate for name in names}


def covariates(path: str) -> float:
    """Fit the subject-covariate model of 4,545 comparisons of universities; return its deviance."""
    return bt.fit(path, subject="~ C(ENG) * C(SEX)").deviance
