"""Systems in rows and benchmarks in columns: every benchmark is an item."""

from pathlib import Path
from typing import Any, ClassVar, Literal

import numpy as np

from betterthan.engine.table import MISSING, Table
from betterthan.errors import EvidenceError
from betterthan.evidence.building import repeats
from betterthan.evidence.check import Check
from betterthan.evidence.direction import as_asked
from betterthan.evidence.doubts import describes, doubt
from betterthan.evidence.evidence import Kind
from betterthan.evidence.format import Recognition
from betterthan.evidence.reading import Reading
from betterthan.evidence.roles import Columns, normal
from betterthan.evidence.scores import Scores, ScoreTable
from betterthan.evidence.tables import SCORE_REMEDY, checked, directed
from betterthan.evidence.wide import index_column, read_numbers
from betterthan.options.read import ReadOptions
from betterthan.spelling import option

#: Shares and per cents are not mixed in one table.
_SCALES = 20.0
#: Columns that sum up the others.
_WHOLE = frozenset({"average", "avg", "mean", "overall", "rank", "total", "mean_score", "average_score"})


class BenchmarksFormat:
    """A row per system, a column per benchmark, all on comparable scales."""

    name: ClassVar[str] = "scores-by-benchmark"
    kind: ClassVar[Kind] = "scores"
    about: ClassVar[str] = "one system per row: a column of scores per benchmark"
    takes: ClassVar[Literal["table"]] = "table"
    uses: ClassVar[frozenset[str]] = frozenset({"system", "score", "lower_is_better"})
    surest: ClassVar[float] = 0.65

    def recognise(self, found: Table, options: ReadOptions) -> Recognition | None:
        """Look for systems that stand in one row each, with at least two columns of comparable scores."""
        columns = Columns.of(found, options, self.uses)
        system = columns.role("system", options.system)
        if system is None or options.item or options.metric or any(columns.role(role) for role in ("item", "score")):
            return None
        rows, distinct = found.unique([system])
        if rows < 2 or distinct < rows:
            return None
        benchmarks = _benchmarks(found, options, system)
        if len(benchmarks) < 2 or (not options.score and _doubt(found, system, benchmarks)):
            return None
        return Recognition(0.65, f"every row has another {system}")

    def read(self, found: Table, options: ReadOptions) -> Scores:
        """Read every column as an item."""
        asked = as_asked(options.lower_is_better)
        if not isinstance(asked, bool | None):
            raise EvidenceError(
                "benchmarks are compared with one direction", where=found.name,
                remedy=f"Use {option('lower_is_better', True)}, or leave benchmarks out with {option('score')}.",
            )  # fmt: skip
        columns = Columns.of(found, options, self.uses)
        system = columns.role("system", options.system)
        if system is None:
            raise EvidenceError(
                f"there is no column of systems; its columns are {columns.listed()}", where=found.name,
                remedy=f"Name it with {option('system')}.",
            )  # fmt: skip
        benchmarks = _benchmarks(found, options, system)
        rows = found.rows([system], benchmarks)
        numbers, texts = read_numbers(found, rows, benchmarks)
        check = Check(found, rows, options.on_error)
        names = rows.columns[system]
        check.refuse(
            "missing name", names.codes == MISSING, "the system's name is missing", "Every row is a system: fill it in."
        )
        check.refuse(
            "duplicate system", repeats(names.codes, ~check.bad), "the system {0} has two rows",
            "A system has one row: remove one of them.", [system],
        )  # fmt: skip
        for benchmark in texts:
            check.refuse(
                "bad score", numbers[benchmark].wrong, f"the score on {benchmark!r} is not a finite number",
                SCORE_REMEDY,
            )  # fmt: skip
        account = check.settle()
        kept = np.flatnonzero(~check.bad)
        kept = kept[np.argsort(names.codes[kept])]
        values = np.stack([numbers[benchmark].values[kept] for benchmark in benchmarks])
        table = ScoreTable(
            "", tuple(benchmarks), tuple(names.labels[code] for code in names.codes[kept]),
            directed(values, asked is True), asked is True,
        )  # fmt: skip
        reading = Reading.of(self.name, {"system": system, "items": tuple(benchmarks)}, found.columns)
        return checked(Scores((table,), account, found.name, reading))

    def example(self, folder: Path) -> Any:
        """Return two systems on three benchmarks."""
        del folder
        return {"model": ["owl", "yak"], "MMLU": [70.5, 60.25], "GSM8K": [80.5, 82.0], "ARC": [50.5, 49.0]}


def _benchmarks(table: Table, options: ReadOptions, system: str) -> list[str]:
    if options.score:
        return list(options.score)
    index = index_column(table)
    others = {system, index}
    left = [name for name in table.columns if name not in others and not describes(name) and normal(name) not in _WHOLE]
    numeric = table.once(("numeric", tuple(left)), lambda: table.numeric(left) if left else ())
    return [name for name, is_number in zip(left, numeric, strict=True) if is_number]


def _doubt(table: Table, system: str, benchmarks: list[str]) -> str | None:
    """Say why columns may not be benchmarks: what they are called, or their scales."""
    rows = table.rows([system], benchmarks)
    return doubt({name: rows.numbers[name] for name in benchmarks}, (), scales=_SCALES)


FORMAT = BenchmarksFormat()
