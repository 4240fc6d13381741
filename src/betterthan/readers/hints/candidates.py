"""Readings that the columns of a table allow, the most plausible first; each is tried before anyone sees it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

from betterthan.engine import labels
from betterthan.options import ReadOptions, declared_options
from betterthan.readers.columns.direction import shared_metric
from betterthan.readers.columns.known_names import is_benchmark, mostly_systems
from betterthan.readers.columns.roles import Columns, normal
from betterthan.readers.columns.suspicious_columns import describes
from betterthan.readers.hints.called import (
    is_benchmark_or_metric,
    is_compared,
    is_person,
    is_score,
    is_surely_system,
    is_unit,
)
from betterthan.readers.hints.seen_columns import FEW_COLUMNS, SeenColumn

#: Options that name columns.
_NAMING = tuple(
    name for name, each in declared_options(ReadOptions).items() if each.about.metavar in {"COLUMN", "COLUMNS"}
)


#: Words in names of columns of ranks.
_RANKS = ("rank", "ranks", "ranking", "place", "order", "position", "best")


@dataclass(frozen=True)
class Candidate:
    """A reading that may be right: the options it changes, and what they mean."""

    changes: Mapping[str, Any]
    meaning: str


@dataclass(frozen=True, eq=False)
class Situation:
    """What candidates are made of: the columns as they were seen, their roles by name, and the options given."""

    seen: tuple[SeenColumn, ...]
    columns: Columns
    options: ReadOptions

    def role(self, role: str) -> SeenColumn | None:
        """Return the column that plays a role as given or by its name."""
        given = getattr(self.options, role, None)
        name = given if isinstance(given, str) else self.columns.role(role)
        return next((column for column in self.seen if column.name == name), None)

    def named(self, name: object) -> SeenColumn | None:
        """Return the column of this name."""
        return next((column for column in self.seen if column.name == name), None)

    @property
    def numbers(self) -> list[SeenColumn]:
        """The columns of numbers."""
        return [column for column in self.seen if column.is_number]

    @property
    def texts(self) -> list[SeenColumn]:
        """The columns of texts."""
        return [column for column in self.seen if column.number_of_values and not column.is_number]


def candidates(situation: Situation) -> Iterator[list[Candidate]]:
    """Return groups of readings: those of a later group are tried only if none of an earlier one works."""
    from betterthan.readers.hints import judged_readings, ranked_readings, scored_readings  # noqa: PLC0415 (siblings)

    yield misspelled(situation)
    if any(labels.is_numeral(column.name) for column in situation.seen):  # the first line is data
        return
    if len(situation.seen) <= FEW_COLUMNS:
        yield judged_readings.candidates(situation)
        yield [each for each in ranked_readings.candidates(situation) if _is_ranking(each, situation)]
        yield [each for each in scored_readings.long(situation) if _is_evaluation(each, situation)]
    yield [each for each in scored_readings.wide(situation) if _is_evaluation(each, situation)]


def _is_ranking(candidate: Candidate, situation: Situation) -> bool:
    """Whether a column is called like ranks: grades may be 1, 2 and 3 as well, and more of them is better."""
    rank = candidate.changes.get("rank")
    called = rank is None or not {*normal(str(rank)).split("_")}.isdisjoint(_RANKS)
    return called or rank == situation.options.rank


def _is_evaluation(candidate: Candidate, situation: Situation) -> bool:
    """Whether names show that systems were evaluated: numbers alone are in most tables, of cars or countries."""
    options = situation.options
    if options.system or options.score or options.systems or options.kind:
        return True
    if systems := list(candidate.changes.get("systems") or ()):
        item = situation.named(candidate.changes.get("item")) or situation.role("item")
        shared = shared_metric(systems)
        if mostly_systems(systems) or (shared and is_score(shared)):
            return True
        # Measurements often have categories next to them; scores have answers and other free texts.
        others = [each for each in situation.texts if not (each is item or each.is_unique or describes(each.name))]
        return item is not None and is_unit(item) and not others
    system = situation.named(candidate.changes.get("system")) or situation.role("system")
    scores = list(candidate.changes.get("score") or filter(None, [situation.columns.role("score")]))
    if candidate.changes.get("format") is not None:  # a row per system
        known = sum(map(is_benchmark_or_metric, scores))
        return 2 * known >= len(scores) or (system is not None and is_surely_system(system))
    known = sum(is_score(name) or is_benchmark(name) for name in scores)
    item = situation.named(candidate.changes.get("item")) or situation.role("item")
    tested = item is not None and is_unit(item)
    sure = system is not None and is_surely_system(system)
    compared = system is not None and is_compared(system) and len(scores) == 1
    people = item is not None and is_person(item)
    return sure or (tested and (compared or (known == len(scores) and not people)))


def misspelled(situation: Situation) -> list[Candidate]:
    """Return the options given, with the nearest columns where they name one that is absent."""
    changes: dict[str, Any] = {}
    meant = []
    for option in _NAMING:
        given = getattr(situation.options, option)
        names = [given] if isinstance(given, str) else list(given or ())
        near = [_nearest(name, situation.columns.names) for name in names]
        if None in near:
            return []
        if near != names:
            changes[option] = near[0] if isinstance(given, str) else near
            meant += [f"{right!r} for {name!r}" for name, right in zip(names, near, strict=True) if right != name]
    return [Candidate(changes, f"with {', '.join(meant)}")] if changes else []


def _nearest(name: str, names: Sequence[str]) -> str | None:
    if name in names or name == "none":
        return name
    folded = {each.casefold(): each for each in reversed(names)}
    near = get_close_matches(name.casefold(), list(folded), n=1, cutoff=0.6)
    return folded[near[0]] if near else None
