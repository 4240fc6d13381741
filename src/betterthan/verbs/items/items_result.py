"""The result of `items`: abilities of systems, difficulty and discrimination of items."""

from dataclasses import asdict, dataclass
from typing import Any, ClassVar

import numpy as np

from betterthan.findings import counted
from betterthan.inference import Estimate
from betterthan.options import items as item_options
from betterthan.present import Column, Table, wrapped
from betterthan.results import Result

_SHOWN = 10


@dataclass(frozen=True)
class Ability:
    """A system: the share of items on which it is right, and its ability (the abilities' sum is 0)."""

    system: str
    right: float
    ability: Estimate

    def to_dict(self) -> dict[str, Any]:
        """Return plain JSON values."""
        return asdict(self)


@dataclass(frozen=True)
class Item:
    """An item: the share of systems that are right, difficulty, discrimination, and its share of the information.

    A system whose ability is the difficulty is right half of the time. The information is that about differences of
    abilities; an item that all systems solve has little.
    """

    item: str
    right: float
    difficulty: Estimate
    discrimination: Estimate | None
    information: float

    def to_dict(self) -> dict[str, Any]:
        """Return plain JSON values."""
        return asdict(self)


@dataclass(frozen=True)
class FittedModel:
    """How well a model fits: the larger the log-likelihood and the smaller the AIC, the better."""

    model: str
    log_likelihood: float
    parameters: int
    aic: float

    def to_dict(self) -> dict[str, Any]:
        """Return plain JSON values."""
        return asdict(self)


@dataclass(frozen=True, kw_only=True, repr=False, eq=False)
class Items(Result):
    """An item response model: abilities of systems, best first, and items by name.

    `spread` and `variety` are the standard deviations of difficulties and discriminations over items.
    """

    verb: ClassVar[str] = "items"
    schema: ClassVar[str] = "items/1"
    holds = ("abilities", "items", "models", "spread", "variety", "converged")

    settings: item_options.ItemsOptions
    abilities: tuple[Ability, ...]
    items: tuple[Item, ...]
    models: tuple[FittedModel, ...]
    spread: float
    variety: float | None
    converged: bool

    @property
    def half(self) -> int:
        """The least number of items that hold half of the information about the ranking."""
        shares = np.sort([item.information for item in self.items])[::-1]
        return int(np.searchsorted(np.cumsum(shares), 0.5)) + 1

    def columns(self) -> dict[str, list[Any]]:
        """Return one row per item."""
        found: dict[str, list[Any]] = {
            "item": [each.item for each in self.items],
            "right": [each.right for each in self.items],
        }
        for name in ("difficulty", *(("discrimination",) if self.variety is not None else ())):
            of = [getattr(each, name) for each in self.items]
            found[name] = [each.value for each in of]
            found[f"{name}_low"], found[f"{name}_high"] = [each.low for each in of], [each.high for each in of]
        return {**found, "information": [each.information for each in self.items]}

    def tables(self) -> list[Table]:
        """Return abilities, the models' fit, and the items that say most about the ranking."""
        percent = f"{100 * self.settings.level:g} % interval"
        systems = Table(
            [Column("system", "left", flexible=True), Column("right"), Column("ability"), Column(percent, "left")],
            [
                [each.system, f"{100 * each.right:.1f} %", f"{each.ability.known:.3f}", each.ability.ends(3)]
                for each in self.abilities
            ],
            title="Systems",
        )
        models = Table(
            [Column("model", "left"), Column("log-likelihood"), Column("parameters"), Column("AIC")],
            [
                [each.model, f"{each.log_likelihood:,.2f}", str(each.parameters), f"{each.aic:,.2f}"]
                for each in self.models
            ],
            title="Models",
        )
        most = sorted(self.items, key=lambda each: -each.information)[:_SHOWN]
        sharp = self.variety is not None
        heads = [Column("item", "left", flexible=True), Column("right"), Column("difficulty"), Column(percent, "left")]
        heads += [Column("discrimination"), Column(percent, "left", optional=1)] if sharp else []
        rows = [
            [each.item, f"{100 * each.right:.0f} %", f"{each.difficulty.known:.2f}", each.difficulty.ends(2)]
            + ([f"{each.discrimination.known:.2f}", each.discrimination.ends(2)] if each.discrimination else [])
            + [f"{100 * each.information:.2g} %"]
            for each in most
        ]
        carrying = Table([*heads, Column("information")], rows, title="Items that say most about the ranking")
        return [systems, models, carrying]

    def body(self, width: int | None) -> list[str]:
        """Return systems, models and the items that say most."""
        head = f"{counted(len(self.items), 'item')} · {counted(len(self.abilities), 'system')}"
        half = f"Half of the information about the ranking is in {self.half:,} of {counted(len(self.items), 'item')}."
        lost = [] if self.converged else ["The iteration did not converge; do not use these numbers."]
        tables = [line for table in self.tables() for line in (table.title, "", table.to_text(width), "")]
        return [head, "", *tables, *(wrapped(line, width) for line in [half, *lost]), ""]
