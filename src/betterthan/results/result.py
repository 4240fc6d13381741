"""The base class of results: options, data digest, findings, tables and file formats."""

import os
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Literal, Protocol, get_args

from betterthan import __version__
from betterthan.base import BetterthanError, Signature, escaping, need_path, spelling
from betterthan.evidence import Reading
from betterthan.findings import Finding
from betterthan.options import About, Declared, validated
from betterthan.present import Holds, Table, json_document, table, wrapped

#: Formats by the ending of a file.
ENDINGS = {
    ".txt": "table",
    ".json": "json",
    ".jsonl": "jsonl",
    ".csv": "csv",
    ".md": "markdown",
    ".tex": "latex",
    ".html": "html",
    ".htm": "html",
    ".parquet": "parquet",
}
#: Formats that are text, so that they can be printed.
FORMATS = ("table", "json", "csv", "markdown", "latex", "html")
#: How much a text says: the answer alone, the usual, or every finding in full as well.
Detail = Literal["brief", "usual", "full"]


class Settled(Protocol):
    """Options of a verb after everything is resolved."""

    def facts(self) -> dict[str, str]:
        """Return the facts that determine the result, for its signature."""


@dataclass(frozen=True, kw_only=True, repr=False, eq=False)
class Result(ABC):
    """The base class of results.

    `settings` are the verb's options as they were settled, `data` is the digest of the evidence, `findings` are what a
    reader has to know in addition to the numbers. Two results are equal where their documents are.
    """

    #: The verb that the signature names, and the JSON schema of the document with its version.
    verb: ClassVar[str]
    schema: ClassVar[str]
    #: What the JSON document holds: attributes by their names, or under another name as `(name, attribute)`. Their
    #: declared types make the schema.
    holds: ClassVar[Holds]

    settings: Settled
    data: str
    findings: tuple[Finding, ...] = ()
    reading: Reading | None = None  # how the evidence was read

    @property
    def about(self) -> Mapping[str, str]:
        """Facts of the signature about the evidence."""
        return {}

    @property
    def signature(self) -> Signature:
        """The line that repeats this result."""
        facts = {"verb": self.verb, **self.about, **self.settings.facts(), "data": self.data}
        return Signature(__version__, {name: value for name, value in facts.items() if value})

    @abstractmethod
    def columns(self) -> dict[str, list[Any]]:
        """Return the result as one tidy table, column by column."""

    def figures(self) -> Mapping[tuple[str, str], float | None]:
        """Return the figures that can be averaged over data sets, by what they are and what they are of."""
        return {}

    @abstractmethod
    def tables(self) -> list[Table]:
        """Return the finished tables that every format shows."""

    @property
    def verdict(self) -> str | None:
        """The answer in one or two sentences, None where the result has none."""
        return None

    @abstractmethod
    def body(self, width: int | None) -> list[str]:
        """Return the lines of text between the verdict and the findings.

        Parameters
        ----------
        width : int or None
            Width in characters; None does not wrap lines.
        """

    def details(self, width: int | None) -> list[str]:
        """Return further lines for readers who want every detail.

        Parameters
        ----------
        width : int or None
            Width in characters; None does not wrap lines.
        """
        return []

    def brief(self, width: int | None) -> str:
        """Return the answer alone: the tables, unless the verdict says it all.

        Parameters
        ----------
        width : int or None
            Width in characters; None does not wrap lines.
        """
        return "\n\n".join("\n".join(filter(None, [each.title, each.to_text(width)])) for each in self.tables())

    def to_text(self, width: int | None = None, detail: Detail = "usual") -> str:
        """Return the text for the terminal: the verdict, its basis, findings, and the signature last.

        Parameters
        ----------
        width : int, optional
            Width in characters; by default lines are not wrapped.
        detail : {'brief', 'usual', 'full'}, default 'usual'
            How much to show: the answer alone, the usual text, or every finding in full.

        Returns
        -------
        str
            The text.
        """
        text_width(width, detail)
        if detail == "brief":
            return escaping.terminal_text(self.brief(width))
        verdict = self.verdict
        head = [wrapped(verdict, width), ""] if verdict else []
        more = self.details(width) if detail == "full" else []
        return escaping.terminal_text("\n".join([*head, *self.body(width), *more, *self.closing(width, detail)]))

    def to_dict(self) -> dict[str, Any]:
        """Return the result as plain JSON values."""
        return {
            "betterthan": __version__,
            "schema": self.schema,
            "signature": str(self.signature),
            "settings": json_document.plain(self.settings),
            **json_document.plain(self),
            "read_as": json_document.plain(self.reading),
            "findings": json_document.plain(self.findings),
        }

    def to_json(self) -> str:
        """Return JSON text; numbers are plain, absent is null."""
        return json_document.to_json(self.to_dict())

    def notes(self) -> list[str]:
        """Return the notes to the tables: the reading report, findings, and the signature last."""
        return self.closing(None)

    def markdown_tables(self) -> str:
        """Return Markdown tables, each under its title where there are several."""
        return "\n".join(
            f"## {escaping.markdown_line(each.title)}\n\n{each.to_markdown()}" if each.title else each.to_markdown()
            for each in self.tables()
        )

    def to_markdown(self) -> str:
        """Return Markdown tables, and below them what must be read with them."""
        *notes, signature = self.notes()
        listed = "".join(f"- {escaping.markdown_line(note)}\n" for note in notes)
        return f"{self.markdown_tables()}\n{listed}- {escaping.markdown_code(signature)}\n"

    def to_latex(self) -> str:
        """Return LaTeX tabulars (booktabs) under their titles, and what must be read with them as comments."""
        tables = (
            f"{escaping.latex_comment(each.title)}{each.to_latex()}" if each.title else each.to_latex()
            for each in self.tables()
        )
        return "\n".join(tables) + "".join(map(escaping.latex_comment, self.notes()))

    def to_html(self) -> str:
        """Return HTML tables under their titles, and below them what must be read with them."""
        tables = (
            f"<h3>{escaping.html_text(each.title)}</h3>{each.to_html()}" if each.title else each.to_html()
            for each in self.tables()
        )
        *notes, signature = self.notes()
        listed = "".join(f"<li>{escaping.html_text(note)}</li>" for note in notes)
        return f"{''.join(tables)}<ul>{listed}<li><code>{escaping.html_text(signature)}</code></li></ul>"

    def _repr_html_(self) -> str:
        return self.to_html()

    def _chosen_columns(self) -> dict[str, list[Any]]:
        columns = self.columns()
        names = list(columns)
        places = table.chosen_places([(name,) for name in names])
        return columns if places is None else {names[place]: columns[names[place]] for place in places}

    def to_csv(self) -> str:
        """Return the columns as CSV text."""
        return str(_frames().csv_text(self._chosen_columns()))

    def to_pandas(self) -> Any:
        """Return the columns as a pandas data frame."""
        return _frames().pandas_frame(self.columns())

    def to_polars(self) -> Any:
        """Return the columns as a Polars data frame."""
        return _frames().polars_frame(self.columns())

    def to_arrow(self) -> Any:
        """Return the columns as a PyArrow table."""
        return _frames().arrow_table(self.columns())

    def render(self, form: str, width: int | None = None, detail: Detail = "usual") -> str:
        """Return the result in one of the formats that are text.

        Parameters
        ----------
        form : {'table', 'json', 'csv', 'markdown', 'latex', 'html'}
            Name of the format.
        width : int, optional
            Width in characters; by default lines are not wrapped.
        detail : {'brief', 'usual', 'full'}, default 'usual'
            How much to show: the answer alone, the usual text, or every finding in full.

        Returns
        -------
        str
            The result as text.
        """
        validated(_FORM, form)
        if form == "table":
            return self.to_text(width, detail) + "\n"
        renderers = {
            "json": self.to_json,
            "csv": self.to_csv,
            "markdown": self.to_markdown,
            "latex": self.to_latex,
            "html": self.to_html,
        }
        return renderers[form]()

    def save(self, path: str | os.PathLike[str], form: str | None = None, detail: Detail = "usual") -> None:
        """Write the result whole or not at all, in a format or in the one that the file's ending says.

        Parameters
        ----------
        path : str or path
            File to write.
        form : str, optional
            Name of the format; by default the file's ending decides.
        detail : {'brief', 'usual', 'full'}, default 'usual'
            How much to show: the answer alone, the usual text, or every finding in full.
        """
        from betterthan.engine import write_columns  # noqa: PLC0415 (a result that is printed needs no files)
        from betterthan.present import atomic_files  # noqa: PLC0415

        chosen = format_of_file(path, form)
        if chosen in {"parquet", "jsonl"}:
            write_columns(path, self._chosen_columns())
        else:
            atomic_files.write_text(path, self.render(chosen, detail=detail))

    @property
    def reading_lines(self) -> list[str]:
        """How files were read, nothing where the evidence was in memory already."""
        return [str(self.reading)] if self.reading is not None and self.reading.from_files else []

    def closing(self, width: int | None, detail: Detail = "usual") -> list[str]:
        """Return the lines that end every text: how files were read, findings and signature.

        Parameters
        ----------
        width : int or None
            Width in characters; None does not wrap lines.
        detail : {'brief', 'usual', 'full'}, default 'usual'
            How much to show: the answer alone, the usual text, or every finding in full.

        Returns
        -------
        list of str
            The lines.
        """
        read = [wrapped(line, width) for line in self.reading_lines]
        return [*read, *findings_text(self.findings, width, detail), str(self.signature)]

    def __str__(self) -> str:
        return self.to_text()

    def __repr__(self) -> str:
        return self.to_text()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Result) or type(self) is not type(other):
            return NotImplemented
        return self.to_dict() == other.to_dict()

    def __hash__(self) -> int:
        return hash(str(self.signature))


#: Settings of a text: its width, its verbosity and its format.
_WIDTH = Declared("width", "whole", True, None, About("", least=1))
_DETAIL = Declared("detail", "choice", False, "usual", About("", choices=get_args(Detail)))
_FORM = Declared("form", "choice", False, "table", About("", choices=FORMATS))
_WRITTEN = Declared("form", "choice", False, "table", About("", choices=tuple(dict.fromkeys(ENDINGS.values()))))


def text_width(width: object, detail: object) -> None:
    """Refuse a width that is no number of characters, and a detail that there is not."""
    validated(_WIDTH, width)
    validated(_DETAIL, detail)


def findings_text(findings: Iterable[Finding], width: int | None, detail: Detail = "usual") -> list[str]:
    """Return findings as lines of text: one each, or every part of it on a line of its own."""
    if detail != "full":
        return [wrapped(str(finding), width) for finding in findings]
    return [wrapped(line, width) for finding in findings for line in finding.in_full()]


def format_of_file(path: str | os.PathLike[str], form: str | None = None) -> str:
    """Return the format requested, by name or by the file's ending."""
    need_path(path, "the place of a result")
    if form is not None:
        validated(_WRITTEN, form)
    chosen = form or ENDINGS.get(Path(path).suffix.lower())
    if chosen is None:
        raise BetterthanError(
            "cannot tell the format from its ending",
            where=os.fspath(path),
            allowed=", ".join(ENDINGS),
            remedy=f"Or name the format with {spelling.option('form', 'json')}.",
        )
    return chosen


def _frames() -> Any:
    from betterthan.results import data_frames  # noqa: PLC0415 (most results are shown as text)

    return data_frames
