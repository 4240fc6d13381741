"""Type I errors: how often our tests, ranks and warnings report a difference where there is none."""

from dataclasses import dataclass
from typing import ClassVar

from betterthan.verbs.study.experiments.base import register_study
from betterthan.verbs.study.promises import Wanted
from betterthan.verbs.study.reliability_study import Reliability


@register_study
@dataclass(frozen=True, kw_only=True)
class TypeOne(Reliability):
    """How often equal systems differ significantly by the default calls of `rank`, `compare`, `fit` and others."""

    name: ClassVar[str] = "type-one"
    about: ClassVar[str] = "How often our own tests and warnings find something where there is nothing."
    wanted: ClassVar[Wanted] = "alarms"
