"""DuckDB, configured in one place: no network, no extensions, and no path but those it was opened for."""

import secrets
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import duckdb

from betterthan.engine.sql import literal

#: What holds from the beginning: nothing is installed or loaded that a file's content asks for.
_CONFIGURED = {
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
    "allow_community_extensions": "false",
    "allow_unsigned_extensions": "false",
    "preserve_insertion_order": "true",  # rows keep their order for those who need it
}


def connect(database: str = ":memory:", *, read_only: bool = False) -> Any:
    """Open DuckDB without extensions of others; `lock_up` takes the rest of the machine away as well.

    It takes at most four fifths of the memory, as many threads as there are cores, and spills beside other temporary
    files, not into the folder that somebody happens to be in.
    """
    # DuckDB makes the folder when it needs it, and removes it; a name that can be guessed could be taken before.
    spilled = str(Path(tempfile.gettempdir()) / f"betterthan-{secrets.token_hex(8)}")
    return duckdb.connect(database, read_only=read_only, config={**_CONFIGURED, "temp_directory": spilled})


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
