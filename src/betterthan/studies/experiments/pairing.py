"""Pairing: the same scores of two systems, paired in other ways, have another winner."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations
from math import fsum
from typing import Any, ClassVar

import numpy as np

from betterthan.arrays import FloatArray, IntArray
from betterthan.datasets.scored import ScoredSet
from betterthan.datasets.sets import data_sets
from betterthan.errors import PlanError
from betterthan.evidence.read import read_scores
from betterthan.infer.estimate import Estimate, share_of
from betterthan.named import number
from betterthan.present.pictures.panels import panels
from betterthan.present.pictures.picture import Picture
from betterthan.present.table import Column, Table
from betterthan.studies.experiments.base import BETTER_THAN_AVERAGE, Claim, Columns, Found, Work, register
from betterthan.studies.ranking import ranks_by

#: Table 2: strengths of two systems on instances of five types.
_TABLE_2 = {"S": (23.0, 50.0, 40.0, 70.0, 60.0), "B": (28.0, 45.0, 30.0, 65.0, 50.0)}
_MODELS = ("mean", "median", "bradley-terry")


@dataclass(frozen=True)
class _Task:
    """One pairing: the first system's scores in this order beside the other's."""

    names: tuple[str, str]
    a: FloatArray
    b: FloatArray
    order: IntArray


@register
@dataclass(frozen=True, kw_only=True)
class Pairing:
    """Winners of two systems by mean, median and Bradley–Terry while the first one's scores are paired anew.

    Without evidence, the two systems of Table 2 have `instances` normal scores for each of five types, and the types
    of one system are permuted in every way. With a table of scores, the scores of its best system by the mean, or of
    `a`, are permuted over the instances at random, `runs` times, and compared with those of the second best, or of `b`.
    """

    instances: int = 200
    runs: int = 1000
    a: str = ""
    b: str = ""

    name: ClassVar[str] = "pairing"
    about: ClassVar[str] = (
        "The same scores of two systems, paired differently: mean and median stay, the winner changes."
    )
    paper: ClassVar[str] = BETTER_THAN_AVERAGE
    place: ClassVar[str] = "Figures 1 and 2, Appendix A.1, Table 2"
    takes: ClassVar[str] = "a table of scores"
    needs: ClassVar[bool] = False
    bundled: ClassVar[str] = ""
    quick: ClassVar[dict[str, Any]] = {"instances": 20, "runs": 50}

    def __post_init__(self) -> None:
        number("instances", self.instances, least=1, most=100_000, whole=True)
        number("runs", self.runs, least=2, most=100_000, whole=True)

    def run(self, work: Work) -> Found:
        """Pair the scores in all these ways, and ask every model for the winner."""
        rng = np.random.default_rng(work.options.seed)
        tasks = self._types(rng) if work.data is None else self._instances(work.table(self.name, self.takes), rng)
        rows = work.parts.each(_compared, tasks)
        names = ("mean_difference", "median_difference", "wins", *(f"by_{model}" for model in _MODELS))
        columns = dict(zip(names, (list(values) for values in zip(*rows, strict=True)), strict=True))
        columns = {"pairing": list(range(len(rows))), **columns}
        # All orders of the types are no sample of them: their share has no interval.
        level = None if work.data is None else work.options.level
        return Found(columns, _claims(columns, tasks[0].names, level), _summary(columns, tasks[0].names))

    def picture(self, columns: Columns, title: str) -> Picture:
        """Draw how often the first system wins, from the pairing most against it to the one most in its favour."""
        wins = sorted(columns["wins"])
        return panels(
            panel=["pairings, from the least wins to the most"] * len(wins), x=list(range(1, len(wins) + 1)),
            series=["share of instances won"] * len(wins), value=wins, low=wins, high=wins,
            name="share of instances won", title=title,
        )  # fmt: skip

    def _types(self, rng: np.random.Generator) -> list[_Task]:
        """Return every order of the types of Table 2, the printed one first."""
        a, b = (np.repeat(strengths, self.instances) + rng.normal(size=5 * self.instances)
                for strengths in _TABLE_2.values())  # fmt: skip
        blocks = np.arange(len(a)).reshape(5, self.instances)
        return [_Task(("S", "B"), a, b, blocks[list(order)].ravel()) for order in permutations(range(5))]

    def _instances(self, data: ScoredSet, rng: np.random.Generator) -> list[_Task]:
        """Return the pairing of the evidence, and random ones."""
        a, b = self._systems(data)
        columns = data.scores.values[:, [data.scores.systems.index(a), data.scores.systems.index(b)]]
        both = columns[~np.any(np.isnan(columns), axis=1)]
        if len(both) < 2:
            raise PlanError(f"{a!r} and {b!r} were scored together on fewer than two instances", remedy="Name others.")
        orders = [np.arange(len(both)), *(rng.permutation(len(both)) for _ in range(self.runs))]
        return [_Task((a, b), both[:, 0], both[:, 1], order) for order in orders]

    def _systems(self, data: ScoredSet) -> tuple[str, str]:
        """Return the two systems: those named, else the best by the mean."""
        systems = data.pairs().systems
        for name in filter(None, (self.a, self.b)):
            if name not in systems:
                raise PlanError(f"there is no system {name!r}", allowed=", ".join(systems[:20]))
        (ranks,) = ranks_by(("mean",), data)
        best = [systems[place] for place in np.argsort(ranks, kind="stable")]
        a = self.a or next(name for name in best if name != self.b)
        b = self.b or next(name for name in best if name != a)
        if a == b:
            raise PlanError(f"a system cannot be compared with itself, got {a!r} twice", remedy="Name two.")
        return a, b


def _compared(task: _Task) -> list[Any]:
    """Return differences of mean and median, how often the first wins (ties half), and the winner by each model."""
    a, b = task.a[task.order], task.b
    data = data_sets(read_scores({task.names[0]: a.tolist(), task.names[1]: b.tolist()})).only("a pairing")
    systems = data.pairs(units=False).systems
    winners = [
        "" if ranks[0] == ranks[1] else systems[int(np.argmin(ranks))] for ranks in ranks_by(_MODELS, data)
    ]  # fmt: skip
    won, tied, lost = data.pairs(units=False).per_system()[:, systems.index(task.names[0])]
    wins = float((won + tied / 2) / (won + tied + lost))
    mean = (fsum(a) - fsum(b)) / len(a)  # exact: the order of the numbers must not show in the last digit
    return [mean, float(np.median(a) - np.median(b)), wins, *winners]


def _claims(columns: Columns, names: tuple[str, str], level: float | None) -> tuple[Claim, ...]:
    moved = max(np.ptp(columns[name]) for name in ("mean_difference", "median_difference"))
    wins = columns["wins"]
    other = [
        bool(one) and bool(two) and one != two
        for one, two in zip(columns["by_mean"], columns["by_bradley-terry"], strict=True)
    ]
    share = Estimate(float(np.mean(other)), None, None) if level is None else share_of(other, level)
    spread = Estimate(float(np.ptp(wins)), None, None)
    return (
        Claim("Permuting leaves mean and median as they are: largest change", "unchanged",
              Estimate(float(moved), None, None), bool(moved == 0)),
        Claim(f"The pairing changes how often {names[0]} wins: most − least share", "changes", spread,
              spread.known > 0),
        Claim("In some pairings BT prefers another system than the mean: share of them", "above 0",
              share, any(other),
              cause="" if any(other) else "One system leads by so much that it wins most instances however they are "
              "paired, or random pairings are all alike."),
    )  # fmt: skip


def _summary(columns: Columns, names: tuple[str, str]) -> Table:
    """Show the pairing as it is, and those in which the first system wins least and most."""
    wins: Sequence[float] = columns["wins"]
    shown = {"as it is": 0, "least wins": int(np.argmin(wins)), "most wins": int(np.argmax(wins))}
    rows = [
        [words, f"{columns['mean_difference'][place]:.3f}", f"{columns['median_difference'][place]:.3f}",
         f"{wins[place]:.3f}", *(columns[f"by_{model}"][place] or "equal" for model in _MODELS)]
        for words, place in shown.items()
    ]  # fmt: skip
    heads = [Column("pairing", "left"), Column("Δ mean"), Column("Δ median"), Column(f"{names[0]} wins"),
             *(Column(f"best by {model}", "left") for model in _MODELS)]  # fmt: skip
    return Table(heads, rows, title=f"{names[0]} against {names[1]}")
