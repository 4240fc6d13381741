"""Pickled data frames of pandas: items × systems, alone or in dictionaries by task, data set and metric."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from betterthan.base import EvidenceError, FloatArray, spelling
from betterthan.engine import PlacedFile, Places
from betterthan.evidence import Kind
from betterthan.options import ReadOptions
from betterthan.readers.pickled_frames.data_frames import PickledFrame, frames_in
from betterthan.readers.pickled_frames.pickle_stream import parse_pickle
from betterthan.readers.tool_parts.growing_columns import GrowingColumns
from betterthan.readers.tool_parts.tool_format import ToolEvidence, ToolFormat

_LARGEST = 1 << 31


class PandasPickleFormat(ToolFormat):
    """Data frames that pandas pickled, such as those of Peyrard et al. (2021), read on request only.

    The last key of a dictionary is the metric, the ones before it the data set. Nothing in the file is called.
    """

    name: ClassVar[str] = "pandas-pickle"
    kind: ClassVar[Kind] = "scores"
    about: ClassVar[str] = "pickled data frames, a column per system, alone or in dictionaries by data set and metric"

    def claims(self, file: PlacedFile) -> bool:
        """Look for the first instruction of a pickle, and the name of a data frame's class."""
        return file.head[:1] == b"\x80" and file.head[1:2] in {b"\2", b"\3", b"\4", b"\5"} and b"DataFrame" in file.head

    def load(self, files: Sequence[PlacedFile], places: Places, options: ReadOptions) -> ToolEvidence:
        """Read every data frame of every file."""
        if options.format != self.name:
            raise EvidenceError(
                "is a pickle, which is read on request only",
                where=files[0].name,
                remedy=f"Ask for it: {spelling.option('format', self.name)}. Nothing in it will be called.",
            )
        del places
        every = [(file, frame) for file in files for frame in _frames(file)]
        titles = Counter((_data_set(frame), _metric(frame)) for _, frame in every)
        rows = GrowingColumns()
        for file, frame in every:
            data_set, metric = _data_set(frame), _metric(frame)
            if titles[data_set, metric] > 1:  # files of several years may hold data sets of one name
                data_set = " ".join(filter(None, [Path(file.name).stem, data_set]))
            items = frame.index or tuple(str(place) for place in range(len(next(iter(frame.columns.values())))))
            for system, column in frame.columns.items():
                rows.add(
                    dataset=data_set,
                    metric=metric,
                    item=items,
                    system=system,
                    score=_scores(column, f"{file.name} ({' / '.join(frame.path)})", system),
                )
        columns = rows.columns()
        for name in ("dataset", "metric"):
            if not any(columns.get(name, ())):
                columns.pop(name, None)
        return ToolEvidence(
            columns, used={"dataset": "keys", "metric": "last key", "item": "index", "system": "columns"}
        )

    def example(self, folder: Path) -> Any:
        """Write the scores of two systems on three items by two metrics, as pandas 1.0 lays them out."""
        place = folder / "scores.pickle"
        place.write_bytes(
            _example({"bleu": ([0.5, 0.7, 0.1], [0.4, 0.9, 0.3]), "chrf": ([5.0, 6.0, 4.0], [7.0, 5.0, 6.0])})
        )
        return place


def _frames(file: PlacedFile) -> list[PickledFrame]:
    if (size := file.plain.stat().st_size) > _LARGEST:
        raise EvidenceError(f"has {size:,} bytes, more than {_LARGEST:,}", where=file.name, remedy="Split it.")
    return frames_in(parse_pickle(file.plain.read_bytes(), file.name), file.name)


def _data_set(frame: PickledFrame) -> str:
    return "-".join(frame.path[:-1])


def _metric(frame: PickledFrame) -> str:
    return frame.path[-1] if frame.path else ""


def _scores(column: Any, where: str, system: str) -> FloatArray:
    """Return a column of numbers; what is no number at all is refused."""
    try:
        found: FloatArray = np.array(
            [np.nan if value is None else value for value in column.tolist()], dtype=np.float64
        )
    except (TypeError, ValueError, OverflowError):
        found = np.empty(0)
    if len(found) != len(column) or any(isinstance(value, str) for value in column.tolist()):
        raise EvidenceError(
            f"the column {system!r} holds texts, and every column should be the scores of a system",
            where=where,
            remedy="Save the columns of scores alone.",
        )
    return found


def _example(metrics: dict[str, tuple[list[float], list[float]]]) -> bytes:
    """Write a dictionary of data frames, instruction by instruction."""

    def text(value: str) -> bytes:
        return b"X" + len(value).to_bytes(4, "little") + value.encode()

    def whole(value: int) -> bytes:
        return b"J" + value.to_bytes(4, "little", signed=True)

    def array(kind: str, shape: tuple[int, ...], content: bytes) -> bytes:
        made = b"cnumpy.core.multiarray\n_reconstruct\ncnumpy\nndarray\n" + whole(0) + b"\x85" + text("b") + b"\x87R"
        dtype = b"cnumpy\ndtype\n" + text(kind) + b"\x89\x88\x87R(" + whole(3) + text("<") + b"NNN" + whole(-1) * 2
        sizes = b"(" + b"".join(map(whole, shape)) + b"t"
        return made + b"(" + whole(1) + sizes + dtype + whole(0) + b"tb\x89" + content + b"tb"

    def index(name: bytes, about: bytes) -> bytes:
        return b"cpandas.core.indexes.base\n_new_Index\ncpandas.core.indexes." + name + b"\n}(" + about + b"u\x86R"

    def frame(columns: tuple[list[float], ...]) -> bytes:
        values = np.array(columns, dtype="<f8").tobytes()
        block = array("f8", (2, 3), b"B" + len(values).to_bytes(4, "little") + values)
        names = index(b"base\nIndex", text("data") + array("O8", (2,), b"](" + text("owl") + text("yak") + b"e"))
        rows = index(b"range\nRangeIndex", text("start") + whole(0) + text("stop") + whole(3) + text("step") + whole(1))
        places = b"c__builtin__\nslice\n" + whole(0) + whole(2) + whole(1) + b"\x87R"
        blocks = b"](}(" + text("values") + block + text("mgr_locs") + places + b"ue"
        parts = b"}(" + text("axes") + b"](" + names + rows + b"e" + text("blocks") + blocks + b"u"
        manager = b"cpandas.core.internals.managers\nBlockManager\n)\x81(NNN}(" + text("0.14.1") + parts + b"utb"
        return (
            b"cpandas.core.frame\nDataFrame\n)\x81}("
            + text("_data")
            + manager
            + text("_typ")
            + text("dataframe")
            + b"ub"
        )

    inside = b"".join(text(metric) + frame(columns) for metric, columns in metrics.items())
    return b"\x80\x02}(" + text("news") + b"}(" + inside + b"uu."


FORMAT = PandasPickleFormat()
