"""Downloads of the workbench: tables in every format, pictures, the report and code."""

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from betterthan.base import PlanError, nearest
from betterthan.present import FORMATS
from betterthan.results import ENDINGS
from betterthan.web.workbench.form_values import Said
from betterthan.web.workbench.repeating_code import code_of
from betterthan.web.workbench.request_queue import RequestTurn
from betterthan.web.workbench.session import WorkbenchSession

_TYPES = {
    "csv": "text/csv",
    "html": "text/html",
    "json": "application/json",
    "jsonl": "application/jsonl",
    "md": "text/markdown",
    "pdf": "application/pdf",
    "png": "image/png",
    "svg": "image/svg+xml",
    "tex": "text/x-tex",
    "txt": "text/plain",
    "py": "text/x-python",
    "sh": "text/x-shellscript",
}


def download(session: WorkbenchSession, said: Said, what: str, ending: str, turn: RequestTurn) -> tuple[bytes, str]:
    """Return a file's content and type: `what` is a result, a picture, the report or code."""
    results: dict[str, Callable[[Said, RequestTurn], Any]] = {
        "board": session.boards,
        "pairs": session.pairs,
        "duel": session.duel,
        "diagnosis": session.diagnosis,
    }
    kind = _TYPES.get(ending, "application/octet-stream")
    if what == "code":
        code = code_of(session, said, turn)
        return _one_of(ending, {"py": code.python, "sh": code.commands}).encode(), kind
    if what == "picture":
        _one_of(ending, dict.fromkeys(FORMATS, ""))
        return session.picture(said, turn).render(ending), kind
    if what == "report":
        page = session.report(said, turn)
        return (page.to_pdf() if _one_of(ending, {"html": "", "pdf": "pdf"}) else page.html.encode()), kind
    if what not in results:
        raise PlanError(f"there is no result {what!r}. {nearest(what, tuple(results))}")
    form = _one_of(f".{ending}", ENDINGS)
    found = results[what](said, turn)
    if form not in {"parquet", "jsonl"}:
        return found.render(form).encode(), kind
    with tempfile.TemporaryDirectory(dir=session.files.folder) as folder:
        place = Path(folder) / f"result.{ending}"
        found.save(place)
        return place.read_bytes(), kind


def _one_of(ending: str, known: dict[str, str]) -> str:
    if ending not in known:
        raise PlanError(f"there is no such download: {ending!r}", allowed=", ".join(known))
    return known[ending]
