"""Options of `study`."""

from dataclasses import dataclass
from typing import ClassVar

from betterthan.options.declare import option
from betterthan.options.options import Options
from betterthan.options.shared import LEVEL, SEED
from betterthan.progress import Progress, silent


@dataclass(frozen=True, kw_only=True)
class StudyOptions(Options):
    """How a study is run; what it varies is written behind its name: `mechanisms(runs=50)`."""

    verb: ClassVar[str] = "study"

    quick: bool = option(False, "A small form that takes seconds.", signed=False)
    level: float = option(0.95, "Level of intervals.", **LEVEL)
    seed: int = option(0, "Seed of all simulations.", **SEED)
    folder: str | None = option(
        None, "Folder that keeps finished parts, so that a stopped run goes on.", line=False, signed=False
    )
    progress: Progress = option(silent, "Called with (parts done, parts in all).", line=False, signed=False)


@dataclass(frozen=True, kw_only=True)
class StudySettings(StudyOptions):
    """The options of a study with the study itself, all its settings written out."""

    study: str = option("", "The study with its settings.", line=False)
