"""Simulations of equally good systems, and of two systems with a given difference, with dependent judgments.

They show whether intervals hold the truth and tests find nothing where there is nothing: `promises.py` asks.
"""

from dataclasses import dataclass
from statistics import NormalDist
from typing import Any

import numpy as np

from betterthan.evidence import Judgments, Scores
from betterthan.readers import read_judgments, read_scores

#: Items of one group.
_GROUP = 6
_LIKERT = np.array([0.1, 0.2, 0.3, 0.25, 0.15])


@dataclass(frozen=True)
class WorldCell:
    """A simulation setting: the kind of evidence, the dependence, the number of units, and the outcomes.

    There are `per_unit` judgments of one item, or of one judge, where these have effects, and `others` items or judges
    that cross them.
    """

    kind: str  # judgments, scores or plans
    dependence: str  # none, weights, item, judge, both; groups
    units: int
    outcome: str  # ties 0 %, continuous, likert, right .9 …
    systems: int = 4
    per_unit: int = 24
    others: int = 40

    @property
    def name(self) -> str:
        """The name of the simulation setting."""
        return f"{self.kind} · {self.dependence} · {self.units} · {self.outcome}"

    @property
    def names(self) -> tuple[str, ...]:
        """The systems' names: a, b, c …"""
        return tuple(chr(ord("a") + place) for place in range(self.systems))


def judgments(cell: WorldCell, rng: np.random.Generator) -> dict[str, Any]:
    """Equal systems: judgments with items and judges of their own tastes."""
    ties = float(cell.outcome.split()[1]) / 100
    if cell.dependence in {"none", "weights"}:
        number, items, judges = cell.per_unit * cell.units, cell.per_unit * cell.units, cell.per_unit * cell.units
    else:
        number = cell.per_unit * cell.units
        items = cell.units if cell.dependence in {"item", "both"} else cell.others
        judges = cell.units if cell.dependence in {"judge", "both"} else cell.others
    item, judge = rng.integers(items, size=number), rng.integers(judges, size=number)
    left = rng.integers(cell.systems, size=number)
    right = (left + rng.integers(1, cell.systems, size=number)) % cell.systems
    gap = np.zeros(number)
    if cell.dependence in {"item", "both"}:
        taste = rng.normal(0, 0.7, (items, cell.systems))
        gap += taste[item, left] - taste[item, right]
    if cell.dependence in {"judge", "both"}:
        taste = rng.normal(0, 0.5, (judges, cell.systems))
        gap += taste[judge, left] - taste[judge, right]
    win, draw = (1 - ties) / (1 + np.exp(-gap)), rng.random(number)
    names = np.array(cell.names)
    columns = {
        "left": names[left],
        "right": names[right],
        "winner": np.where(draw < win, "a", np.where(draw < win + ties, "tie", "b")),
    }
    if cell.dependence == "weights":
        return {**columns, "weight": 10 * rng.exponential(size=number)}
    return columns if cell.dependence == "none" else {**columns, "item": item.astype(str), "judge": judge.astype(str)}


def scores(cell: WorldCell, rng: np.random.Generator) -> tuple[dict[str, Any], float]:
    """Equal systems on the same items, in groups of six or alone; and the mean score."""
    size = _GROUP if cell.dependence == "groups" else 1
    items, systems = cell.units * size, cell.systems
    shared = np.repeat(rng.normal(size=(cell.units, systems)), size, axis=0) if size > 1 else 0.0
    base = rng.normal(size=(items, 1))  # how hard an item is
    latent = (base + 0.7 * shared + rng.normal(size=(items, systems))) / np.sqrt(2 + (0.49 if size > 1 else 0))
    if cell.outcome == "continuous":
        values, truth = latent, 0.0
    elif cell.outcome == "likert":
        cuts = np.array([_normal_quantile(share) for share in np.cumsum(_LIKERT)[:-1]])
        values, truth = 1.0 + np.searchsorted(cuts, latent), float(_LIKERT @ np.arange(1, 6))
    else:
        chance = float(cell.outcome.split()[1])
        values, truth = (latent < _normal_quantile(chance)).astype(float), chance
    columns: dict[str, Any] = {name: values[:, place].tolist() for place, name in enumerate(cell.names)}
    columns["item"] = [f"i{number}" for number in range(items)]
    if size > 1:
        columns["document"] = [f"d{number // size}" for number in range(items)]
    return columns, truth


def _normal_quantile(share: float) -> float:
    return NormalDist().inv_cdf(share)


#: The true mean difference, and the true share of wins among decided judgments by what is dependent, of plans.
TRUTH = {"continuous": 0.5, "right": 0.15, "none": 0.6225, "item": 0.6107, "judge": 0.616, "both": 0.6063}


def two_judged(cell: WorldCell, units: int, rng: np.random.Generator) -> Judgments:
    """Return judgments of two systems, one of which is better by half a log-odds on average."""
    number = cell.per_unit * units
    items, judges = (units if cell.dependence in {name, "both"} else 2 * units for name in ("item", "judge"))
    item, judge = rng.integers(items, size=number), rng.integers(judges, size=number)
    gap = np.full(number, 0.5)
    if cell.dependence in {"item", "both"}:
        gap += rng.normal(0, 0.7, items)[item]
    if cell.dependence in {"judge", "both"}:
        gap += rng.normal(0, 0.5, judges)[judge]
    draw, win = rng.random(number), 0.8 / (1 + np.exp(-gap))
    columns = {
        "left": ["a"] * number,
        "right": ["b"] * number,
        "winner": np.where(draw < win, "a", np.where(draw < win + 0.2, "tie", "b")),
    }
    return read_judgments(columns | {"item": item.astype(str), "judge": judge.astype(str)})


def two_scored(cell: WorldCell, units: int, rng: np.random.Generator) -> Scores:
    """Return scores of two systems, one of which is better: by half a standard deviation, or right more often."""
    size = _GROUP if cell.dependence == "groups" else 1
    items = units * size
    shared = np.repeat(rng.normal(0, 0.7, (units, 2)), size, axis=0) if size > 1 else np.zeros((items, 2))
    latent = rng.normal(size=(items, 1)) + shared + rng.normal(size=(items, 2))
    if cell.outcome == "continuous":
        values = latent + np.array([0.5, 0.0])
    else:
        spread = np.sqrt(2 + (0.49 if size > 1 else 0))
        values = (latent < spread * np.array([_normal_quantile(0.85), _normal_quantile(0.7)])).astype(float)
    columns = {"a": values[:, 0], "b": values[:, 1], "item": [f"i{number}" for number in range(items)]}
    if size == 1:
        return read_scores(columns, item="item")
    return read_scores(
        columns | {"document": [f"d{number // size}" for number in range(items)]}, item="item", group="document"
    )
