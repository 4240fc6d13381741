"""A data set of judgments."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, Self

import numpy as np

from betterthan.base import PlanError, spelling
from betterthan.datasets.data_set import DataSet
from betterthan.datasets.evidence_summary import EvidenceSummary
from betterthan.datasets.statistics.games import Games
from betterthan.datasets.statistics.gold_judgments import GoldJudgments
from betterthan.datasets.statistics.pair_counts import PairCounts, totals
from betterthan.datasets.units.units import BUCKETS, MANY
from betterthan.evidence import ABSENT, Account, Judgments, Order, Rankings, Tally
from betterthan.findings import kinds

#: Items and judges of more rows are counted only where they are needed.
_MANY_ROWS = 1_000_000


@dataclass(frozen=True, kw_only=True)
class JudgedSet(DataSet):
    """Judgments of one data set."""

    kind: ClassVar[str] = "judgments"
    default_scale: ClassVar[str] = "elo"  # as arenas and shared tasks publish
    pairwise: ClassVar[bool] = True
    independent_unit: ClassVar[str] = "row"
    single_units: ClassVar[str] = "item, judge, ranking, row"

    judgments: Judgments
    buckets: int | None = None  # into which many units go; None: some thousands, 0: none

    @classmethod
    def of(
        cls,
        evidence: Judgments | Rankings,
        title: str,
        unit: str | None,
        fixed: tuple[str, ...] = (),
        *,
        units: bool,
    ) -> "JudgedSet":
        """Take judgments as they are, and all pairs of rankings; without `units` every judgment is one."""
        judgments = evidence.to_judgments() if isinstance(evidence, Rankings) else evidence
        chosen = unit or (default_unit(judgments, fixed) if units else "row")
        if isinstance(evidence, Rankings):
            from betterthan.datasets.ranked_data import RankedSet  # noqa: PLC0415 (judgments are loaded without it)

            made: JudgedSet = RankedSet(title=title, unit=chosen, fixed=fixed, judgments=judgments, rankings=evidence)
        else:
            made = cls(title=title, unit=chosen, fixed=fixed, judgments=judgments)
        made.need_random(chosen)
        for name in fixed:
            if name not in judgments.units:
                raise PlanError(
                    f"{spelling.option('fixed', name)}: these {evidence.kind} name no {name}s",
                    remedy="Leave it out."
                    if name in {"run", "group"}
                    else f"Name their column with {spelling.option(name)}, or leave it out.",
                )
        return made

    @property
    def name(self) -> str:
        """The name of the evidence in messages."""
        return self.judgments.table.name

    @property
    def named_units(self) -> tuple[str, ...]:
        """The units that columns name: ranking, item and judge."""
        return self.judgments.units

    @property
    def independent(self) -> bool:
        """Whether every judgment is its own unit."""
        return not self.by

    @property
    def roles(self) -> Mapping[str, str]:
        """The columns by their role."""
        return self.judgments.roles

    @property
    def columns(self) -> Iterable[str]:
        """All columns."""
        return self.judgments.table.columns

    @property
    def spare_columns(self) -> tuple[str, ...]:
        """Columns that have no role, none of rankings."""
        return () if self.reading is None or not self.pairwise else self.reading.ignored

    @property
    def ordered(self) -> bool:
        """Whether the judgments have an order."""
        return self.judgments.ordered

    @property
    def sequential(self) -> bool:
        """Whether pairs can be decided while judgments come in: they can."""
        return True

    @property
    def given_units(self) -> dict[str, int]:
        """Further repeating units that are not resampled, with their numbers."""
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
        """The number of buckets for units, 0 where each unit is separate: units are few, or rows lack them."""
        judgments = self.judgments
        if not self.by or self.buckets == 0:
            return 0
        if not set(self.by) <= set(judgments.units):
            return 0  # the code that stores units one by one says which column is missing
        if max(judgments.unit_sizes[unit] for unit in self.by) <= self._limit:
            return 0
        # Rows without a unit are refused and counted where units are stored one by one.
        return 0 if judgments.on_error != "refuse" and judgments.lack(self.by) else self.buckets or BUCKETS

    @property
    def _limit(self) -> int:
        """At most this many units are stored one by one."""
        return self.buckets or MANY

    def without_few_units(self, least: float) -> Self:
        """Return the same judgments without the units of which there are fewer than `least`: those are given."""
        sizes = self.judgments.unit_sizes
        kept = "+".join(unit for unit in self.unit.split("+") if sizes.get(unit, least) >= least)
        return self.settled(kept or ("ranking" if "ranking" in self.judgments.units else "row"), 0.0)

    def in_buckets(self, buckets: int | None) -> Self:
        """Return the same judgments with their units in that many buckets."""
        return self if buckets == self.buckets else replace(self, buckets=buckets)

    def account(self, order: Order | None = None, *, units: bool = True) -> Account:
        """Return the row account."""
        return self._tally(order, units=units).account

    def order_of(self, wanted: str) -> Order | None:
        """Return the order of the file or of the time column."""
        if wanted == "auto":
            return "time" if "time" in self.judgments.roles else "file"
        return {"file": "file", "time": "time"}.get(wanted)  # type: ignore[return-value]

    def tally(self, order: Order | None = None, *, units: bool = True) -> Tally:
        """Return the judgments: distinct ones in a fixed order, or single ones in the requested order."""
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
        return self.made(("pairs", by, kept), lambda: PairCounts.of(self._tally(kept, units=units), by))

    def _hashed_pairs(self, by: tuple[str, ...]) -> PairCounts:
        """Count pairs without their units, which the engine keeps until an estimate is known."""
        from betterthan.datasets.units.hashed_units import HashedUnits  # noqa: PLC0415 (for many units)

        counts = PairCounts.of(self.tally(units=False))
        sizes = tuple(self.judgments.unit_sizes[unit] for unit in by)
        exact = lambda: self.made(("exact", by), lambda: PairCounts.of(self.tally(), by)).units  # noqa: E731
        units = HashedUnits(
            "+".join(by), by, sizes, self.hashed, self._limit, self.judgments, (counts.first, counts.second), exact
        )
        return replace(counts, units=units)

    def statistic(self, kind: type[Any], wanted: str = "average", *, units: bool = True) -> Any:
        """Return a statistic of a kind, None where this evidence has none."""
        order = self.order_of(wanted)
        if kind is PairCounts:
            return self.pairs(order, units=units)
        if kind is GoldJudgments:
            by = self.by if units else ()
            return self.made(("gold", by), lambda: self._gold(by)) if self.labelled else None
        if kind is Games:
            by = self.by if units else ()
            ordered = order is not None
            make = lambda: Games.of(self.tally(order, units=units), by, in_order=ordered)  # noqa: E731
            return self.made(("games", by, order), make)
        return None

    @property
    def labelled(self) -> bool:
        """Whether people made some of the judgments as well, which correct those of a machine."""
        return self.judgments.labelled

    @property
    def default_intervals(self) -> str:
        """How intervals are computed by default: resamples would need labels of other judgments."""
        return "analytic" if self.labelled else "bootstrap"

    @property
    def digest(self) -> str:
        """A short digest of the data, with the labels where there are any."""
        if not self.labelled:
            return self.pairs().digest()
        labels: GoldJudgments = self.statistic(GoldJudgments)
        return labels.digest()

    def pairs_by_people(self) -> PairCounts:
        """Return the outcomes of every pair by people, of the judgments that they made as well."""
        tally, people = self.judgments.with_labels(*self.by)
        rows = np.flatnonzero(people != ABSENT)
        return PairCounts.of(replace(tally.take(rows), outcome=people[rows]), self.by)

    def _gold(self, by: tuple[str, ...]) -> GoldJudgments:
        tally, people = self.judgments.with_labels(*by)
        return GoldJudgments.of(tally, people, by)

    def conversion(self, statistic: Any, *, instead: bool = False) -> str:
        """Describe the conversion to a statistic; a model of rankings takes a judgment as a ranking of two."""
        return "judgments->rankings" if instead and isinstance(statistic, PairCounts) else self.judgments.conversion

    def default_models(self, ci: str, unit: str | None) -> str:
        """Return the default model, for any intervals and unit."""
        del ci, unit
        return "corrected-bradley-terry" if self.labelled else "bradley-terry"

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
            digest=self.digest if self.labelled else pairs.digest(),
            # Counting items and judges of many rows is deferred until it is needed.
            units=self.judgments.unit_sizes if units or account.read < _MANY_ROWS else {},
        )

    def settled(self, unit: str | None, tolerance: float) -> Self:
        """Return the same judgments with another unit; ties of scores they have none."""
        if tolerance:
            raise without_tolerance(self.kind)
        return self if unit is None or unit == self.unit else replace(self, unit=self.need_random(unit))


def default_unit(judgments: Judgments, fixed: tuple[str, ...] = ()) -> str:
    """Return the default unit: items and judges, crossed where both repeat, but for those that are taken as given.

    A few items or judges are no sample of others: they are taken as given, and a finding says so.
    """
    least = kinds.resampling.FIXED_UNITS.thresholds["least"]
    repeated = [unit for unit, size in _repeated(judgments).items() if size >= least and unit not in fixed]
    return "+".join(repeated) or ("ranking" if "ranking" in judgments.units and "ranking" not in fixed else "row")


def _repeated(judgments: Judgments) -> dict[str, int]:
    """Return the numbers of items and judges with several judgments (or rankings)."""
    named = [unit for unit in ("item", "judge") if unit in judgments.units]
    if not named:
        return {}
    sizes = judgments.unit_sizes
    whole = sizes.get("ranking", judgments.rows)
    return {unit: sizes[unit] for unit in named if judgments.counts or sizes[unit] < whole}


def without_tolerance(kind: str) -> PlanError:
    """Return the refusal of a tolerance, which makes ties of scores, for other evidence."""
    return PlanError(
        f"{spelling.option('tolerance')} is for scores, but this evidence is {kind}", remedy="Leave it out."
    )
