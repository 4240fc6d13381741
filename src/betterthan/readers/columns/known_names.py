"""Names that are known to be systems or benchmarks: evidence that columns of numbers are scores at all."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache

from betterthan.readers.columns.name_tables import BENCHMARKS, NUMBERED, SYSTEMS
from betterthan.readers.columns.roles import normal

#: How the models of a study are numbered.
_MODEL = re.compile(r"m_?\d+")
_NUMERAL = re.compile(r"(\D+?)[\s._-]*\d+")


@lru_cache(maxsize=1 << 14)
def _words(name: str) -> frozenset[str]:
    """Return the words of a name, also joined with the numbers after them: T5, wav2vec."""
    folded = normal(name)
    parts = [part for word in re.split(r"\W+|_", name.lower()) if word for part in (word, re.sub(r"\d.*", "", word))]
    return frozenset([*folded.split("_"), folded.replace("_", ""), *parts])


def is_system(name: str) -> bool:
    """Return whether a name is known to be that of a system.

    >>> is_system("gpt-4o-mini"), is_system("System A"), is_system("M0"), is_system("income")
    (True, True, True, False)
    """
    return bool(_words(name) & SYSTEMS) or bool(_MODEL.fullmatch(normal(name)))


def is_benchmark(name: str) -> bool:
    """Return whether a name is known to be that of a benchmark.

    >>> is_benchmark("GSM8K"), is_benchmark("ARC-Challenge"), is_benchmark("hp")
    (True, True, False)
    """
    return bool(_words(name) & BENCHMARKS)


def mostly_systems(names: Iterable[str]) -> bool:
    """Return whether more than half of the names are known to be systems."""
    known = [is_system(name) for name in names]
    return 2 * sum(known) > len(known)


def numbered(names: Sequence[str]) -> list[str]:
    """Return names that differ in their number alone, as questions, judges and repeats do, but no numbered systems.

    >>> numbered(["Q1", "Q2", "owl"]), numbered(["system1", "system2"]), numbered(["gpt-3", "gpt-4"])
    (['Q1', 'Q2'], [], [])
    """
    stems = {name: normal(match[1]) for name in names if (match := _NUMERAL.fullmatch(name.strip()))}
    times = Counter(stems.values())
    return [name for name, stem in stems.items() if times[stem] > 1 and stem not in NUMBERED and not is_system(name)]
