"""Find the two systems that an annotation task compares, from the task's data."""

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from betterthan.base import EvidenceError, spelling
from betterthan.evidence import outcomes
from betterthan.options import ReadOptions
from betterthan.readers.columns.roles import Columns, normal

#: Lists of two that name systems; other lists of two may well be their texts.
_LISTS = ("systems", "models", "system_names", "model_names", "system_ids", "model_ids", "generators")
_STEMS = (
    "model",
    "system",
    "model_name",
    "system_name",
    "model_id",
    "system_id",
    "generator",
    "engine",
)
_SIDES = (("left", "right"), ("a", "b"), ("1", "2"), ("x", "y"), ("first", "second"))
_PAIRS = tuple(
    (normal(pattern.format(stem=stem, side=left)), normal(pattern.format(stem=stem, side=right)))
    for stem in _STEMS
    for left, right in _SIDES
    for pattern in ("{stem}_{side}", "{side}_{stem}", "{stem}_{side}_name", "{stem}_{side}_id")
)
_REMEDY_KEYS = ["model_a", "model_b"]


@dataclass(frozen=True)
class Sides:
    """The keys that name the compared systems: two, or one of a list with both names.

    >>> Sides(("systems",))({"systems": ["owl", "yak"], "left": "one text", "right": "another"}, "task 1")
    ('owl', 'yak')
    """

    keys: tuple[str, ...]

    @classmethod
    def of(cls, data: Iterable[Mapping[str, Any]], where: str, options: ReadOptions) -> "Sides":
        """Find the keys in the data of some tasks, or refuse them with what was seen."""
        names = list(dict.fromkeys(str(key) for each in data for key in each))
        if options.left or options.right:
            pair = Columns(names, where).sides(options.left, options.right)
            return cls(pair or ())
        folded = {normal(name): name for name in reversed(names)}
        if (found := next((folded[name] for name in _LISTS if name in folded), None)) is not None:
            return cls((found,))
        for left, right in _PAIRS:
            if left in folded and right in folded:
                return cls((folded[left], folded[right]))
        raise EvidenceError(
            f"cannot tell which systems were compared; the tasks have {Columns(names, '').listed() or 'no data'}",
            where=where,
            remedy=f"Name the keys of both systems: {spelling.option('left', _REMEDY_KEYS[0])} and "
            f"{spelling.option('right', _REMEDY_KEYS[1])}; where another file names them, add it with "
            f"{spelling.option('join')} and {spelling.option('on')}.",
        )

    def __call__(self, data: Mapping[str, Any], where: str) -> tuple[str, str]:
        """Return the systems that one task compares."""
        found = [data.get(key) for key in self.keys]
        if len(found) == 1:
            found = _listed(found[0])
        if len(found) != 2 or not all(isinstance(name, str | int) and str(name).strip() for name in found):
            shown = ", ".join(f"{key} = {data.get(key)!r}" for key in self.keys)
            raise EvidenceError(
                f"the task does not name two systems: {shown}",
                where=where,
                remedy="Every comparison needs the names of both systems: fill them in.",
            )
        return str(found[0]), str(found[1])

    @property
    def used(self) -> dict[str, str]:
        """A note on the source of the names."""
        if len(self.keys) == 1:
            return {"left": f"{self.keys[0]} (first)", "right": f"{self.keys[0]} (second)"}
        return dict(zip(("left", "right"), self.keys, strict=True))


def item_of(data: Iterable[Mapping[str, Any]], item: str | None, where: str) -> str | None:
    """Return the key that names the item: as given, or known by its name; None where nothing does."""
    return Columns(list(dict.fromkeys(str(key) for each in data for key in each)), where).role("item", item)


def question_of(answers: Iterable[tuple[str, str]], options: ReadOptions, where: str) -> str:
    """Return the question that says who won: the one named, or the only one whose answers are words for it."""
    words = defaultdict[str, set[str]](set)
    for question, answer in answers:
        words[question].add(answer)
    if options.outcome:
        if options.outcome not in words:
            known = ", ".join(words)
            raise EvidenceError(f"there is no label question {options.outcome!r}", where=where, allowed=known)
        return options.outcome
    mapped = {*(options.outcomes or {})}
    fitting = [
        name for name, said in words.items() if all(outcomes.is_outcome(word) or word in mapped for word in said)
    ]
    if len(fitting) == 1:
        return fitting[0]
    seen = "; ".join(f"{name}: {', '.join(sorted(said)[:5])}" for name, said in words.items())
    raise EvidenceError(
        f"cannot tell which question says who won ({seen})",
        where=where,
        remedy=f"Name it with {spelling.option('outcome')}, and say whether each word means left, right or tie: "
        f"{spelling.option('outcomes')}.",
    )


def _listed(value: Any) -> list[Any]:
    """Return the entries of a list, which tables write as text."""
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            return []
    return list(value) if isinstance(value, list | tuple) else []
