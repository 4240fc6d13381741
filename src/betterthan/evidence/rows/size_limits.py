"""Limits on the size of evidence, checked before memory runs out."""

from collections.abc import Iterable, Sequence

from betterthan.base import EvidenceError

#: Characters of a system's name: longer texts are no names, and every table would repeat them.
LONGEST_NAME = 1_000
#: Systems that scores compare: all pairs of them are counted.
MOST_SCORED = 5_000
#: Bytes that comparisons of single items, or within rankings, take in memory at once.
MOST_BYTES = 4_000_000_000


def need_two(systems: Sequence[str], where: str, what: str = "a ranking needs at least two systems") -> None:
    """Refuse evidence of fewer than two systems."""
    if len(systems) < 2:
        found = f"only {systems[0]!r}" if systems else "none"
        raise EvidenceError(f"{what}, found {found}", where=where, remedy="Check the columns chosen.")


def bounded_names(systems: Iterable[str], where: str) -> None:
    """Refuse names that are texts."""
    longest = max(map(len, systems), default=0)
    if longest > LONGEST_NAME:
        raise EvidenceError(
            f"a system's name has {longest:,} characters, and at most {LONGEST_NAME:,} are allowed",
            where=where,
            remedy="Check which column names the systems: it seems to hold texts.",
        )


def bounded_scores(systems: int, items: int, where: str) -> None:
    """Refuse scores that make more comparisons than can be counted."""
    if systems > MOST_SCORED:
        raise EvidenceError(
            f"there are {systems:,} systems, and scores of at most {MOST_SCORED:,} are compared",
            where=where,
            remedy="Check which columns or rows are systems, or compare fewer at a time.",
        )
    bounded_comparisons(systems * (systems - 1) // 2 * items, where)


def bounded_comparisons(comparisons: int, where: str, size: int = 1) -> None:
    """Refuse more comparisons than can be held in memory, of that many bytes each."""
    if comparisons * size > MOST_BYTES:
        raise EvidenceError(
            f"there are {comparisons:,} comparisons, and at most {MOST_BYTES // size:,} can be held in memory",
            where=where,
            remedy="Compare fewer systems at a time, or a sample of the items.",
        )
