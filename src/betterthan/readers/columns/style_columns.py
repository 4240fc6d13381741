"""Columns about the style of the two outputs of a comparison: their lengths, headers, lists and bold parts."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from betterthan.engine import Table
from betterthan.readers.columns.roles import TEXTS, normal

#: What one side is called, and what the other is called then.
_SIDES = (
    ("a", "b"),
    ("1", "2"),
    ("left", "right"),
    ("first", "second"),
    ("x", "y"),
    ("i", "j"),
    ("home", "away"),
    ("white", "black"),
    ("candidate", "baseline"),
)
_PLACE = {side: (number, which) for number, sides in enumerate(_SIDES) for which, side in enumerate(sides)}
#: Words for a feature of style in the names of columns, the most telling first.
FEATURES: Mapping[str, tuple[str, ...]] = {
    "length": ("length", "len", "tokens", "token", "chars", "characters", "words", "n_tokens", "num_tokens"),
    "headers": ("headers", "header", "headings", "heading"),
    "lists": ("lists", "list", "bullets"),
    "bold": ("bold", "bolds"),
    "position": ("position", "shown", "order"),
}
#: Where data sets of arenas keep features inside a column of metadata: the keys of the left and of the right side.
_NESTED: Mapping[str, tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]] = {
    "length": (
        (("sum_assistant_a_tokens",), ("sum_assistant_b_tokens",)),
        (("token_len_a",), ("token_len_b",)),
        (("length_a",), ("length_b",)),
    ),
    "headers": (
        (
            tuple(f"header_count_a.h{level}" for level in range(1, 7)),
            tuple(f"header_count_b.h{level}" for level in range(1, 7)),
        ),
    ),
    "lists": (
        (
            ("list_count_a.ordered", "list_count_a.unordered"),
            ("list_count_b.ordered", "list_count_b.unordered"),
        ),
    ),
    "bold": ((("bold_count_a.**", "bold_count_a.__"), ("bold_count_b.**", "bold_count_b.__")),),
}
#: What says that a column is a difference of both sides already.
_DIFFERENCE = re.compile(r"(?:diff|difference|delta)_(.+)|(.+)_(?:diff|difference|delta)")


@dataclass(frozen=True)
class SidedColumns:
    """The columns with a feature of the left output, and those of the right one; their numbers are added up."""

    left: tuple[str, ...]
    right: tuple[str, ...]

    @property
    def all(self) -> tuple[str, ...]:
        """All columns."""
        return self.left + self.right


def paired(columns: Iterable[str]) -> dict[str, SidedColumns]:
    """Return the pairs of columns whose names differ by the side only, by what is left of their names.

    >>> paired(["length_a", "length_b", "sum_assistant_a_tokens", "sum_assistant_b_tokens", "turn"])["length"]
    SidedColumns(left=('length_a',), right=('length_b',))
    """
    found: dict[tuple[int, tuple[str, ...]], list[str | None]] = {}
    for column in columns:
        words = normal(column).split("_")
        for place, word in enumerate(words):
            if word in _PLACE:
                family, which = _PLACE[word]
                key = (family, (*words[:place], "", *words[place + 1 :]))
                found.setdefault(key, [None, None])[which] = column
    named: dict[str, SidedColumns] = {}
    for (_, rest), (left, right) in found.items():
        name = "_".join(filter(None, rest))
        if left is not None and right is not None and name:
            named.setdefault(name, SidedColumns((left,), (right,)))
    return named


def differences(columns: Iterable[str]) -> dict[str, str]:
    """Return the columns that are a difference of both sides, by what they are a difference of.

    >>> differences(["length_diff", "turn"])
    {'length': 'length_diff'}
    """
    found: dict[str, str] = {}
    for column in columns:
        if (match := _DIFFERENCE.fullmatch(normal(column))) is not None:
            found.setdefault(match[1] or match[2], column)
    return found


def of_feature(word: str, named: Iterable[str]) -> str | None:
    """Return which of some names means a feature: the name itself, or one with a word for it."""
    asked, names = normal(word), list(named)
    if asked in names:
        return asked
    for known in FEATURES.get(asked, ()):
        for name in names:
            if name == known or known in name.split("_"):
                return name
    return None


def nested(table: Table, word: str) -> SidedColumns | None:
    """Return the paths to a feature inside a column of metadata, as data sets of arenas have it."""
    ways = _NESTED.get(normal(word), ())
    inside = [column for column in table.columns if "meta" in normal(column)] if ways else []
    for left, right in ways:
        for prefix in (*(f"{column}." for column in inside), ""):
            sides = [
                tuple(f"{prefix}{key}" for key in keys if table.derived(f"{prefix}{key}") is not None)
                for keys in (left, right)
            ]
            if sides[0] and sides[1]:
                return SidedColumns(sides[0], sides[1])
    return None


def may_be_own(word: str, columns: Iterable[str]) -> bool:
    """Whether several columns may hold a feature of one system each, rather than of the two sides."""
    asked = normal(word)
    about = {name for name in map(normal, columns) if name.startswith(f"{asked}_") or name.endswith(f"_{asked}")}
    return len(about) > 1 and not {f"{asked}_a", f"{asked}_left"} & about


def own(word: str, columns: Iterable[str], systems: Sequence[str]) -> tuple[str, ...]:
    """Return the column of every system, none where some system has none.

    >>> own("length", ["length_owl", "yak_length"], ["owl", "yak"])
    ('length_owl', 'yak_length')
    """
    asked, by_name = normal(word), {normal(column): column for column in columns}
    names = [(f"{asked}_{normal(system)}", f"{normal(system)}_{asked}") for system in systems]
    found = tuple(by_name[name] for pair in names for name in pair if name in by_name)
    return found if len(found) == len(systems) else ()


def texts(table: Table) -> SidedColumns | None:
    """Return the columns with the texts of both outputs; names of systems are none."""
    found = paired(table.columns)
    stems = dict.fromkeys(normal(left).removesuffix("_a") for left, _ in TEXTS if left.endswith("_a"))
    for stem in (*stems, "completion", "text", "reply", "summary", "translation"):
        if stem in found:
            return found[stem]
    return None


def style_features(columns: Sequence[str]) -> list[str]:
    """Return the features of style that columns without another role are called after.

    >>> style_features(["len_a", "len_b", "turn"])
    ['length']
    """
    named = {*paired(columns), *differences(columns)}
    return [feature for feature in FEATURES if of_feature(feature, named) is not None]
