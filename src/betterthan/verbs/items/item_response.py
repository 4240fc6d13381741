"""The Rasch and two-parameter models: systems are fixed effects, items are random effects.

A system with ability θ is right on an item of difficulty b with chance 1/(1 + exp(−a(θ − b))). Difficulties are normal.
In the two-parameter model discriminations a are normal around 1; an item on which better systems do worse has a
negative one. Both are integrated over a grid. The abilities and the two standard deviations maximise the marginal
likelihood (Bock & Aitkin 1981, with the roles of persons and items exchanged).
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import optimize, special

from betterthan.base import FloatArray, IntArray

#: Nodes of difficulties lie this far apart in standard deviations with up to that many systems; more know an item
#: better.
_STEP, _SYSTEMS = 0.25, 50
#: Nodes of discriminations, in standard deviations.
_DISCRIMINATIONS = np.linspace(-4.0, 4.0, 17)
#: Both standard deviations lie between these: items that are all alike, or nothing but noise, have one of them.
_SPREADS = (1e-3, 20.0)


@dataclass(frozen=True)
class ItemPosterior:
    """The posterior of one parameter of every item: mean, interval, and the probability that it is below 0."""

    mean: FloatArray
    low: FloatArray
    high: FloatArray
    below: FloatArray


@dataclass(frozen=True)
class ItemResponse:
    """Abilities with sum 0 and their covariance (sandwich over items), and the posteriors of items.

    `spread` and `variety` are the standard deviations of difficulties and discriminations (None: all are 1);
    `information` is how much each item says about differences of abilities.
    """

    ability: FloatArray
    covariance: FloatArray
    spread: float
    variety: float | None
    log_likelihood: float
    converged: bool
    difficulty: ItemPosterior
    discrimination: ItemPosterior | None
    information: FloatArray

    @property
    def parameters(self) -> int:
        """How many numbers were estimated."""
        return len(self.ability) + 1 + (self.variety is not None)


@dataclass(frozen=True)
class Calibration:
    """What is known of items: abilities of systems as fitted, and the posterior of every item over its nodes."""

    ability: FloatArray
    parameters: FloatArray
    posterior: FloatArray  # items × nodes
    slope: FloatArray
    location: FloatArray

    def chances(self, ability: FloatArray) -> FloatArray:
        """Return the chance of a right answer (items × abilities), averaged over what is known of the item."""
        of_node = special.expit(self.slope[:, None] * (ability - self.location[:, None]))
        chances: FloatArray = self.posterior @ of_node
        return chances


class _Grid:
    """Nodes of an item's difficulty and discrimination, in standard deviations, with their weights."""

    def __init__(self, two: bool, systems: int) -> None:
        of_a = _DISCRIMINATIONS if two else np.zeros(1)
        of_b = np.linspace(-5.0, 5.0, 1 + 2 * round(5 / _STEP * max(1.0, np.sqrt(systems / _SYSTEMS))))
        self.x = np.repeat(of_b, len(of_a))
        self.y = np.tile(of_a, len(of_b))
        weight = np.exp(-(self.x**2 + self.y**2) / 2)
        self.log_weight = np.log(weight / weight.sum())


@dataclass(frozen=True)
class _Patterns:
    """Distinct response patterns (patterns × systems), and how many items have each."""

    right: FloatArray
    there: FloatArray
    times: FloatArray
    of_item: IntArray

    @classmethod
    def of(cls, values: FloatArray) -> "_Patterns":
        coded = np.where(np.isnan(values), 2, values).astype(np.int8)
        distinct, of_item, times = np.unique(coded, axis=0, return_inverse=True, return_counts=True)
        return cls((distinct == 1).astype(float), (distinct != 2).astype(float), times.astype(float), of_item.ravel())


@dataclass(frozen=True)
class _At:
    """The likelihood at one set of parameters: the posterior of every pattern over the grid."""

    posterior: FloatArray  # patterns × nodes
    chance: FloatArray  # nodes × systems
    slope: FloatArray  # the nodes' discriminations
    marginal: FloatArray  # log-likelihood of every pattern


def fit_items(values: FloatArray, *, two: bool, level: float = 0.95) -> ItemResponse:
    """Fit Rasch's model, or the one of two parameters, to rights (1) and wrongs (0), NaN where there is no answer.

    >>> rng = np.random.default_rng(0)
    >>> chance = special.expit(np.array([1.0, 0.0, -1.0]) - rng.normal(size=(2000, 1)))
    >>> fit_items((rng.random((2000, 3)) < chance).astype(float), two=False).ability.round(1).tolist()
    [0.9, 0.1, -1.0]
    """
    systems = values.shape[1]
    grid, patterns = _Grid(two, systems), _Patterns.of(values)
    found = _maximised(grid, patterns, _start(patterns, two=two), exact=True)
    at, scores = _scores(found.x, grid, patterns)
    centre = np.eye(systems) - 1 / systems
    ability = found.x[:systems]
    spread = float(np.exp(found.x[systems]))
    variety = float(np.exp(found.x[systems + 1])) if two else None
    difficulty = spread * grid.x - ability.mean()
    return ItemResponse(
        ability=centre @ ability,
        covariance=centre @ _sandwich(found.x, grid, patterns, scores)[:systems, :systems] @ centre,
        spread=spread,
        variety=variety,
        log_likelihood=float(patterns.times @ at.marginal),
        converged=bool(found.success),
        difficulty=_posterior(at, difficulty, patterns, level),
        discrimination=_posterior(at, at.slope, patterns, level) if two else None,
        information=_information(at)[patterns.of_item],
    )


def calibrate(values: FloatArray, *, two: bool, start: FloatArray | None = None) -> Calibration:
    """Fit the model for its items, without errors of abilities; `start` are parameters of similar systems."""
    systems = values.shape[1]
    grid, patterns = _Grid(two, systems), _Patterns.of(values)
    found = _maximised(grid, patterns, _start(patterns, two=two) if start is None else start, exact=False)
    at = _at(found.x, grid, patterns)
    location = float(np.exp(found.x[systems])) * grid.x
    return Calibration(found.x[:systems], found.x, at.posterior[patterns.of_item], at.slope, location)


def _start(patterns: _Patterns, *, two: bool) -> FloatArray:
    share = (patterns.times @ patterns.right + 0.5) / (patterns.times @ patterns.there + 1)
    return np.concatenate([special.logit(share), [0.0], [np.log(0.3)] if two else []])


def _maximised(grid: _Grid, patterns: _Patterns, start: FloatArray, *, exact: bool) -> Any:
    """Maximise the likelihood; forecasts need fewer digits than estimates."""
    systems = patterns.right.shape[1]
    least, most = (float(np.log(spread)) for spread in _SPREADS)
    free: list[tuple[float | None, float | None]] = [(None, None)] * systems
    bounds = free + [(least, most)] * (len(start) - systems)
    options: Any = (
        {"maxiter": 2000, "gtol": 1e-8, "ftol": 1e-13} if exact else {"maxiter": 200, "gtol": 1e-5, "ftol": 1e-8}
    )

    def loss(given: FloatArray) -> tuple[float, FloatArray]:
        return _objective(given, grid, patterns)

    found: Any = optimize.minimize(loss, start, jac=True, method="L-BFGS-B", bounds=bounds, options=options)
    return found


def _at(given: FloatArray, grid: _Grid, patterns: _Patterns) -> _At:
    systems = patterns.right.shape[1]
    ability, spread = given[:systems], np.exp(given[systems])
    slope = 1 + (np.exp(given[systems + 1]) * grid.y if len(given) > systems + 1 else np.zeros_like(grid.y))
    logit = slope[:, None] * (ability - (spread * grid.x)[:, None])
    wrong = patterns.there - patterns.right
    joint = patterns.right @ special.log_expit(logit).T + wrong @ special.log_expit(-logit).T + grid.log_weight
    marginal = special.logsumexp(joint, axis=1)
    return _At(np.exp(joint - marginal[:, None]), special.expit(logit), slope, marginal)


def _scores(given: FloatArray, grid: _Grid, patterns: _Patterns) -> tuple[_At, FloatArray]:
    """Return the likelihood, and the gradient of every pattern's logarithm (patterns × parameters)."""
    systems = patterns.right.shape[1]
    at = _at(given, grid, patterns)
    ability, spread = given[:systems], float(np.exp(given[systems]))

    def weighted(factor: FloatArray) -> FloatArray:
        """Return the posterior mean of a node's factor times the residual (patterns × systems)."""
        mean = at.posterior @ (factor if factor.ndim > 1 else factor[:, None])
        return patterns.right * mean - patterns.there * (at.posterior @ (at.chance.T * factor.T).T)

    by_ability = weighted(at.slope)
    columns = [by_ability, spread * weighted(-at.slope * grid.x).sum(axis=1, keepdims=True)]
    if len(given) > systems + 1:
        variety = float(np.exp(given[systems + 1]))
        reach = grid.y[:, None] * (ability - (spread * grid.x)[:, None])
        columns.append(variety * weighted(reach).sum(axis=1, keepdims=True))
    return at, np.concatenate(columns, axis=1)


def _objective(given: FloatArray, grid: _Grid, patterns: _Patterns) -> tuple[float, FloatArray]:
    """Return minus the mean log-likelihood, and its gradient.

    The logarithm of the discriminations' standard deviation is added: few items would else make it 0, and every
    item's discrimination certainly 1 (Chung et al. 2013).
    """
    at, scores = _scores(given, grid, patterns)
    total = patterns.times.sum()
    loss, gradient = -float(patterns.times @ at.marginal) / total, -(patterns.times @ scores) / total
    if len(given) > patterns.right.shape[1] + 1:
        loss, gradient[-1] = loss - float(given[-1]) / total, gradient[-1] - 1 / total
    return loss, gradient


def _sandwich(given: FloatArray, grid: _Grid, patterns: _Patterns, scores: FloatArray) -> FloatArray:
    """Return the covariance of all parameters from curvature and scores of items, which need not fit the model."""
    step = 1e-4
    curvature = np.empty((len(given), len(given)))
    for place in range(len(given)):
        move = np.zeros(len(given))
        move[place] = step
        ahead, behind = (patterns.times @ _scores(given + sign * move, grid, patterns)[1] for sign in (1, -1))
        curvature[place] = -(ahead - behind) / (2 * step)
    bread = np.linalg.pinv((curvature + curvature.T) / 2, hermitian=True)
    items = patterns.times.sum()
    meat = (scores.T * patterns.times) @ scores * items / max(items - 1, 1)
    covariance: FloatArray = bread @ meat @ bread
    return covariance


def _posterior(at: _At, nodes: FloatArray, patterns: _Patterns, level: float) -> ItemPosterior:
    """Sum up what is known of a number that every node has."""
    order = np.argsort(nodes, kind="stable")
    cumulated = np.cumsum(at.posterior[:, order], axis=1)
    ends = [
        nodes[order][np.minimum((cumulated < bound).sum(axis=1), len(nodes) - 1)]
        for bound in ((1 - level) / 2, (1 + level) / 2)
    ]
    mean, below = at.posterior @ nodes, at.posterior @ (nodes < 0).astype(float)
    return ItemPosterior(*(each[patterns.of_item] for each in (mean, *ends, below)))


def _information(at: _At) -> FloatArray:
    """Return the information of every pattern's item about differences of abilities, its difficulty being unknown."""
    variance = at.chance * (1 - at.chance)
    total = variance.sum(axis=1)
    of_node = at.slope**2 * (total - np.sum(variance**2, axis=1) / np.maximum(total, 1e-300))
    information: FloatArray = at.posterior @ of_node
    return information
