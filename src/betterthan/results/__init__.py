"""Results: one base class with every renderer and file format."""

from typing import TYPE_CHECKING

from betterthan.base import lazy_exports

if TYPE_CHECKING:
    from betterthan.results.data_frames import pandas_frame as pandas_frame
    from betterthan.results.result import ENDINGS as ENDINGS
    from betterthan.results.result import FORMATS as FORMATS
    from betterthan.results.result import Detail as Detail
    from betterthan.results.result import Result as Result
    from betterthan.results.result import findings_text as findings_text
    from betterthan.results.result import format_of_file as format_of_file
    from betterthan.results.result import text_width as text_width

__getattr__, __dir__ = lazy_exports(
    __name__,
    {
        "data_frames": "pandas_frame",
        "result": "Detail ENDINGS FORMATS Result findings_text format_of_file text_width",
    },
)
