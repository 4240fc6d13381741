"""Judgments: two systems were compared, and one won or they tied."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Literal

import numpy as np

from betterthan.base import ArrayEquality, EvidenceError, FloatArray, IntArray, Memo, spelling
from betterthan.engine import MISSING, Coded, Distinct, OnError, Table
from betterthan.evidence.outcomes import ABSENT, KNOWN, LEFT, RIGHT, TIE, UNKNOWN, meaning
from betterthan.evidence.protocol import Closing
from betterthan.evidence.reading_report import Reading
from betterthan.evidence.rows.account import Account
from betterthan.evidence.rows.judgment_rows import GOLD, checked
from betterthan.evidence.rows.row_checks import Check
from betterthan.evidence.rows.tally import FEW, Tally, coarser, covering

if TYPE_CHECKING:
    from betterthan.engine import bucket_sums as unit_buckets
    from betterthan.evidence.rows.row_amounts import Adding

#: The order in which judgments are taken one by one.
Order = Literal["file", "time"]
#: Columns that can be resampled as a whole, in the order in which they are chosen by default.
UNITS = ("ranking", "item", "judge")


@dataclass(frozen=True, repr=False, eq=False)
class Judgments(ArrayEquality, Closing):
    """Pairwise judgments on any engine; rows are read on demand.

    >>> votes = read_judgments({"left": ["owl", "owl"], "right": ["yak", "elk"], "winner": ["a", "tie"]})
    >>> print(votes)
    2 judgments · 3 systems · 50 % ties · 0 refused
    """

    table: Table
    roles: Mapping[str, str]
    counts: tuple[str, ...] = ()
    outcomes: Mapping[str, int] = field(default_factory=dict)
    on_error: OnError = "refuse"
    conversion: str = ""
    unanswered: OnError = "refuse"  # what becomes of judgments without an outcome
    reading: Reading | None = field(default=None, compare=False)
    fixed: tuple[str, ...] = ()  # units that are taken as given, not as a sample of others
    called: Mapping[str, str] = field(default_factory=dict)  # names of systems that differ from those in the table
    _tallies: Memo = field(default_factory=Memo, init=False, repr=False, compare=False)

    kind = "judgments"

    @property
    def grows(self) -> bool:
        """Whether judgments can be added: see `State`."""
        return False

    @cached_property
    def units(self) -> tuple[str, ...]:
        """The units that can be resampled, the default first."""
        return tuple(unit for unit in UNITS if unit in self.roles)

    @property
    def ordered(self) -> bool:
        """Whether the judgments have an order."""
        return self.table.ordered and not self.counts

    def tally(self, *by: str, order: Order | None = None, numbers: tuple[str, ...] = ()) -> Tally:
        """Reduce to distinct judgments, kept apart by these units: one group-by on the engine, then the checks.

        With an `order`, that of the rows or that of their time, judgments stay one by one in it instead; so they do
        where columns are wanted as `numbers`.

        Parameters
        ----------
        *by : str
            Units that are kept apart, such as 'item' and 'judge'.
        order : {'file', 'time'}, optional
            Keep judgments one by one, in this order.
        numbers : tuple of str
            Columns whose numbers are needed; judgments then stay one by one.

        Returns
        -------
        Tally
            Distinct judgments with their counts.
        """
        return self._tallies((by, order, numbers), lambda: self._tally(by, order, numbers))

    def _tally(self, by: tuple[str, ...], order: Order | None, numbers: tuple[str, ...]) -> Tally:
        if order is not None:
            self._need_order(order)
        columns = self._columns(by)
        one_by_one = order is not None or numbers
        if not one_by_one and by and self.plain and (known := coarser(self._tallies.known(), by)) is not None:
            return known
        timed = [self.roles["time"]] if order == "time" else []
        table = self.table if one_by_one or not {*by} <= {*self.units} else self._kept
        distinct = table.rows([*columns, *timed], numbers) if one_by_one else table.distinct(columns)
        tally, _ = checked(self, distinct, by, timed=order == "time")
        if self.called:
            tally = replace(tally, systems=tuple(self.called.get(system, system) for system in tally.systems))
        return tally if one_by_one or len(tally.left) > FEW else tally.in_fixed_order()

    @property
    def plain(self) -> bool:
        """Whether every row is one judgment that counts once."""
        return not self.counts and not {"weight", "propensity"} & set(self.roles)

    def bucket_sums(
        self,
        factors: "tuple[unit_buckets.Factor, ...]",
        adding: "Adding",
        *,
        buckets: int,
        systems: int,
        seed: int,
        spare: int,
    ) -> list[FloatArray]:
        """Add up what judgments say about systems by buckets of units, on the engine.

        For every factor, and for the combinations of two, buckets × (systems, then what all pairs share). At most
        `spare` rows may be left out: each may have been the only one of its unit.

        Parameters
        ----------
        factors : tuple of Factor
            Units whose values are grouped into buckets.
        adding : Adding
            What a judgment adds to the sums of its systems.
        buckets : int
            Number of buckets per factor.
        systems : int
            Number of systems.
        seed : int
            Seed of the assignment to buckets.
        spare : int
            Largest number of rows that may be left out.

        Returns
        -------
        list of array
            One array of sums per factor and pair of factors.
        """
        from betterthan.engine import bucket_sums as unit_buckets  # noqa: PLC0415 (for many units)
        from betterthan.evidence.rows.row_amounts import by_row, whole  # noqa: PLC0415

        wanted = unit_buckets.Wanted(
            tuple(dict.fromkeys(self._columns(()))),
            lambda distinct: by_row(*checked(self, distinct), distinct.times, adding, spare),
            factors,
            buckets,
            systems,
            seed,
        )
        unit_of = {self.roles[unit]: unit for unit in self.units}
        by = tuple(unit_of[factor.column] for factor in factors)
        if (known := covering(self._tallies.known(), by)) is None:
            return self._kept.bucket_sums(wanted)

        def hashes(unit: str) -> "unit_buckets.UnsignedArray":
            labels = known.units[unit].labels
            return self.table.once(("hashes", self.roles[unit]), lambda: unit_buckets.all_hashed(labels))

        units = [(known.units[unit].codes, hashes(unit)) for unit in by]
        return unit_buckets.added(adding(known), whole(known.times), units, wanted)

    @property
    def labelled(self) -> bool:
        """Whether a column has people's outcomes of some judgments."""
        return GOLD in self.roles

    def with_labels(self, *by: str) -> tuple[Tally, IntArray]:
        """Return distinct judgments, kept apart by units, with people's outcomes, `ABSENT` where there is none.

        Parameters
        ----------
        *by : str
            Units that are kept apart, such as 'item' and 'judge'.

        Returns
        -------
        tuple
            The tally, and the outcomes in its order.
        """
        tally = self.tally(*by, GOLD)
        sides = (Coded(tally.left, tally.systems), Coded(tally.right, tally.systems))
        column, named = tally.units[GOLD], (self.roles["left"], self.roles["right"])
        found = meaning(column, *sides, self.outcomes, self.table.name, named)
        if np.any(found == UNKNOWN):
            word = column.labels[column.codes[int(np.flatnonzero(found == UNKNOWN)[0])]]
            raise EvidenceError(
                f"column {self.roles[GOLD]!r}: unknown outcome {word!r}; known: {KNOWN}",
                where=self.name,
                remedy=f"Say what it means with {spelling.option('outcomes')}.",
            )
        if np.all(found == ABSENT):
            raise EvidenceError(f"column {self.roles[GOLD]!r} has no outcomes", where=self.name)
        return tally, found

    def lack(self, units: tuple[str, ...]) -> bool:
        """Whether some row has no value of these units.

        Parameters
        ----------
        units : tuple of str
            Units to look for, such as 'item'.

        Returns
        -------
        bool
            Whether a value is missing.
        """
        columns = tuple(self.roles[unit] for unit in units)
        return self.table.once(("lack", columns), lambda: self._kept.lack(columns))

    @property
    def _kept(self) -> Table:
        """The table, or its columns that are requested again and again: where there are units to be counted."""
        return self.table.kept(self._columns(self.units)) if self.units else self.table

    @cached_property
    def unit_sizes(self) -> dict[str, int]:
        """How many distinct rankings, items and judges were read."""
        # A tally keeps the names that were read, those of refused rows too: where one knows all, no row is read again.
        tallied = (tally.units for tally in self._tallies.known() if set(self.units) <= set(tally.units))
        if (units := next(tallied, None)) is not None:
            return {unit: len(units[unit].labels) for unit in self.units}
        return dict(zip(self.units, self._unique[1:], strict=True))

    @property
    def rows(self) -> int:
        """How many rows were read."""
        return self._unique[0]

    def one_each(self, unit: str) -> bool:
        """Whether every row is its own unit, so that rows can be resampled.

        Parameters
        ----------
        unit : str
            The unit, such as 'item'.

        Returns
        -------
        bool
            Whether no two rows share a unit.
        """
        return unit in self.units and self._unique[0] == self.unit_sizes[unit]

    @property
    def _unique(self) -> tuple[int, ...]:
        """The number of rows, and of distinct values of every unit: one pass for all that depends on them."""
        columns = tuple(self.roles[unit] for unit in self.units)
        return self.table.once(("unique", columns), lambda: self._kept.unique(columns))

    def _need_order(self, order: Order) -> None:
        """Refuse judgments that have no order, and say what to do."""
        remedy = "Use order=average, as in 'elo(order=average)', or a model without order such as bradley-terry."
        if self.counts:
            raise EvidenceError("counted judgments have no order", where=self.name, remedy=remedy)
        named = spelling.option("time")
        if order == "time" and "time" not in self.roles:
            raise EvidenceError(
                "there is no column with the time of each judgment",
                where=self.name,
                remedy=f"Name it with {named}, or use order=file.",
            )
        if order == "file" and not self.table.ordered:
            raise EvidenceError(
                "its rows have no order",
                where=self.name,
                remedy=f"If a column has the time of each judgment, name it with {named}. {remedy}",
            )

    def _columns(self, by: tuple[str, ...]) -> list[str]:
        wanted = [
            self.roles[role] for role in ("left", "right", "outcome", "weight", "propensity") if role in self.roles
        ]
        for unit in by:
            if unit not in self.roles:
                have = ", ".join(self.units) or "none"
                raise EvidenceError(
                    f"there is no {unit} column to resample by; units here: row, {have}",
                    where=self.name,
                    remedy=f"Name the column with {spelling.option(unit)}.",
                )
            wanted.append(self.roles[unit])
        return [*wanted, *self.counts]

    @property
    def name(self) -> str:
        """The name of the evidence in messages."""
        return self.table.name

    @property
    def systems(self) -> tuple[str, ...]:
        """All systems that were compared, sorted."""
        return self._any_tally.systems

    @property
    def account(self) -> Account:
        """How many rows were read, kept and refused, of all data sets together."""
        return self._any_tally.account

    @property
    def _any_tally(self) -> Tally:
        """A tally that is known already, or else the shortest: rows are not read again for what all tallies know."""
        return next(iter(self._tallies.known()), None) or self.tally()

    @property
    def divided_by(self) -> str:
        """The column that names the data set, where there is one."""
        return self.roles.get("dataset", "dataset")

    def data_sets(self) -> list[tuple[str, "Judgments"]]:
        """Return the judgments of every data set with its title."""
        if "dataset" not in self.roles:
            return [("", self)]
        column = self.roles["dataset"]
        roles = {role: name for role, name in self.roles.items() if role != "dataset"}
        # Lines that cannot be read belong to no data set: `left_out` has them.
        return [
            (label, replace(self, table=self.table.where({column: label}, unreadable=False), roles=roles))
            for label in self._data_sets.columns[column].labels
        ]

    @property
    def left_out(self) -> Account | None:
        """How many rows were read, kept and refused, before they were split by data set."""
        if "dataset" not in self.roles:
            return None
        column = self.roles["dataset"]
        check = Check(self.table, self._data_sets, self.on_error)
        check.refuse(
            "missing data set",
            self._data_sets.columns[column].codes == MISSING,
            "the data set is missing",
            f"The column {column!r} says which data set a row belongs to: fill it in.",
        )
        return check.settle()

    @property
    def _data_sets(self) -> Distinct:
        column = self.roles["dataset"]
        return self.table.once(("data sets", column), lambda: self.table.distinct([column]))

    def explain(self) -> str:
        """Report what left the engine that holds the rows: for a Spark or Dask frame, only counts and sums."""
        return self.table.explain()

    def close(self) -> None:
        """Close the table; tallies stay available."""
        self.table.close()

    def __repr__(self) -> str:
        return f"<Judgments: {self.table.name}, {', '.join(f'{role}={name}' for role, name in self.roles.items())}>"

    def __str__(self) -> str:
        tally = self._any_tally
        total = tally.number
        ties = float(np.sum((tally.times * tally.weight)[tally.outcome == TIE]) / np.sum(tally.times * tally.weight))
        sizes = [f"{count:,} {unit}s" for unit, count in self.unit_sizes.items()]
        parts = [f"{total:,.0f} judgment{'s' if total != 1 else ''}", f"{len(tally.systems):,} systems", *sizes]
        return " · ".join([*parts, f"{100 * ties:.0f} % ties", f"{tally.account.refused:,} refused"])


def judgments_from_columns(
    columns: Mapping[str, Coded], name: str, conversion: str, more: Mapping[str, Coded] | None = None
) -> Judgments:
    """Wrap columns that a conversion made, named by their roles, with outcomes left, tie, right.

    These words are never names, not even where systems are called so. `more` are columns without a role.
    """
    from betterthan.engine import MemoryTable  # noqa: PLC0415 (files need none)

    words = {"left": LEFT, "tie": TIE, "right": RIGHT}
    return Judgments(
        MemoryTable(name, {**(more or {}), **columns}),
        {role: role for role in columns},
        outcomes=words,
        conversion=conversion,
    )
