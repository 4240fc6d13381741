"""Short forms: a few items that distinguish systems nearly as well as all, with the error on systems left out."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from scipy import special, stats

from betterthan.base import FloatArray, PlanError, parallel, spelling
from betterthan.datasets import data_sets
from betterthan.findings import counted
from betterthan.inference import Estimate, mean_of
from betterthan.options import items as item_options
from betterthan.options import takes
from betterthan.present import Column, Table, wrapped
from betterthan.results import Result
from betterthan.verbs.items.analyse_items import need_abilities, only_scores, right_answers
from betterthan.verbs.items.item_curves import ItemCurves
from betterthan.verbs.items.item_response import calibrate
from betterthan.verbs.rank import board_findings as support

#: Systems without which there is nothing to calibrate items with.
_FEWEST_SYSTEMS = 5
#: Random choices of items per system left out.
_RANDOM = 50
_SHOWN = 10


@dataclass(frozen=True)
class ChosenItem:
    """An item of a short form, in the order of the choice: its share of right answers among the systems."""

    item: str
    right: float


@dataclass(frozen=True)
class FormError:
    """How well a number of items does for systems that were left out when it was chosen.

    `error` is the mean absolute error of the share of right answers on all items, with its interval over systems.
    `random` is that of the share on as many random items. `covered` is the share of systems whose interval holds the
    true share; `kendall` compares the order of the systems by the short form with that by all items.
    """

    items: int
    error: Estimate
    random: Estimate
    covered: Estimate
    kendall: float


@dataclass(frozen=True, kw_only=True, repr=False, eq=False)
class ShortForm(Result):
    """A short form: the chosen items, and its error for systems like these."""

    verb: ClassVar[str] = "items"
    schema: ClassVar[str] = "short-form/1"
    holds = ("verdict", "chosen", "of_items", "systems", "errors")

    settings: item_options.ShortFormOptions
    chosen: tuple[ChosenItem, ...]
    of_items: int
    systems: int
    errors: tuple[FormError, ...]

    @property
    def verdict(self) -> str:
        """What the short form does for a new system."""
        own = next(each for each in self.errors if each.items == len(self.chosen))
        return (
            f"{len(self.chosen):,} of {counted(self.of_items, 'item')} give the share of right answers on all of them "
            f"within {own.error.known:.3f} on average ({100 * self.settings.level:g} % interval "
            f"{own.error.ends(3).replace('…', 'to')}; as many random items: {own.random.known:.3f})."
        )

    def columns(self) -> dict[str, list[Any]]:
        """Return one row per chosen item."""
        return {"item": [each.item for each in self.chosen], "right": [each.right for each in self.chosen]}

    def tables(self) -> list[Table]:
        """Return the error for several numbers of items, and the chosen items."""
        return [self._error_table(), self._items_table(len(self.chosen))]

    def _error_table(self) -> Table:
        heads = [Column("items"), Column("mean error"), Column(f"{100 * self.settings.level:g} % interval", "left")]
        heads += [Column("random items"), Column("covered"), Column("Kendall")]
        rows = [
            [
                f"{each.items:,}",
                f"{each.error.known:.3f}",
                each.error.ends(3),
                f"{each.random.known:.3f}",
                f"{100 * each.covered.known:.0f} %",
                f"{each.kendall:.2f}",
            ]
            for each in self.errors
        ]
        return Table(heads, rows, title="Error for systems left out")

    def _items_table(self, most: int) -> Table:
        rows = [[f"{place}", each.item, f"{100 * each.right:.0f} %"] for place, each in enumerate(self.chosen, start=1)]
        heads = [Column("#"), Column("item", "left", flexible=True), Column("right")]
        return Table(heads, rows[:most], title="Items of the short form")

    def body(self, width: int | None) -> list[str]:
        """Return the errors, and the first items."""
        more = len(self.chosen) - _SHOWN
        rest = [f"{more} more: write all of them with -o items.csv."] if more > 0 else []
        how = (
            f"Each of {counted(self.systems, 'system')} was left out once, with others, before items were calibrated "
            "and chosen. Random items have their plain share of right answers."
        )
        tables = [
            line
            for table in (self._error_table(), self._items_table(_SHOWN))
            for line in (table.title, "", table.to_text(width), "")
        ]
        return [*tables[:4], wrapped(how, width), "", *tables[4:-1], *rest, ""]


@takes(item_options.ShortFormOptions)
def short_form(evidence: Any, options: item_options.ShortFormOptions) -> ShortForm:
    """Choose items that keep the ranking, by information under an item response model, and measure their error.

    Items are calibrated on the systems, and each chosen item lowers the variance of a new system's share of right
    answers most. The error is measured on systems that were left out when items were calibrated and chosen.

    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> chance = 1 / (1 + np.exp(rng.normal(size=(80, 1)) - np.linspace(-1, 1, 8)))
    >>> right = (rng.random((80, 8)) < chance).astype(int)
    >>> found = short_form({f"s{place}": right[:, place].tolist() for place in range(8)}, 20)
    >>> len(found.chosen), found.errors[1].items
    (20, 20)
    """
    sets = data_sets(evidence)
    data = only_scores(sets)
    table, two = data.scores, options.model == "2pl"
    values = right_answers(table, options)
    need_abilities(values, table.systems)
    known = np.flatnonzero(~np.all(np.isnan(values), axis=1))
    values = values[known]
    _need_enough(values, options)
    with parallel.one_blas_thread():
        whole = calibrate(values, two=two)
        chosen = ItemCurves.of(whole).best(options.short)
        errors = _held_out(values, options, whole.parameters)
    right = np.nanmean(values, axis=1)
    return ShortForm(
        settings=options,
        data=data.digest,
        findings=(*support.left_out(sets), *support.refused(data.account())),
        reading=sets.reading,
        chosen=tuple(ChosenItem(table.items[known[place]], float(right[place])) for place in chosen),
        of_items=len(values),
        systems=values.shape[1],
        errors=errors,
    )


def _need_enough(values: FloatArray, options: item_options.ShortFormOptions) -> None:
    items, systems = values.shape
    if systems < _FEWEST_SYSTEMS:
        raise PlanError(f"a short form needs {_FEWEST_SYSTEMS} systems or more, and there are {systems}.")
    if options.short >= items:
        raise PlanError(
            f"{spelling.option('short', options.short)} is no choice, because there are {items} items",
            remedy="Ask for fewer.",
        )
    if options.folds > systems:
        raise PlanError(
            f"{spelling.option('folds', options.folds)} is more than the {systems} systems", remedy="Ask for fewer."
        )


def _held_out(values: FloatArray, options: item_options.ShortFormOptions, start: FloatArray) -> tuple[FormError, ...]:
    """Leave out systems in turn, and return the errors of forms with half as many items, as many, and twice as many."""
    items, systems = values.shape
    rng = np.random.default_rng(options.seed)
    sizes = sorted({max(2, options.short // 2), options.short, min(2 * options.short, items - 1)})
    fold = rng.permutation(systems) % options.folds
    truth = np.nanmean(values, axis=0)
    found = np.full((len(sizes), systems, 4), np.nan)  # forecast, its deviation, random error, whether covered
    reach = float(_normal_reach(options.level))
    for part in range(options.folds):
        rest, left_out = np.flatnonzero(fold != part), np.flatnonzero(fold == part)
        near = np.concatenate([start[rest], start[systems:]])
        curves = ItemCurves.of(calibrate(values[:, rest], two=options.model == "2pl", start=near))
        order = curves.best(sizes[-1])
        for place, size in enumerate(sizes):
            for system in left_out:
                own, answers = values[:, system], np.full(items, np.nan)
                answers[order[:size]] = own[order[:size]]
                forecast = curves.forecast(answers, ~np.isnan(own))
                there = np.flatnonzero(~np.isnan(own))
                drawn = [own[rng.choice(there, min(size, len(there)), replace=False)].mean() for _ in range(_RANDOM)]
                off = abs(forecast.right - truth[system])
                found[place, system] = (
                    forecast.right,
                    forecast.deviation,
                    np.mean(np.abs(np.array(drawn) - truth[system])),
                    off <= reach * forecast.deviation + 1e-12,
                )
    return tuple(
        FormError(
            size,
            mean_of(np.abs(each[:, 0] - truth).tolist(), options.level, (0.0, 1.0)),
            mean_of(each[:, 2].tolist(), options.level, (0.0, 1.0)),
            mean_of(each[:, 3].tolist(), options.level, (0.0, 1.0)),
            _kendall(each[:, 0], truth),
        )
        for size, each in zip(sizes, found, strict=True)
    )


def _normal_reach(level: float) -> float:
    return float(special.ndtri((1 + level) / 2))


def _kendall(one: FloatArray, two: FloatArray) -> float:
    found = float(stats.kendalltau(one, two).statistic)
    return 0.0 if np.isnan(found) else found
