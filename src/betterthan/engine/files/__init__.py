"""Input files: paths, archives, compression, spreadsheets and encodings."""

from typing import TYPE_CHECKING

from betterthan.base import lazy_files

if TYPE_CHECKING:
    from betterthan.engine.files import archives as archives
    from betterthan.engine.files import arrow_files as arrow_files
    from betterthan.engine.files import decimal_commas as decimal_commas
    from betterthan.engine.files import decompression as decompression
    from betterthan.engine.files import hugging_face as hugging_face
    from betterthan.engine.files import input_files as input_files
    from betterthan.engine.files import json_tables as json_tables
    from betterthan.engine.files import spreadsheets as spreadsheets
    from betterthan.engine.files import tidy_tables as tidy_tables

__getattr__ = lazy_files(__name__)
