"""What a result holds for, in words: items, judges and tasks like these, or these judges and tasks alone."""

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


def scope_of_tasks(number: int, *, random: bool) -> str:
    """Return what an overall result holds for: tasks like these if they are a sample of others, else these alone.

    >>> scope_of_tasks(6, random=True), scope_of_tasks(6, random=False)
    ('for tasks like these 6', 'on these 6 tasks')
    """
    return f"for tasks like these {number:,}" if random else f"on these {number:,} tasks"


def _plural(unit: str) -> str:
    return _PLURALS.get(unit, f"{unit}s")
