"""The result of `agree`."""

from dataclasses import asdict, dataclass
from typing import Any, ClassVar

from betterthan.base import BetterthanError
from betterthan.findings import counted
from betterthan.options import AgreeOptions
from betterthan.present import Column, Table
from betterthan.results import Result


@dataclass(frozen=True)
class Alpha:
    """Krippendorff's alpha at a level of measurement, with its bootstrap interval; None where it is undefined."""

    level: str
    value: float | None
    low: float | None
    high: float | None

    def to_dict(self) -> dict[str, Any]:
        """Return plain JSON values."""
        return asdict(self)


@dataclass(frozen=True, kw_only=True, repr=False, eq=False)
class Agreed(Result):
    """The result of `agree`: alpha at every level that the ratings allow, Fleiss' kappa, and the share of equal pairs.

    `compared` items have two ratings or more; the others say nothing about agreement.
    """

    verb: ClassVar[str] = "agree"
    schema: ClassVar[str] = "agreement/1"
    holds = ("items", "raters", "ratings", "compared", "share", "fleiss", "alphas")

    settings: AgreeOptions
    items: int
    raters: int
    ratings: int
    compared: int
    share: float
    fleiss: float | None
    alphas: tuple[Alpha, ...]

    def __getitem__(self, level: str) -> Alpha:
        """Return alpha at a level."""
        for found in self.alphas:
            if found.level == level:
                return found
        known = ", ".join(each.level for each in self.alphas)
        raise BetterthanError(f"there is no alpha at the level {level!r} of these ratings; there are: {known}.")

    def columns(self) -> dict[str, list[Any]]:
        """Return one row per measure."""
        rows = self._rows()
        return {name: [row[place] for row in rows] for place, name in enumerate(("measure", "value", "low", "high"))}

    def tables(self) -> list[Table]:
        """Return all measures."""
        level = f"{100 * self.settings.level:g} % interval"
        cells = [
            [name, "undefined" if value is None else f"{value:.3f}", "" if low is None else f"{low:.3f} … {high:.3f}"]
            for name, value, low, high in self._rows()
        ]
        return [Table([Column("measure", "left"), Column("value"), Column(level, "left")], cells)]

    def body(self, width: int | None) -> list[str]:
        """Return a summary of the ratings, and all measures."""
        head = " · ".join(
            [
                counted(self.items, "item"),
                counted(self.raters, "judge"),
                counted(self.ratings, "rating"),
                f"{self.compared:,} rated twice or more",
            ]
        )
        return [head, "", self.tables()[0].to_text(width), ""]

    def _rows(self) -> list[tuple[str, float | None, float | None, float | None]]:
        alphas = [(f"alpha, {each.level}", each.value, each.low, each.high) for each in self.alphas]
        return [*alphas, ("Fleiss' kappa", self.fleiss, None, None), ("equal pairs of ratings", self.share, None, None)]
