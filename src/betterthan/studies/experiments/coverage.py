"""Coverage: how often our own intervals hold the truth."""

from dataclasses import dataclass
from typing import ClassVar

from betterthan.studies.experiments.base import register
from betterthan.studies.promises import Wanted
from betterthan.studies.reliability import Reliability


@register
@dataclass(frozen=True, kw_only=True)
class Coverage(Reliability):
    """How often the intervals of `rank` and `compare` hold the truth, by their default calls."""

    name: ClassVar[str] = "coverage"
    about: ClassVar[str] = "How often our own intervals hold the truth."
    wanted: ClassVar[Wanted] = "coverage"
