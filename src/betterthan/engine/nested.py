"""Nested columns, addressed by a path such as `metadata.tokens`, in structs and in JSON text."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from betterthan.engine.labels import label_of

#: Every further dot doubles the number of ways to read a path, because keys may contain dots.
_DEEPEST = 6


def starts(name: str, columns: Sequence[str]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield the columns that a path may start from with the rest of the path, the longest name first.

    >>> list(starts("tag.math_v0.1.math", ["tag", "id"]))
    [('tag', ('math_v0', '1', 'math'))]
    """
    parts = name.split(".")
    for size in range(len(parts) - 1, 0, -1):
        column, rest = ".".join(parts[:size]), tuple(parts[size:])
        if column in columns and len(rest) <= _DEEPEST and all(rest):
            yield column, rest


def readings(path: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Yield the ways to read a path as keys, some of which may contain dots; longer keys come first.

    >>> list(readings(("a", "b", "c")))
    [('a.b.c',), ('a.b', 'c'), ('a', 'b.c'), ('a', 'b', 'c')]
    """
    cuts = [cut for size in range(len(path)) for cut in combinations(range(1, len(path)), size)]
    ways = [[".".join(path[a:b]) for a, b in zip((0, *cut), (*cut, len(path)), strict=True)] for cut in cuts]
    yield from sorted(map(tuple, ways), key=lambda keys: [-key.count(".") for key in keys])


@dataclass(frozen=True)
class Reach:
    """Extracts the value at a path from a nested value: a mapping, a list, or JSON text.

    >>> Reach(("math_v0", "1", "math"))('{"math_v0.1": {"math": true}}')
    'true'
    """

    path: tuple[str, ...]

    def __call__(self, cell: Any) -> str | None:
        """Return it as text, None where there is nothing."""
        if isinstance(outer := _opened(cell), str):  # JSON may have been written as a text into JSON
            outer = _opened(outer)
        found = (_at(outer, keys, written=isinstance(cell, str)) for keys in readings(self.path))
        return next((text for text in found if text is not None), None)


def _at(cell: Any, keys: Sequence[str], *, written: bool) -> str | None:
    """Return the value at these keys as text; `written` JSON has its own words for true and false."""
    for place, key in enumerate(keys):
        if place and isinstance(cell, str):
            cell, written = _opened(cell), True
        if hasattr(cell, "asDict"):  # Spark's rows
            cell = cell.asDict()
        if isinstance(cell, Mapping):
            cell = cell.get(key)
        elif isinstance(cell, (list, tuple)) and key.isdigit() and int(key) < len(cell):
            cell = cell[int(key)]
        else:
            return None
    if isinstance(cell, (Mapping, list, tuple)):
        return json.dumps(cell, ensure_ascii=False, separators=(",", ":"), default=str)
    label = label_of(cell)
    return label.lower() if written and isinstance(cell, bool) and label else label


def _opened(cell: Any) -> Any:
    """Read JSON text; its numbers stay as they are written."""
    if not isinstance(cell, str):
        return cell.tolist() if type(cell).__name__ == "ndarray" else cell
    try:
        return json.loads(cell, parse_float=str, parse_int=str, parse_constant=str)
    except (ValueError, RecursionError):
        return None
