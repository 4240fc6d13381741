"""The result of a study: a tidy table, a picture, and a page that compares our figures with the paper's."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any, ClassVar

from betterthan.base import BetterthanError, escaping, spelling
from betterthan.inference import Estimate
from betterthan.options import StudySettings
from betterthan.present import Column, Picture, Table, atomic_files, wrapped
from betterthan.results import Result
from betterthan.verbs.study.experiments.base import Claim, build_study

#: What is written into a folder: the page, the table, the whole result, the picture.
_ENDINGS = ("md", "csv", "json", "svg")


@dataclass(frozen=True, kw_only=True, repr=False, eq=False)
class StudyResult(Result):
    """The result of a study; `claims` are statements of the paper next to our figures.

    `given` says that it ran on evidence of one's own, and not on simulated or bundled evidence; `drawn` is what the
    picture shows where that is not the table.
    """

    verb: ClassVar[str] = "study"
    schema: ClassVar[str] = "study/2"
    holds = ("name", "shows", "paper", "place", "claims", "table")

    settings: StudySettings
    claims: tuple[Claim, ...]
    table: Mapping[str, tuple[Any, ...]]
    summary: Table
    given: bool = False
    drawn: Mapping[str, Any] | None = None

    @property
    def name(self) -> str:
        """The study's name."""
        return self.settings.study.partition("(")[0]

    @property
    def shows(self) -> str:
        """A description of the study."""
        return build_study(self.settings.study).about

    @property
    def paper(self) -> str:
        """The paper that it repeats, or the page that it backs."""
        return build_study(self.settings.study).paper

    @property
    def place(self) -> str:
        """The place in the paper."""
        return build_study(self.settings.study).place

    def claim(self, what: str) -> Claim:
        """Return the statement whose wording begins so.

        Parameters
        ----------
        what : str
            The first words of the statement.

        Returns
        -------
        Claim
            The statement with the paper's number and ours.
        """
        for found in self.claims:
            if found.what.startswith(what):
                return found
        raise BetterthanError(
            f"no statement begins with {what!r}; there are: {'; '.join(c.what for c in self.claims)}."
        )

    def plot(self, *, title: str = "") -> Picture:
        """Draw the picture of the study.

        Parameters
        ----------
        title : str, optional
            Title of the picture.

        Returns
        -------
        Picture
            The picture.
        """
        return build_study(self.settings.study).picture(self.drawn or self.table, title)

    def columns(self) -> dict[str, list[Any]]:
        """Return the tidy table."""
        return {name: list(values) for name, values in self.table.items()}

    def tables(self) -> list[Table]:
        """Return our figures next to the paper's, and a short form of the tidy table."""
        return [self.claim_table(), self.summary]

    def claim_table(self) -> Table:
        """Return every statement with our figure, the difference from a printed one, the margin, and the agreement."""
        columns = [
            Column("statement", "left", flexible=True),
            Column("paper", "left", flexible=True),
            Column("ours"),
            Column("interval", "left"),
            Column("difference", "left", optional=1),
            Column("agrees if", "left"),
            Column("agreement", "left"),
        ]
        rows = [
            [
                each.what,
                each.paper,
                _shown(each.ours.value),
                "exact" if each.expected.exact else each.ours.ends(3),
                _signed(each.difference),
                str(each.expected),
                each.agreement,
            ]
            for each in self.claims
        ]
        return Table(columns, rows, title="Beside the paper")

    def body(self, width: int | None) -> list[str]:
        """Return the description of the study, its tables, and why figures may differ from the paper's."""
        tables = [line for table in self.tables() for line in (table.title, "", table.to_text(width), "")]
        head = [wrapped(self.shows, width), wrapped(f"{self.paper}: {self.place}.", width), ""]
        return [*head, *tables, *(line for cause in self._causes(width) for line in (cause, ""))]

    def to_markdown(self) -> str:
        """Return the page: what it is, our figures next to the paper's, why they may differ, and how to repeat it."""
        head = f"# {self.name}\n\n{self.shows}\n\n{self.paper}: {self.place}.\n"
        causes = "".join(f"- {escaping.markdown_line(cause)}\n" for cause in self._causes(None))
        causes = f"## What differs, and what cannot be told\n\n{causes}" if causes else ""
        warnings = "".join(f"- {escaping.markdown_line(str(finding))}\n" for finding in self.findings)
        closing = f"Repeated by {escaping.markdown_code(self.command)}.\n\n    {self.signature}\n"
        return "\n".join(part for part in (head, self.markdown_tables(), causes, warnings, closing) if part)

    @property
    def command(self) -> str:
        """The command that repeats it, but for the names of files."""
        settings, files = self.settings, " FILE" if self.given else ""
        choices = f"{spelling.flag('level')} {settings.level:g} {spelling.flag('seed')} {settings.seed}"
        return f"betterthan study '{settings.study}'{files} {choices}"

    def save_in(self, folder: str | os.PathLike[str]) -> tuple[Path, ...]:
        """Write the page, the table, the whole result and the picture into a folder; return the files.

        Parameters
        ----------
        folder : str or path
            Folder to write into; it is made if it is missing.

        Returns
        -------
        tuple of path
            The files.
        """
        place = Path(folder)
        try:
            place.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise BetterthanError(f"{folder}: no folder can be made there: {error.strerror}. Choose another.") from None
        page, table, whole, picture = (place / f"{self.name}.{ending}" for ending in _ENDINGS)
        drawn = f"![{self.name}]({picture.name})"
        atomic_files.write_text(page, f"{self.to_markdown()}\nRun on {date.today().isoformat()}.\n\n{drawn}\n")
        self.save(table)
        self.save(whole)
        self.plot().save(picture)
        return page, table, whole, picture

    def _causes(self, width: int | None) -> list[str]:
        """Return the statements that do not agree with the likely cause, those of one cause together."""
        found: dict[tuple[str, str], list[str]] = {}
        for each in self.claims:
            if each.agreement != "agrees":
                found.setdefault((each.agreement, each.cause), []).append(each.what)
        return [
            wrapped(f"{state.capitalize()}: {'; '.join(statements)}. {cause}".strip(), width)
            for (state, cause), statements in found.items()
        ]


def _shown(value: float | None) -> str:
    return "" if value is None else f"{value:.3f}"


def _signed(found: Estimate | None) -> str:
    if found is None or found.value is None:
        return ""
    ends = "" if found.low is None or found.high is None else f" ({found.low:+.3f} … {found.high:+.3f})"
    return f"{found.value:+.3f}{ends}"
