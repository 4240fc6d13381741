"""Pairing: the same scores, paired differently, have a different winner."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations
from math import fsum
from typing import Any, ClassVar

import numpy as np

from betterthan.base import FloatArray, IntArray, PlanError, registry
from betterthan.datasets import ScoredSet, data_sets
from betterthan.inference import share_of
from betterthan.models import BradleyTerry
from betterthan.present import Column, Picture, Table, pictures
from betterthan.readers import read_scores
from betterthan.verbs.compare import joint_numbers
from betterthan.verbs.diagnose import ExaminedData, turned_pairs
from betterthan.verbs.study.agreement import above, near
from betterthan.verbs.study.experiments.base import (
    BETTER_THAN_AVERAGE,
    Claim,
    Columns,
    Found,
    Means,
    Work,
    register_study,
)
from betterthan.verbs.study.study_ranking import ranks_by

#: Table 2: strengths of two systems on items of five types.
_TABLE_2 = {"S": (23.0, 50.0, 40.0, 70.0, 60.0), "B": (28.0, 45.0, 30.0, 65.0, 50.0)}
_MODELS = ("mean", "median", "bradley-terry")
#: The paper found no third system that changes an order with more items than these.
_FEW_ITEMS = 10


@dataclass(frozen=True)
class _Task:
    """One pairing: the first system's scores in this order next to the other's."""

    names: tuple[str, str]
    a: FloatArray
    b: FloatArray
    order: IntArray


@register_study
@dataclass(frozen=True, kw_only=True)
class PairingStudy:
    """Winners of two systems by mean, median and Bradley–Terry while the first one's scores are paired again.

    Without evidence, the two systems of Table 2 have `items` normal scores for each of five types, and the types
    of one system are permuted in every way. With a table of scores, the scores of one system are permuted over the
    items at random, `runs` times, and compared with those of another. The two are the best and the second best by the
    mean, or `a` and `b`.
    The example of Appendix F is computed too, and a table is searched for orders that a third system changes.
    """

    items: int = 200
    runs: int = 1000
    a: str = ""
    b: str = ""

    name: ClassVar[str] = "pairing"
    about: ClassVar[str] = (
        "The same scores of two systems, paired differently: mean and median stay, the winner changes."
    )
    paper: ClassVar[str] = BETTER_THAN_AVERAGE
    place: ClassVar[str] = "Figures 1 and 2, Table 2, Appendices A.1 and F"
    takes: ClassVar[str] = "a table of scores"
    needs: ClassVar[bool] = False
    bundled: ClassVar[str] = ""
    means: ClassVar[Means | None] = Means()
    quick: ClassVar[dict[str, Any]] = {"items": 20, "runs": 50}

    def __post_init__(self) -> None:
        registry.number("items", self.items, least=1, most=100_000, whole=True)
        registry.number("runs", self.runs, least=2, most=100_000, whole=True)

    def run(self, work: Work) -> Found:
        """Pair the scores in all these ways, and ask every model for the winner."""
        rng = np.random.default_rng(work.options.seed)
        tasks = self._types(rng) if work.data is None else self._items(work.table(self.name, self.takes), rng)
        rows = work.parts.each(_compared, tasks)
        names = ("mean_difference", "median_difference", "wins", *(f"by_{model}" for model in _MODELS))
        columns = dict(zip(names, (list(values) for values in zip(*rows, strict=True)), strict=True))
        columns = {"pairing": list(range(len(rows))), **columns}
        # All orders of the types are no sample of them: their share has no interval.
        level = None if work.data is None else work.options.level
        search = None if work.data is None else _search(work.table(self.name, self.takes))
        claims = (*_claims(columns, tasks[0].names, level), *appendix_f(), *([] if search is None else search))
        return Found(columns, claims, _summary(columns, tasks[0].names), drawn=_drawn(columns, tasks))

    def picture(self, columns: Mapping[str, Any], title: str) -> Picture:
        """Draw the scores together as they are paired, and as the first system wins least and most (Figure 2)."""
        return pictures.joint.draw_panels(columns, title=title)

    def _types(self, rng: np.random.Generator) -> list[_Task]:
        """Return every order of the types of Table 2, the printed one first."""
        a, b = (np.repeat(strengths, self.items) + rng.normal(size=5 * self.items) for strengths in _TABLE_2.values())
        blocks = np.arange(len(a)).reshape(5, self.items)
        return [_Task(("S", "B"), a, b, blocks[list(order)].ravel()) for order in permutations(range(5))]

    def _items(self, data: ScoredSet, rng: np.random.Generator) -> list[_Task]:
        """Return the pairing of the evidence, and random ones."""
        a, b = self._systems(data)
        columns = data.scores.values[:, [data.scores.systems.index(a), data.scores.systems.index(b)]]
        both = columns[~np.any(np.isnan(columns), axis=1)]
        if len(both) < 2:
            raise PlanError(f"{a!r} and {b!r} were scored together on fewer than two items", remedy="Name others.")
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
    winners = ["" if ranks[0] == ranks[1] else systems[int(np.argmin(ranks))] for ranks in ranks_by(_MODELS, data)]
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
    change = (
        "In some pairings BT prefers another system than the mean: share of them",
        "above 0",
    )
    cause = (
        "One system leads by so much that it wins most items however they are paired, or random pairings are all alike."
    )
    return (
        Claim.exact(
            "Permuting leaves mean and median as they are: largest change", "unchanged", float(moved), near(0, 0)
        ),
        Claim.exact(
            f"The pairing changes how often {names[0]} wins: most − least share",
            "changes",
            float(np.ptp(wins)),
            above(0),
        ),
        Claim.exact(*change, float(np.mean(other)), above(0), cause)
        if level is None
        else Claim.of(*change, share_of(other, level), above(0), cause),
    )


def _shown(columns: Columns) -> dict[str, int]:
    """Return three pairings: as it is, and with the least and the most wins of the first system.

    Where it wins no more than as it is, the third one is that with the most even wins.
    """
    wins = np.array(columns["wins"])
    shown = {"as it is": 0, "least wins": int(np.argmin(wins)), "most wins": int(np.argmax(wins))}
    if shown["most wins"] == 0:
        del shown["most wins"]
        shown["most even"] = int(np.argmin(np.abs(wins - 0.5)))
    return shown


def _drawn(columns: Columns, tasks: Sequence[_Task]) -> dict[str, Any]:
    """Return the numbers of the three joint pictures."""
    found = {}
    for name, place in _shown(columns).items():
        task = tasks[place]
        a, b = task.a[task.order], task.b
        sides = {"a": task.names[0], "b": task.names[1], "won": int(np.sum(a > b)), "lost": int(np.sum(a < b))}
        found[name] = {**sides, **joint_numbers(a, b)}
    return found


def appendix_f() -> tuple[Claim, ...]:
    """Add a third system to the two of Appendix F, as it is printed and as the text says that it is."""
    two = {"A": [1.0, 2.0, 3.0], "B": [2.0, 3.0, 1.0]}
    alone = _strengths(two)
    right, printed = (_strengths({**two, "C": third}) for third in ([3.0, 1.0, 2.0], [3.0, 2.0, 1.0]))
    wrong = "The printed C = [3, 2, 1] leaves B ahead; with C = [3, 1, 2] the text is right."
    return (
        Claim.exact("Appendix F: strength of B beside A alone", "2/3", alone[1], near(2 / 3, 1e-6)),
        Claim.exact("With C = [3, 1, 2], all are equal: B − A", "0", right[1] - right[0], near(0, 1e-6)),
        Claim.exact("With C = [3, 2, 1], as printed: B − A", "0", printed[1] - printed[0], near(0, 1e-6), wrong),
    )


def _strengths(scores: dict[str, list[float]]) -> list[float]:
    """Return strengths by Bradley–Terry that add up to 1."""
    counts = data_sets(read_scores(scores)).only("an example").pairs(units=False)
    worth = np.exp(BradleyTerry().fit(counts).strength)
    found: list[float] = (worth / worth.sum()).tolist()
    return found


def _search(data: ScoredSet) -> list[Claim]:
    """Look for orders of two systems that depend on a third one: in every three, and in the whole table."""
    values = data.scores.values[~np.any(np.isnan(data.scores.values), axis=1)]
    if values.shape[1] < 3 or len(values) < 2:
        return []
    changed, triples = third_changes(values)
    turned = turned_pairs(ExaminedData(data))
    pairs = {frozenset(pair) for found in turned.values() for pair in found}
    cause = (
        f"{len(values):,} items have scores of all systems; {changed:,} of {triples:,} threes change. "
        "Three systems that beat each other in a circle, or nearly, are enough for it."
    )
    every = values.shape[1] * (values.shape[1] - 1) / 2
    # Of tables with few items the paper does not say that there are none.
    threes = [
        Claim.exact(
            "A third system changes the order of two: share of all threes",
            "none beyond 10 items",
            changed / triples,
            near(0, 0),
            cause,
        )
    ]
    return [
        *(threes if len(values) > _FEW_ITEMS else []),
        Claim.exact(
            "Pairs whose order in the whole table changes without one other system: share",
            "none",
            len(pairs) / every,
            near(0, 0),
            cause,
        ),
    ]


def third_changes(values: FloatArray) -> tuple[int, int]:
    """Return in how many threes of systems a third one changes the order of the other two, and how many there are.

    Where all meet equally often, Bradley–Terry orders systems by their wins: two alone by those against each other.

    >>> third_changes(np.array([[1.0, 2, 3], [2, 3, 1], [3, 1, 2]]))
    (1, 1)
    """
    size = values.shape[1]
    net = np.zeros((size, size))  # wins less losses
    for one in range(size):
        net[one] = np.sum(np.sign(values[:, [one]] - values), axis=0)
    changed = 0
    for one, two in combinations(range(size), 2):
        third = np.arange(two + 1, size)
        alone = (net[one, two], net[one, third], net[two, third])
        total = (net[one, two] + net[one, third], net[two, third] - net[one, two], -net[one, third] - net[two, third])
        gaps = (total[0] - total[1], total[0] - total[2], total[1] - total[2])
        differs = [
            (np.sign(before) != np.sign(after)) & (before != 0) for before, after in zip(alone, gaps, strict=True)
        ]
        changed += int(np.sum(np.any(differs, axis=0)))
    return changed, size * (size - 1) * (size - 2) // 6


def _summary(columns: Columns, names: tuple[str, str]) -> Table:
    """Show the pairing as it is, and those in which the first system wins least and most."""
    wins = columns["wins"]
    rows = [
        [
            words,
            f"{columns['mean_difference'][place]:.3f}",
            f"{columns['median_difference'][place]:.3f}",
            f"{wins[place]:.3f}",
            *(columns[f"by_{model}"][place] or "equal" for model in _MODELS),
        ]
        for words, place in _shown(columns).items()
    ]
    heads = [
        Column("pairing", "left"),
        Column("Δ mean"),
        Column("Δ median"),
        Column(f"{names[0]} wins"),
        *(Column(f"best by {model}", "left") for model in _MODELS),
    ]
    return Table(heads, rows, title=f"{names[0]} against {names[1]}")
