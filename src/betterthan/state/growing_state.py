"""Growing judgments, stored as counts, so that new ones are added without reading old ones."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from betterthan.base import EvidenceError, FloatArray, IntArray, Memo, spelling
from betterthan.engine import Coded, Condition, MemoryTable, OnError, Table, bucket_sums
from betterthan.evidence import LEFT, RIGHT, TIE, UNITS, Account, Judgments, Order, Refusal, Tally
from betterthan.options import Plan
from betterthan.readers import as_evidence

#: Outcomes as they are kept, and their codes among sorted words.
WORDS = {"left": LEFT, "tie": TIE, "right": RIGHT}
_CODES = np.array([sorted(WORDS).index(word) for word in WORDS])
#: Odd numbers that mix the columns of a row into one.
_MIX, _AGAIN = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xBF58476D1CE4E5B9)

Hashes = NDArray[np.uint64]


class Added(NamedTuple):
    """One addition: its name, a digest independent of row order, and its size."""

    name: str
    digest: str
    rows: int
    judgments: float


class Start(NamedTuple):
    """The last strengths of a model, from which the next fit starts."""

    strength: Mapping[str, float]
    parameters: Mapping[str, float]


@dataclass(frozen=True)
class Base:
    """A file with judgments, and the data to check that it is unchanged."""

    path: Path
    stamp: tuple[int, ...]

    @classmethod
    def of(cls, path: Path) -> "Base":
        """Inspect a file."""
        return cls(path, _stamp(path))

    def need_same(self) -> None:
        """Refuse a file that someone else has replaced."""
        if not self.path.is_file() or _stamp(self.path) != self.stamp:
            raise EvidenceError(
                "the state was changed while it was in use", where=str(self.path), remedy="Load it and add again."
            )


@dataclass(frozen=True)
class KnownJudgments:
    """Everything known about judgments except the judgments themselves."""

    table: Table
    tally: Tally  # distinct judgments, without their units
    units: Mapping[str, Hashes]  # sorted hashes of the names of every unit
    added: tuple[Added, ...]
    words: Mapping[str, int]  # what the user's own words for outcomes mean
    plan: Plan | None = None
    starts: Mapping[str, Start] = field(default_factory=dict)
    #: The parts of which the table is made, oldest first.
    parts: tuple[Callable[[], Mapping[str, Coded]], ...] = ()
    base: "Base | None" = None  # the file that the first part is in


class Together(Mapping[str, Coded]):
    """Columns of several parts, concatenated on first use."""

    def __init__(self, names: Sequence[str], parts: Sequence[Callable[[], Mapping[str, Coded]]]) -> None:
        self._names, self._parts, self._once = tuple(names), tuple(parts), Memo()

    def __getitem__(self, name: str) -> Coded:
        """Return a whole column."""
        if name not in self._names:
            raise KeyError(name)
        return self._once(name, lambda: _joined([part()[name] for part in self._parts]))

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


@dataclass(frozen=True, repr=False, eq=False)
class State(Judgments):
    """Judgments to which others are added; ranking them equals ranking all at once.

    Models that are fitted to pair counts need no old judgment again; intervals by item or judge do.

    >>> state = State.of([("owl", "yak", "a"), ("owl", "yak", "b")]).add([("elk", "yak", "a")])
    >>> print(state)
    3 judgments · 3 systems · 0 % ties · 0 refused
    """

    known: KnownJudgments = field(kw_only=True, compare=False)

    @property
    def grows(self) -> bool:
        """Whether judgments can be added: always."""
        return True

    @classmethod
    def of(cls, source: Any) -> "State":
        """Take judgments, or what can be read as judgments.

        Parameters
        ----------
        source : judgments, path, data frame, list or dict
            Judgments, or anything that can be read as judgments.

        Returns
        -------
        State
            The judgments as a state.
        """
        evidence = as_evidence(source)
        if isinstance(evidence, State):
            return evidence
        return cls._made(_part_of(evidence), None, evidence)

    def add(self, source: Any, *, again: bool = False) -> "State":
        """Return these judgments and new ones; duplicates are refused, unless `again` allows them.

        Outcomes of the new ones are read by the words that the known ones were read by.

        Parameters
        ----------
        source : judgments, path, data frame, list or dict
            The new judgments.
        again : bool, default False
            Add judgments even if they were added before.

        Returns
        -------
        State
            All judgments.
        """
        evidence = as_evidence(source)
        known = self.known
        if isinstance(evidence, Judgments):
            if evidence.outcomes and dict(evidence.outcomes) != dict(known.words):
                raise EvidenceError(
                    f"{spelling.option('outcomes')} differs from that of the known judgments",
                    where=evidence.name,
                    remedy="Leave it out: the known one is used. To change it, begin another state.",
                )
            evidence = replace(evidence, outcomes=known.words) if known.words else evidence
        part = _part_of(evidence)
        _refuse_other_columns(part.columns, self.roles, self.counts, evidence.name)
        earlier = next((each for each in known.added if each.digest == part.digest), None)
        if earlier is not None and not again:
            raise EvidenceError(
                f"these {earlier.judgments:,.0f} judgments were added already, as {earlier.name}",
                where=evidence.name,
                remedy=f"Leave them out. To count the same judgments twice, pass {spelling.option('again', True)}.",
            )
        return self._made(part, known, evidence)

    @classmethod
    def _made(cls, part: "_Part", known: KnownJudgments | None, evidence: Any) -> "State":
        names, parts = tuple(part.columns), (*(known.parts if known else ()), lambda: part.columns)
        tally = part.tally if known is None else _merged(known.tally, part.tally)
        units = {
            unit: hashes if known is None else _inserted(known.units[unit], hashes)
            for unit, hashes in part.units.items()
        }
        name = evidence.name if known is None else f"{known.table.name} and {evidence.name}"
        skipped = evidence.on_error != "refuse" or tally.account.refused > 0
        skipping: OnError = "skip-most" if tally.account.refused > tally.account.kept else "skip"
        table = MemoryTable(name, Together(names, parts))
        added = Added(evidence.name, part.digest, part.tally.account.read, part.tally.number)
        after = KnownJudgments(
            table,
            tally,
            units,
            (*(known.added if known else ()), added),
            evidence.outcomes if known is None else known.words,
            None if known is None else known.plan,
            {} if known is None else known.starts,
            parts,
            None if known is None else known.base,
        )
        return cls.over(after, reading=evidence.reading, on_error=skipping if skipped else "refuse")

    @classmethod
    def over(cls, known: KnownJudgments, **facts: Any) -> "State":
        """Make the judgments of what is known.

        Parameters
        ----------
        known : Known
            Counts and judgments so far.
        **facts : object
            Further fields of the state.

        Returns
        -------
        State
            The state.
        """
        columns = known.table.columns
        roles = {name: name for name in columns if name in {"left", "right", "outcome", "weight", *UNITS}}
        counts = ("count",) if "count" in columns else ()
        return cls(known.table, roles, counts, WORDS, known=known, **facts)

    def changed(self, **facts: Any) -> "State":
        """Return the same judgments with something else known, such as a plan.

        Parameters
        ----------
        **facts : object
            Facts that change, such as `plan`.

        Returns
        -------
        State
            The changed state.
        """
        return replace(self, known=replace(self.known, **facts))

    def without(self, *systems: str) -> Judgments:
        """Return the judgments in which none of these systems takes part, such as one that was withdrawn.

        Parameters
        ----------
        *systems : str
            Systems to leave out.

        Returns
        -------
        Judgments
            The remaining judgments.
        """
        unknown = sorted(set(systems) - set(self.systems))
        if unknown:
            raise EvidenceError(f"no system is called {unknown[0]!r}", where=self.name)
        conditions = [Condition(side, "not in", systems) for side in ("left", "right")]
        table = self.table.where(conditions)
        return Judgments(table, self.roles, self.counts, WORDS, self.on_error, reading=self.reading)

    @property
    def added(self) -> tuple[Added, ...]:
        """The additions, oldest first."""
        return self.known.added

    @property
    def _whole(self) -> bool:
        """Whether this is the complete table, not one narrowed by a verb."""
        return self.table is self.known.table

    def _tally(self, by: tuple[str, ...], order: Order | None, numbers: tuple[str, ...]) -> Tally:
        if not self._whole:
            return super()._tally(by, order, numbers)
        if not by and order is None and not numbers:
            return self.known.tally
        return replace(super()._tally(by, order, numbers), account=self.known.tally.account)

    @property
    def _unique(self) -> tuple[int, ...]:
        if not self._whole:
            return super()._unique
        return self.known.tally.account.read, *(len(self.known.units[unit]) for unit in self.units)

    @property
    def unit_sizes(self) -> dict[str, int]:
        """How many distinct rankings, items and judges are known."""
        return dict(zip(self.units, self._unique[1:], strict=True)) if self._whole else super().unit_sizes


class _Part(NamedTuple):
    """New judgments: their stored columns, the distinct ones, and the names of their units."""

    columns: Mapping[str, Coded]
    tally: Tally
    units: Mapping[str, Hashes]
    digest: str


def _part_of(evidence: Any) -> _Part:
    """Check judgments and put them into the columns that are kept; rows without units are kept as counts."""
    _refuse_other_kinds(evidence)
    units = evidence.units
    one_by_one = bool(units) and not evidence.counts
    tally = evidence.tally(*units, order="file" if one_by_one and evidence.ordered else None)
    if tally.part is not None:
        raise EvidenceError(
            "an outcome is a share for each side, which a state does not keep",
            where=evidence.name,
            remedy="Rank all files at once instead.",
        )
    plain = _folded(replace(tally, units={}, numbers={}))
    rows = tally if units else plain
    if one_by_one:
        rows = rows.take(np.repeat(np.arange(len(rows.left)), rows.times.astype(np.int64)))
    columns = {
        "left": Coded(rows.left, rows.systems),
        "right": Coded(rows.right, rows.systems),
        "outcome": Coded(_CODES[rows.outcome], tuple(sorted(WORDS))),
        **{unit: rows.units[unit] for unit in units},
    }
    if "weight" in evidence.roles:
        columns["weight"] = Coded.of(rows.weight.tolist())
    if not one_by_one:
        columns["count"] = Coded.of(rows.times.tolist())
    hashes = {
        name: np.array([*map(bucket_sums.hashed, column.labels), 0], dtype=np.uint64)
        for name, column in columns.items()
    }
    return _Part(
        columns,
        plain,
        {unit: np.unique(hashes[unit][:-1]) for unit in units},
        _digest([hashes[name][columns[name].codes] for name in sorted(columns)]),
    )


def _stamp(path: Path) -> tuple[int, ...]:
    about = path.stat()
    return about.st_ino, about.st_size, about.st_mtime_ns


def _refuse_other_kinds(evidence: Any) -> None:
    kinds = {"dataset": "several data sets", "propensity": "weights that depend on all judgments (propensity)"}
    if not isinstance(evidence, Judgments):
        raise EvidenceError(
            f"a state is of judgments, but this evidence is {evidence.kind}",
            where=evidence.name,
            remedy="Rank all files at once instead.",
        )
    for role, what in kinds.items():
        if role in evidence.roles:
            raise EvidenceError(
                f"a state does not keep {what}", where=evidence.name, remedy="Rank all files at once instead."
            )


def _refuse_other_columns(
    columns: Mapping[str, Coded], roles: Mapping[str, str], counts: Sequence[str], where: str
) -> None:
    """Refuse new judgments that say more or less of every judgment than the known ones."""
    known, found = {*roles, *counts}, set(columns)
    for lacking, what in (
        (known - found, "has no column of {}s, but the known judgments have one"),
        (found - known, "has a column of {}s, but the known judgments have none"),
    ):
        if lacking:
            role = min(lacking)
            raise EvidenceError(
                what.format(role),
                where=where,
                remedy="Name the same columns for every file, or begin another state.",
            )


def _digest(columns: Sequence[Hashes]) -> str:
    """Return a digest of rows that does not depend on their order: a sum of what their columns are mixed to."""
    mixed = np.zeros(len(columns[0]), dtype=np.uint64)
    for column in columns:
        mixed = (mixed ^ column) * _MIX
        mixed = (mixed ^ (mixed >> np.uint64(29))) * _AGAIN
    return f"{len(mixed):x}-{int(np.sum(mixed, dtype=np.uint64)):016x}"


def _joined(columns: Sequence[Coded]) -> Coded:
    """Put columns one after the other, with the labels of all."""
    if len(columns) == 1:
        return columns[0]
    labels = sorted({label for column in columns for label in column.labels})
    place = dict(zip(labels, range(len(labels)), strict=True))
    codes = [np.array([*(place[each] for each in column.labels), -1])[column.codes] for column in columns]
    return Coded(np.concatenate(codes), tuple(labels))


def _inserted(known: Hashes, new: Hashes) -> Hashes:
    """Insert sorted hashes that are missing: sorting a million again takes longer."""
    places = np.searchsorted(known, new)
    there = known[np.minimum(places, len(known) - 1)] == new
    return np.insert(known, places[~there], new[~there])


def _merged(known: Tally, new: Tally) -> Tally:
    """Add up two tallies without units."""
    if known.systems != new.systems:
        systems = tuple(sorted({*known.systems, *new.systems}))
        known, new = (_among(tally, systems) for tally in (known, new))
    reasons = dict.fromkeys(each.reason for tally in (known, new) for each in tally.account.refusals)
    account = Account(
        known.account.read + new.account.read,
        tuple(
            Refusal(reason, known.account.rows_refused(reason) + new.account.rows_refused(reason)) for reason in reasons
        ),
    )

    def both(name: str) -> Any:
        return np.concatenate([getattr(known, name), getattr(new, name)])

    return _folded(
        Tally(
            known.systems,
            both("left"),
            both("right"),
            both("outcome"),
            both("weight"),
            both("times"),
            {},
            account,
        )
    )


def _among(tally: Tally, systems: tuple[str, ...]) -> Tally:
    """Return a tally whose codes are those among more systems."""
    place = {name: code for code, name in enumerate(systems)}
    codes: IntArray = np.array([place[name] for name in tally.systems])
    return replace(tally, systems=systems, left=codes[tally.left], right=codes[tally.right])


def _folded(tally: Tally) -> Tally:
    """Count equal judgments together, in a fixed order."""
    order = np.lexsort((tally.weight, tally.outcome, tally.right, tally.left))
    tally = tally.take(order)
    names = ("left", "right", "outcome", "weight")
    starts = np.flatnonzero(np.any([np.diff(getattr(tally, name), prepend=-1) != 0 for name in names], axis=0))
    times: FloatArray = np.add.reduceat(tally.times, starts)
    return replace(tally.take(starts), times=times)
