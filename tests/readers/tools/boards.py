"""Means by board and system: what tools print in their own summaries."""

import json
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import betterthan as bt


def means(source: Any, **options: Any) -> dict[str, dict[str, float]]:
    """Return the mean score of every system, by the title of its board."""
    scores = bt.read(source, **options)
    return {
        table.title: dict(zip(table.systems, np.nanmean(table.values, axis=0).tolist(), strict=True))
        for table in scores.tables
    }


def refused(source: Any, **options: Any) -> str:
    """Return the sentence with which a source is refused."""
    with pytest.raises(bt.EvidenceError) as refusal:
        bt.read(source, **options)
    return str(refusal.value)


def found(source: Any, **options: Any) -> dict[str, str]:
    """Return what was found out when a source was read: messages by code."""
    reading = bt.read(source, **options).reading
    assert reading is not None
    return {finding.code: finding.message for finding in reading.findings}


def board(source: Path, **options: Any) -> list[str]:
    """Return the systems of the only board, best first, as `betterthan rank` would list them."""
    return [row.system for row in bt.rank(source, model="mean", ci="none", **options).board.rows]


def counted(source: Any, **options: Any) -> Counter[tuple[str, ...]]:
    """Count judgments by left system, right system, outcome (0 left, 1 tie, 2 right), item and judge."""
    tally = bt.read(source, **options).tally("item", "judge")
    units = zip(tally.units["item"], tally.units["judge"], strict=True)
    rows = Counter[tuple[str, ...]]()
    for left, right, outcome, unit, times in zip(
        tally.left, tally.right, tally.outcome, units, tally.times, strict=True
    ):
        rows[tally.systems[left], tally.systems[right], str(outcome), *map(str, unit)] += int(times)
    return rows


def shares(source: Any, reference: str, **options: Any) -> dict[str, float]:
    """Return every system's share of its judgments against a reference, ties half."""
    tally = bt.read(source, **options).tally()
    won, total = defaultdict[str, float](float), defaultdict[str, float](float)
    value = np.array([1.0, 0.5, 0.0])
    for left, right, outcome, weight in zip(
        tally.left, tally.right, tally.outcome, tally.times * tally.weight, strict=True
    ):
        names = (tally.systems[left], tally.systems[right])
        if reference in names:
            system = names[1] if names[0] == reference else names[0]
            won[system] += weight * (value[outcome] if names[0] == system else 1 - value[outcome])
            total[system] += weight
    return {system: won[system] / total[system] for system in won}


def write_json(path: Path, document: Any) -> Path:
    """Write one JSON value, with the folders that lead to it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(document), encoding="utf-8")
    return path


def write_lines(path: Path, lines: Any) -> Path:
    """Write a JSON value per line, with the folders that lead to the file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    return path
