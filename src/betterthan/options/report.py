"""Options of `report`: those of `rank`, and of the page."""

import os
from dataclasses import dataclass
from typing import ClassVar

from betterthan.options.declare import option
from betterthan.options.diagnose import Measure
from betterthan.options.rank import Plan
from betterthan.progress import Progress, silent


@dataclass(frozen=True, kw_only=True)
class Page(Plan):
    """A plan, and what the page is called and assumes."""

    verb: ClassVar[str] = "report"

    title: str = option("", "Title of the page.", signed=False)
    measure: Measure | None = option(None, "Is quality clear, or hard to define?")
    progress: Progress = option(silent, "Called with (steps done, steps in all).", line=False, signed=False)


@dataclass(frozen=True)
class ReportOptions(Page):
    """A call of `report`: where the page goes, perhaps a plan that it starts from."""

    path: str | os.PathLike[str] | None = option(None, "Where the page is written.", line=False, signed=False)
    plan: Plan | None = option(None, "A saved plan to start from.", line=False, signed=False)

    def asked(self) -> Plan:
        """Return the plan of this call."""
        return self.over(self.plan)
