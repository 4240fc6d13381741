"""From evidence to one page that a colleague can open, search, sort, print and cite."""

import os
from dataclasses import dataclass
from typing import Any

from betterthan.datasets.sets import data_sets
from betterthan.errors import BetterthanError
from betterthan.options.report import ReportOptions
from betterthan.options.verb import takes
from betterthan.present.whole import write_text
from betterthan.progress import part_of
from betterthan.reports.page.render import render
from betterthan.reports.parts import Part, examine


@dataclass(frozen=True, eq=False)
class Report:
    """A finished page, and what it shows of every data set; two are equal where their pages are."""

    html: str
    parts: tuple[Part, ...]

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the page."""
        write_text(path, self.html)

    def _repr_html_(self) -> str:
        return self.html

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Report) and self.html == other.html

    def __hash__(self) -> int:
        return hash(self.html)


@takes(ReportOptions)
def report(evidence: Any, options: ReportOptions) -> Report:
    """Make one self-contained page: verdict, leaderboards, pairs, diagnosis, judges, data, methods, how to repeat it.

    Options are those of `rank`; several models, metrics or data sets make one page with an overview. `measure` says
    whether quality is `clear` or `hard` to define, for the advice.

    >>> page = report([("owl", "yak", "a")] * 6 + [("owl", "yak", "b")] * 4, resamples=100)
    >>> page.html.startswith("<!doctype html>")
    True
    """
    plan = options.asked()
    sets = data_sets(evidence, unit=plan.unit, tolerance=plan.tolerance or 0.0)
    parts: list[Part] = []
    lacking: list[str] = []
    for place, data in enumerate(sets):
        try:
            progress = part_of(options.progress, place, len(sets))
            parts.append(examine(data, sets, plan, options.measure, progress))
        except BetterthanError as error:
            if len(sets) == 1:
                raise
            lacking.append(f"{data.title}: {error}")
    if not parts:
        raise BetterthanError(f"none of the {len(sets)} data sets can be reported; the first: {lacking[0]}")
    page = Report(render(parts, lacking, options.title), tuple(parts))
    if options.path is not None:
        page.save(options.path)
    return page
