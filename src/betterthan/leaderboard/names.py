"""Names that a person would read as one and a computer as two."""

import unicodedata
from collections import defaultdict
from collections.abc import Callable, Sequence

from betterthan.findings import Finding
from betterthan.findings.evidence import NAMES_ALIKE, NAMES_LOOK_THE_SAME


def alike(systems: Sequence[str]) -> list[Finding]:
    """Find systems whose names look the same, or differ by case or blanks only; they are ranked as they are written.

    >>> [found.code for found in alike(["owl", "Owl ", "yak", "ya\u200bk"])]
    ['names-look-the-same', 'names-alike']
    """
    twins = [] if all(name.isascii() and name.isprintable() for name in systems) else _groups(systems, _seen)
    told = {name for names in twins for name in names[1:]}  # the first of every group stands for the others
    folded = _groups([name for name in systems if name not in told], lambda name: " ".join(name.split()).casefold())
    found = [NAMES_LOOK_THE_SAME.found(names=_listed(twins, ascii))] if twins else []
    return [*found, NAMES_ALIKE.found(names=_listed(folded, repr))] if folded else found


def _seen(name: str) -> str:
    """Return what a reader sees of a name: composed characters, and none that take no room."""
    visible = "".join(sign for sign in name if unicodedata.category(sign) not in {"Cf", "Cc"})
    return unicodedata.normalize("NFC", visible)


def _groups(systems: Sequence[str], key: Callable[[str], str]) -> list[list[str]]:
    groups = defaultdict(list)
    for system in systems:
        groups[key(system)].append(system)
    return [names for names in groups.values() if len(names) > 1]


def _listed(groups: Sequence[Sequence[str]], shown: Callable[[str], str]) -> str:
    listed = "; ".join(" and ".join(map(shown, names)) for names in groups[:3])
    return f"{listed} and {len(groups) - 3} more" if len(groups) > 3 else listed
