"""Options of `report`: those of `rank`, and of the page."""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from betterthan.base import Progress, silent
from betterthan.options.diagnose import Measure
from betterthan.options.fields.declare import option
from betterthan.options.rank import Plan, refuse_without_effect


@dataclass(frozen=True, kw_only=True)
class Page(Plan):
    """A plan, and the title and assumptions of the page."""

    verb: ClassVar[str] = "report"

    title: str = option("", "Title of the page.", signed=False)
    brand: str | os.PathLike[str] | None = option(
        None, "TOML file with title, logo, accent and accent_dark.", metavar="FILE", signed=False
    )
    embed: bool = option(False, "Write a fragment for another page instead of a whole page.", signed=False)
    before: str | os.PathLike[str] | None = option(
        None,
        "JSON file of an earlier board: say what changed since, and which changes are significant.",
        metavar="FILE",
        signed=False,
    )
    columns: Sequence[str] | None = option(
        None, "Columns of the leaderboards, in this order, by their titles.", metavar="NAMES", signed=False
    )
    no_judges: bool = option(False, "Leave out everything about single judges.", signed=False)
    measure: Measure | None = option(
        None, "Scores: whether quality is clear or hard to define for this task. It changes the advice."
    )
    progress: Progress = option(
        silent,
        "Called with the number of steps done and the total.",
        typed="function of (int, int)",
        line=False,
        signed=False,
    )


@dataclass(frozen=True)
class ReportOptions(Page):
    """A call of `report`: the output path, and an optional plan to start from."""

    path: str | os.PathLike[str] | None = option(None, "File to write the page to.", line=False, signed=False)
    plan: Plan | None = option(
        None,
        "A saved plan to start from; options of the call override it.",
        typed="Plan, signature or path",
        line=False,
        signed=False,
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        given: Any = self.plan
        if isinstance(given, str) and "|verb:report|" in given:  # one of rank is as good
            given = Page.load(given)
            object.__setattr__(self, "plan", given)
        if isinstance(given, Page) and self.measure is None:
            object.__setattr__(self, "measure", given.measure)

    def asked(self) -> Plan:
        """Return the plan of this call; unit and level are also those of the pairs and of the diagnosis."""
        plan = self.over(self.plan)
        refuse_without_effect(self, plan.ci, ("resamples", "clusters"))
        return plan
