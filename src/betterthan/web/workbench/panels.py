"""Panels of a page, as values for templates."""

from base64 import b64encode
from collections.abc import Sequence
from typing import Any

import numpy as np

from betterthan import AllPairs, Finding, Leaderboards, PairsByModel
from betterthan.base import BetterthanError
from betterthan.present import Table, chance
from betterthan.readers import open_table
from betterthan.verbs.diagnose import Section
from betterthan.verbs.plot import plot_kinds
from betterthan.verbs.report import board_for_page, cards_of_findings, leading_system
from betterthan.web.workbench.form_values import Said
from betterthan.web.workbench.repeating_code import code_of
from betterthan.web.workbench.request_queue import RequestTurn
from betterthan.web.workbench.session import WorkbenchSession

#: A matrix of more systems cannot be read.
_MATRIX = 12
_JUDGES = 200
#: A page suggests at most that many names.
_SUGGESTED = 2000


def data_panel(session: WorkbenchSession, said: Said, turn: RequestTurn) -> dict[str, Any]:
    """Describe how the files were read: format, role of each column, and the row account."""
    opened = session.opened(said)
    turn()
    reading = opened.evidence.reading
    account = opened.account
    return {
        "reading": str(reading) if reading is not None else "",
        "format": reading.format if reading is not None else "",
        "used": list(reading.used.items()) if reading is not None else [],
        "ignored": reading.ignored if reading is not None else (),
        "files_ignored": reading.files_ignored if reading is not None else (),
        "rows": (account.read, account.kept, account.refused),
        "refusals": account.refusals,
        "evidence": [(each.title, str(each.summary(units=False))) for each in opened.sets],
        "findings": reading.findings if reading is not None else (),
    }


def facts(session: WorkbenchSession, said: Said) -> dict[str, Any]:
    """Return suggestions for the forms: columns, systems, the kind of evidence, as far as files can be read."""
    found: dict[str, Any] = {"columns": _columns(session, said), "systems": [], "kind": "", "titles": []}
    try:
        opened = session.opened(said)
        found |= {
            "systems": list(opened.systems[:_SUGGESTED]),
            "kind": opened.evidence.kind,
            "titles": [each.title for each in opened.sets],
        }
    except BetterthanError:  # shown with the reading report
        pass
    return found


def _columns(session: WorkbenchSession, said: Said) -> list[str]:
    """Return the columns of the first file, nothing where it is no table."""
    if not said.files:
        return []
    wanted = {name: value for name, value in said.of_verb("read").items() if name in _OPENING}
    try:
        with open_table([session.files[said.files[0]].path], **wanted) as table:
            return list(table.columns[:_SUGGESTED])
    except (BetterthanError, OSError, ValueError):
        return []


_OPENING = ("encoding", "delimiter", "decimal", "sheet", "table")


def board_panel(boards: Leaderboards) -> dict[str, Any]:
    """Return the boards, data set by data set, as the report shows them."""
    titles = list(dict.fromkeys(board.title for board in boards))
    several = len(boards.models) > 1 and boards.disagreement
    parts = []
    for title in titles:
        own = [board for board in boards if board.title == title]
        table = boards.disagreement_table(title) if several else None
        parts.append(
            {
                "title": title,
                "lead": leading_system(own[0]),
                "evidence": str(own[0].evidence),
                "boards": [board_for_page(board) for board in own],
                "changes": None,
                "disagreement": listing(table) if table is not None and table.rows else None,
                "figures": [],
            }
        )
    return {
        "parts": parts,
        "cards": cards_of_findings(_warnings_first(boards.findings)),
        "signature": str(boards.signature),
    }


def pairs_panel(pairs: AllPairs | PairsByModel, a: str) -> dict[str, Any]:
    """Return the pairs by one model, or by each of several under its name."""
    named = {each.model: each for each in pairs} if isinstance(pairs, PairsByModel) else {"": pairs}
    return {
        "models": [{"model": model, **_pairs_of_model(each, a)} for model, each in named.items()],
        "verdict": pairs.verdict if isinstance(pairs, PairsByModel) else "",
        "cards": cards_of_findings(_warnings_first(pairs.findings)),
        "signature": str(pairs.signature),
    }


def _pairs_of_model(pairs: AllPairs, a: str) -> dict[str, Any]:
    """Return how many pairs differ, the matrix where it is small, and one system against every other."""
    size = len(pairs.systems)
    first = pairs.systems.index(a) if a in pairs.systems else 0
    return {
        "separated": pairs.separated(),
        "all": size * (size - 1) // 2,
        "tested": pairs.tested,
        "contradiction": pairs.contradiction,
        "halves": pairs.halves,
        "omnibus": [f"{test.name}: p = {test.p:.3g} ({test.note})" for test in pairs.omnibus],
        "matrix": listing(pairs.table(), "system") if size <= _MATRIX else None,
        "name": pairs.systems[first],
        "value": "expected" if pairs.expected else "difference",
        "against": [_against(pairs, first, other) for other in range(size) if other != first],
    }


def _against(pairs: AllPairs, first: int, other: int) -> dict[str, Any]:
    p, share, value = pairs.p_adjusted[first, other], pairs.share[first, other], pairs.values[first, other]
    return {
        "name": pairs.systems[other],
        "record": [f"{number:,.6g}" for number in pairs.record[:, first, other]],
        "share": "" if np.isnan(share) else f"{100 * share:.1f} %",
        "value": "" if np.isnan(value) else f"{value:.3g}",
        "p": "" if np.isnan(p) else chance(float(p)),
        "mark": "better" if pairs.better[first, other] else "worse" if pairs.better[other, first] else "",
    }


def duel_panel(duel: Any) -> dict[str, Any]:
    """Return two systems in depth."""
    return {
        "verdict": duel.verdict,
        "tables": [listing(table) for table in duel.tables()],
        "cards": cards_of_findings(_warnings_first(duel.findings)),
        "signature": str(duel.signature),
    }


def diagnosis_panel(sections: Sequence[Section]) -> list[dict[str, Any]]:
    """Return the findings of every data set as cards, with the advice and the judges."""
    return [
        {
            "title": section.title,
            "cards": cards_of_findings(_warnings_first(section.findings)),
            "cards_hidden": 0,
            "advice": section.advice,
            "judges": listing(section.judges.table(_JUDGES)) if section.judges is not None else None,
            "judges_more": max(0, len(section.judges.judges) - _JUDGES) if section.judges is not None else 0,
        }
        for section in sections
    ]


def picture_panel(session: WorkbenchSession, said: Said, turn: RequestTurn) -> dict[str, Any]:
    """Return a picture as an image that runs no script."""
    picture = session.picture(said, turn)
    turn()
    return {
        "source": f"data:image/svg+xml;base64,{b64encode(picture.render('svg')).decode()}",
        "caption": plot_kinds.kind_of(said.kind).about,
    }


def code_panel(session: WorkbenchSession, said: Said, turn: RequestTurn) -> dict[str, Any]:
    """Return code that repeats what is seen."""
    session.opened(said)
    code = code_of(session, said, turn)
    return {"python": code.python, "commands": code.commands}


def kinds_of_pictures() -> list[tuple[str, str, str, bool]]:
    """Return every kind of picture: its name, what it shows, which options it takes, whether it is of two systems."""
    return [(name, kind.about, " ".join(kind.options), kind.of_two) for name, kind in plot_kinds.KINDS.items()]


def listing(table: Table, first: str = "mark") -> dict[str, Any]:
    """Return a finished table for the template that the report uses, too; columns without a title get one."""
    heads = [column.title or ("note" if place else first) for place, column in enumerate(table.columns)]
    return {"head": heads, "rows": [list(row) for row in table.rows]}


def _warnings_first(findings: Sequence[Finding]) -> list[Finding]:
    return sorted(findings, key=lambda finding: finding.level != "warning")
