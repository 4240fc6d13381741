"""Data frames inside a parsed pickle: their columns, as arrays of numbers or lists of texts."""

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from betterthan.base import EvidenceError
from betterthan.readers.pickled_frames.pickle_stream import Call, Name

#: Dictionaries are searched for frames this deep; a file of 300 setups needs three.
_DEEPEST = 8
#: Dictionaries and frames that are looked into, and cells in all of them.
_MOST_PARTS, _MOST_CELLS = 100_000, 500_000_000
_ARRAYS = tuple(f"numpy.{core}.multiarray._reconstruct" for core in ("core", "_core")) + tuple(
    f"numpy.{core}.numeric._frombuffer" for core in ("core", "_core")
)
_NUMBERS = re.compile(r"[fiu][248]|[iub]1")


@dataclass(frozen=True)
class PickledFrame:
    """One data frame: the keys that lead to it, its row labels, and its columns by name."""

    path: tuple[str, ...]
    index: tuple[str, ...] | None  # None where rows are numbered
    columns: dict[str, NDArray[Any]]


def frames_in(found: Any, where: str) -> list[PickledFrame]:
    """Return the data frames in nested dictionaries, or the only one.

    Everything else in them is refused: nothing is left out in silence.
    """
    frames, left = [], _Budget(where)
    for path, made in _walk(found, (), left):
        if not isinstance(made, Call) or made.name.rpartition(".")[2] != "DataFrame":
            what = made.name if isinstance(made, Call) else type(made).__name__
            raise EvidenceError(
                f"holds {what} where a data frame or a dictionary of data frames should be",
                where=_at(where, path),
                remedy="Save the data frames alone.",
            )
        try:
            frames.append(_frame(made, path, left))
        except (LookupError, TypeError, ValueError, AttributeError, OverflowError, RecursionError) as error:
            said = " ".join(str(error).split())[:100]
            raise EvidenceError(
                f"the data frame is laid out in an unknown way ({type(error).__name__}: {said})",
                where=_at(where, path),
                remedy="Save it as CSV or Parquet where the file was made, and read that.",
            ) from None
    if not frames:
        raise EvidenceError("holds no data frame", where=where, remedy="Check which file holds the scores.")
    return frames


class _Budget:
    """A file refers to a part any number of times: parts and cells are counted, not only bytes."""

    def __init__(self, where: str) -> None:
        self.where, self.parts, self.cells = where, _MOST_PARTS, _MOST_CELLS

    def spend(self, parts: int = 0, cells: int = 0) -> None:
        self.parts, self.cells = self.parts - parts, self.cells - cells
        if self.parts < 0 or self.cells < 0:
            raise EvidenceError(
                f"refers to more than {_MOST_PARTS:,} parts or {_MOST_CELLS:,} cells",
                where=self.where,
                remedy="Split it.",
            )


def _at(where: str, path: tuple[str, ...]) -> str:
    return f"{where} ({' / '.join(path)})" if path else where


def _walk(found: Any, path: tuple[str, ...], left: _Budget) -> Iterator[tuple[tuple[str, ...], Any]]:
    left.spend(parts=1)
    inner = found.items if isinstance(found, Call) and found.name.startswith("collections.") else found
    if not isinstance(inner, dict) or len(path) >= _DEEPEST:
        yield path, found
        return
    for key, value in inner.items():
        yield from _walk(value, (*path, str(key)), left)


def _frame(made: Call, path: tuple[str, ...], left: _Budget) -> PickledFrame:
    state = made.state
    manager = state.get("_mgr", state.get("_data")) if isinstance(state, dict) else None
    if not isinstance(manager, Call):
        raise ValueError("it has no blocks")
    axes, blocks = _parts(manager)
    names, index = (_labels(axis, left) for axis in axes)
    if names is None:
        raise ValueError("its columns have no names")
    if len(set(names)) < len(names):
        raise ValueError("two columns have one name")
    columns: dict[str, NDArray[Any]] = {}
    rows = None
    for values, places in blocks:
        array = _array(values, left)
        positions = _positions(places, left)
        if array.ndim == 1:
            array = array[None, :]
        if len(positions) != len(array):
            raise ValueError("a block has other columns than values")
        rows = array.shape[1] if rows is None else rows
        if array.shape[1] != rows:
            raise ValueError("columns differ in length")
        for place, column in zip(positions, array, strict=True):
            if not 0 <= place < len(names) or names[place] in columns:
                raise ValueError("a column has no place of its own")
            columns[names[place]] = column
    if len(columns) < len(names):
        raise ValueError("a column has no values")
    if index is not None and len(index) != rows:
        raise ValueError("rows and their labels differ in number")
    return PickledFrame(path, index, {name: columns[name] for name in names})


def _parts(manager: Call) -> tuple[Sequence[Any], list[tuple[Any, Any]]]:
    """Return the two axes, and the values of each block with the places of its columns: old layout, then new."""
    if isinstance(manager.state, tuple) and len(manager.state) > 3:
        newest = next(iter(manager.state[3].values()))
        return newest["axes"], [(block["values"], block["mgr_locs"]) for block in newest["blocks"]]
    blocks, axes = manager.arguments
    return axes, [(block.arguments[0], block.arguments[1]) for block in blocks]


def _positions(places: Any, left: _Budget) -> list[int]:
    if isinstance(places, Call) and places.name.endswith(".slice"):
        start, stop, step = (0 if part is None else part for part in places.arguments)
        return list(range(start, min(stop, 1_000_000), step or 1))
    return [int(place) for place in _array(places, left).tolist()]


def _labels(axis: Any, left: _Budget) -> tuple[str, ...] | None:
    """Return the labels of rows or columns, None where they are numbered."""
    kind, about = axis.arguments
    if not isinstance(kind, Name) or not isinstance(about, dict):
        raise ValueError("an index has another layout")
    if kind.full.endswith(".RangeIndex"):
        return None
    data = about["data"]
    values = _array(data, left).tolist()
    if not all(isinstance(value, str | int | float) for value in values):
        raise ValueError("a label is neither a text nor a number")
    return tuple(map(str, values))


def _texts(data: Call) -> list[str]:
    """Return the texts of an Arrow array."""
    kind, length, _, offset, (valid, ends, content), *_ = data.state["_pa_array"].arguments[0]
    if valid is not None:
        raise ValueError("a label is missing")
    width = {"large_string": np.int64, "string": np.int32}[kind.arguments[0]]
    places = np.frombuffer(_bytes(ends), width)[offset : offset + length + 1]
    whole = _bytes(content)
    return [whole[one:two].decode() for one, two in zip(places.tolist(), places[1:].tolist(), strict=False)]


def _array(made: Any, left: _Budget) -> NDArray[Any]:
    """Return an array of numbers, or of texts and other plain values."""
    if made.name.endswith(".ArrowStringArray"):
        return np.array(_texts(made), dtype=object)
    if made.name.endswith("_NDArrayBacked"):  # texts of pandas 3 without Arrow: a type and an array
        made = next(part for part in made.state if isinstance(part, Call) and part.name in _ARRAYS)
    if made.name.endswith("._frombuffer"):
        buffer, kind, shape, order = made.arguments[:4]
        fortran, content = order == "F", buffer
    else:
        _, shape, kind, fortran, content = made.state
    size = math.prod(shape)
    left.spend(cells=size)
    numbers = _kind(kind)
    if numbers is None:
        if not isinstance(content, list) or len(content) != size:
            raise ValueError("an array has another length than its values")
        values = np.empty(size, dtype=object)
        values[:] = [value if isinstance(value, str | int | float | None) else _scalar(value) for value in content]
    else:
        values = np.frombuffer(_bytes(content), numbers, size)
        if len(_bytes(content)) != values.nbytes:
            raise ValueError("an array has another length than its values")
    return values.reshape(shape, order="F" if fortran else "C")


def _kind(kind: Any) -> np.dtype[Any] | None:
    """Return the type of numbers, None for texts and other plain values."""
    code = str(kind.arguments[0])
    order = kind.state[1] if kind.state is not None else "<"
    if not (code in {"O", "O8"} or _NUMBERS.fullmatch(code)) or order not in {"<", ">", "|", "="}:
        raise ValueError(f"values of the type {code!r} are neither numbers nor texts")
    return None if code.startswith("O") else np.dtype(f"{order}{code}")


def _bytes(made: Any) -> bytes:
    if isinstance(made, bytes | bytearray):
        return bytes(made)
    if made.name == "_codecs.encode":
        return str(made.arguments[0]).encode("latin-1")
    if made.name.rpartition(".")[2] in {"bytearray", "py_buffer"}:
        return _bytes(made.arguments[0]) if made.arguments else b""
    raise ValueError("bytes are missing")


def _scalar(made: Any) -> Any:
    """Return a single number of NumPy."""
    kind, content = made.arguments
    return np.frombuffer(_bytes(content), _kind(kind), 1)[0].item()
