"""What a result holds for, in words: items and judges like these, or these judges alone."""

from collections.abc import Mapping

#: Units whose plural is not their name with an s.
_PLURALS = {"group": "groups of items"}


def scope_of(unit: str, counted: str, given: Mapping[str, int]) -> str:
    """Return what a result holds for, from the unit that is resampled and the dependent units that are not.

    >>> scope_of("item+judge", "judgment", {}), scope_of("row", "judgment", {"item": 1})
    ('for items and judges like these', 'for judgments like these and this one item')
    >>> scope_of("item", "judgment", {"judge": 4, "group": 2})
    'for items like these, these 4 judges and these 2 groups of items'
    """
    sampled = [counted] if unit == "row" else unit.split("+")
    like = f"{' and '.join(map(_plural, sampled))} like these"
    fixed = [f"this one {name}" if size == 1 else f"these {size:,} {_plural(name)}" for name, size in given.items()]
    return f"for {' and '.join(filter(None, [', '.join([like, *fixed[:-1]]), *fixed[-1:]]))}"


def _plural(unit: str) -> str:
    return _PLURALS.get(unit, f"{unit}s")
