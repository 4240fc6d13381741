"""The result of `agree`."""

from dataclasses import asdict, dataclass
from typing import Any, ClassVar

from betterthan.base import BetterthanError
from betterthan.findings import counted
from betterthan.inference import Estimate
from betterthan.options import AgreeOptions
from betterthan.present import Column, Table, wrapped
from betterthan.results import Result

#: How coefficients are called in tables.
_TITLES = {
    "fleiss": "Fleiss' kappa",
    "cohen": "Cohen's kappa",
    "cohen-linear": "Cohen's kappa, linear",
    "cohen-quadratic": "Cohen's kappa, quadratic",
    "ac1": "Gwet's AC1",
    "icc": "ICC(A,1)",
    "equal-pairs": "equal pairs of ratings",
}


@dataclass(frozen=True)
class Alpha:
    """Krippendorff's alpha at a level of measurement, with its interval; None where it is undefined."""

    level: str
    value: float | None
    low: float | None
    high: float | None

    @property
    def title(self) -> str:
        """How tables name it."""
        return f"alpha, {self.level}"

    def to_dict(self) -> dict[str, Any]:
        """Return plain JSON values."""
        return asdict(self)


@dataclass(frozen=True)
class Measure:
    """A coefficient of agreement by its name, with its interval; None where it is undefined."""

    name: str
    value: float | None
    low: float | None
    high: float | None

    @classmethod
    def of(cls, name: str, estimate: Estimate) -> "Measure":
        """Make one from an estimate."""
        return cls(name, estimate.value, estimate.low, estimate.high)

    @property
    def title(self) -> str:
        """How tables name it."""
        return _TITLES[self.name]

    def to_dict(self) -> dict[str, Any]:
        """Return plain JSON values."""
        return asdict(self)


@dataclass(frozen=True, kw_only=True, repr=False, eq=False)
class Agreed(Result):
    """The result of `agree`: alpha at every level that the ratings allow, and further coefficients of agreement.

    `compared` items have two ratings or more. `measures` are Fleiss' kappa (`fleiss`), Cohen's kappas (`cohen`,
    `cohen-linear`, `cohen-quadratic`), `ac1`, `icc` and `equal-pairs`.
    """

    verb: ClassVar[str] = "agree"
    schema: ClassVar[str] = "agreement/2"
    holds = ("items", "raters", "ratings", "compared", "share", "fleiss", "alphas", "measures")

    settings: AgreeOptions
    items: int
    raters: int
    ratings: int
    compared: int
    alphas: tuple[Alpha, ...]
    measures: tuple[Measure, ...]

    @property
    def share(self) -> float | None:
        """The share of pairs of ratings of one item that are equal."""
        return self["equal-pairs"].value

    @property
    def fleiss(self) -> float | None:
        """Fleiss' kappa."""
        return self["fleiss"].value

    def __getitem__(self, name: str) -> Alpha | Measure:
        """Return alpha at a level, or another measure by its name."""
        every: dict[str, Alpha | Measure] = {each.level: each for each in self.alphas}
        every |= {each.name: each for each in self.measures}
        if name not in every:
            known = ", ".join(every)
            raise BetterthanError(f"there is no measure {name!r} of these ratings; there are: {known}.")
        return every[name]

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
        about = "Intervals are for items like these, rated by the same judges."
        return [head, "", self.tables()[0].to_text(width), "", *([wrapped(about, width), ""] if self._known else [])]

    @property
    def _known(self) -> bool:
        return any(low is not None for _, _, low, _ in self._rows())

    def _rows(self) -> list[tuple[str, float | None, float | None, float | None]]:
        every: tuple[Alpha | Measure, ...] = (*self.alphas, *self.measures)
        return [(each.title, each.value, each.low, each.high) for each in every]
