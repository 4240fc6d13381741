"""Random evidence as rows of a table: judgments, rankings and scores, from clean to hostile."""

import csv
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from hypothesis import strategies as st

import betterthan as bt

Row = dict[str, Any]
_NAMES = ("owl", "yak", "elk", "gnu", "asp", "bee")


@dataclass(frozen=True)
class Table:
    """Rows of one table, and its kind of evidence."""

    kind: str
    rows: tuple[Row, ...]

    @property
    def roles(self) -> dict[str, str]:
        """The columns that must be named."""
        return {"group": "group"} if "group" in self.rows[0] else {}

    def read(self) -> Any:
        """Read the rows."""
        return bt.read(list(self.rows), kind=self.kind, **self.roles)  # type: ignore[arg-type]

    def save(self, path: Path) -> None:
        """Write the rows as CSV."""
        with path.open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, list(self.rows[0]))
            writer.writeheader()
            writer.writerows(self.rows)


@dataclass(frozen=True)
class Design:
    """What a table is drawn from."""

    seed: int
    systems: int
    items: int
    spread: float
    first: bool
    second: bool
    third: bool

    @property
    def rng(self) -> np.random.Generator:
        """A generator of its own."""
        return np.random.default_rng(self.seed)

    def item(self, number: int) -> str | int:
        """Return the name of an item: a text, or a number."""
        return number if self.items % 4 == 0 else f"i{number}"


DESIGNS = st.builds(
    Design,
    seed=st.integers(0, 10_000),
    systems=st.integers(2, 5),
    items=st.integers(5, 25),
    spread=st.sampled_from([0.0, 0.5, 1.5, 4.0]),
    first=st.booleans(),
    second=st.booleans(),
    third=st.booleans(),
)


def judgments_from(design: Design) -> Table:
    """Draw judgments with ties; perhaps with items and judges, with weights, and with a system that is seldom seen."""
    rng, names = design.rng, _NAMES[: design.systems]
    strength = design.spread * rng.normal(size=len(names))
    chance = np.ones(len(names))
    chance[-1] = 0.1 if design.third else 1.0
    rows = []
    for number in range(6 * design.items):
        a, b = rng.choice(len(names), 2, replace=False, p=chance / chance.sum())
        gap = strength[a] - strength[b] + rng.logistic()
        row: Row = {"model_a": names[a], "model_b": names[b]}
        row["winner"] = "tie" if abs(gap) < 0.4 else "model_a" if gap > 0 else "model_b"
        if design.first:
            row |= {"item": design.item(number % design.items), "judge": f"j{rng.integers(2 + design.seed % 6)}"}
        if design.second:
            row["weight"] = float(rng.choice([0.5, 1.0, 3.0]))
        rows.append(row)
    return Table("judgments", tuple(rows))


def rankings_from(design: Design) -> Table:
    """Draw rankings with ties; perhaps partial, and several per judge."""
    rng, names = design.rng, _NAMES[: max(3, design.systems)]
    strength = design.spread * rng.normal(size=len(names))
    rows: list[Row] = []
    for number in range(2 * design.items):
        value = strength + rng.gumbel(size=len(names))
        value = np.round(value) if design.first else value
        seen = rng.permutation(len(names))[: len(names) - int(design.second and number % 3 == 0)]
        for place in seen:
            row: Row = {"ranking": f"r{number}", "system": names[place]}
            row["rank"] = 1 + int(np.sum(value[seen] > value[place]))
            if design.third:
                row["judge"] = f"j{number % 5}"
            rows.append(row)
    return Table("rankings", tuple(rows))


def scores_from(design: Design) -> Table:
    """Draw scores: 0/1, skewed or continuous; perhaps in groups, by several runs or judges, or with values missing."""
    rng, names = design.rng, _NAMES[: design.systems]
    quality, sort = design.spread * rng.normal(size=len(names)) / 2, ("binary", "skewed", "normal")[design.seed % 3]
    difficulty = rng.normal(size=design.items)
    rows: list[Row] = []
    for item in range(design.items):
        for place, name in enumerate(names):
            for run in range(3 if design.third else 1):
                value = quality[place] + difficulty[item] + rng.normal()
                score = {
                    "binary": float(value > 0),
                    "skewed": round(1000 * float(np.exp(value))),  # small ones may look like shares or percentages
                    "normal": round(value, 3),
                }
                row: Row = {"item": design.item(item), "system": name, "score": float(score[sort])}
                if design.first:
                    row["group"] = f"g{int(np.sqrt(item))}"
                if design.third:
                    row["run" if design.spread % 1 else "judge"] = f"s{run}"
                if not (design.second and place and rng.random() < 0.15):
                    rows.append(row)
    return Table("scores", tuple(rows))


def several_from(design: Design) -> Table:
    """Draw scores of two or three metrics or data sets; perhaps a system lacks one of them."""
    column = "metric" if design.seed % 2 else "dataset"
    parts = [scores_from(replace(design, seed=design.seed + place, first=False)) for place in range(2 + design.first)]
    rows = [
        {column: f"part{place}", **row}
        for place, part in enumerate(parts)
        for row in part.rows
        if not (design.systems > 2 and design.seed % 5 == 0 and place == 1 and row["system"] == "elk")
    ]
    return Table("scores", tuple({name: row[name] for name in rows[0] if name in row} for row in rows))


TABLES = st.one_of(DESIGNS.map(judgments_from), DESIGNS.map(rankings_from), DESIGNS.map(scores_from))
