"""Latent classes of judges: their sizes, their members, and the best number of classes."""

from dataclasses import dataclass

import numpy as np

from betterthan.base import FloatArray
from betterthan.present import Column, Table


@dataclass(frozen=True)
class Tried:
    """A fitted number of classes: its likelihood, and how many starts reached it."""

    classes: int
    log_likelihood: float
    parameters: int
    aic: float
    bic: float
    reached: int


@dataclass(frozen=True, eq=False)
class LatentClasses:
    """The classes of the chosen solution, largest first.

    `weights` are their shares of the judges (or whatever `of` names), `posterior` the chances of every judge to belong
    to each, and `tried` the numbers of classes that were fitted.
    """

    holds = ("number", "of", "units", "weights", "weights_se", "entropy", "posterior", "tried")

    of: str
    weights: tuple[float, ...]
    weights_se: tuple[float, ...]
    posterior: dict[str, tuple[float, ...]]
    tried: tuple[Tried, ...]

    @property
    def number(self) -> int:
        """How many classes there are."""
        return len(self.weights)

    @property
    def units(self) -> int:
        """How many judges there are."""
        return len(self.posterior)

    @property
    def assigned(self) -> dict[str, int]:
        """The likeliest class of every judge, counted from 1."""
        return {name: int(np.argmax(chances)) + 1 for name, chances in self.posterior.items()}

    @property
    def entropy(self) -> float:
        """How clearly judges are assigned to classes: 1 is a certain assignment, 0 a uniform one."""
        if self.number == 1:
            return 1.0
        chances = np.array(list(self.posterior.values()))
        with np.errstate(divide="ignore", invalid="ignore"):
            logs = np.where(chances > 0, np.log(chances), 0.0)
        return 1.0 + float((chances * logs).sum() / (len(chances) * np.log(self.number)))

    def table(self) -> Table:
        """Return the numbers of classes that were tried."""
        names = ("classes", "log-likelihood", "parameters", "AIC", "BIC", "starts that agree")
        columns = [Column(name) for name in names]
        best = min(self.tried, key=lambda each: each.bic)
        rows = [
            [
                f"{each.classes}{' *' if each is best and len(self.tried) > 1 else ''}",
                f"{each.log_likelihood:.4f}",
                str(each.parameters),
                f"{each.aic:.2f}",
                f"{each.bic:.2f}",
                str(each.reached),
            ]
            for each in self.tried
        ]
        return Table(columns, rows)

    def __str__(self) -> str:
        shares = ", ".join(
            f"{100 * share:.1f} % (std. error {100 * error:.1f})"
            for share, error in zip(self.weights, self.weights_se, strict=True)
        )
        kept = f"{self.number} latent class{'es' if self.number > 1 else ''} of {self.units:,} {self.of}s"
        return f"{kept}: {shares}. Entropy {self.entropy:.3f} (1: everybody belongs clearly to one class)."


def sorted_by(weights: FloatArray) -> list[int]:
    """Return classes in the order of their size."""
    return [int(place) for place in np.argsort(-weights, kind="stable")]
