"""Type I errors: how often our own tests, ranks and warnings find something where there is nothing."""

from dataclasses import dataclass
from typing import ClassVar

from betterthan.studies.experiments.base import register
from betterthan.studies.promises import Wanted
from betterthan.studies.reliability import Reliability


@register
@dataclass(frozen=True, kw_only=True)
class TypeOne(Reliability):
    """How often equal systems differ significantly by the default calls of `rank`, `compare`, `fit` and others."""

    name: ClassVar[str] = "type-one"
    about: ClassVar[str] = "How often our own tests and warnings find something where there is nothing."
    wanted: ClassVar[Wanted] = "alarms"
