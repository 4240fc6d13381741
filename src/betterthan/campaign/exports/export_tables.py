"""Export judgments as JSON lines, as tables that `read` recognises, or as spreadsheets without formulas."""

import csv
import json
import os
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from betterthan.base import EvidenceError
from betterthan.campaign.exports.judgment_export import outcome_of
from betterthan.engine import write_columns
from betterthan.evidence import outcomes
from betterthan.present import atomic_files

#: Further columns of an answer, in addition to the ranks.
_ABOUT = (
    "item",
    "judge",
    "criterion",
    "chance",
    "item_chance",
    "version",
    "settings",
    "seconds",
    "late",
    "both_bad",
    "strength",
    "reason",
    "tags",
)
#: What an answer must have.
_NEEDED = ("task", "item", "judge", "criterion", "systems", "ranks")
#: A spreadsheet may take a text that begins so for a formula; some take the wide signs of Japanese as well.
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")

#: One answer to one criterion: task, item, judge, criterion, systems (as shown), ranks, and what else is known of it.
Answered = Mapping[str, Any]


def write_exact(path: str | os.PathLike[str], rows: Iterable[Answered]) -> int:
    """Write every answer as one line of JSON, exactly as stored; return their number.

    `shown` has every card's system and rank in the order in which they were shown. `read` looks for what is next to it:
    `order` (systems by rank, ties together) and, of several criteria, `dataset`.
    """
    answers = _checked(rows)
    several = len({row["criterion"] for row in answers}) > 1

    def write(place: Path) -> None:
        with place.open("w", encoding="utf-8", newline="\n") as file:
            for row in answers:
                file.write(json.dumps(_line(row, several), ensure_ascii=False, allow_nan=False) + "\n")

    atomic_files.write_whole(path, write)
    return len(answers)


def write_table(path: str | os.PathLike[str], rows: Iterable[Answered]) -> int:
    """Write a table that `read` recognises, as the ending says (.csv, .tsv, .parquet …); return the number of answers.

    Pairs are rows of left, right and winner; rankings have a row per system with its rank. Texts are as they are: for
    a spreadsheet use `write_spreadsheet`.
    """
    answers = _checked(rows)
    write_columns(path, columns_of(answers))
    return len(answers)


def write_spreadsheet(path: str | os.PathLike[str], rows: Iterable[Answered]) -> int:
    """Write the table as CSV for a spreadsheet: a text that would be a formula begins with an apostrophe."""
    answers = _checked(rows)
    columns = columns_of(answers)

    def write(place: Path) -> None:
        # With the mark at the beginning, spreadsheets know that the file is UTF-8.
        with place.open("w", encoding="utf-8-sig", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(columns)
            writer.writerows([safe_cell(cell) for cell in cells] for cells in zip(*columns.values(), strict=True))

    atomic_files.write_whole(path, write)
    return len(answers)


def safe_cell(value: Any) -> Any:
    """Return a safe value for a cell.

    >>> safe_cell("=HYPERLINK(1)"), safe_cell(-3), safe_cell("a-b")
    ("'=HYPERLINK(1)", -3, 'a-b')
    """
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA) else value


def columns_of(answers: Sequence[Answered]) -> dict[str, list[Any]]:
    """Return answers as columns: of pairs one row each, of rankings one per system."""
    names = {name for row in answers for name in row["systems"]}
    # A system that is called like an outcome would make `winner` ambiguous: its pairs are written as rankings.
    pairs = all(len(row["systems"]) == 2 for row in answers) and not any(outcomes.is_outcome(name) for name in names)
    columns = _pairs(answers) if pairs else _entries(answers)
    several = len({row["criterion"] for row in answers}) > 1
    return {**columns, "dataset": columns["criterion"]} if several else columns


def _pairs(answers: Sequence[Answered]) -> dict[str, list[Any]]:
    return {
        "ranking": [str(row["task"]) for row in answers],
        "left": [row["systems"][0] for row in answers],
        "right": [row["systems"][1] for row in answers],
        "winner": [outcome_of(*row["ranks"]) for row in answers],
        **_about(answers),
    }


def _entries(answers: Sequence[Answered]) -> dict[str, list[Any]]:
    entries = [(row, place) for row in answers for place in range(len(row["systems"]))]
    return {
        "ranking": [str(row["task"]) for row, _ in entries],
        "system": [row["systems"][place] for row, place in entries],
        "rank": [row["ranks"][place] for row, place in entries],
        "shown": [place + 1 for _, place in entries],
        **_about([row for row, _ in entries]),
    }


def _about(answers: Sequence[Answered]) -> dict[str, list[Any]]:
    columns = {name: [row.get(name) for row in answers] for name in _ABOUT}
    columns["tags"] = [", ".join(tags) if tags else None for tags in columns["tags"]]
    columns["given_at"] = [_moment(row.get("given_at")) for row in answers]
    columns["time"] = [_moment(row.get("answered_at")) for row in answers]
    return columns


def _moment(seconds: float | None) -> str | None:
    """Write seconds since 1970 as a date of UTC."""
    return None if seconds is None else datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds")


def _line(row: Answered, several: bool) -> dict[str, Any]:
    """Return the fields of an answer; a list of ranks alone would look like an order of systems called 1, 2, 3."""
    kept = {name: value for name, value in row.items() if name not in {"systems", "ranks"}}
    cards = [{"system": name, "rank": rank} for name, rank in zip(row["systems"], row["ranks"], strict=True)]
    return {**kept, "shown": cards, "order": _order(row), **({"dataset": row["criterion"]} if several else {})}


def _order(row: Answered) -> list[list[str]]:
    """Return the systems by rank, those of one rank together."""
    ranks = sorted(set(row["ranks"]))
    return [
        [system for system, given in zip(row["systems"], row["ranks"], strict=True) if given == rank] for rank in ranks
    ]


def _checked(rows: Iterable[Answered]) -> list[Answered]:
    """Refuse answers that cannot be: an export never holds what `read` would take for something else."""
    answers = list(rows)
    seen: set[tuple[str, str]] = set()
    for number, row in enumerate(answers, start=1):
        where = f"answer {number}"
        lacking = [name for name in _NEEDED if name not in row]
        if lacking:
            raise EvidenceError(f"it has no {lacking[0]}", where=where)
        systems, ranks = row["systems"], row["ranks"]
        if len(systems) < 2 or len(set(systems)) < len(systems) or len(ranks) != len(systems):
            raise EvidenceError(f"the ranks {list(ranks)} do not fit the systems {list(systems)}", where=where)
        key = (str(row["task"]), str(row["criterion"]))
        if key in seen:
            raise EvidenceError(f"the task {key[0]!r} has two answers to {key[1]!r}", where=where)
        seen.add(key)
    if not answers:
        raise EvidenceError("there are no judgments yet, so there is nothing to write.")
    return answers
