"""From evidence to one page that a colleague can open, search, sort, print and cite."""

import os
from dataclasses import dataclass, replace
from typing import Any

from betterthan.errors import BetterthanError
from betterthan.evidence.read import as_evidence
from betterthan.plan import Plan
from betterthan.present.whole import write_text
from betterthan.progress import Progress, silent
from betterthan.reports.page.render import render
from betterthan.reports.parts import Part, data_sets, examine


@dataclass(frozen=True)
class Report:
    """A finished page, and what it shows of every data set."""

    html: str
    parts: tuple[Part, ...]

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the page."""
        write_text(path, self.html)

    def _repr_html_(self) -> str:
        return self.html


def report(
    evidence: Any,
    path: str | os.PathLike[str] | None = None,
    plan: Plan | None = None,
    *,
    title: str = "",
    measure: Any = None,
    progress: Progress = silent,
    **choices: Any,
) -> Report:
    """Make one self-contained page: verdict, leaderboards, pairs, diagnosis, judges, data, methods, how to repeat it.

    Choices are those of `Plan`, as for `rank`; several models, metrics or data sets make one page with an overview.
    `measure` says whether quality is `clear` or `hard` to define, for the advice.

    >>> page = report([("owl", "yak", "a")] * 6 + [("owl", "yak", "b")] * 4, resamples=100)
    >>> page.html.startswith("<!doctype html>")
    True
    """
    chosen = replace(plan, **choices) if plan else Plan.of(**choices)
    found = as_evidence(evidence)
    sets = data_sets(found)
    parts: list[Part] = []
    lacking: list[str] = []
    for place, (name, each) in enumerate(sets):
        try:
            parts.append(examine(name, each, chosen, measure, _share(progress, place, len(sets))))
        except BetterthanError as error:
            if len(sets) == 1:
                raise
            lacking.append(f"{name}: {error}")
    if not parts:
        raise BetterthanError(f"none of the {len(sets)} data sets can be reported; the first: {lacking[0]}")
    page = Report(render(parts, lacking, title), tuple(parts))
    if path is not None:
        page.save(path)
    return page


def _share(progress: Progress, place: int, parts: int) -> Progress:
    """Report one data set's progress as a part of the whole."""
    return lambda done, total: progress(place * total + done, parts * total)
