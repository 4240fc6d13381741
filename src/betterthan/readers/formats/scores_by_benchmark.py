"""Systems in rows and benchmarks in columns: every benchmark is an item."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar, Literal

import numpy as np

from betterthan.base import EvidenceError, UnclearError, spelling
from betterthan.engine import MISSING, MemoryTable, Table
from betterthan.evidence import Check, Kind, Reading, Scores, ScoreTable
from betterthan.findings import kinds
from betterthan.options import ReadOptions
from betterthan.readers.builders.ranking_builder import repeats
from betterthan.readers.builders.score_tables import SCORE_REMEDY, checked, directed
from betterthan.readers.columns.direction import as_asked, less_is_better
from betterthan.readers.columns.known_names import is_benchmark, mostly_systems
from betterthan.readers.columns.metric_names import is_ambiguous
from betterthan.readers.columns.plausible_scores import plausible, without_codes
from betterthan.readers.columns.roles import Columns, normal
from betterthan.readers.columns.suspicious_columns import describes, problem, sounds_else
from betterthan.readers.columns.wide_tables import index_column, read_numbers
from betterthan.readers.format import Recognition

#: Shares and per cents are not mixed in one table.
_SCALES = 20.0
#: Columns that sum up the others.
SUMMARIES = frozenset({"average", "avg", "mean", "overall", "rank", "total", "mean_score", "average_score"})


#: Columns called so name systems; model, name and player may be cars and people.
_CERTAIN = frozenset({"system", "system_id", "system_name", "method", "algorithm"})


class BenchmarksFormat:
    """A row per system, a column per benchmark, all on comparable scales."""

    name: ClassVar[str] = "scores-by-benchmark"
    kind: ClassVar[Kind] = "scores"
    about: ClassVar[str] = "one system per row: a column of scores per benchmark"
    takes: ClassVar[Literal["table"]] = "table"
    uses: ClassVar[frozenset[str]] = frozenset({"system", "score", "lower_is_better", "missing_codes"})
    surest: ClassVar[float] = 0.65

    def recognise(self, found: Table, options: ReadOptions) -> Recognition | None:
        """Look for systems that are in one row each, with at least two columns of comparable scores."""
        columns = Columns.of(found, options, self.uses)
        system = columns.role("system", options.system)
        if system is None or options.item or options.metric or any(columns.role(role) for role in ("item", "score")):
            return None
        rows, distinct = found.unique([system])
        if rows < 2 or distinct < rows:
            return None
        benchmarks = _benchmarks(found, options, system)
        if len(benchmarks) < 2:
            return None
        if not options.score and (_reason_to_refuse(found, system, benchmarks) or _unlikely(found, system, benchmarks)):
            return None
        return Recognition(0.65, f"every row has another {system}")

    def read(self, found: Table, options: ReadOptions) -> Scores:
        """Read every column as an item."""
        asked = as_asked(options.lower_is_better)
        if not isinstance(asked, bool | None):
            raise EvidenceError(
                "benchmarks are compared with one direction",
                where=found.name,
                remedy=f"Use {spelling.option('lower_is_better', True)}, or leave benchmarks out with "
                f"{spelling.option('score')}.",
            )
        columns = Columns.of(found, options, self.uses)
        system = columns.role("system", options.system)
        if system is None:
            raise UnclearError(
                f"there is no column of systems; its columns are {columns.listed()}",
                where=found.name,
                remedy=f"Name it with {spelling.option('system')}.",
            )
        benchmarks = _benchmarks(found, options, system)
        less = _less_is_better(benchmarks, found.name) if asked is None else asked
        rows = without_codes(found.rows([system], benchmarks), options.missing_codes)
        numbers, texts = read_numbers(found, rows, benchmarks)
        check = Check(found, rows, options.on_error)
        names = rows.columns[system]
        check.refuse(
            "missing name", names.codes == MISSING, "the system's name is missing", "Every row is a system: fill it in."
        )
        check.refuse(
            "duplicate system",
            repeats(names.codes, ~check.bad),
            "the system {0} has two rows",
            "A system has one row: remove one of them.",
            [system],
        )
        for benchmark in texts:
            check.refuse(
                "bad score",
                numbers[benchmark].wrong,
                f"the score on {benchmark!r} is not a finite number",
                SCORE_REMEDY,
            )
        account = check.settle()
        kept = np.flatnonzero(~check.bad)
        kept = kept[np.argsort(names.codes[kept])]
        values = np.stack([numbers[benchmark].values[kept] for benchmark in benchmarks])
        table = ScoreTable(
            "",
            tuple(benchmarks),
            tuple(names.labels[code] for code in names.codes[kept]),
            directed(values, less),
            less,
        ).in_canonical_order(named=True)
        named = kinds.reading.LOWER_IS_BETTER.found(metrics="every benchmark", source="going by their names")
        findings = [named] if less and asked is None else []
        reading = Reading.of(self.name, {"system": system, "items": tuple(benchmarks)}, found.columns, findings)
        return plausible(checked(Scores((table,), account, found.name, reading)), options)

    def example(self, folder: Path) -> Any:
        """Return two systems on three benchmarks."""
        del folder
        return {"model": ["owl", "yak"], "MMLU": [70.5, 60.25], "GSM8K": [80.5, 82.0], "ARC": [50.5, 49.0]}


def _benchmarks(table: Table, options: ReadOptions, system: str) -> list[str]:
    if options.score:
        return list(options.score)
    index = index_column(table)
    others = {system, index}
    left = [
        name for name in table.columns if name not in others and not describes(name) and normal(name) not in SUMMARIES
    ]
    numeric = table.once(("numeric", tuple(left)), lambda: table.numeric(left) if left else ())
    numbers = [name for name, is_number in zip(left, numeric, strict=True) if is_number]
    # Next to benchmarks there are sizes, prices and times, which say nothing about quality.
    known = [name for name in numbers if is_benchmark(name)]
    if len(known) < 2:
        return numbers
    return [name for name in numbers if name in known or not (sounds_else(name) or less_is_better(name))]


def _less_is_better(benchmarks: Sequence[str], where: str) -> bool:
    """Return whether less is better on all benchmarks, by their names; refused where that differs or is unknown."""
    less = [name for name in benchmarks if less_is_better(name)]
    unknown = [name for name in benchmarks if is_ambiguous(name)]
    if unknown or 0 < len(less) < len(benchmarks):
        what = f"whether less of {unknown[0]!r} is better" if unknown else f"why less of {less[0]!r} alone is better"
        raise EvidenceError(
            f"cannot tell {what}, and benchmarks are compared with one direction",
            where=where,
            remedy=f"Choose benchmarks of one direction with {spelling.option('score')}, and say with "
            f"{spelling.option('lower_is_better')} whether less is better.",
        )
    return bool(less)


def _reason_to_refuse(table: Table, system: str, benchmarks: list[str]) -> str | None:
    """Return why columns may not be benchmarks: their names, or their scales."""
    rows = table.rows([system], benchmarks)
    return problem({name: rows.numbers[name] for name in benchmarks}, (), scales=_SCALES)


def _unlikely(table: Table, system: str, benchmarks: list[str]) -> bool:
    """Return whether nothing but a name of a column, which cars and people have as well, speaks for systems."""
    if (
        isinstance(table, MemoryTable)
        or normal(system) in _CERTAIN
        or 2 * sum(map(is_benchmark, benchmarks)) > len(benchmarks)
    ):
        return False
    return not mostly_systems(table.distinct([system]).columns[system].labels)


FORMAT = BenchmarksFormat()
