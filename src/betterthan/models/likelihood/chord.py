"""Refit many resamples at once with the factorisation of the estimate."""

from collections.abc import Iterator

import numpy as np

from betterthan.base import BoolArray, FloatArray
from betterthan.models.likelihood.links import Link
from betterthan.models.likelihood.newton import PairDesign, Steps

#: Numbers of one array at a time: more leave the processor's own memory, and fewer make the loop in Python count.
_AT_ONCE = 1 << 18
#: Earlier steps that the next one is made of. More hardly save steps.
_REMEMBERED = 5
#: A step shorter than this is the last: far below the resolution of a draw.
_LAST = 2e-8
_STEPS, _LONGEST = 60, 4.0


def in_blocks(outcomes: FloatArray) -> Iterator[slice]:
    """Cut resamples (3 × pairs × resamples) into blocks that are quickly refitted."""
    _, pairs, resamples = outcomes.shape
    size = max(1, _AT_ONCE // max(pairs, 1))
    return (slice(begin, begin + size) for begin in range(0, resamples, size))


def chord(
    design: PairDesign, link: Link, steps: Steps, start: tuple[FloatArray, float], outcomes: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Refit many resamples at once with the factorisation of the estimate: strengths, and each one's last step.

    `outcomes` is 3 × pairs × resamples. The Hessian stays that of the estimate, so an iteration is one product.
    Resamples too far from the estimate have a large last step and need Newton's method.
    """
    prepared = tuple(np.ascontiguousarray(values) for values in link.prepare(outcomes))
    resamples = outcomes.shape[2]
    found = np.repeat(np.append(*start)[:, None], resamples, axis=1)  # strengths, and below them the width
    last = np.full(resamples, np.inf)
    active, path = np.arange(resamples), _Path()
    for _ in range(_STEPS):
        at = found[:, active]
        by_gap, by_width = link.gradient(prepared, design.gap(at[:-1]), at[-1])
        step = np.vstack(steps(design.onto(by_gap), by_width.sum(axis=0) if by_width.size else np.zeros(len(active))))
        last[active] = np.max(np.abs(step), axis=0)
        going = last[active] >= _LAST
        step = np.where(going, path.next(at, step), step)
        found[:, active] = at + step * (_LONGEST / np.maximum(np.max(np.abs(step), axis=0), _LONGEST))
        if not np.all(going):
            if not np.any(going):
                break
            active, prepared = active[going], tuple(values[:, going] for values in prepared)
            path.keep(going)
    return design.centred(found[:-1]), last


class _Path:
    """The recent positions and steps of every resample.

    Steps by one matrix lead to the maximum like a geometric series, slowly where a resample is far from the estimate.
    The next point is that mixture of the last ones at which the mixed step is shortest (Anderson 1965).
    """

    def __init__(self) -> None:
        self._places: list[FloatArray] = []
        self._steps: list[FloatArray] = []

    def next(self, place: FloatArray, step: FloatArray) -> FloatArray:
        """Return the next step (parameters × resamples), given the current Newton step."""
        moved, changed = [one - place for one in self._places], [one - step for one in self._steps]
        self._places = [*self._places[-_REMEMBERED + 1 :], place]
        self._steps = [*self._steps[-_REMEMBERED + 1 :], step]
        if not changed:
            return step
        change = np.stack(changed)
        products = np.einsum("apr,bpr->rab", change, change)
        against = np.einsum("apr,pr->ra", change, step)
        # Nearly identical steps leave the mixture undetermined: the smallest regularisation that bounds it.
        own = np.trace(products, axis1=1, axis2=2)[:, None, None] * 1e-12 + 1e-300
        share = np.linalg.solve(products + own * np.eye(len(change)), against[:, :, None])[:, :, 0]
        mixed: FloatArray = step - np.einsum("ra,apr->pr", share, change + np.stack(moved))
        return mixed

    def keep(self, kept: BoolArray) -> None:
        """Forget the resamples that are done."""
        self._places, self._steps = ([one[:, kept] for one in before] for before in (self._places, self._steps))
