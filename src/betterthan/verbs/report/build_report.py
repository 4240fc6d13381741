"""Build a report: one page to open, search, sort, print and cite."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

from betterthan.base import BetterthanError, PlanError, part_of, spelling
from betterthan.datasets import DataSets, data_sets
from betterthan.options import Page, Plan, ReportOptions, takes
from betterthan.present import Table, atomic_files, table, wrapped
from betterthan.results import Detail, Result
from betterthan.verbs.rank import Leaderboards, settings
from betterthan.verbs.report.anonymous import without_judges
from betterthan.verbs.report.brand import Brand, load_brand
from betterthan.verbs.report.page.render import PageLook, render, template_library
from betterthan.verbs.report.pdf import printed
from betterthan.verbs.report.report_part import ReportPart, examine
from betterthan.verbs.report.report_verdict import Verdict, verdict


@dataclass(frozen=True, kw_only=True, repr=False, eq=False)
class Report(Result):
    """A finished page, and the parts that it shows for each data set.

    >>> import betterthan as bt
    >>> page = bt.report([("owl", "yak", "a")] * 60 + [("owl", "yak", "b")] * 20, resamples=100)
    >>> page.verdicts[0].headline.partition(",")[2].partition(":")[0]
    ' owl ranks first'
    """

    verb: ClassVar[str] = "report"
    schema: ClassVar[str] = "report/2"
    holds = ("title", "verdicts", ("data_sets", "parts"), "lacking")

    settings: Page
    parts: tuple[ReportPart, ...]
    lacking: tuple[str, ...]
    html: str
    together: Leaderboards | None = None  # all boards with their overview, of several data sets

    @property
    def title(self) -> str | None:
        """The title that was given, if any."""
        return self.settings.title or None

    @property
    def about(self) -> Mapping[str, str]:
        """The part of the signature about the evidence."""
        return (self.parts[0].boards if self.together is None else self.together).about

    @cached_property
    def verdicts(self) -> tuple[Verdict, ...]:
        """The sentences of the page about each data set."""
        return tuple(verdict(part) for part in self.parts)

    def columns(self) -> dict[str, list[Any]]:
        """Return the rows of all boards as columns, with the board's title and model first."""
        boards = [(part.title, board) for part in self.parts for board in part.boards]
        found = [board.columns() for _, board in boards]
        return {
            "leaderboard": [title for title, board in boards for _ in board],
            "model": [board.mechanism for _, board in boards for _ in board],
            **{name: [value for each in found for value in each[name]] for name in found[0]},
        }

    def tables(self) -> list[Table]:
        """Return every board."""
        return [
            replace(board.table(), title=" · ".join(filter(None, [part.title, board.mechanism])))
            for part in self.parts
            for board in part.boards
        ]

    def body(self, width: int | None) -> list[str]:
        """Return the conclusions of the page about each data set."""
        lines: list[str] = []
        for part, found in zip(self.parts, self.verdicts, strict=True):
            said = [found.headline, *found.sentences, *found.next_steps]
            lines += [*([part.title] if part.title else []), *(wrapped(sentence, width) for sentence in said), ""]
        lines += [wrapped(f"Left out: {each}", width) for each in self.lacking]
        return lines

    def to_html(self) -> str:
        """Return the page."""
        return self.html

    def to_pdf(self) -> bytes:
        """Return the page as PDF, printed by Chromium where that is installed."""
        return printed(self.html)

    def save(self, path: str | os.PathLike[str], form: str | None = None, detail: Detail = "usual") -> None:
        """Write the page, or the result in another format, whole or not at all; the ending says which."""
        if (form or Path(path).suffix.lower()) in {"pdf", ".pdf"}:
            atomic_files.write_bytes(path, self.to_pdf())
        else:
            super().save(path, form, detail)


@takes(ReportOptions)
def report(evidence: Any, options: ReportOptions) -> Report:
    """Make one self-contained page: verdict, leaderboards, pairs, diagnosis, judges, data, methods, how to repeat it.

    Options are those of `rank`; several models, metrics or data sets make one page with an overview. `measure` says
    whether quality is `clear` or `hard` to define, for the advice.

    >>> page = report([("owl", "yak", "a")] * 6 + [("owl", "yak", "b")] * 4, resamples=100)
    >>> page.html.startswith("<!doctype html>")
    True
    """
    template_library()  # before minutes of work that could not be shown
    plan = options.asked()
    look = _look(options)
    sets = data_sets(evidence, unit=plan.unit, tolerance=plan.tolerance or 0.0, pools_tasks=True, takes_labels=True)
    plan.need_several(len(sets), random=bool(sets.random))
    single = plan.of_one_task()
    if options.before is not None:
        sets.only("a comparison with an earlier board")
    parts: list[ReportPart] = []
    lacking: list[str] = []
    for place, data in enumerate(sets):
        try:
            progress = part_of(options.progress, place, len(sets))
            alone = replace(sets, random=())
            part = examine(data, alone, single, options.measure, progress=progress, before=options.before)
            parts.append(without_judges(part) if options.no_judges else part)
        except BetterthanError as error:
            if len(sets) == 1:
                raise
            lacking.append(f"{data.title}: {error}")
    if not parts:
        raise BetterthanError(f"none of the {len(sets)} data sets can be reported; the first: {lacking[0]}")
    together = _together(parts, sets, plan)
    findings = tuple(dict.fromkeys(finding for part in parts for finding in part.findings))
    page = Report(
        settings=_settled(plan, parts, options),
        data="+".join(dict.fromkeys(part.boards.data for part in parts)),
        findings=findings if together is None else tuple(dict.fromkeys([*findings, *together.findings])),
        reading=settings.reading_with(sets, plan.control),
        parts=tuple(parts),
        lacking=tuple(lacking),
        together=together,
        html=_page(parts, lacking, look, together, options),
    )
    if options.path is not None:
        page.save(options.path, "pdf" if Path(options.path).suffix.lower() == ".pdf" else "html")
    return page


def _page(
    parts: list[ReportPart], lacking: list[str], look: PageLook, together: Leaderboards | None, options: ReportOptions
) -> str:
    """Return the page, with the chosen columns of its leaderboards."""
    with table.choosing(options.columns) as choice:
        html = render(parts, lacking, look, together)
    if unknown := choice.unknown:
        raise PlanError(
            f"{spelling.option('columns')}: the leaderboards have no column {unknown[0]!r}",
            allowed=", ".join(name for name in choice.known if name),
        )
    return html


def _together(parts: list[ReportPart], sets: DataSets, plan: Plan) -> Leaderboards | None:
    """Return all boards with their overview and overall scores, None for one data set."""
    if len(parts) < 2:
        return None
    boards = tuple(board for part in parts for board in part.boards)
    reported = replace(sets, sets=tuple(part.data for part in parts))
    return replace(parts[0].boards, boards=boards, findings=()).with_overall(reported, plan)


def _look(options: ReportOptions) -> PageLook:
    """Return how the page looks, refusing early what cannot be."""
    if options.embed and options.path is not None and Path(options.path).suffix.lower() == ".pdf":
        raise PlanError(
            "a fragment is for web pages, so it cannot be a PDF", remedy=f"Leave out {spelling.option('embed')}."
        )
    brand = Brand() if options.brand is None else load_brand(options.brand)
    return PageLook(options.title or brand.title, brand, options.embed, not options.no_judges)


def _settled(plan: Plan, parts: list[ReportPart], options: ReportOptions) -> Page:
    """Return the plan with what the evidence decided, where it decided the same of every data set."""
    found = [part.boards.settings.plan() for part in parts]
    said = {}
    for each in fields(Plan):
        asked, every = getattr(plan, each.name), {getattr(one, each.name) for one in found}
        said[each.name] = every.pop() if len(every) == 1 else asked
    said["tolerance"] = said["tolerance"] or None  # as good as not said
    return Page(**said, title=options.title, measure=options.measure)
