"""What changed since an earlier board: moves, systems that entered or left, and which changes are significant."""

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from betterthan.base import EvidenceError, PlanError, spelling
from betterthan.inference import adjusted, student
from betterthan.present import Column, Holds, Table, chance

if TYPE_CHECKING:
    from betterthan.verbs.rank.leaderboard import Leaderboard

#: Scales on which only differences have a meaning: both boards are centred on the systems that they share.
_DIFFERENCES = ("elo", "log")
#: Settings that make scores of two boards comparable.
_ALIKE = ("model", "scale", "control")


@dataclass(frozen=True)
class Move:
    """A system on both boards: its ranks and scores, the change of its score with its interval, and corrected p."""

    system: str
    rank_before: int | None
    rank_now: int | None
    score_before: float | None
    score_now: float | None
    change: float | None
    low: float | None
    high: float | None
    p_adjusted: float | None
    significant: bool

    @property
    def places(self) -> int | None:
        """By how many places it rose; less than 0 where it fell."""
        if self.rank_before is None or self.rank_now is None:
            return None
        return self.rank_before - self.rank_now


@dataclass(frozen=True)
class Changes:
    """What changed since an earlier board."""

    holds: ClassVar[Holds] = ("since", "signature", "same_data", "moves", "entered", "left")

    since: str
    signature: str  # of the earlier board
    same_data: bool
    moves: tuple[Move, ...]
    entered: tuple[str, ...]
    left: tuple[str, ...]
    level: float
    digits: int

    @property
    def sentences(self) -> list[str]:
        """The changes in sentences."""
        rose = [f"{move.system} ({move.rank_before} → {move.rank_now})" for move in self.moves if move.places]
        shown = [move.system for move in self.moves if move.significant]
        moved = f"Since {self.since}, {_listed(rose)} changed rank." if rose else f"No rank changed since {self.since}."
        parts = [moved]
        parts += [f"New: {_listed(self.entered)}."] if self.entered else []
        parts += [f"No longer there: {_listed(self.left)}."] if self.left else []
        if self.same_data:
            parts.append("Both boards are of the same data, so differences come from options or versions.")
        elif any(move.p_adjusted is not None for move in self.moves):
            level = f"{100 * (1 - self.level):g} % level"
            parts.append(
                f"The score of {_listed(shown)} changed significantly (Holm-corrected, {level})."
                if shown
                else f"No score changed significantly (Holm-corrected, {level})."
            )
            parts.append(
                "The test takes the two boards as independent: where they share judgments it is cautious, and finds "
                "fewer changes."
            )
        return parts

    def table(self) -> Table:
        """Return the systems on both boards as a table."""
        tested = any(move.low is not None for move in self.moves)
        headings = [
            Column("system", "left", True),
            Column("before"),
            Column("now"),
            Column("change"),
            *([Column(f"{100 * self.level:g} % interval", "left", optional=1), Column("p")] if tested else []),
        ]
        rows = [
            [
                f"{move.system}{' *' if move.significant else ''}",
                _rank(move.rank_before),
                _rank(move.rank_now),
                "" if move.change is None else f"{move.change:+.{self.digits}f}",
                *([self._interval(move), "" if move.p_adjusted is None else chance(move.p_adjusted)] if tested else []),
            ]
            for move in self.moves
        ]
        return Table(headings, rows)

    def _interval(self, move: Move) -> str:
        if move.low is None or move.high is None:
            return ""
        return f"{move.low:+.{self.digits}f} … {move.high:+.{self.digits}f}"


def _rank(rank: int | None) -> str:
    return "" if rank is None else str(rank)


def _listed(names: Any, most: int = 5) -> str:
    shown = list(names[:most])
    if len(names) > most:
        return f"{', '.join(shown)} and {len(names) - most} more"
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}"


def changes_since(boards: Any, before: Any) -> Changes:
    """Compare the only board of a ranking with an earlier one: a result, its JSON document or the file of that."""
    document, name = _document(before)
    old, new = _only(document, name), boards.boards[0]
    if len(boards.boards) > 1:
        raise PlanError(
            f"{spelling.option('before')} compares one leaderboard with an earlier one, and there are "
            f"{len(boards.boards)} now",
            remedy="Choose one model and one data set.",
        )
    for setting in _ALIKE:
        was, now = old["settings"].get(setting), getattr(new.settings, setting)
        if was != now:
            raise PlanError(
                f"the earlier board has {setting} {was or 'none'}, this one {now or 'none'}, so their scores cannot be "
                "compared",
                where=name,
                remedy=f"Rank with the same {setting}.",
            )
    return _compared(old, new, name, document)


def _compared(old: Mapping[str, Any], new: "Leaderboard", name: str, document: Mapping[str, Any]) -> Changes:
    known = {row["system"]: row for row in old["rows"]}
    shared = [row for row in new.rows if row.system in known]
    both = [row for row in shared if row.score is not None and known[row.system]["score"] is not None]
    shift = 0.0
    if both and new.settings.scale in _DIFFERENCES:
        shift = float(np.mean([row.score - known[row.system]["score"] for row in both]))
    same = old["evidence"]["digest"] == new.evidence.digest
    levels = (float(old["settings"]["level"]), new.settings.level)
    errors = {} if same else {row.system: _error(known[row.system], row, levels) for row in both}
    change = {row.system: float(row.score - known[row.system]["score"] - shift) for row in both}
    known_errors = {system: error for system, error in errors.items() if error}
    tested = list(known_errors)
    ratio = np.array([change[system] / known_errors[system] for system in tested])
    p = adjusted(student.two_sided(ratio, np.full(len(tested), np.inf)), "holm") if tested else np.empty(0)
    corrected = dict(zip(tested, p.tolist(), strict=True))
    reach = float(student.quantile(np.array([np.inf]), (1 + new.settings.level) / 2)[0])
    moves = tuple(
        Move(
            system=row.system,
            rank_before=known[row.system]["rank"],
            rank_now=row.rank,
            score_before=known[row.system]["score"],
            score_now=row.score,
            change=change.get(row.system),
            low=_end(change, errors, row.system, -reach),
            high=_end(change, errors, row.system, reach),
            p_adjusted=corrected.get(row.system),
            significant=corrected.get(row.system, 1.0) <= 1 - new.settings.level,
        )
        for row in shared
    )
    now = {row.system for row in new.rows}
    digits = len(new.shown(1.0).partition(".")[2])
    return Changes(
        since=name,
        signature=str(document.get("signature", "")),
        same_data=same,
        moves=moves,
        entered=tuple(row.system for row in new.rows if row.system not in known),
        left=tuple(system for system in known if system not in now),
        level=new.settings.level,
        digits=digits,
    )


def _end(change: Mapping[str, float], errors: Mapping[str, float | None], system: str, reach: float) -> float | None:
    error = errors.get(system)
    return change[system] + reach * error if error else None


def _error(old: Mapping[str, Any], new: Any, levels: tuple[float, float]) -> float | None:
    """Return the standard error of a change, the two boards taken as independent; None without both intervals."""
    variance = 0.0
    for (low, high), level in zip(((old["low"], old["high"]), (new.low, new.high)), levels, strict=True):
        if low is None or high is None:
            return None
        reach = float(student.quantile(np.array([np.inf]), (1 + level) / 2)[0])
        variance += ((high - low) / (2 * reach)) ** 2
    return float(np.sqrt(variance)) if variance > 0 else None


def _document(before: Any) -> tuple[Mapping[str, Any], str]:
    if isinstance(before, Mapping):
        return before, "the earlier board"
    if hasattr(before, "to_dict"):
        return before.to_dict(), "the earlier board"
    name = os.fspath(before)
    try:
        found = json.loads(Path(name).read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise EvidenceError(
            f"the earlier board cannot be read: {error}",
            where=name,
            remedy="Name the JSON file of an earlier ranking: betterthan rank FILE -o board.json.",
        ) from None
    return found, name


def _only(document: Any, name: str) -> Mapping[str, Any]:
    """Return the only board of a document."""
    boards = document.get("leaderboards") if isinstance(document, Mapping) else None
    if boards is None and isinstance(document, Mapping) and str(document.get("schema", "")).startswith("leaderboard/"):
        boards = [document]
    if not isinstance(boards, list) or not boards or not all(isinstance(each, Mapping) for each in boards):
        raise EvidenceError(
            "this is no board as betterthan writes it",
            where=name,
            remedy="Name the JSON file of an earlier ranking: betterthan rank FILE -o board.json.",
        )
    if len(boards) > 1:
        raise EvidenceError(
            f"there are {len(boards)} leaderboards in it, and one is compared",
            where=name,
            remedy="Rank with one model and one data set.",
        )
    board: Mapping[str, Any] = boards[0]
    if not {"rows", "settings", "evidence"} <= set(board):
        raise EvidenceError("its board lacks rows, settings or evidence", where=name, remedy="Write it again.")
    return board
