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
    from betterthan.engine.duckdb import parquet as parquet
    from betterthan.engine.duckdb.column_export import disk_errors as disk_errors
    from betterthan.engine.duckdb.column_export import write_columns as write_columns
    from betterthan.engine.duckdb.file_table import FILE as FILE
    from betterthan.engine.duckdb.file_table import FileTable as FileTable
    from betterthan.engine.duckdb.file_table import open_files as open_files
    from betterthan.engine.duckdb.json_projection import read_json_keys as read_json_keys
    from betterthan.engine.duckdb.relation_table import RelationTable as RelationTable
    from betterthan.engine.duckdb.sql import quote_name as quote_name
    from betterthan.engine.files import archives as archives
    from betterthan.engine.files import decompression as decompression
    from betterthan.engine.files.decompression import Temporaries as Temporaries
    from betterthan.engine.files.hugging_face import is_data_set as is_data_set
    from betterthan.engine.files.input_files import Opening as Opening
    from betterthan.engine.files.input_files import expand_all as expand_all
    from betterthan.engine.frames.frame_table import FrameTable as FrameTable
    from betterthan.engine.frames.memory_table import MemoryTable as MemoryTable
    from betterthan.engine.table import MANY_ROWS as MANY_ROWS
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
        "duckdb.column_export": "disk_errors write_columns",
        "duckdb.connection": "*",
        "duckdb.file_table": "FILE FileTable open_files",
        "duckdb.json_projection": "read_json_keys",
        "duckdb.parquet": "*",
        "duckdb.relation_table": "RelationTable",
        "duckdb.sql": "quote_name",
        "files.archives": "*",
        "files.decompression": "* Temporaries",
        "files.hugging_face": "is_data_set",
        "files.input_files": "Opening expand_all",
        "frames.frame_table": "FrameTable",
        "frames.memory_table": "MemoryTable",
        "labels": "*",
        "table": "Coded Distinct MANY_ROWS MISSING OnError Table",
    },
)
