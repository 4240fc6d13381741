"""A finished table of text cells, which all renderers share."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from textwrap import wrap

from rich.cells import cell_len, set_cell_size

from betterthan.base import escaping

#: A name keeps this much room, if need be at the cost of optional columns.
_NAME = 20


@dataclass(frozen=True)
class Column:
    """A column's title and alignment, and whether it may be shortened or left out when space is short."""

    title: str
    align: str = "right"
    flexible: bool = False
    optional: int = 0  # left out first where it is highest; 0 is never left out
    name: str = ""  # in data, where the title is another


@dataclass(frozen=True)
class Table:
    """Columns, rows of text, the rows before which a line separates groups, and an optional title.

    `strong` are the places (row, column) of cells that documents show in bold.
    """

    columns: list[Column]
    rows: Sequence[Sequence[str]]
    rules: frozenset[int] = field(default_factory=frozenset)
    title: str = ""
    strong: frozenset[tuple[int, int]] = field(default_factory=frozenset)

    def to_text(self, width: int | None = None) -> str:
        """Render for a terminal; without a width nothing is cut or left out."""
        return chosen(self)._text(width)

    def _text(self, width: int | None) -> str:
        lines = escaping.terminal_rows([[column.title for column in self.columns], *self.rows])
        sizes = [max(map(_width, texts)) for texts in zip(*lines, strict=True)]
        shown = list(range(len(sizes)))
        if width is not None:
            shown = self._with_room(sizes, width)
            excess = _needed(sizes, shown) - width
            for place in shown:
                if self.columns[place].flexible and excess > 0:
                    cut = min(excess, max(0, sizes[place] - 8))
                    sizes[place] -= cut
                    excess -= cut
        rule, text = "  " + "─" * (_needed(sizes, shown) - 2), []
        for number, line in enumerate(lines, start=-1):  # the titles come before row 0
            if number in self.rules:
                text.append(rule)
            cells = (_fitted(line[place], sizes[place], self.columns[place].align) for place in shown)
            text.append(("  " + "  ".join(cells)).rstrip())
        if left_out := [lines[0][place] for place in range(len(sizes)) if place not in shown]:
            text.append(f"  Not shown at this width: {', '.join(left_out)}.")
        return "\n".join(text)

    def _with_room(self, sizes: Sequence[int], width: int) -> list[int]:
        """Return the columns that have room, the least important ones left out until names have enough."""
        shown = list(range(len(sizes)))
        while True:
            spare = sum(max(0, sizes[place] - _NAME) for place in shown if self.columns[place].flexible)
            least = max(shown, key=lambda place: self.columns[place].optional)
            if _needed(sizes, shown) - width <= spare or not self.columns[least].optional:
                return shown
            shown.remove(least)

    def to_markdown(self) -> str:
        """Render as a Markdown table."""
        return chosen(self)._markdown()

    def _markdown(self) -> str:
        cells = [
            [self._bold("**", escaping.markdown_text(cell), "**", place) for cell, place in self._places(number)]
            for number in range(len(self.rows))
        ]
        lines = ["| " + " | ".join(escaping.markdown_text(column.title) for column in self.columns) + " |"]
        lines.append("|" + "|".join("---:" if column.align == "right" else ":---" for column in self.columns) + "|")
        return "\n".join([*lines, *("| " + " | ".join(row) + " |" for row in cells)]) + "\n"

    def to_latex(self) -> str:
        """Render as a LaTeX tabular with booktabs rules."""
        return chosen(self)._latex()

    def _latex(self) -> str:
        sides = "".join("r" if column.align == "right" else "l" for column in self.columns)
        lines = [f"\\begin{{tabular}}{{{sides}}}", "\\toprule"]
        lines.append(" & ".join(escaping.latex_text(column.title) for column in self.columns) + " \\\\")
        lines.append("\\midrule")
        for number in range(len(self.rows)):
            if number in self.rules:
                lines.append("\\midrule")
            cells = (
                self._bold("\\textbf{", escaping.latex_text(cell), "}", place) for cell, place in self._places(number)
            )
            lines.append(" & ".join(cells) + " \\\\")
        return "\n".join([*lines, "\\bottomrule", "\\end{tabular}"]) + "\n"

    def to_html(self) -> str:
        """Render as an HTML table; cells are text, never markup."""
        return chosen(self)._html()

    def _html(self) -> str:
        head = "".join(
            f'<th style="text-align:{column.align}">{escaping.html_text(column.title)}</th>' for column in self.columns
        )
        body = []
        for number in range(len(self.rows)):
            style = ' style="border-top:1px solid"' if number in self.rules else ""
            cells = "".join(
                f'<td style="text-align:{column.align}">'
                f"{self._bold('<strong>', escaping.html_text(cell), '</strong>', place)}</td>"
                for column, (cell, place) in zip(self.columns, self._places(number), strict=True)
            )
            body.append(f"<tr{style}>{cells}</tr>")
        return f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(body)}</tbody></table>"

    def _places(self, number: int) -> list[tuple[str, tuple[int, int]]]:
        """Return the cells of a row with their places."""
        return [(cell, (number, column)) for column, cell in enumerate(self.rows[number])]

    def _bold(self, before: str, text: str, after: str, place: tuple[int, int]) -> str:
        return f"{before}{text}{after}" if place in self.strong and text else text


@dataclass
class ColumnChoice:
    """The columns that tables show, by their titles or names, and which of these some table had."""

    names: tuple[str, ...]
    found: set[str] = field(default_factory=set)
    known: dict[str, None] = field(default_factory=dict)

    def places(self, named: Sequence[tuple[str, ...]]) -> list[int] | None:
        """Return the places of the chosen ones among columns, each with its names; None where none is among them."""
        by_name: dict[str, int] = {}
        for place, names in enumerate(named):
            self.known.setdefault(names[0])
            for name in names:
                by_name.setdefault(name.casefold(), place)
        here = [name for name in self.names if name.casefold() in by_name]
        self.found |= set(here)
        return [by_name[name.casefold()] for name in here] or None

    @property
    def unknown(self) -> list[str]:
        """The names that no table had."""
        return [name for name in self.names if name not in self.found]


_CHOICE: ContextVar[ColumnChoice | None] = ContextVar("columns", default=None)


@contextmanager
def choosing(names: Sequence[str] | None) -> Iterator[ColumnChoice]:
    """Show these columns of every table only, in this order; tables that have none of them stay whole."""
    choice = ColumnChoice(tuple(names or ()))
    token = _CHOICE.set(choice if names else None)
    try:
        yield choice
    finally:
        _CHOICE.reset(token)


def chosen(table: Table) -> Table:
    """Return a table with the chosen columns; by default all."""
    places = chosen_places([tuple(filter(None, (column.title, column.name))) or ("",) for column in table.columns])
    if places is None:
        return table
    strong = frozenset((row, places.index(place)) for row, place in table.strong if place in places)
    kept = [replace(table.columns[place], optional=0) for place in places]
    return Table(kept, [[row[place] for place in places] for row in table.rows], table.rules, table.title, strong)


def chosen_places(named: Sequence[tuple[str, ...]]) -> list[int] | None:
    """Return the places of the chosen columns, each of which has several names; None for all."""
    choice = _CHOICE.get()
    return None if choice is None else choice.places(named)


def in_blocks(table: Table, width: int | None, together: Sequence[int] = ()) -> str:
    """Show columns that do not fit below each other, each time with the first one.

    `together` says how many columns belong to each other, in their order; without it every column is for itself.

    >>> wide = Table([Column(name) for name in ("row", "one", "two", "three")], [["a", "1", "2", "3"]])
    >>> print(in_blocks(wide, 12))
      row  one
        a    1
    <BLANKLINE>
      row  two
        a    2
    <BLANKLINE>
      row  three
        a      3
    """
    table = chosen(table)
    if width is None:
        return table._text(None)
    sizes = [
        max(map(_width, texts)) + 2
        for texts in zip(
            *escaping.terminal_rows([[column.title for column in table.columns], *table.rows]), strict=True
        )
    ]
    groups, start = [], 1
    for number in together or [1] * (len(sizes) - 1):
        groups.append(list(range(start, start + number)))
        start += number
    blocks: list[list[int]] = []
    for group in groups:
        joined = [*(blocks[-1] if blocks else []), *group]
        if blocks and min(sizes[0], _NAME + 2) + sum(sizes[place] for place in joined) <= width:
            blocks[-1] = joined
        else:
            blocks.append(group)
    return "\n\n".join(_only(table, [0, *block])._text(width) for block in blocks)


def _only(table: Table, keep: Sequence[int]) -> Table:
    rows = [[row[place] for place in keep] for row in table.rows]
    return Table([table.columns[place] for place in keep], rows, table.rules)


def _needed(sizes: Sequence[int], shown: Sequence[int]) -> int:
    """Return the width of the shown columns, with two blanks before each."""
    return sum(sizes[place] + 2 for place in shown)


def _fitted(text: str, size: int, align: str) -> str:
    """Cut or fill a clean cell to a size."""
    width = _width(text)
    if width > size:
        text = set_cell_size(text, size - 1).rstrip() + "…"
        width = _width(text)
    blanks = " " * (size - width)
    return blanks + text if align == "right" else text + blanks


def _width(text: str) -> int:
    return len(text) if text.isascii() else cell_len(text)


def wrapped(text: str, width: int | None) -> str:
    """Break a sentence at blanks where a width is given; further lines are indented."""
    if width is None:
        return text
    indent = " " * (len(text) - len(text.lstrip()) + 2)
    return "\n".join(wrap(text, width, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False))


def chance(p: float) -> str:
    """Return a p-value as text, with two digits that matter.

    >>> chance(0.2438), chance(0.0312), chance(0.0042), chance(0.0000012)
    ('0.24', '0.031', '0.0042', '1.2e-06')
    """
    if p >= 0.0995:
        return f"{p:.2f}"
    return f"{p:#.2g}" if p >= 0.0001 else f"{p:.1e}"
