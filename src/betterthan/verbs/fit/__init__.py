"""Log-linear Bradley–Terry models with ties, judges and covariates."""

from typing import TYPE_CHECKING

from betterthan.base import lazy_exports

if TYPE_CHECKING:
    from betterthan.verbs.fit.coefficient import Coefficient as Coefficient
    from betterthan.verbs.fit.fit_model import fit as fit
    from betterthan.verbs.fit.fitted_model import LogLinear as LogLinear
    from betterthan.verbs.fit.likelihood_ratio import lr_test as lr_test

__getattr__, __dir__ = lazy_exports(
    __name__,
    {
        "coefficient": "Coefficient",
        "fit_model": "fit",
        "fitted_model": "LogLinear",
        "likelihood_ratio": "lr_test",
    },
)
