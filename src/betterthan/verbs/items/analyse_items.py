"""Fit item response models to right and wrong answers."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy import special

from betterthan.base import FloatArray, PlanError, parallel, spelling
from betterthan.datasets import DataSets, ScoredSet, data_sets
from betterthan.evidence import ScoreTable
from betterthan.findings import Finding, kinds
from betterthan.inference import Estimate
from betterthan.options import items as item_options
from betterthan.options import takes
from betterthan.verbs.items.item_response import ItemResponse, fit_items
from betterthan.verbs.items.items_result import Ability, FittedModel, Item, Items
from betterthan.verbs.rank import board_findings as support


@takes(item_options.ItemsOptions)
def items(evidence: Any, options: item_options.ItemsOptions) -> Items:
    """Fit an item response model to scores that are right or wrong: abilities of systems, and what items are like.

    Rasch's model has a difficulty for every item, `2pl` a discrimination too: how well it separates good systems from
    bad ones. A negative one means that better systems do worse there, as with a wrong answer key.

    >>> right = {"owl": [1, 1, 1, 0, 1, 0], "yak": [1, 1, 0, 0, 1, 0], "elk": [0, 1, 0, 1, 0, 0]}
    >>> items(right, model="rasch").abilities[0].system
    'owl'
    """
    sets = data_sets(evidence)
    data = only_scores(sets)
    table = data.scores
    values = right_answers(table, options)
    need_abilities(values, table.systems)
    with parallel.one_blas_thread():
        fits = {name: fit_items(values, two=name == "2pl", level=options.level) for name in _fitted(options)}
    fit = fits[options.model]
    findings = [*support.left_out(sets), *support.refused(data.account()), *_reversed(fit, table)]
    return Items(
        settings=options,
        data=data.digest,
        findings=tuple(findings),
        reading=sets.reading,
        abilities=_abilities(fit, table, values, options.level),
        items=_items(fit, table, values),
        models=tuple(
            FittedModel(name, each.log_likelihood, each.parameters, 2 * each.parameters - 2 * each.log_likelihood)
            for name, each in fits.items()
        ),
        spread=fit.spread,
        variety=fit.variety,
        converged=fit.converged,
    )


def _fitted(options: item_options.ItemsOptions) -> tuple[str, ...]:
    """Rasch's model is fitted next to the larger one, which it is compared with."""
    return ("rasch", "2pl") if options.model == "2pl" else ("rasch",)


def only_scores(sets: DataSets) -> ScoredSet:
    """Return the only data set, which must be one of scores."""
    data = sets.only("an item response model")
    if not sets.scored:
        raise PlanError(f"items are studied by scores, but this evidence is {data.kind}", remedy="Give scores.")
    return sets.scored[0]


def right_answers(table: ScoreTable, options: item_options.ItemsOptions) -> FloatArray:
    """Return rights as 1 and wrongs as 0; refuse what has no such scores."""
    given = table.as_given
    there = ~np.isnan(given)
    if options.threshold is not None:
        reached = given <= options.threshold if table.negated else given >= options.threshold
        return np.where(there, reached.astype(float), np.nan)
    if np.all((given[there] == 0) | (given[there] == 1)):
        return np.where(there, given if not table.negated else 1 - given, np.nan)
    raise PlanError(
        "item response models are for scores that are right (1) or wrong (0), and there are others",
        remedy=f"Say from which score on an answer is right: {spelling.option('threshold', '0.5')}.",
    )


def need_abilities(values: FloatArray, systems: Sequence[str]) -> None:
    """Refuse answers that leave no ability to estimate."""
    if values.shape[1] < 2 or len(values) < 2:
        raise PlanError("item response models need two systems and two items or more")
    there = ~np.isnan(values)
    share = np.nanmean(np.where(there.any(axis=0), values, 0.0), axis=0)
    for end, words in ((1.0, "every item"), (0.0, "no item")):
        if np.any(share == end):
            name = systems[int(np.argmax(share == end))]
            raise PlanError(
                f"{name!r} is right on {words}, so its ability has no end",
                remedy=f"Leave it out with {spelling.option('exclude', name)}.",
            )


def _reversed(fit: ItemResponse, table: ScoreTable) -> list[Finding]:
    """Name the items on which better systems do worse."""
    if fit.discrimination is None:
        return []
    turned = np.flatnonzero(fit.discrimination.below > kinds.scores.REVERSED_ITEMS.thresholds["chance"])
    if not len(turned):
        return []
    worst = turned[np.argsort(-fit.discrimination.below[turned], kind="stable")]
    return [kinds.scores.REVERSED_ITEMS.found(items=len(turned), names=tuple(table.items[place] for place in worst))]


def _abilities(fit: ItemResponse, table: ScoreTable, values: FloatArray, level: float) -> tuple[Ability, ...]:
    found = [
        Ability(
            system,
            float(np.nanmean(values[:, place])),
            _normal(float(fit.ability[place]), float(fit.covariance[place, place]), level),
        )
        for place, system in enumerate(table.systems)
    ]
    return tuple(sorted(found, key=lambda each: (-each.ability.known, each.system)))


def _normal(value: float, variance: float, level: float) -> Estimate:
    half = float(special.ndtri((1 + level) / 2) * np.sqrt(variance))
    return Estimate(value, value - half, value + half)


def _items(fit: ItemResponse, table: ScoreTable, values: FloatArray) -> tuple[Item, ...]:
    share = fit.information / fit.information.sum()
    hard, sharp = fit.difficulty, fit.discrimination
    return tuple(
        Item(
            name,
            float(np.nanmean(values[place])),
            Estimate(float(hard.mean[place]), float(hard.low[place]), float(hard.high[place])),
            None
            if sharp is None
            else Estimate(float(sharp.mean[place]), float(sharp.low[place]), float(sharp.high[place])),
            float(share[place]),
        )
        for place, name in sorted(enumerate(table.items), key=lambda each: each[1])  # rows without a name: as given
        if not np.all(np.isnan(values[place]))
    )
