"""Render the template; all input is escaped."""

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files
from shlex import quote
from typing import Any

from betterthan import __version__
from betterthan.base import escaping, optional_library
from betterthan.verbs.rank import Changes, Leaderboards
from betterthan.verbs.report.brand import Brand
from betterthan.verbs.report.breakdown import breakdowns
from betterthan.verbs.report.headline import answer
from betterthan.verbs.report.methods_text import methods
from betterthan.verbs.report.page.figures.figure import figures
from betterthan.verbs.report.page.figures.pair_matrix import Matrix
from betterthan.verbs.report.page.finding_cards import cards_of_findings
from betterthan.verbs.report.page.page_boards import board_for_page
from betterthan.verbs.report.page.shaded_tables import breakdown_table, overall_tables, overview_table
from betterthan.verbs.report.page.system_entries import systems
from betterthan.verbs.report.pair_explorer import explorer
from betterthan.verbs.report.report_part import ReportPart
from betterthan.verbs.report.report_verdict import verdict

#: A report of more data sets shows less of each.
_MANY = 6
_JUDGES = 200
#: Parts of the style and of the script, in the order in which they are joined.
_STYLES = ("base", "tables", "explorer", "pictures", "print")
_SCRIPTS = (
    "start",
    "theme",
    "tables",
    "contents",
    "copy",
    "highlight",
    "pairs",
    "items",
    "systems",
    "tips",
    "matrix",
    "zoom",
)


@dataclass(frozen=True)
class PageLook:
    """The appearance of the page: title and brand, whether it is a fragment, and whether it shows judges."""

    title: str
    brand: Brand
    embed: bool
    judges: bool


def template_library() -> Any:
    """Import the library that fills templates, or say how to install it."""
    return optional_library("jinja2", "report", "a report")


def render(
    parts: Sequence[ReportPart], lacking: Sequence[str], look: PageLook, together: Leaderboards | None = None
) -> str:
    """Return the page, or a fragment with a style of its own that another page can hold."""
    jinja2 = template_library()
    environment = jinja2.Environment(
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
        loader=jinja2.FunctionLoader(lambda name: _text("templates", name)),
    )
    brief = len(parts) > _MANY
    shown = [_part(part, look, brief=brief) for part in parts]
    ids = {
        name: place for place, name in enumerate(dict.fromkeys(name for part in parts for name in part.pairs.systems))
    }
    data = {"names": list(ids), "parts": [explorer(part, ids, brief=brief) for part in parts]}
    page: str = environment.get_template("fragment.html" if look.embed else "page.html").render(
        title=look.title or _title(parts),
        brand=look.brand,
        embed=look.embed,
        version=__version__,
        parts=shown,
        lacking=lacking,
        ids=ids,
        overview=overview_table(together),
        overall=overall_tables(together),
        style="".join(_text("styles", f"{name}.css") for name in _STYLES),
        script=_script(),
        data=escaping.script_json(data),
    )
    return page


def _script() -> str:
    """Return the script, apart from all others of a page that holds the fragment."""
    return '(() => {"use strict";\n' + "".join(_text("scripts", f"{name}.js") for name in _SCRIPTS) + "})();"


def _text(folder: str, name: str) -> str:
    return files("betterthan.verbs.report.page").joinpath(folder, name).read_text(encoding="utf-8")


def _title(parts: Sequence[ReportPart]) -> str:
    kind = parts[0].main.evidence.kind
    return f"Report on {kind} of {len(parts[0].pairs.systems):,} systems" + (
        f", {len(parts)} data sets" if len(parts) > 1 else ""
    )


def _part(part: ReportPart, look: PageLook, *, brief: bool) -> dict[str, Any]:
    paragraph, bibtex = methods(part)
    judges = part.diagnosis.judges
    found = verdict(part)
    broken_down = [breakdown_table(each) for each in breakdowns(part, judges=look.judges)]
    return {
        "title": part.title,
        "contents": _contents(part, broken_down, judges is not None),
        "evidence": str(part.main.evidence),
        "verdict": found,
        "answer": answer(part, found),
        "boards": [board_for_page(board) for board in sorted(part.boards, key=lambda board: board is not part.main)],
        "systems": systems(part),
        "changes": _changes(part.boards.changes),
        "disagreement": _table(part.boards.disagreement_table()) if part.boards.disagreement else None,
        "figures": [] if brief else list(figures(part)),
        "matrix": None if brief else Matrix.of(part.pairs),
        "by_model": [] if brief else [(pairs.model, Matrix.by_model(pairs)) for pairs in part.by_model],
        "breakdowns": broken_down,
        "cards": cards_of_findings(part.findings),
        "cards_hidden": part.hidden,
        "advice": part.diagnosis.advice,
        "judges": _table(judges.table(_JUDGES)) if judges is not None else None,
        "judges_more": max(0, len(judges.judges) - _JUDGES) if judges is not None else 0,
        "data": _facts(part),
        "reading": str(part.boards.reading) if part.boards.reading is not None else "",
        "methods": paragraph,
        "bibtex": "\n\n".join(bibtex),
        "omnibus": [f"{test.name.title()} test: p = {test.p:.3g} ({test.note})" for test in part.pairs.omnibus],
        "pairs": {"halves": part.pairs.halves, "tested": part.pairs.tested, "contradiction": part.pairs.contradiction},
        "signatures": [quote(str(board.signature)) for board in part.boards],
    }


def _contents(part: ReportPart, broken_down: list[dict[str, Any]], with_judges: bool) -> list[tuple[str, str]]:
    """Return the sections of a data set: what their headings are called, and what the contents call them."""
    judges = [("judges", "Judges")] if with_judges else []
    parts = [("breakdowns", f"By {' and '.join(table['by'] for table in broken_down)}")] if broken_down else []
    return [
        ("verdict", "Answer"),
        ("boards", "Leaderboards" if len(part.boards) > 1 else "Leaderboard"),
        ("pairs", "Pairs"),
        ("systems", "Systems"),
        *parts,
        ("diagnosis", "Diagnosis"),
        *judges,
        ("methods", "Methods"),
        ("data", "Data"),
        ("repeat", "How to repeat it"),
    ]


def _changes(changes: Changes | None) -> dict[str, Any] | None:
    """Return what changed since an earlier board, None where none was given."""
    if changes is None:
        return None
    table = changes.table()
    return {
        "sentences": changes.sentences,
        "head": [column.title for column in table.columns],
        "rows": table.rows,
    }


def _table(table: Any) -> dict[str, Any]:
    return {"head": [column.title for column in table.columns], "rows": [list(row) for row in table.rows]}


def _facts(part: ReportPart) -> list[tuple[str, str]]:
    evidence = part.main.evidence
    found = [
        ("kind", evidence.kind),
        ("rows read", f"{evidence.rows:,}"),
        ("rows left out", f"{evidence.refused:,}"),
        ("systems", f"{evidence.systems:,}"),
        ("comparisons", f"{evidence.judgments:,.0f}"),
        ("decided", f"{evidence.wins:,.6g}"),
        ("ties", f"{evidence.ties:,.6g}"),
    ]
    found += [(f"{unit}s", f"{number:,}") for unit, number in evidence.units.items()]
    return [*found, ("conversion", evidence.conversion or "none"), ("digest", evidence.digest)]
