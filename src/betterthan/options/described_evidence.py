"""Evidence that a verb was given together with options of reading."""

from dataclasses import dataclass
from typing import Any

from betterthan.options.read import ReadOptions


@dataclass(frozen=True, eq=False)
class DescribedEvidence:
    """What was given as evidence, and how it is to be read: it is read where a verb first needs it."""

    evidence: Any
    reading: ReadOptions
