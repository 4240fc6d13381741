"""Integer columns streamed from DuckDB through Arrow's C interface, without PyArrow.

`fetchnumpy` holds all rows at once; here batches of some 100,000 rows are processed and released.
"""

import ctypes
from collections.abc import Iterator, Mapping
from typing import Any

import duckdb
import numpy as np
from numpy.typing import NDArray


class _Array(ctypes.Structure):
    """ArrowArray of https://arrow.apache.org/docs/format/CDataInterface.html."""


_Array._fields_ = [
    ("length", ctypes.c_int64),
    ("null_count", ctypes.c_int64),
    ("offset", ctypes.c_int64),
    ("n_buffers", ctypes.c_int64),
    ("n_children", ctypes.c_int64),
    ("buffers", ctypes.POINTER(ctypes.c_void_p)),
    ("children", ctypes.POINTER(ctypes.POINTER(_Array))),
    ("dictionary", ctypes.c_void_p),
    ("release", ctypes.CFUNCTYPE(None, ctypes.POINTER(_Array))),
    ("private_data", ctypes.c_void_p),
]


class _Stream(ctypes.Structure):
    """ArrowArrayStream of https://arrow.apache.org/docs/format/CStreamInterface.html."""


_Stream._fields_ = [
    ("get_schema", ctypes.c_void_p),
    ("get_next", ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(_Stream), ctypes.POINTER(_Array))),
    ("get_last_error", ctypes.CFUNCTYPE(ctypes.c_char_p, ctypes.POINTER(_Stream))),
    ("release", ctypes.c_void_p),
    ("private_data", ctypes.c_void_p),
]

_pointer = ctypes.pythonapi.PyCapsule_GetPointer
_pointer.restype, _pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]


def parts(relation: Any, columns: Mapping[str, str]) -> Iterator[dict[str, NDArray[Any]]]:
    """Yield the rows of a relation part by part; `columns` are all its columns and their NumPy types, nothing missing.

    A part is gone when the next one is requested.
    """
    capsule = relation.__arrow_c_stream__()  # it owns the stream, and releases it when it goes
    stream = ctypes.cast(_pointer(capsule, b"arrow_array_stream"), ctypes.POINTER(_Stream))
    while True:
        part = _Array()
        if stream.contents.get_next(stream, ctypes.byref(part)):
            raise duckdb.Error((stream.contents.get_last_error(stream) or b"the stream broke off").decode())
        if not part.release:  # the end
            return
        try:
            yield {name: _column(part, place, kind) for place, (name, kind) in enumerate(columns.items())}
        finally:
            part.release(ctypes.byref(part))


def _column(part: _Array, place: int, kind: str) -> NDArray[Any]:
    """View one column without a copy."""
    column, size = part.children[place].contents, np.dtype(kind).itemsize
    if not part.length:  # then there may be no buffer
        return np.empty(0, dtype=kind)
    start = column.buffers[1] + (part.offset + column.offset) * size
    return np.frombuffer((ctypes.c_char * (part.length * size)).from_address(start), dtype=kind)
