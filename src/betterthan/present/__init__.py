"""Renderers: finished tables and pictures in, text and files out. They compute nothing."""

from typing import TYPE_CHECKING

from betterthan.base import lazy_exports

if TYPE_CHECKING:
    from betterthan.present import atomic_files as atomic_files
    from betterthan.present import digits as digits
    from betterthan.present import json_document as json_document
    from betterthan.present import pictures as pictures
    from betterthan.present import table as table
    from betterthan.present.json_document import Holds as Holds
    from betterthan.present.pictures.picture import FORMATS as FORMATS
    from betterthan.present.pictures.picture import Picture as Picture
    from betterthan.present.pictures.picture import altair as altair
    from betterthan.present.pictures.picture import short as short
    from betterthan.present.pictures.picture import whole_numbers as whole_numbers
    from betterthan.present.pictures.tiers import tiers_of as tiers_of
    from betterthan.present.table import Column as Column
    from betterthan.present.table import Table as Table
    from betterthan.present.table import chance as chance
    from betterthan.present.table import in_blocks as in_blocks
    from betterthan.present.table import wrapped as wrapped

__getattr__, __dir__ = lazy_exports(
    __name__,
    {
        "atomic_files": "*",
        "digits": "*",
        "json_document": "* Holds",
        "pictures": "*",
        "pictures.picture": "FORMATS Picture altair short whole_numbers",
        "pictures.tiers": "tiers_of",
        "table": "* Column Table chance in_blocks wrapped",
    },
)
