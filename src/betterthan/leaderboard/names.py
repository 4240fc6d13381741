"""Names that a person would read as one and a computer as two."""

from collections import defaultdict
from collections.abc import Sequence

from betterthan.findings import Finding
from betterthan.findings.evidence import NAMES_ALIKE


def alike(systems: Sequence[str]) -> list[Finding]:
    """Find systems whose names differ by case or blanks only; they are ranked as they are written.

    >>> alike(["owl", "Owl ", "yak"])[0].code
    'names-alike'
    """
    folded = defaultdict(list)
    for system in systems:
        folded[" ".join(system.split()).casefold()].append(system)
    groups = [names for names in folded.values() if len(names) > 1]
    if not groups:
        return []
    shown = "; ".join(" and ".join(repr(name) for name in names) for names in groups[:3])
    more = f" and {len(groups) - 3} more" if len(groups) > 3 else ""
    return [NAMES_ALIKE.found(names=f"{shown}{more}")]
