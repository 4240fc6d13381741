"""DuckDB connections, configured in one place (no network, no extensions, only the given paths), and their queries."""

import re
import secrets
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb
from numpy.typing import NDArray

from betterthan.engine.duckdb.sql import literal, quote_name

#: What holds from the beginning: nothing is installed or loaded that a file's content asks for.
_CONFIGURED = {
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
    "allow_community_extensions": "false",
    "allow_unsigned_extensions": "false",
    "preserve_insertion_order": "true",  # rows keep their order where it is needed
    # Joins run as they are written, rows first: of text files DuckDB expects 42 rows, and would hold all of them.
    "disabled_optimizers": "join_order,build_side_probe_side",
}


def connect(database: str = ":memory:", *, read_only: bool = False, spilled: Path | None = None) -> Any:
    """Open DuckDB without extensions of others; `lock_up` takes the rest of the machine away as well.

    It takes at most four fifths of the memory and as many threads as there are cores. It spills to the folder
    `spilled`, by default one among the temporary files, not to the working directory.
    """
    # DuckDB makes the folder when it needs it, and removes it when the connection is closed; a name that can be guessed
    # could be taken before.
    folder = spilled or Path(tempfile.gettempdir()) / f"betterthan-{secrets.token_hex(8)}"
    return duckdb.connect(database, read_only=read_only, config={**_CONFIGURED, "temp_directory": str(folder)})


def lock_up(connection: Any, paths: Sequence[str]) -> Any:
    """Leave a connection nothing but these files, for good, and return it."""
    # In a notebook without ipywidgets the bar is off, and DuckDB refuses to hear of it.
    ((bar,),) = connection.execute("SELECT current_setting('enable_progress_bar')").fetchall()
    if bar:
        connection.execute("SET enable_progress_bar = false")
    allowed = ", ".join(map(literal, dict.fromkeys(paths)))
    connection.execute(
        f"SET allowed_paths = [{allowed}]; SET enable_external_access = false; SET lock_configuration = true"
    )
    return connection


@contextmanager
def disk_errors() -> Iterator[None]:
    """Convert DuckDB's disk errors to those of the operating system."""
    try:
        yield
    except (duckdb.IOException, duckdb.TransactionException) as error:  # a commit that fails is of the second kind
        reasons = re.findall(r": ([A-Z][a-z]+(?: [a-z]+)+)", str(error))  # "No space left on device" is the last
        raise OSError(reasons[-1] if reasons else "the disk refused it") from None


def make_table_of_texts(connection: Any, table: str, columns: Sequence[str]) -> None:
    """Make an empty table of texts in a database."""
    connection.execute(f"CREATE TABLE {table} ({', '.join(f'{quote_name(name)} VARCHAR' for name in columns)})")


@dataclass(frozen=True)
class Ask:
    """A query interface for one thread."""

    run: Callable[[str], Any]
    relation: Callable[[str], Any]  # nothing runs before its rows are requested

    def __call__(self, sql: str) -> Any:
        """Run SQL, and return what its rows are fetched from."""
        return self.run(sql)

    def parts(self, sql: str, columns: Mapping[str, str]) -> Iterator[dict[str, NDArray[Any]]]:
        """Yield rows part by part: columns of whole numbers, with their NumPy types."""
        from betterthan.engine.duckdb.arrow_stream import parts  # noqa: PLC0415 (few ask for so many rows)

        return parts(self.relation(sql), columns)
