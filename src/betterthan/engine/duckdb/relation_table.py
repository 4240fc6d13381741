"""DuckDB relations that users provide; the rows stay in the user's connection."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import RLock
from typing import Any, NoReturn, Self

from betterthan.base import EvidenceError
from betterthan.engine.duckdb.connection import Ask
from betterthan.engine.duckdb.duck_table import DuckTable, without_zones

#: A relation does not give its connection away, which one thread at a time may use.
_ONE_AT_A_TIME = RLock()


@dataclass(frozen=True, eq=False)
class RelationTable(DuckTable):
    """A DuckDB relation."""

    relation: Any = field(repr=False)

    columnar = True

    @classmethod
    def of(cls, relation: Any) -> Self:
        """Wrap a relation as it is."""
        kinds, source = without_zones(dict(zip(relation.columns, map(str, relation.types), strict=True)), "source")
        return cls("the DuckDB relation", source, kinds, relation)

    @contextmanager
    def _asking(self) -> Iterator[Ask]:
        with _ONE_AT_A_TIME, self._translated():
            query = lambda sql: self.relation.query("source", sql)  # noqa: E731
            yield Ask(query, query)

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, _: Any) -> Self:
        return self

    def __reduce__(self) -> NoReturn:
        raise EvidenceError(
            "a DuckDB relation cannot be pickled, because it belongs to a connection of this process",
            remedy="Write it to a Parquet file and read that.",
        )
