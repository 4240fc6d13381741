"""A data set of judgments, or of rankings, of which judgments are made where pairs are wanted."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from betterthan.datasets.dataset import DataSet
from betterthan.datasets.summary import EvidenceSummary
from betterthan.engine.buckets import MANY_ROWS
from betterthan.errors import EvidenceError, PlanError
from betterthan.evidence.account import Account
from betterthan.evidence.judgments import Judgments, Order
from betterthan.evidence.rankings import Rankings
from betterthan.evidence.tally import Tally
from betterthan.findings.resampling import FIXED_UNITS
from betterthan.reduce.buckets import BUCKETS, MANY, HashedUnits
from betterthan.reduce.games import Games, line_up
from betterthan.reduce.orders import Orders, keep_orders
from betterthan.reduce.pairs import PairCounts, count_pairs, totals
from betterthan.spelling import option


@dataclass(frozen=True, kw_only=True)
class JudgedSet(DataSet):
    """Judgments of one data set."""

    judgments: Judgments
    rankings: Rankings | None = None
    buckets: int | None = None  # into which many units go; None: some thousands, 0: none

    @classmethod
    def of(cls, evidence: Judgments | Rankings, title: str, unit: str | None, *, units: bool) -> "JudgedSet":
        """Take judgments as they are, and all pairs of rankings; without `units` every judgment is one."""
        rankings = evidence if isinstance(evidence, Rankings) else None
        judgments = evidence.to_judgments() if isinstance(evidence, Rankings) else evidence
        chosen = unit or (default_unit(judgments) if units else "row")
        return cls(title=title, unit=chosen, judgments=judgments, rankings=rankings)

    @property
    def kind(self) -> str:
        """What people brought."""
        return "rankings" if self.rankings else "judgments"

    @property
    def name(self) -> str:
        """What to call the evidence in a message."""
        return self.judgments.table.name

    @property
    def other_units(self) -> dict[str, int]:
        """What repeats too, and is not the unit, with its number."""
        chosen = self.unit.split("+")
        if {"item", "judge"} & set(self.judgments.units) <= set(chosen):
            return {}
        return {unit: size for unit, size in _repeated(self.judgments).items() if unit not in chosen}

    @cached_property
    def by(self) -> tuple[str, ...]:
        """The columns that keep units apart."""
        by = () if self.unit == "row" else tuple(self.unit.split("+"))
        # Units of one judgment each are the judgments themselves, and those need no table of units.
        roles = self.judgments.roles
        single = len(by) == 1 and by[0] in roles and not self.judgments.counts and "weight" not in roles
        return () if single and self.judgments.one_each(by[0]) else by

    @cached_property
    def hashed(self) -> int:
        """Into how many buckets units are put, 0 where each stays by itself: where they are few, or rows lack them."""
        judgments = self.judgments
        if not self.by or self.buckets == 0:
            return 0
        if not set(self.by) <= set(judgments.units):
            return 0  # whoever keeps units one by one says which column is missing
        if max(judgments.unit_sizes[unit] for unit in self.by) <= self._limit:
            return 0
        # Rows without a unit are refused and counted by those who keep units one by one.
        return 0 if judgments.on_error == "skip" and judgments.lack(self.by) else self.buckets or BUCKETS

    @property
    def _limit(self) -> int:
        """So many units or fewer are kept one by one."""
        return self.buckets or MANY

    def in_buckets(self, buckets: int | None) -> "JudgedSet":
        """Return the same judgments with their units in so many buckets."""
        return self if buckets == self.buckets else replace(self, buckets=buckets)

    def account(self, order: Order | None = None, *, units: bool = True) -> Account:
        """Say what became of the rows."""
        return self.rankings.account if self.rankings else self._tally(order, units=units).account

    def order_of(self, wanted: str) -> Order | None:
        """Return the order of the file or of the time column; rankings have no time."""
        if wanted == "time" and self.rankings:
            raise EvidenceError("rankings have no time column to order by. Use order=file, the order of the rankings.")
        if wanted == "auto":
            return "time" if "time" in self.judgments.roles else "file"
        return {"file": "file", "time": "time"}.get(wanted)  # type: ignore[return-value]

    def tally(self, order: Order | None = None, *, units: bool = True) -> Tally:
        """Return the judgments, distinct ones in an order of their own, or in the order asked for."""
        by = self.by if units else ()
        return self.made(("tally", by, order), lambda: self.judgments.tally(*by, order=order))

    def _tally(self, order: Order | None, *, units: bool) -> Tally:
        """Return judgments to be counted: in the order of the file, if those are there, so that rows are read once."""
        units = units and not (order is None and self.hashed)
        by = self.by if units else ()
        return self.tally("file" if order is None and ("tally", by, "file") in self.made else order, units=units)

    def pairs(self, order: Order | None = None, *, units: bool = True) -> PairCounts:
        """Return the outcomes of every pair that met; the order of the file changes none, that of time may."""
        by, kept = self.by if units else (), None if order == "file" else order
        if by and kept is None and self.hashed:
            return self.made(("pairs", by, self.hashed), lambda: self._hashed_pairs(by))
        return self.made(("pairs", by, kept), lambda: count_pairs(self._tally(kept, units=units), by))

    def _hashed_pairs(self, by: tuple[str, ...]) -> PairCounts:
        """Count pairs without their units, which the engine keeps until an estimate is known."""
        counts = count_pairs(self.tally(units=False))
        sizes = tuple(self.judgments.unit_sizes[unit] for unit in by)
        exact = lambda: self.made(("exact", by), lambda: count_pairs(self.tally(), by)).units  # noqa: E731
        units = HashedUnits(
            "+".join(by), by, sizes, self.hashed, self._limit, self.judgments, (counts.first, counts.second), exact
        )
        return replace(counts, units=units)

    def statistic(self, kind: type[Any], wanted: str = "average", *, units: bool = True) -> Any:
        """Return a statistic of a kind, None where this evidence has none."""
        order = self.order_of(wanted)
        if kind is PairCounts:
            return self.pairs(order, units=units)
        if kind is Orders and self.rankings is not None:
            by = (self.by if units else ()) or ("ranking",)
            rankings = self.rankings
            return self.made(("orders", by), lambda: keep_orders(rankings, by))
        if kind is Games:
            by = self.by if units else ()
            ordered = order is not None
            make = lambda: line_up(self.tally(order, units=units), by, in_order=ordered)  # noqa: E731
            return self.made(("games", by, order), make)
        return None

    def conversion(self, statistic: Any) -> str:
        """Say how what people brought became a statistic."""
        if self.rankings is None:
            return self.judgments.conversion
        to_pairs = "" if isinstance(statistic, Orders) else "rankings->pairs"
        return "; ".join(filter(None, [self.rankings.conversion, to_pairs]))

    def summary(self, order: Order | None = None, *, units: bool = True) -> EvidenceSummary:
        """Return the evidence in numbers."""
        pairs, account = self.pairs(order, units=units), self.account(order, units=units)
        decided, tied = totals(pairs.outcomes)
        tally = self._tally(order, units=units)
        return EvidenceSummary(
            kind=self.kind,
            rows=account.read,
            refused=account.refused,
            systems=pairs.size,
            judgments=tally.number,
            effective=tally.effective,
            wins=decided,
            ties=tied,
            digest=pairs.digest(),
            # Nobody waits for items and judges of many rows to be counted who does not need them.
            units=self.judgments.unit_sizes if units or account.read < MANY_ROWS else {},
        )

    def settled(self, unit: str | None, tolerance: float) -> "JudgedSet":
        """Return the same judgments with another unit; ties of scores they have none."""
        if tolerance:
            raise without_tolerance(self.kind)
        return self if unit in {None, self.unit} else replace(self, unit=unit)


def default_unit(judgments: Judgments) -> str:
    """Return what is dependent where nobody says: items and judges, crossed where both repeat.

    A few items or judges are no sample of others: they are taken as given, and a finding says so.
    """
    least = FIXED_UNITS.thresholds["least"]
    repeated = [unit for unit, size in _repeated(judgments).items() if size >= least]
    return "+".join(repeated) or ("ranking" if "ranking" in judgments.units else "row")


def _repeated(judgments: Judgments) -> dict[str, int]:
    """Return how many items and judges there are, where some have several judgments (or rankings)."""
    named = [unit for unit in ("item", "judge") if unit in judgments.units]
    if not named:
        return {}
    sizes = judgments.unit_sizes
    whole = sizes.get("ranking", judgments.rows)
    return {unit: sizes[unit] for unit in named if judgments.counts or sizes[unit] < whole}


def without_tolerance(kind: str) -> PlanError:
    """Return the refusal of a tolerance, which makes ties of scores, for other evidence."""
    return PlanError(f"{option('tolerance')} is for scores, but this evidence is {kind}", remedy="Leave it out.")
