"""A finished table: cells are text already, so that every renderer shows the same."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from html import escape
from textwrap import wrap

from rich.cells import cell_len, set_cell_size

_LATEX = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#", "%": r"\%",
    "_": r"\_", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "…": r"\dots{}", "–": "--", "<": r"\textless{}",
    ">": r"\textgreater{}", "|": r"\textbar{}", '"': r"\textquotedbl{}",
}  # fmt: skip


#: A name keeps this much room, if need be at the cost of optional columns.
_NAME = 20


@dataclass(frozen=True)
class Column:
    """A column's title and side, and what happens when there is no room: it may be cut, or left out."""

    title: str
    align: str = "right"
    flexible: bool = False
    optional: int = 0  # left out first where it is highest; 0 is never left out


@dataclass(frozen=True)
class Table:
    """Columns, rows of text, the rows before which a line separates groups, and a title where there are several."""

    columns: list[Column]
    rows: Sequence[Sequence[str]]
    rules: frozenset[int] = field(default_factory=frozenset)
    title: str = ""

    def to_text(self, width: int | None = None) -> str:
        """Render for a terminal; without a width nothing is cut or left out."""
        if width is None:
            return self._lines(self._widths())
        widths = self._widths()
        excess = sum(widths) + 2 * len(widths) - width
        spare = sum(max(0, size - _NAME) for size, column in zip(widths, self.columns, strict=True) if column.flexible)
        least = max(self.columns, key=lambda column: column.optional)
        if excess > spare and least.optional:
            return self._without(self.columns.index(least)).to_text(width)
        for place, column in enumerate(self.columns):
            if column.flexible and excess > 0:
                cut = min(excess, max(0, widths[place] - 8))
                widths[place] -= cut
                excess -= cut
        return self._lines(widths)

    def _widths(self) -> list[int]:
        rows = [[column.title for column in self.columns], *self.rows]
        return [max(cell_len(_clean(text)) for text in texts) for texts in zip(*rows, strict=True)]

    def _without(self, place: int) -> "Table":
        rows = [[cell for number, cell in enumerate(row) if number != place] for row in self.rows]
        return Table([*self.columns[:place], *self.columns[place + 1 :]], rows, self.rules)

    def _lines(self, widths: Sequence[int]) -> str:
        lines = [self._line([column.title for column in self.columns], widths)]
        for number, row in enumerate(self.rows):
            if number in self.rules:
                lines.append("  " + "─" * (sum(widths) + 2 * (len(widths) - 1)))
            lines.append(self._line(row, widths))
        return "\n".join(lines)

    def to_markdown(self) -> str:
        """Render as a Markdown table."""
        cells = [[_markdown(cell) for cell in row] for row in self.rows]
        lines = ["| " + " | ".join(column.title for column in self.columns) + " |"]
        lines.append("|" + "|".join("---:" if column.align == "right" else ":---" for column in self.columns) + "|")
        return "\n".join([*lines, *("| " + " | ".join(row) + " |" for row in cells)]) + "\n"

    def to_latex(self) -> str:
        """Render as a LaTeX tabular with booktabs rules."""
        sides = "".join("r" if column.align == "right" else "l" for column in self.columns)
        lines = [f"\\begin{{tabular}}{{{sides}}}", "\\toprule"]
        lines.append(" & ".join(_latex(column.title) for column in self.columns) + " \\\\")
        lines.append("\\midrule")
        for number, row in enumerate(self.rows):
            if number in self.rules:
                lines.append("\\midrule")
            lines.append(" & ".join(_latex(cell) for cell in row) + " \\\\")
        return "\n".join([*lines, "\\bottomrule", "\\end{tabular}"]) + "\n"

    def to_html(self) -> str:
        """Render as an HTML table; cells are text, never markup."""
        head = "".join(f'<th style="text-align:{column.align}">{escape(column.title)}</th>' for column in self.columns)
        body = []
        for number, row in enumerate(self.rows):
            style = ' style="border-top:1px solid"' if number in self.rules else ""
            cells = "".join(
                f'<td style="text-align:{column.align}">{escape(cell)}</td>'
                for column, cell in zip(self.columns, row, strict=True)
            )
            body.append(f"<tr{style}>{cells}</tr>")
        return f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(body)}</tbody></table>"

    def _line(self, cells: Sequence[str], widths: Sequence[int]) -> str:
        shown = []
        for column, cell, width in zip(self.columns, cells, widths, strict=True):
            clean = _clean(cell)
            fitted = clean if cell_len(clean) <= width else set_cell_size(clean, width - 1).rstrip() + "…"
            blanks = " " * (width - cell_len(fitted))
            shown.append(blanks + fitted if column.align == "right" else fitted + blanks)
        return ("  " + "  ".join(shown)).rstrip()


def _clean(text: str) -> str:
    """Show what cannot be printed, a line break above all, as a question mark."""
    return "".join(character if character.isprintable() else "?" for character in text)


def _latex(text: str) -> str:
    return "".join(_LATEX.get(character, character) for character in " ".join(text.split()))


def _markdown(text: str) -> str:
    for character in ("\\", "|", "`", "*", "_", "<"):
        text = text.replace(character, "\\" + character)
    return " ".join(text.split())


def wrapped(text: str, width: int | None) -> str:
    """Break a sentence at blanks where a width is given; further lines are indented."""
    if width is None:
        return text
    return "\n".join(wrap(text, width, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False))


def chance(p: float) -> str:
    """Return a p-value as text.

    >>> chance(0.0312), chance(0.0000012)
    ('0.0312', '1.2e-06')
    """
    return f"{p:.4f}" if p >= 0.0001 else f"{p:.1e}"


def commented(text: str) -> str:
    """Return a text for a comment of one line in LaTeX: a line break would end the comment."""
    return " ".join(text.split())
