"""How DuckDB is asked: for whole answers, or for rows part by part."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from numpy.typing import NDArray


@dataclass(frozen=True)
class Ask:
    """A way to ask that no other thread uses."""

    run: Callable[[str], Any]
    relation: Callable[[str], Any]  # nothing runs before its rows are asked for

    def __call__(self, sql: str) -> Any:
        """Run SQL, and return what its rows are fetched from."""
        return self.run(sql)

    def parts(self, sql: str, columns: Mapping[str, str]) -> Iterator[dict[str, NDArray[Any]]]:
        """Yield rows part by part: columns of whole numbers, with their NumPy types."""
        from betterthan.engine.streaming import parts  # noqa: PLC0415 (few ask for so many rows)

        return parts(self.relation(sql), columns)
