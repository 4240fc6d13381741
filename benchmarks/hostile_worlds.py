"""Hostile worlds of known truth: unequal systems and sizes, few units, skew, ceilings, missing scores and runs."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
Truth = dict[str, float]


@dataclass(frozen=True)
class Votes:
    """Judgments of systems with strengths, on items and by judges with tastes of their own.

    `heavy` is the exponent of Zipf's law for the judgments of judges. `adaptive` asks about pairs whose win rates are
    close so far, in ten rounds.
    """

    name: str
    strengths: tuple[float, ...] = (0.0, 0.0, 0.0)
    judgments: int = 600
    items: int = 40
    judges: int = 20
    item_taste: float = 0.0
    judge_taste: float = 0.0
    heavy: float = 0.0
    ties: float = 0.0
    weights: bool = False
    adaptive: bool = False
    newcomer: int = 0  # judges of the last system, of all there are
    units: int = 5  # how many of the scarcest units there are

    def draw(self, rng: np.random.Generator, times: int = 1) -> dict[str, Array]:
        """Draw a data set, or a population of `times` as many items, judges and judgments."""
        number, items, judges = self.judgments * times, self.items * times, self.judges * times
        size = len(self.strengths)
        share = 1 / np.arange(1, judges + 1) ** (self.heavy if times == 1 else 0.0)
        judge = rng.choice(judges, number, p=share / share.sum())
        item = rng.integers(items, size=number)
        of_item = rng.normal(0, self.item_taste, (items, size))
        of_judge = rng.normal(0, self.judge_taste, (judges, size))
        left, right, won = np.empty(number, dtype=int), np.empty(number, dtype=int), np.empty(number, dtype=bool)
        points, met = np.full(size, 1.0), np.full(size, 2.0)
        adaptive = self.adaptive and times == 1
        for rows in np.array_split(np.arange(number), 10 if adaptive else 1):
            first = rng.integers(size, size=len(rows))
            second = (first + rng.integers(1, size, size=len(rows))) % size
            if adaptive:  # the nearest of three others
                others = (first[:, None] + rng.integers(1, size, size=(len(rows), 3))) % size
                rate = points / met
                nearest = np.argmin(np.abs(rate[others] - rate[first][:, None]), axis=1)
                second = others[np.arange(len(rows)), nearest]
            if self.newcomer and times == 1:
                met_newcomer = rows[np.maximum(first, second) == size - 1]
                judge[met_newcomer] = rng.integers(self.newcomer, size=len(met_newcomer))
            total = np.array(self.strengths) + of_item[item[rows]] + of_judge[judge[rows]]
            every = np.arange(len(rows))
            gap = total[every, first] - total[every, second]
            left[rows], right[rows], won[rows] = first, second, rng.random(len(rows)) < 1 / (1 + np.exp(-gap))
            np.add.at(points, np.where(won[rows], first, second), 1.0)
            np.add.at(met, np.concatenate([first, second]), 1.0)
        winner = np.where(rng.random(number) < self.ties, "tie", np.where(won, "a", "b"))
        names = np.array(self.systems)
        columns = {"left": names[left], "right": names[right], "winner": winner}
        columns |= {"item": np.char.add("i", item.astype(str)), "judge": np.char.add("j", judge.astype(str))}
        return columns | ({"weight": rng.exponential(1, number)} if self.weights else {})

    @property
    def systems(self) -> list[str]:
        """Names in the order of strengths."""
        return [f"s{place:02d}" for place in range(len(self.strengths))]

    @cache  # noqa: B019 (a few worlds per process)
    def truth(self) -> Truth:
        """Return the strengths that many judges and items would give, on the Elo scale."""
        import betterthan as bt

        if len(set(self.strengths)) == 1:
            return dict.fromkeys(self.systems, 1000.0)
        votes = self.draw(np.random.default_rng(1), 400)
        votes.pop("weight", None)
        board = bt.rank({name: votes[name] for name in ("left", "right", "winner")}, ci="none").board
        return {row.system: float(row.score or 0.0) for row in board}

    def equal(self) -> list[tuple[str, str]]:
        """Return pairs of equal systems."""
        return _equal(dict(zip(self.systems, self.strengths, strict=True)))


@dataclass(frozen=True)
class Collected(Votes):
    """Judgments whose pairs a policy of `next` chose, some at a time, read as a campaign is: results were watched."""

    policy: str = "information"
    batch: int = 40

    def draw(self, rng: np.random.Generator, times: int = 1) -> Any:
        """Draw a campaign that begins with every pair once, or a population of pairs chosen alike."""
        if times > 1:
            return super().draw(rng, times)
        import betterthan as bt

        strength = dict(zip(self.systems, self.strengths, strict=True))
        asked = list(combinations(self.systems, 2))
        rows: list[tuple[str, str, str, str, str]] = []
        while True:
            for left, right in asked:
                won = rng.random() < 1 / (1 + np.exp(strength[right] - strength[left]))
                item, judge = f"i{rng.integers(self.items)}", f"j{rng.integers(self.judges)}"
                rows.append((left, right, "a" if won else "b", item, judge))
            columns = dict(zip(("left", "right", "winner", "item", "judge"), zip(*rows, strict=True), strict=True))
            if len(rows) >= self.judgments:
                break
            seed = int(rng.integers(2**31))
            chosen = bt.next_matches(columns, self.batch, policy=self.policy, seed=seed).matches
            asked = [match.systems for match in chosen]
        evidence = bt.read_judgments({name: list(values) for name, values in columns.items()})
        return replace(evidence, reading=replace(evidence.reading, watched=True))


def _normal(rng: np.random.Generator, shape: tuple[int, ...]) -> Array:
    return rng.normal(size=shape)


def _lognormal(rng: np.random.Generator, shape: tuple[int, ...]) -> Array:
    return rng.lognormal(0, 1, size=shape) - np.exp(0.5)


@dataclass(frozen=True)
class Scores:
    """Scores of systems on items; `noise` draws deviations with mean 0, `made` turns the sum into a score."""

    name: str
    means: tuple[float, ...] = (0.0, 0.0, 0.0)
    items: int = 40
    noise: Callable[[np.random.Generator, tuple[int, ...]], Array] = _normal
    made: Callable[[Array, np.random.Generator], Array] | None = None
    ease: float = 0.0
    groups: int = 0  # of items, of sizes by Zipf's law
    group_taste: float = 0.0
    runs: int = 0
    run_effect: float = 0.0
    judges: int = 0
    judge_taste: float = 0.0
    missing: float = 0.0  # share of the hardest items that the first systems lack, as each finds them hard
    lacking: int = 1  # how many systems lack some
    spread: tuple[float, ...] = ()  # the standard deviation of every system's noise, 1 unless told
    units: int = 5

    @property
    def systems(self) -> list[str]:
        """Names in the order of means."""
        return [f"s{place:02d}" for place in range(len(self.means))]

    def _values(self, rng: np.random.Generator, items: int) -> tuple[Array, Array, Array]:
        """Return values (items × systems × repeats), the ease of items and their groups."""
        size, repeats = len(self.means), max(self.runs, self.judges, 1)
        ease = rng.normal(0, self.ease, items)
        share = 1 / np.arange(1, self.groups + 1) if self.groups else np.ones(1)
        group = rng.choice(len(share), items, p=share / share.sum())
        if self.groups and items >= self.groups:
            group[: self.groups] = np.arange(self.groups)
        taste = rng.normal(0, self.group_taste, (len(share), size))
        effect = rng.normal(0, self.run_effect if self.runs else self.judge_taste, (size, repeats))
        values = np.array(self.means)[:, None] + ease[:, None, None] + taste[group][:, :, None] + effect
        spread = np.array(self.spread or (1.0,) * size)[:, None]
        values = values + spread * self.noise(rng, (items, size, repeats))
        return (values if self.made is None else self.made(values, rng)), ease, group

    def draw(self, rng: np.random.Generator) -> Any:
        """Draw a table of scores."""
        import betterthan as bt

        values, ease, group = self._values(rng, self.items)
        lacks = round(self.missing * self.items)
        gone = [np.argsort(ease)[:lacks]] if self.lacking == 1 else []
        gone += [
            np.argsort(ease + rng.normal(0, self.ease, self.items))[:lacks] for _ in range(self.lacking - len(gone))
        ]
        rows = [
            {
                "item": f"i{item:04d}",
                "group": f"g{group[item]}",
                "system": name,
                "repeat": f"r{one}",
                "score": float(value),
            }
            for item in range(self.items)
            for place, name in enumerate(self.systems)
            if place >= self.lacking or item not in gone[place]
            for one, value in enumerate(values[item, place])
        ]
        if self.judges:
            rows = [{**row, "judge": row["repeat"]} for row in rows]
            return bt.read_scores(rows, judge="judge")
        more: dict[str, Any] = {"group": "group"} if self.groups else {}
        if self.runs:
            more |= {"repeat": "repeat"}
        return bt.read_scores(rows, **more)

    @cache  # noqa: B019 (a few worlds per process)
    def truth(self) -> Truth:
        """Return the means of the population."""
        if self.made is None:
            return dict(zip(self.systems, self.means, strict=True))
        values, *_ = self._values(np.random.default_rng(1), 400_000)
        return dict(zip(self.systems, values.mean(axis=(0, 2)).tolist(), strict=True))

    def equal(self) -> list[tuple[str, str]]:
        """Return pairs of equal systems."""
        return _equal(dict(zip(self.systems, self.means, strict=True)))


@dataclass(frozen=True)
class Labels:
    """Labels of items by judges who see the true one, or guess; the second label is `rare`."""

    name: str
    items: int = 40
    judges: int = 3
    rare: float = 0.4
    guesses: float = 0.3
    units: int = 5

    def draw(self, rng: np.random.Generator, times: int = 1) -> list[dict[str, str]]:
        """Draw labels of items."""
        label = self._labels(rng, self.items * times)
        return [
            {"item": f"i{item}", "judge": f"j{judge}", "label": "rare" if label[item, judge] else "usual"}
            for item in range(len(label))
            for judge in range(self.judges)
        ]

    def _labels(self, rng: np.random.Generator, items: int) -> Array:
        shape = (items, self.judges)
        true = rng.random((items, 1)) < self.rare
        return np.where(rng.random(shape) < self.guesses, rng.random(shape) < self.rare, true)

    @cache  # noqa: B019 (a few worlds per process)
    def truth(self) -> Truth:
        """Return the coefficients of the population: two ratings are equal, and equal by chance."""
        seen, p = (1 - self.guesses) ** 2, self.rare
        chance = p**2 + (1 - p) ** 2
        equal = seen + (1 - seen) * chance
        kappa = (equal - chance) / (1 - chance)
        guess = 2 * p * (1 - p)
        of_kappa = dict.fromkeys(("alpha", "fleiss", "cohen"), kappa)
        return {**of_kappa, "ac1": (equal - guess) / (1 - guess), "equal-pairs": equal}


def _equal(of: dict[str, float]) -> list[tuple[str, str]]:
    names = list(of)
    return [(a, b) for place, a in enumerate(names) for b in names[place + 1 :] if of[a] == of[b]]


def _right(values: Array, rng: np.random.Generator) -> Array:
    return (rng.random(values.shape) < 1 / (1 + np.exp(-values))).astype(float)


def _likert(values: Array, rng: np.random.Generator) -> Array:
    del rng
    return np.clip(np.round(5.6 + 0.8 * values), 1, 5)


def _zeros(values: Array, rng: np.random.Generator) -> Array:
    return np.where(rng.random(values.shape) < 0.8, 0.0, np.exp(values))


SPREAD = (1.2, 0.6, 0.6, 0.0, -0.6, -1.2)
EQUAL12 = (0.0,) * 12


def votes() -> Iterator[Votes]:
    """List worlds of judgments."""
    for judges in (2, 3, 4, 6, 12):
        yield Votes(f"{judges} judges with tastes", judges=judges, judge_taste=0.8, units=judges)
    yield Votes("4 judges who agree", judges=4, units=4)
    yield Votes("2 judges, 2 items", judges=2, items=2, judge_taste=0.5, item_taste=0.5, units=2)
    for items in (2, 4, 8):
        yield Votes(f"{items} items", items=items, item_taste=0.8, units=items)
    yield Votes("12 judges, sizes by Zipf", judges=12, judge_taste=0.6, heavy=1.5)
    yield Votes("30 judges, sizes by Zipf", judges=30, judge_taste=0.6, heavy=1.2)
    yield Votes("a newcomer, 3 of 30 judges", (0.0,) * 4, judges=30, judge_taste=0.8, newcomer=3, units=3)
    yield Votes("unequal systems", strengths=SPREAD, item_taste=0.5, judge_taste=0.5)
    yield Votes("unequal systems, 5 judges", strengths=SPREAD, judges=5, judge_taste=0.6)
    yield Votes("12 equal systems", strengths=EQUAL12, judgments=3000, item_taste=0.5, judge_taste=0.4)
    yield Votes("30 systems, thin", strengths=tuple(np.linspace(1, -1, 15).repeat(2)), judgments=3000)
    yield Votes("60 % ties", ties=0.6, item_taste=0.5)
    yield Votes("random weights", weights=True, item_taste=0.5)
    for judges in (3, 5):
        yield Votes(
            f"12 equal systems, {judges} judges", EQUAL12, judgments=2000, judges=judges, judge_taste=0.6, units=judges
        )
    yield Votes("adaptive choice of pairs", strengths=(0.0,) * 5, adaptive=True, item_taste=0.4)
    for policy in ("information", "uncertain"):
        yield Collected(f"pairs chosen by {policy}", strengths=(0.0,) * 7, judgments=400, policy=policy)
    yield Collected(
        "unequal systems, pairs chosen by information", (0.6, 0.4, 0.2, 0.0, -0.2, -0.4, -0.6), judgments=400
    )
    yield Votes("two systems, 40 judgments", strengths=(0.0, 0.0), judgments=40, items=40, judges=40)


def scores() -> Iterator[Scores]:
    """List worlds of scores."""
    for items in (5, 10, 30, 100):
        yield Scores(f"normal, {items} items", items=items, ease=1.0)
        yield Scores(f"lognormal, {items} items", items=items, noise=_lognormal)
    for items in (10, 40, 150):
        yield Scores(f"80 % zeros, {items} items", items=items, made=_zeros)
        yield Scores(f"ceiling at 5 of 1–5, {items} items", items=items, made=_likert)
    for level, shift in (("50", 0.0), ("90", 2.4), ("98", 4.6)):
        yield Scores(f"right in {level} %, 50 items", means=(shift,) * 3, items=50, made=_right, ease=0.5)
    yield Scores("unequal systems, scores", means=(0.6, 0.3, 0.3, 0.0, -0.5), ease=1.0)
    yield Scores("12 equal systems, scores", means=EQUAL12, ease=1.0, items=60)
    for groups in (4, 8, 25):
        yield Scores(f"{groups} groups by Zipf", items=10 * groups, groups=groups, group_taste=0.7, units=groups)
    for runs, effect in ((2, 0.3), (3, 0.0), (3, 0.3), (3, 1.0), (5, 0.3)):
        yield Scores(f"{runs} runs, effect {effect}", items=100, runs=runs, run_effect=effect, ease=1.0, units=runs)
    for judges in (2, 3, 4, 8):
        yield Scores(f"ratings by {judges} judges", items=30, judges=judges, judge_taste=0.5, units=judges)
    yield Scores("hard items missing for one system", items=60, ease=1.5, missing=0.3)
    yield Scores("hard items missing for two systems", items=60, ease=1.5, missing=0.3, lacking=2)
    yield Scores("12 equal systems, 5 items", means=EQUAL12, items=5)
    yield Scores("two systems, unequal variances", means=(0.0, 0.0), items=12, spread=(1.0, 4.0))
    yield Scores("25 groups by Zipf, lognormal", items=250, groups=25, group_taste=0.3, noise=_lognormal)


def labels() -> Iterator[Labels]:
    """List worlds of labels."""
    yield Labels("labels, 40 items")
    yield Labels("labels, 10 items", items=10)
    yield Labels("a rare label, 40 items", rare=0.08)
    yield Labels("a rare label, 10 items", items=10, rare=0.08)


World = Votes | Scores | Labels


def worlds() -> list[World]:
    """List all worlds."""
    return [*votes(), *scores(), *labels()]


#: Some of them, for every run of the tests.
QUICK = (
    "3 judges with tastes",
    "4 items",
    "12 judges, sizes by Zipf",
    "unequal systems, 5 judges",
    "normal, 10 items",
    "80 % zeros, 40 items",
    "right in 98 %, 50 items",
    "8 groups by Zipf",
    "3 runs, effect 0.3",
    "hard items missing for one system",
)
