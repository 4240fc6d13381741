"""Adaptive testing: which item a new system should answer next, and what its answers say about all items."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from scipy import special

from betterthan.base import PlanError, nearest, parallel, spelling
from betterthan.datasets import data_sets
from betterthan.findings import counted
from betterthan.inference import Estimate
from betterthan.options import items as item_options
from betterthan.options import takes
from betterthan.present import Column, Table, wrapped
from betterthan.results import Result
from betterthan.verbs.items.analyse_items import need_abilities, only_scores, right_answers
from betterthan.verbs.items.item_curves import ItemCurves
from betterthan.verbs.items.item_response import calibrate
from betterthan.verbs.rank import board_findings as support

#: Items that are named, in the order in which they should be answered.
_NEXT = 10


@dataclass(frozen=True)
class Candidate:
    """An item that a system has not answered, and the chance that it will be right."""

    item: str
    right: float


@dataclass(frozen=True, kw_only=True, repr=False, eq=False)
class NextItem(Result):
    """The next items for a new system, most informative first, and its forecast share of right answers."""

    verb: ClassVar[str] = "items"
    schema: ClassVar[str] = "next-item/1"
    holds = ("verdict", "system", "answered", "of_items", "systems", "right", "next")

    settings: item_options.NextItemOptions
    system: str
    answered: int
    of_items: int
    systems: int
    right: Estimate
    next: tuple[Candidate, ...]

    @property
    def verdict(self) -> str:
        """Which item comes next, and what is known of the system."""
        ends = self.right.ends(3).replace("…", "to")
        share = (
            f"{self.system} is forecast to be right on a share of {self.right.known:.3f} of all {self.of_items:,} "
            f"items ({100 * self.settings.level:g} % interval {ends}), from {counted(self.answered, 'answer')}."
        )
        return f"Next item: {self.next[0].item}. {share}" if self.next else f"No item is left. {share}"

    def columns(self) -> dict[str, list[Any]]:
        """Return one row per item that should be answered."""
        return {"item": [each.item for each in self.next], "right": [each.right for each in self.next]}

    def tables(self) -> list[Table]:
        """Return the next items."""
        rows = [[f"{place}", each.item, f"{each.right:.2f}"] for place, each in enumerate(self.next, start=1)]
        heads = [Column("#"), Column("item", "left", flexible=True), Column("chance to be right")]
        return [Table(heads, rows, title="Items to answer")]

    def body(self, width: int | None) -> list[str]:
        """Return the next items."""
        if not self.next:
            return []
        how = (
            f"Items were calibrated on {counted(self.systems, 'other system')}. Answer the first one and ask again, or "
            "several at once. The interval stays valid whatever items are chosen by earlier answers."
        )
        return [self.tables()[0].to_text(width), "", wrapped(how, width), ""]


@takes(item_options.NextItemOptions)
def next_item(evidence: Any, options: item_options.NextItemOptions) -> NextItem:
    """Return the item that a new system should answer next, and its forecast share of right answers with an interval.

    The other systems calibrate the items. A system that is not among the scores has no answers yet.

    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> chance = 1 / (1 + np.exp(rng.normal(size=(80, 1)) - np.linspace(-1, 1, 8)))
    >>> right = (rng.random((80, 8)) < chance).astype(int)
    >>> found = next_item({f"s{place}": right[:, place].tolist() for place in range(8)}, "new")
    >>> found.answered, len(found.next)
    (0, 10)
    """
    sets = data_sets(evidence)
    data = only_scores(sets)
    table = data.scores
    if not options.adaptive:
        raise PlanError(f"{spelling.option('adaptive')} names a system. {nearest('', table.systems)}")
    every = right_answers(table, options)
    others = [place for place, system in enumerate(table.systems) if system != options.adaptive]
    values = every[:, others]
    need_abilities(values, [table.systems[place] for place in others])
    known = np.flatnonzero(~np.all(np.isnan(values), axis=1))
    own = [every[:, place] for place, system in enumerate(table.systems) if system == options.adaptive]
    answers = own[0][known] if own else np.full(len(known), np.nan)
    with parallel.one_blas_thread():
        curves = ItemCurves.of(calibrate(values[known], two=options.model == "2pl"))
    asked = np.flatnonzero(~np.isnan(answers))
    weight = curves.posterior(answers)
    chosen = curves.best(_NEXT, weight, asked)
    forecast = curves.forecast(answers)
    reach = float(special.ndtri((1 + options.level) / 2)) * forecast.deviation
    least, most = (float(np.nansum(answers)) + extra for extra in (0, len(known) - len(asked)))
    low, high = max(forecast.right - reach, least / len(known)), min(forecast.right + reach, most / len(known))
    return NextItem(
        settings=options,
        data=data.digest,
        findings=(*support.left_out(sets), *support.refused(data.account())),
        reading=sets.reading,
        system=options.adaptive,
        answered=len(asked),
        of_items=len(known),
        systems=len(others),
        right=Estimate(forecast.right, low, high),
        next=tuple(Candidate(table.items[known[item]], float(weight @ curves.chance[item])) for item in chosen),
    )
