"""The likelihood of choices: which of the remaining systems in a ranking is next, alone or tied.

A set S of d systems is chosen with probability ∝ δ_d · exp(mean log-worth of S): a multinomial logit over all subsets
of an allowed size. Subsets are never listed: those of one size add up to an elementary symmetric polynomial of
exp(θ/d). Its terms are all positive, so its recursion over the members is fast and accurate.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy import sparse

from betterthan.base import BoolArray, FloatArray, IntArray, ModelError
from betterthan.models.likelihood.newton import DENSE_LIMIT, TOLERANCE, Solve, centred, factor
from betterthan.models.likelihood.stages import StageCells, ones

#: Most numbers that the recursion may need, for all sets once or for the curvature of the largest.
LIMIT = 50_000_000
#: Second derivatives cost far more than first ones. This many sets of one size, in which every system occurs often, are
#: usually enough. If they do not converge in this many steps, all sets are used.
_SAMPLED, _OF_EACH, _SAMPLED_STEPS = 300, 100, 30
#: Relative changes of the likelihood up to this are rounding of a sum over all sets.
_ROUNDING = 1e-13
#: Numbers of one array at a time: more leave the processor's own memory.
_AT_ONCE = 1 << 14


@dataclass(frozen=True)
class Choices:
    """The likelihood of choices; its parameters are log-worths θ, centred by component, then log δ by order.

    What happened enters through totals only: `features` (parameters × cells) and `occasions` (sets × cells) turn counts
    of cells into both. `sets` holds those that remain (remaining × sets), by their number.
    """

    orders: tuple[int, ...]
    label: IntArray
    sets: tuple[IntArray, ...]
    features: Any
    occasions: Any
    prior: FloatArray  # precision of each parameter's prior

    @classmethod
    def of(cls, cells: StageCells, label: IntArray) -> "Choices":
        """Prepare the choice sets, with all orders of ties; refuse sums that are too large."""
        sets, place, count = [], [np.empty(0, np.int64)], 0
        for block in cells.blocks:
            found, of = np.unique(np.sort(block % cells.size, axis=1), axis=0, return_inverse=True)
            sets.append(np.ascontiguousarray(found.T))
            place.append(count + of.ravel())
            count += len(found)
        orders = np.unique(cells.tied[cells.tied > 1])
        _refuse_too_many(cells.size, sets, orders)
        number = len(cells.remaining)
        cell, system, chosen = cells.entries
        tie = np.flatnonzero(cells.tied > 1)
        values = np.concatenate([1.0 / cells.tied[cell[chosen]], np.ones(len(tie))])
        row = np.concatenate([system[chosen], cells.size + np.searchsorted(orders, cells.tied[tie])])
        where = (row, np.concatenate([cell[chosen], tie]))
        features = sparse.csr_array((values, where), shape=(cells.size + len(orders), number))
        occasions = ones((np.concatenate(place), np.arange(number)), (count, number))
        return cls(tuple(map(int, orders)), label, tuple(sets), features, occasions, np.zeros(features.shape[0]))

    def only(self, kept: BoolArray, precision: FloatArray) -> "Choices":
        """Return the same with these orders of ties only, and priors of this precision for the log δ of all orders."""
        orders = tuple(order for order, keep in zip(self.orders, kept, strict=True) if keep)
        rows = np.append(np.ones(len(self.label), dtype=bool), kept)
        prior = np.append(np.zeros(len(self.label)), precision)[rows]
        return replace(self, orders=orders, features=self.features[rows], prior=prior)

    def over(self, cells: Any) -> "Choices":
        """Return the same for counts of other cells, which these are sums of (cells × others)."""
        return replace(self, features=self.features @ cells, occasions=self.occasions @ cells)

    def value(self, at: FloatArray, counts: FloatArray) -> float:
        """Return the log-likelihood, without the prior."""
        totals = self.occasions @ counts
        return float(at @ (self.features @ counts)) - sum(
            float(totals[part.rows] @ (np.log(part.mass) + part.top)[:, 0]) for part in self._parts(at)
        )

    def gradient(self, at: FloatArray, features: FloatArray, totals: FloatArray) -> FloatArray:
        """Return the gradient (parameters × resamples) for such totals of features and of sets."""
        size = len(self.label)
        gradient = features - self.prior[:, None] * at
        for part in self._parts(at):
            total = totals[part.rows]
            where = (part.members.ravel(), np.arange(part.members.size))
            collect = ones(where, (size, part.members.size))
            gradient[:size] -= collect @ (part.spread * total).reshape(part.members.size, -1)
            for row, share in enumerate(part.shares[1:], size):
                gradient[row] -= np.einsum("msr,sr->r", share, total)
        return gradient

    @property
    def numbers(self) -> int:
        """How many numbers the recursion over all sets needs."""
        return sum(
            each * block.shape[1] for each, block in zip(_per_set(self.sets, self.orders), self.sets, strict=True)
        )

    def residuals(self, at: FloatArray) -> Any:
        """Return the gradient of one choice of each cell (parameters × cells), sparse."""
        rows, columns, values = [np.empty(0, np.int64)], [np.empty(0, np.int64)], [np.empty(0)]
        for part in self._parts(at):
            place = np.arange(part.rows.start, part.rows.stop)
            rows.append(part.members.ravel())
            columns.append(np.tile(place, len(part.members)))
            values.append(part.spread.ravel())
            for row, share in enumerate(part.shares[1:], len(self.label)):
                rows.append(np.full(len(place), row))
                columns.append(place)
                values.append(share.sum(axis=0)[:, 0])
        where = (np.concatenate(rows), np.concatenate(columns))
        expected = sparse.csr_array((np.concatenate(values), where), shape=(len(at), self.occasions.shape[0]))
        return self.features - expected @ self.occasions

    @property
    def sample(self) -> tuple[int, ...]:
        """Every n-th set of each block is used for second derivatives; always 1 where sets are few."""
        wanted = [max(_SAMPLED, _OF_EACH * len(self.label) // len(block)) for block in self.sets]
        every = tuple(max(1, block.shape[1] // most) for block, most in zip(self.sets, wanted, strict=True))
        left = sum(block.shape[1] // each for block, each in zip(self.sets, every, strict=True))
        return every if 4 * left < self.occasions.shape[0] else (1,) * len(self.sets)

    def information(self, at: FloatArray, counts: FloatArray, sample: Sequence[int] = ()) -> FloatArray:
        """Return minus the second derivatives, prior included (parameters × parameters), perhaps from some sets."""
        size, totals = len(self.label), self.occasions @ counts
        matrix = np.diag(self.prior)
        for part in self._parts(at, squared=True, sample=sample):
            shares, total = [share[..., 0] for share in part.shares], totals[part.rows] * part.scaled(totals)
            number, spread = len(part.members), part.spread[..., 0]
            both = -spread[:, None] * spread
            both[np.diag_indices(number)] += shares[0]
            for row, (order, share) in enumerate(zip(self.orders, shares[1:], strict=False), size):
                both[np.diag_indices(number)] += share / order
                worth = part.worths[row - size + 1][..., 0]
                without = np.repeat(worth[:, None], number, axis=1)
                without[np.diag_indices(number)] = 0.0  # what remains are the sets without that member
                scale = np.exp(at[row]) / order**2 / part.mass[:, 0]
                both += _containing(without, order - 1) * worth * scale
            flat = (part.members[:, None] * len(at) + part.members).ravel()
            np.add.at(matrix.reshape(-1), flat, (both * total).ravel())
            chances = np.array([share.sum(axis=0) for share in shares[1:]]).reshape(-1, len(total))
            for row, (share, chance) in enumerate(zip(shares[1:], chances, strict=True), size):
                cross = np.bincount(part.members.ravel(), ((share - spread * chance) * total).ravel(), size)
                matrix[row, :size] += cross
                matrix[:size, row] += cross
                matrix[row, row] += total @ chance
                matrix[row, size : size + len(chances)] -= chances @ (chance * total)
        return matrix

    def solver(self, information: FloatArray) -> Solve:
        """Return a function that solves H x = g, with log-worths that sum to zero in every component."""
        return factor(information + self._constants() * _scale(information))

    def covariance(self, information: FloatArray) -> FloatArray:
        """Return the inverse information, centred in every component."""
        full = self.solver(information)(np.eye(len(information)))
        full -= self._constants() / _scale(information)  # the part that only fixed the centre
        covariance: FloatArray = (full + full.T) / 2
        return covariance

    def centred(self, at: FloatArray) -> FloatArray:
        """Centre the log-worths in every component."""
        size = len(self.label)
        return np.concatenate([centred(at[:size], self.label), at[size:]])

    def _constants(self) -> FloatArray:
        """Return the projection on each component's constant, which makes the information definite."""
        size = len(self.label)
        projection = np.zeros((len(self.prior), len(self.prior)))
        projection[:size, :size] = (self.label[:, None] == self.label) / np.bincount(self.label)[self.label]
        return projection

    def _parts(self, at: FloatArray, *, squared: bool = False, sample: Sequence[int] = ()) -> Iterator["_Part"]:
        """Go through the sets, or a sample of them, as many at once as fit into the processor's own memory."""
        at = at.reshape(len(at), -1)
        theta, log_delta = at[: len(self.label)], at[len(self.label) :]
        top: FloatArray = theta.max(axis=0)
        # One scale serves all sets unless worths could vanish on it; then each set has its own.
        narrow = bool(np.all(top - theta.min(axis=0) < 300))
        shared = [np.exp((theta - top) / order) for order in (1, *self.orders)] if narrow else []
        first = 0
        for number, block in enumerate(self.sets):
            every = sample[number] if sample else 1
            end = first + block.shape[1]
            some = block[:, ::every]
            orders = [1, *(order for order in self.orders if order <= len(block))]
            step = max(1, 16 * _AT_ONCE // len(block) ** 2 if squared else _AT_ONCE // at.shape[1])
            for begin in range(0, some.shape[1], step):
                members = some[:, begin : begin + step]
                if narrow:
                    worths = [worth[members] for worth in shared[: len(orders)]]
                else:
                    top = theta[members].max(axis=0)
                    worths = [np.exp((theta[members] - top) / order) for order in orders]
                shares = [_containing(worth, order) for order, worth in zip(orders, worths, strict=True)]
                for place, order in enumerate(orders[1:]):
                    shares[place + 1] *= np.exp(log_delta[place]) / order
                mass = sum(share.sum(axis=0) for share in shares)
                at_row = first + every * begin
                rows = slice(at_row, min(at_row + every * members.shape[1], end), every)
                yield _Part(slice(first, end), rows, members, worths, [share / mass for share in shares], mass, top)
            first = end


@dataclass(frozen=True)
class _Part:
    """Sets of equal size: their rows and members, and by order of ties (1 first) each member's worth and share.

    A member's share is the chance of the sets that contain it, divided by their order.
    """

    block: slice  # rows of all sets with that many members
    rows: slice
    members: IntArray
    worths: list[FloatArray]
    shares: list[FloatArray]
    mass: FloatArray  # worth of all sets together, relative to e^top
    top: FloatArray

    def scaled(self, totals: FloatArray) -> float:
        """Return by what totals of a sample of sets are to be multiplied to stand for all."""
        if self.rows.step == 1:
            return 1.0
        sampled = float(totals[self.block.start : self.block.stop : self.rows.step].sum())
        return float(totals[self.block].sum()) / sampled if sampled > 0 else 1.0

    @property
    def spread(self) -> FloatArray:
        """Each member's shares of all orders together: the slope of the sets' log-mass by its log-worth."""
        spread: FloatArray = sum(self.shares[1:], self.shares[0])
        return spread


def _containing(worth: FloatArray, order: int) -> FloatArray:
    """Add up, for each member (first axis), the products of worths over all sets of this order that contain it."""
    if order == 1:
        return worth.copy()
    last = len(worth) - 1
    before, after = _sums(worth, order - 1), _sums(worth[::-1], order - 1)
    result = np.empty_like(worth)
    for place in range(last + 1):
        fewest, most = max(0, order - 1 - (last - place)), min(place, order - 1)
        rest = sum(
            before[place][number] * after[last - place][order - 1 - number] for number in range(fewest, most + 1)
        )
        np.multiply(worth[place], rest, out=result[place])
    return result


def _sums(worth: FloatArray, order: int) -> list[dict[int, Any]]:
    """Add up the products over all sets, up to this order, of the members before each place, by order.

    Those too small to reach the order with all members from that place on but one are left out.
    """
    sums: list[dict[int, Any]] = [{0: 1.0}]
    for place in range(1, len(worth)):
        known, new = sums[-1], worth[place - 1]
        fewest, most = max(0, order - (len(worth) - 1 - place)), min(place, order)
        sums.append(
            {
                number: 1.0 if number == 0 else known[number - 1] * new + known.get(number, 0.0)
                for number in range(fewest, most + 1)
            }
        )
    return sums


def maximise(choices: Choices, counts: FloatArray, start: FloatArray) -> tuple[FloatArray, int, bool]:
    """Find the parameters that make the choices most likely by Newton's method: also iterations and convergence."""
    size = len(choices.label)
    features, totals = choices.features @ counts, choices.occasions @ counts

    def value_at(at: FloatArray) -> float:
        return choices.value(at, counts) - float(choices.prior @ at**2) / 2

    at = choices.centred(start)
    value = value_at(at)
    most = float(np.max(features[:size], initial=0.0))
    # Relative for weights below one; beyond a million choices rounding alone exceeds 1e-8.
    tolerance = TOLERANCE * max(min(most, 1.0), most / 1e6)
    sample = choices.sample
    for iteration in range(1, 201):
        gradient = choices.gradient(at[:, None], features[:, None], totals[:, None])[:, 0]
        bent = choices.information(at, counts, sample if iteration <= _SAMPLED_STEPS else ())
        step = choices.centred(choices.solver(bent)(gradient))
        error, leap = float(np.max(np.abs(gradient))), float(np.max(np.abs(step)))
        if error <= tolerance:  # the current step doubles the number of correct digits
            return (at + step if leap < 1.0 else at), iteration, True
        # Newton leaps where the likelihood is flat: bound the change, then halve until it grows.
        step = step * min(1.0, 4.0 / max(leap, 1e-300))
        if not gradient @ step > _ROUNDING * abs(value):  # too little to be seen in the value; the gradient shows it
            if not np.max(np.abs(choices.gradient((at + step)[:, None], features[:, None], totals[:, None]))) < error:
                return at, iteration, error <= 1e4 * tolerance
            at = at + step
            continue
        for _ in range(40):
            new = value_at(at + step)
            if new > value:
                break
            step = step / 2
        else:  # no progress is possible in floating point
            return at, iteration, error <= 1e4 * tolerance
        at, value = at + step, new
    return at, 200, False


def chord(choices: Choices, solve: Solve, start: FloatArray, counts: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Refit resamples (cells × resamples) with the information of the estimate: parameters, and the last steps.

    Resamples too far from the estimate have a large last step and need a separate Newton iteration.
    """
    features, totals = choices.features @ counts, choices.occasions @ counts
    at = np.repeat(start[:, None], counts.shape[1], axis=1)
    last = np.full(counts.shape[1], np.inf)
    active = np.arange(counts.shape[1])
    for _ in range(60):
        step = solve(choices.gradient(at[:, active], features, totals))
        size = np.max(np.abs(step), axis=0)
        at[:, active] += step * (4.0 / np.maximum(size, 4.0))
        last[active] = size
        going = size >= 2e-8  # far below the resolution of a draw
        if not np.any(going):
            break
        if 2 * np.sum(going) <= len(active):  # most are done: continue with the rest alone
            active, features, totals = active[going], features[:, going], totals[:, going]
    return choices.centred(at), last


def _refuse_too_many(size: int, sets: Sequence[IntArray], orders: IntArray) -> None:
    if size > DENSE_LIMIT:
        raise ModelError(
            f"plackett-luce: {size:,} systems make its matrix too large (limit {DENSE_LIMIT:,}). "
            "Rank with bradley-terry or davidson, which compare pairs."
        )
    per_set = _per_set(sets, orders.tolist())
    once = sum(numbers * block.shape[1] for numbers, block in zip(per_set, sets, strict=True))
    need = max([once, *(numbers * len(block) for numbers, block in zip(per_set, sets, strict=True))])
    if need > LIMIT:
        raise ModelError(
            f"plackett-luce: all sets that could have been chosen need {need / 1e6:,.0f} million numbers "
            f"(limit {LIMIT // 1_000_000} million). Break the ties, or rank with bradley-terry or davidson, "
            "which compare pairs."
        )


def _per_set(sets: Sequence[IntArray], orders: Sequence[int]) -> list[int]:
    """Return the number of values that each set of a block needs."""
    return [(1 + sum(order for order in orders if order <= len(block))) * len(block) for block in sets]


def _scale(information: FloatArray) -> float:
    """Return the magnitude of the information, so that the projection is on the same scale."""
    return float(np.mean(np.diag(information))) or 1.0
