"""Scales of strengths: transformations of log-strengths, or a model's own unit."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from betterthan.base import BoolArray, FloatArray, PlanError, spelling
from betterthan.models import Fit, Model, links

ELO = 400 / math.log(10)
ELO_MEAN = 1000.0
#: What scores are called on every scale, and which scales are chances.
TITLES = {"worth": "worth", "log": "log-strength", "elo": "Elo", "winrate": "win rate", "expected": "expected score"}
SCALE_WORDS = {
    "worth": "worths, which sum to 1",
    "log": "log-strengths",
    "elo": "Elo, 1000 on average",
    "winrate": "win rate, the mean chance to win against another system",
    "expected": "expected score against another system, ties counted half",
}
CHANCES = ("winrate", "expected")
#: Numbers held at once by a batch of draws.
_BATCH_NUMBERS = 4_000_000
#: More systems than this meet each other on a grid of strengths, this fine at least where it need not be longer.
_EACH_PAIR, _STEP, _LONGEST_GRID = 200, 0.005, 2**17

#: Chances of win, tie and loss (3 × …) of gaps between log-strengths.
Chances = Callable[[FloatArray], FloatArray]


@dataclass(frozen=True)
class Scale:
    """A scale of strengths: a transformation of log-strengths, or `own` (unchanged) for other models.

    Worths sum to 1, and log and elo are centred (0, 1000), over the systems that can be compared. A system without a
    finite estimate does not affect the others. An anchor fixes one system instead. `winrate` is the mean chance to win
    against the other systems, and `expected` adds half the chance of a tie. Both use the model's own `chances`, or
    Bradley–Terry's where none are given.
    """

    kind: str
    estimable: BoolArray
    anchor: int | None = None
    anchor_value: float | None = None
    chances: Chances | None = None
    sign: float = 1.0  # of a unit in which less is better: −1

    @classmethod
    def own(cls, estimable: BoolArray, *, lower_is_better: bool) -> "Scale":
        """Show strengths in the model's own unit."""
        return cls("own", estimable, sign=-1.0 if lower_is_better else 1.0)

    @classmethod
    def of(
        cls,
        kind: str,
        systems: Sequence[str],
        estimable: BoolArray,
        anchor: str | None,
        chances: Chances | None = None,
    ) -> "Scale":
        """Read an anchor, `NAME` or `NAME=VALUE`."""
        if anchor is None:
            return cls(kind, estimable, chances=chances)
        name, _, value = anchor.rpartition("=")
        if anchor in systems:
            name, value = anchor, ""
        if name not in systems:
            raise PlanError(f"the anchor {name or anchor!r} is not among the systems: {', '.join(systems[:20])}.")
        if kind not in {"log", "elo"}:
            raise PlanError(
                f"an anchor cannot be set on the scale {kind}",
                allowed="log, elo",
                remedy=f"Add {spelling.option('scale', 'elo')}.",
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
                remedy=f"For example: {spelling.option('anchor', f'{name}=1000')}.",
            ) from None

    def apply(self, strength: FloatArray) -> FloatArray:
        """Turn strengths (… × systems) into scores."""
        if self.kind == "own":
            return self.sign * strength
        if self.kind in CHANCES:
            scores = _against_others(strength, self._gain)
            if 1 < int(self.estimable.sum()) < len(self.estimable):
                scores[..., self.estimable] = _against_others(strength[..., self.estimable], self._gain)
            return scores
        if self.kind == "worth":
            total: FloatArray = links.log_total(strength[..., self.estimable])
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

    def _gain(self, gap: FloatArray) -> FloatArray:
        """Return the expected score of a comparison: the chance to win, perhaps with half that of a tie."""
        if self.chances is None:
            return links.logistic(gap)
        win, tie, _ = self.chances(gap)
        return np.asarray(win + tie / 2 if self.kind == "expected" else win)


def chances_by_gap(model: Model, fit: Fit) -> Chances:
    """Return a logarithmic model's chances as a function of the gap, with the tie parameters of its fit."""

    def chances(gap: FloatArray) -> FloatArray:
        # Against one more system, whose strength is 0, the gap is a strength.
        beside = replace(fit, strength=np.append(gap.ravel(), 0.0))
        found = model.chances(beside, np.arange(gap.size), np.full(gap.size, gap.size))
        if found is None:
            raise PlanError(f"{model.name} has no chances to win", remedy=f"Use {spelling.option('scale', 'worth')}.")
        return found.reshape(3, *gap.shape)

    return chances


def _against_others(strength: FloatArray, gain: Chances) -> FloatArray:
    """Return every system's mean gain against the others, some draws at a time to bound memory."""
    size = strength.shape[-1]
    flat = strength.reshape(-1, size)
    result = np.empty_like(flat)
    if size > _EACH_PAIR:
        total, width = _on_a_grid(flat, gain)
    else:
        total, width = (lambda part: gain(part[:, :, None] - part[:, None, :]).sum(axis=2)), size * size
    itself = gain(np.zeros(1))[0]
    step = max(1, _BATCH_NUMBERS // width)
    for start in range(0, len(flat), step):
        result[start : start + step] = (total(flat[start : start + step]) - itself) / (size - 1)
    return result.reshape(strength.shape)


def _on_a_grid(strength: FloatArray, gain: Chances) -> tuple[Callable[[FloatArray], FloatArray], int]:
    """Return the function that adds up gains against all systems, and how many numbers it holds per draw.

    Gains depend on gaps alone and are smooth: systems are put on a grid, each on the two points around it, and one
    convolution serves all pairs of a draw. The error is below a millionth, and the time grows with the number of
    systems and not of pairs.
    """
    low, span = float(strength.min()), float(np.ptp(strength)) or 1.0
    points = int(2 ** np.clip(np.ceil(np.log2(span / _STEP)), 10, np.log2(_LONGEST_GRID)))
    step = span / (points - 1)
    kernel = gain(np.arange(1.0 - points, points) * step)
    spectrum = np.fft.rfft(kernel, 2 * points)

    def total(part: FloatArray) -> FloatArray:
        place = (part - low) / step
        left = np.clip(place.astype(np.int64), 0, points - 2)
        beyond = place - left
        cell = left + points * np.arange(len(part))[:, None]
        number = len(part) * points
        there = np.bincount(cell.ravel(), (1 - beyond).ravel(), number)
        there += np.bincount(cell.ravel() + 1, beyond.ravel(), number)
        around = np.fft.irfft(np.fft.rfft(there.reshape(-1, points), 2 * points) * spectrum, 2 * points)
        sums = around[:, points - 1 : 2 * points - 1]
        at, after = (np.take_along_axis(sums, left + more, axis=1) for more in (0, 1))
        mixed: FloatArray = at + beyond * (after - at)
        return mixed

    return total, 4 * points
