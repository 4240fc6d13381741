"""Worths of systems for one group of judges."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from betterthan.base import FloatArray
from betterthan.verbs.fit.estimation.quasi_errors import quasi_errors


@dataclass(frozen=True)
class Worth:
    """Worths of systems for one kind of subject, with standard and quasi standard errors of the log-strengths.

    Systems that this kind of subject cannot compare with most others are not in it.
    """

    group: str
    worth: dict[str, float]
    se: dict[str, float]
    log_strength: dict[str, float]
    quasi_se: dict[str, float] | None

    @classmethod
    def of(cls, group: str, systems: tuple[str, ...], strength: FloatArray, covariance: FloatArray) -> "Worth":
        """Make worths that sum to 1, their errors by the delta method."""
        share = np.exp(strength - strength.max())
        share /= share.sum()
        slope = np.diag(share) - np.outer(share, share)
        errors = np.sqrt(np.maximum(np.diag(slope @ covariance @ slope), 0.0))
        quasi = quasi_errors(covariance)
        columns = (share, errors, strength - strength.mean())
        worth, se, log = (dict(zip(systems, column.tolist(), strict=True)) for column in columns)
        return cls(group, worth, se, log, None if quasi is None else dict(zip(systems, quasi.tolist(), strict=True)))

    def halved(self) -> "Worth":
        """Return it with quasi standard errors on the scale of λ."""
        quasi = self.quasi_se and {system: error / 2 for system, error in self.quasi_se.items()}
        return replace(self, quasi_se=quasi)

    def to_dict(self) -> dict[str, Any]:
        """Return plain JSON values."""
        return dict(self.__dict__)
