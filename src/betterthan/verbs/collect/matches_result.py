"""The result of `next`: the comparisons to judge, with reasons and progress."""

from dataclasses import dataclass
from typing import Any, ClassVar

from betterthan.findings import counted
from betterthan.options import NextOptions
from betterthan.present import Column, Table, wrapped
from betterthan.results import Result

_NEW = {
    "item": "on another item",
    "judge": "by another judge",
    "ranking": "in another ranking",
    "item+judge": "on another item and by another judge",
}


@dataclass(frozen=True)
class Match:
    """One comparison to ask for.

    `probability` is the chance with which the policy chose these systems, given the previous choices; its inverse is
    the weight of the judgment in analyses of all pairs. `units` and the following fields are about a pair, from the
    first system's side, and None for more systems. They are the number of units that judged it, the share won (ties
    half) with its interval, and how many more may decide it. That number is None if it is impractically large.
    """

    systems: tuple[str, ...]
    probability: float
    item: str | None = None
    judge: str | None = None
    item_probability: float | None = None
    units: int | None = None
    share: float | None = None
    low: float | None = None
    high: float | None = None
    needed: int | None = None


@dataclass(frozen=True)
class Pair:
    """The status of a pair: `state` is first, second (who is better), equivalent or undecided, at `p`."""

    first: str
    second: str
    state: str
    units: int
    share: float
    p: float
    p_equivalent: float | None
    needed: int | None


@dataclass(frozen=True)
class Forecast:
    """The expected number of further judgments to decide a share of all pairs, the quickest first; None if
    unrealistic.
    """

    share: float
    judgments: int | None


@dataclass(frozen=True, kw_only=True, repr=False, eq=False)
class Matches(Result):
    """Comparisons to ask for, in order, and the state of all pairs."""

    verb: ClassVar[str] = "next"
    schema: ClassVar[str] = "matches/1"
    holds = ("policy", "matches", "states", "forecast", "pairs")

    settings: NextOptions
    matches: tuple[Match, ...]
    pairs: tuple[Pair, ...]
    forecast: tuple[Forecast, ...]
    evidence: str

    @property
    def policy(self) -> str:
        """The policy that chose."""
        return self.settings.policy

    @property
    def way(self) -> int:
        """How many systems are ranked at once."""
        return self.settings.way

    @property
    def margin(self) -> float | None:
        """Shares this near to one half count as equivalent."""
        return self.settings.margin

    @property
    def unit(self) -> str:
        """The unit that counts once for a pair."""
        return self.settings.unit or "row"

    def __iter__(self) -> Any:
        return iter(self.matches)

    def __len__(self) -> int:
        return len(self.matches)

    def __getitem__(self, place: int) -> Match:
        return self.matches[place]

    @property
    def states(self) -> dict[str, int]:
        """How many pairs are separated, equivalent and undecided."""
        every = [pair.state for pair in self.pairs]
        separated = sum(state in {"first", "second"} for state in every)
        return {"separated": separated, **{name: every.count(name) for name in ("equivalent", "undecided")}}

    def columns(self) -> dict[str, list[Any]]:
        """Return one row per comparison: what the option `outstanding` reads."""
        names = ("left", "right") if self.way == 2 else tuple(f"system_{place + 1}" for place in range(self.way))
        columns: dict[str, list[Any]] = {
            name: [match.systems[place] if place < len(match.systems) else None for match in self.matches]
            for place, name in enumerate(names)
        }
        facts = ["item", "judge", "probability", "item_probability"]
        facts += ["units", "share", "low", "high", "needed"] if self.way == 2 else []
        columns |= {name: [getattr(match, name) for match in self.matches] for name in facts}
        handed_out = ("item", "judge", "item_probability")
        return {
            name: values
            for name, values in columns.items()
            if name not in handed_out or any(value is not None for value in values)
        }

    def tables(self) -> list[Table]:
        """Return the comparisons."""
        return [self.table()]

    def table(self) -> Table:
        """Return the comparisons as a finished table."""
        given = self.columns()
        columns = [Column("#"), *(Column(name, "left", flexible=True) for name in list(given)[: self.way])]
        columns += [Column(name, "left", flexible=True) for name in ("item", "judge") if name in given]
        columns += [Column("chance")]
        if self.way == 2:
            columns += [
                Column(units_of(self.unit), optional=2),
                Column("share"),
                Column("interval", "left", optional=1),
            ]
            columns += [Column("needs")]
        rows = []
        for place, match in enumerate(self.matches, start=1):
            names = [*match.systems, *[""] * (self.way - len(match.systems))]
            row = [
                str(place),
                *names,
                *(str(getattr(match, name) or "") for name in ("item", "judge") if name in given),
            ]
            row.append(f"{match.probability:.3g}")
            if self.way == 2:
                needs = "" if match.needed is None else f"{match.needed:,}"
                row += [f"{match.units:,}", f"{match.share:.3f}", f"{match.low:.3f} … {match.high:.3f}", needs]
            rows.append(row)
        return Table(columns, rows)

    def body(self, width: int | None) -> list[str]:
        """Return the evidence and the comparisons."""
        return [wrapped(self.evidence, width), "", *([self.table().to_text(width), ""] if self.matches else [])]

    @property
    def verdict(self) -> str:
        """How many pairs are settled, and what the others still need."""
        states = self.states
        alike = f" and {states['equivalent']:,} equivalent within {self.margin:g}" if self.margin is not None else ""
        settled = states["separated"] + states["equivalent"]
        text = (
            f"{settled:,} of {counted(len(self.pairs), 'pair')} {'is' if settled == 1 else 'are'} settled "
            f"({states['separated']:,} separated{alike}), however often you look."
        )
        ahead = [each for each in self.forecast if each.judgments]
        if not ahead:
            return text
        said = [f"{each.judgments:,} for {'all' if each.share == 1 else f'{100 * each.share:g} %'}" for each in ahead]
        new = "" if self.unit == "row" else f", each {_NEW[self.unit]}"
        return f"{text} The pairs still open need about {', '.join(said)} of them, quickest first{new}."


def units_of(unit: str) -> str:
    """Return the name of the units; of two crossed ones, items are counted."""
    return {"row": "judgments"}.get(unit, f"{unit.split('+', maxsplit=1)[0]}s")
