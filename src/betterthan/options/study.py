"""Options of `study`."""

from dataclasses import dataclass
from typing import ClassVar

from betterthan.base import Progress, silent
from betterthan.options.fields.declare import option
from betterthan.options.fields.options import Arguments, Options
from betterthan.options.shared import LEVEL, SEED


@dataclass(frozen=True, kw_only=True)
class StudyOptions(Options):
    """How a study is run; what it varies is written behind its name: `mechanisms(runs=50)`."""

    verb: ClassVar[str] = "study"
    reads: ClassVar[bool] = False
    arguments: ClassVar[Arguments] = {
        "name": ("str", "Name of the study, with its settings in brackets: `mechanisms(runs=50,systems=5|10)`."),
        **Options.arguments,
    }

    quick: bool = option(False, "Run a small version that takes seconds.", signed=False)
    level: float = option(0.95, "Confidence level of intervals.", **LEVEL)
    seed: int = option(0, "Seed of all simulations.", **SEED)
    folder: str | None = option(
        None, "Folder for finished parts, so that a stopped run can continue.", line=False, signed=False
    )
    progress: Progress = option(
        silent,
        "Called with the number of parts done and the total.",
        typed="function of (int, int)",
        line=False,
        signed=False,
    )


@dataclass(frozen=True, kw_only=True)
class StudySettings(StudyOptions):
    """The options of a study with the study itself, all its settings written out."""

    study: str = option("", "The study with its settings.", line=False)
