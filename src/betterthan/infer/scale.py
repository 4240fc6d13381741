"""Scales on which strengths are shown: views of log-strengths, or a model's own unit."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from betterthan.arrays import BoolArray, FloatArray
from betterthan.errors import PlanError
from betterthan.models.likelihood.logistic import log_total, logistic
from betterthan.spelling import option

ELO = 400 / math.log(10)
ELO_MEAN = 1000.0


@dataclass(frozen=True)
class Scale:
    """How to show strengths: `worth`, `log`, `elo` or `winrate` for log-strengths, `own` (as they are) for others.

    Worths sum to 1, and log and elo are centred (0, 1000), over the systems that can be compared, so that a system
    without a finite estimate moves nobody else. An anchor fixes one system instead.
    """

    kind: str
    estimable: BoolArray
    anchor: int | None = None
    anchor_value: float | None = None
    sign: float = 1.0  # of a unit in which less is better: −1

    @classmethod
    def own(cls, estimable: BoolArray, *, lower_is_better: bool) -> "Scale":
        """Show strengths in the model's own unit."""
        return cls("own", estimable, sign=-1.0 if lower_is_better else 1.0)

    @classmethod
    def of(cls, kind: str, systems: Sequence[str], estimable: BoolArray, anchor: str | None) -> "Scale":
        """Read an anchor, `NAME` or `NAME=VALUE`."""
        if anchor is None:
            return cls(kind, estimable)
        name, _, value = anchor.rpartition("=")
        if anchor in systems:
            name, value = anchor, ""
        if name not in systems:
            raise PlanError(f"the anchor {name or anchor!r} is not among the systems: {', '.join(systems[:20])}.")
        if kind not in {"log", "elo"}:
            raise PlanError(
                f"an anchor cannot be set on the scale {kind}",
                allowed="log, elo",
                remedy=f"Add {option('scale', 'elo')}.",
            )
        place = list(systems).index(name)
        if not estimable[place]:
            raise PlanError(
                f"the anchor {name!r} cannot be compared with the others",
                remedy="Choose a system that both won and lost.",
            )
        try:
            number = float(value) if value else None
            if number is not None and not math.isfinite(number):
                raise ValueError(value)
            return cls(kind, estimable, place, number)
        except ValueError:
            raise PlanError(
                f"the value of the anchor must be a number, got {value!r}",
                remedy=f"For example: {option('anchor', f'{name}=1000')}.",
            ) from None

    def apply(self, strength: FloatArray) -> FloatArray:
        """Turn strengths (… × systems) into scores."""
        if self.kind == "own":
            return self.sign * strength
        if self.kind == "winrate":
            return _winrate(strength)
        if self.kind == "worth":
            total: FloatArray = log_total(strength[..., self.estimable])
            worth: FloatArray = np.exp(strength - total)
            return worth
        if self.anchor is None:
            origin: FloatArray = strength[..., self.estimable].mean(axis=-1, keepdims=True)
        else:
            origin = strength[..., [self.anchor]]
        centred: FloatArray = strength - origin
        if self.kind == "log":
            return centred + (self.anchor_value or 0.0)
        return centred * ELO + (ELO_MEAN if self.anchor_value is None else self.anchor_value)


def _winrate(strength: FloatArray) -> FloatArray:
    """Return every system's mean chance to beat the others, a few draws at a time to bound memory."""
    size = strength.shape[-1]
    flat = strength.reshape(-1, size)
    result = np.empty_like(flat)
    step = max(1, 4_000_000 // (size * size))
    for start in range(0, len(flat), step):
        part = flat[start : start + step]
        chance = logistic(part[:, :, None] - part[:, None, :])
        result[start : start + step] = (chance.sum(axis=2) - 0.5) / (size - 1)
    return result.reshape(strength.shape)
