"""Coverage: how often our intervals contain the truth."""

from dataclasses import dataclass
from typing import ClassVar

from betterthan.verbs.study.experiments.base import register_study
from betterthan.verbs.study.promises import Wanted
from betterthan.verbs.study.reliability_study import Reliability


@register_study
@dataclass(frozen=True, kw_only=True)
class Coverage(Reliability):
    """How often the intervals of `rank` and `compare` hold the truth, by their default calls."""

    name: ClassVar[str] = "coverage"
    about: ClassVar[str] = "How often our own intervals hold the truth."
    wanted: ClassVar[Wanted] = "coverage"
