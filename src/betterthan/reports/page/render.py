"""Filling the template: everything that comes from the input is text, never markup."""

import json
from collections.abc import Sequence
from importlib.resources import files
from typing import Any

from betterthan import __version__
from betterthan.errors import MissingExtraError
from betterthan.leaderboard.board import Leaderboard
from betterthan.leaderboard.columns import PAGE, columns_for
from betterthan.leaderboard.overview import overview
from betterthan.reports.figures import figures
from betterthan.reports.methods import methods
from betterthan.reports.parts import Part, pair_table
from betterthan.reports.verdict import verdict

#: Scores up to so many are in the page, for the picture of a pair.
_MOST_SCORES = 40_000
#: A report of more data sets shows less of each.
_MANY = 6
_JUDGES = 200


def render(parts: Sequence[Part], lacking: Sequence[str], title: str) -> str:
    """Return the page."""
    try:
        import jinja2  # noqa: PLC0415 (an extra)
    except ImportError:
        raise MissingExtraError("jinja2", "report", "a report") from None
    environment = jinja2.Environment(
        autoescape=True, trim_blocks=True, lstrip_blocks=True, undefined=jinja2.StrictUndefined,
        loader=jinja2.FunctionLoader(_text),
    )  # fmt: skip
    shown = [_part(part, brief=len(parts) > _MANY) for part in parts]
    data = {"parts": [_pair_data(part) for part in parts]}
    page: str = environment.get_template("page.html").render(
        title=title or _title(parts), version=__version__, parts=shown, lacking=lacking, many=len(parts) > _MANY,
        overview=_table(overview([part.main for part in parts])) if len(parts) > 1 else None,
        style=_text("style.css"), script=_text("script.js"), data=_harmless(data),
    )  # fmt: skip
    return page


def _text(name: str) -> str:
    return files("betterthan.reports.page").joinpath(name).read_text(encoding="utf-8")


def _harmless(data: Any) -> str:
    """Return JSON in which no tag, comment or line separator can begin."""
    text = json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    for character in ("<", ">", "&", "\u2028", "\u2029"):
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text


def _title(parts: Sequence[Part]) -> str:
    kind = parts[0].main.evidence.kind
    return f"Report on {kind} of {len(parts[0].pairs.systems):,} systems" + (
        f", {len(parts)} data sets" if len(parts) > 1 else ""
    )


def _part(part: Part, *, brief: bool) -> dict[str, Any]:
    paragraph, bibtex = methods(part)
    judges = part.diagnosis.judges
    return {
        "title": part.title,
        "evidence": str(part.main.evidence),
        "verdict": verdict(part),
        "boards": [_board(board) for board in part.boards],
        "disagreement": _table(part.boards.disagreement_table()) if part.boards.disagreement else None,
        "figures": figures(part, brief=brief),
        "findings": part.findings,
        "advice": part.diagnosis.advice,
        "judges": _table(judges.table(_JUDGES)) if judges is not None else None,
        "judges_more": max(0, len(judges.judges) - _JUDGES) if judges is not None else 0,
        "data": _facts(part),
        "reading": str(part.boards.reading) if part.boards.reading is not None else "",
        "methods": paragraph,
        "bibtex": "\n\n".join(bibtex),
        "omnibus": [f"{test.name}: p = {test.p:.3g} ({test.note})" for test in part.pairs.omnibus],
        "pairs": {"halves": part.pairs.halves, "tested": part.pairs.tested, "contradiction": part.pairs.contradiction},
        "signatures": [str(board.signature) for board in part.boards],
    }


def _board(board: Leaderboard) -> dict[str, Any]:
    """Return a board for the page: cells are text, with the number to sort by beside it."""
    columns = columns_for(board, PAGE)
    rows = [
        {"cells": [(column.cell(board, row), _number(column.value(board, row))) for column in columns],
         "cluster": row.cluster}
        for row in board.rows
    ]  # fmt: skip
    return {
        "name": board.mechanism, "score": board.score_name, "level": f"{100 * board.settings.level:g} %",
        "head": [column.heading(board).title for column in columns], "rows": rows, "separation": board.separation,
        "name_column": [column.name for column in columns].index("system"),
        "parameters": ", ".join(f"{name} {value:.4g}" for name, value in board.fit.parameters.items()),
    }  # fmt: skip


def _number(value: Any) -> float | None:
    return value if isinstance(value, (int, float)) else None


def _table(table: Any) -> dict[str, Any]:
    return {"head": [column.title for column in table.columns], "rows": [list(row) for row in table.rows]}


def _facts(part: Part) -> list[tuple[str, str]]:
    evidence = part.main.evidence
    found = [
        ("kind", evidence.kind), ("rows read", f"{evidence.rows:,}"), ("rows left out", f"{evidence.refused:,}"),
        ("systems", f"{evidence.systems:,}"), ("comparisons", f"{evidence.judgments:,.0f}"),
        ("decided", f"{evidence.wins:,.6g}"), ("ties", f"{evidence.ties:,.6g}"),
    ]  # fmt: skip
    found += [(f"{unit}s", f"{number:,}") for unit, number in evidence.units.items()]
    return [*found, ("conversion", evidence.conversion or "none"), ("digest", evidence.digest)]


def _pair_data(part: Part) -> dict[str, Any]:
    """Return what the pair picker needs."""
    data: dict[str, Any] = {
        "systems": list(part.pairs.systems),
        "pairs": pair_table(part),
        "kind": part.main.evidence.kind,
    }
    data["main"] = part.main.mechanism
    data["value"] = "expected score" if _is_chance(part) else "difference"
    table = part.data.scores
    if table is not None and table.values.size <= _MOST_SCORES:
        order = [table.systems.index(system) for system in part.pairs.systems]
        data["scores"] = [
            [None if value != value else float(f"{value:.5g}") for value in column]  # noqa: PLR0124
            for column in table.as_given[:, order].T
        ]
        data["lower"] = table.negated
    return data


def _is_chance(part: Part) -> bool:
    return next(board for board in part.boards if board.mechanism == part.pairs.model).has_chances
