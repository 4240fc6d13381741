"""Engines for files and data frames: the only package that reads rows."""

from typing import TYPE_CHECKING

from betterthan.base import lazy_exports

if TYPE_CHECKING:
    from betterthan.engine import conditions as conditions
    from betterthan.engine import labels as labels
    from betterthan.engine.buckets import bucket_sums as bucket_sums
    from betterthan.engine.conditions import Condition as Condition
    from betterthan.engine.conditions import Where as Where
    from betterthan.engine.duckdb import connection as connection
    from betterthan.engine.duckdb.column_export import write_columns as write_columns
    from betterthan.engine.duckdb.file_table import FILE as FILE
    from betterthan.engine.duckdb.file_table import FileTable as FileTable
    from betterthan.engine.duckdb.file_table import open_files as open_files
    from betterthan.engine.duckdb.relation_table import RelationTable as RelationTable
    from betterthan.engine.files.input_files import Opening as Opening
    from betterthan.engine.files.placed_files import PlacedFile as PlacedFile
    from betterthan.engine.files.placed_files import Places as Places
    from betterthan.engine.frames.frame_table import FrameTable as FrameTable
    from betterthan.engine.frames.memory_table import MemoryTable as MemoryTable
    from betterthan.engine.table import MISSING as MISSING
    from betterthan.engine.table import Coded as Coded
    from betterthan.engine.table import Distinct as Distinct
    from betterthan.engine.table import OnError as OnError
    from betterthan.engine.table import Table as Table

__getattr__, __dir__ = lazy_exports(
    __name__,
    {
        "buckets.bucket_sums": "*",
        "conditions": "* Condition Where",
        "duckdb.column_export": "write_columns",
        "duckdb.connection": "*",
        "duckdb.file_table": "FILE FileTable open_files",
        "duckdb.relation_table": "RelationTable",
        "files.input_files": "Opening",
        "files.placed_files": "PlacedFile Places",
        "frames.frame_table": "FrameTable",
        "frames.memory_table": "MemoryTable",
        "labels": "*",
        "table": "Coded Distinct MISSING OnError Table",
    },
)
