"""Equality of dataclasses that hold arrays, for which == alone has no truth."""

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

import numpy as np


class Equal:
    """A dataclass (with `eq=False`) that equals another of its type with equal fields, arrays value by value."""

    def __eq__(self, other: object) -> bool:
        if type(self) is not type(other):
            return NotImplemented
        compared = [field.name for field in fields(self) if field.compare]  # type: ignore[arg-type]
        return all(_same(getattr(self, name), getattr(other, name)) for name in compared)

    __hash__ = None  # type: ignore[assignment]


def _same(one: Any, other: Any) -> bool:
    if isinstance(one, np.ndarray) or isinstance(other, np.ndarray):
        floats = np.asarray(one).dtype.kind == "f" and np.asarray(other).dtype.kind == "f"
        return np.array_equal(one, other, equal_nan=floats)
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return one.keys() == other.keys() and all(_same(one[key], other[key]) for key in one)
    if isinstance(one, (tuple, list)) and isinstance(other, (tuple, list)):
        return len(one) == len(other) and all(map(_same, one, other))
    return bool(one == other)
