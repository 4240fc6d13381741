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

#: What a world watches. It names the promises that are at risk there.
INTERVAL, PAIRS = "rank: interval", "rank: any pair falsely decided"
FIRST, ALARM = "rank: first rank falsely claimed", "compare: false alarm"


@dataclass(frozen=True)
class Votes:
    """Judgments of systems with strengths, on items and by judges with tastes of their own.

    `heavy` is the exponent of Zipf's law for the judgments of judges. `adaptive` asks about pairs whose win rates are
    close so far, in ten rounds.
    """

    name: str
    watched: tuple[str, ...]
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
    watched: tuple[str, ...]
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

    @property
    def watched(self) -> tuple[str, ...]:
        """Intervals of two coefficients."""
        return ("agree: interval of alpha", "agree: interval of ac1")

    def draw(self, rng: np.random.Generator) -> list[dict[str, str]]:
        """Draw labels of items."""
        shape = (self.items, self.judges)
        true = rng.random((self.items, 1)) < self.rare
        label = np.where(rng.random(shape) < self.guesses, rng.random(shape) < self.rare, true)
        return [
            {"item": f"i{item}", "judge": f"j{judge}", "label": "rare" if label[item, judge] else "usual"}
            for item in range(self.items)
            for judge in range(self.judges)
        ]

    def truth(self) -> Truth:
        """Return the coefficients of the population: two ratings are equal, and equal by chance."""
        seen, p = (1 - self.guesses) ** 2, self.rare
        chance = p**2 + (1 - p) ** 2
        equal = seen + (1 - seen) * chance
        guess = 2 * p * (1 - p)
        return {"alpha": (equal - chance) / (1 - chance), "ac1": (equal - guess) / (1 - guess)}


@dataclass(frozen=True)
class Metrics:
    """Scores of systems by people and by a metric, which is `wrong` about the systems and noisier about items."""

    name: str
    systems: int = 8
    items: int = 40
    close: float = 1.0  # the standard deviation of the systems' qualities
    wrong: float = 0.7
    units: int = 5

    @property
    def watched(self) -> tuple[str, ...]:
        """The interval of the correlation of true qualities."""
        return ("correlate: interval of pearson",)

    def _qualities(self) -> tuple[Array, Array]:
        rng = np.random.default_rng(3)
        quality, error = rng.normal(size=(2, self.systems))
        return self.close * quality, self.close * (quality + self.wrong * error)

    def draw(self, rng: np.random.Generator) -> Any:
        """Draw scores of both metrics for items that are easy or hard for both."""
        import betterthan as bt

        ease = rng.normal(size=(1, self.items))
        rows = [
            {"item": f"i{item}", "system": f"s{system:02d}", "metric": metric, "score": float(value)}
            for metric, quality, noise in zip(("human", "metric"), self._qualities(), (1.0, 1.5), strict=True)
            for (system, item), value in np.ndenumerate(
                quality[:, None] + ease + noise * rng.normal(size=(self.systems, self.items))
            )
        ]
        return bt.read_scores(rows)

    def truth(self) -> Truth:
        """Return the correlation of the systems' true qualities."""
        return {"pearson": float(np.corrcoef(*self._qualities())[0, 1])}


@dataclass(frozen=True)
class Answers:
    """Right and wrong answers, as the two-parameter model has them."""

    name: str
    systems: int = 12
    items: int = 60
    units: int = 5

    @property
    def watched(self) -> tuple[str, ...]:
        """Intervals of abilities."""
        return ("items: interval of abilities",)

    def draw(self, rng: np.random.Generator) -> Any:
        """Draw answers to items of other difficulties and discriminations."""
        import betterthan as bt

        difficulty, slope = rng.normal(0, 1.2, self.items), rng.normal(1, 0.4, self.items)
        chance = 1 / (1 + np.exp(-slope * (np.array(list(self.truth().values()))[:, None] - difficulty)))
        right = (rng.random(chance.shape) < chance).astype(int)
        names = list(self.truth())
        table = {"item": [f"i{item}" for item in range(self.items)]}
        return bt.read_scores(table | {name: right[place].tolist() for place, name in enumerate(names)})

    def truth(self) -> Truth:
        """Return the abilities, whose sum is 0."""
        return {f"s{place:02d}": float(value) for place, value in enumerate(np.linspace(-1.5, 1.5, self.systems))}


@dataclass(frozen=True)
class Classes:
    """Labels that three systems give to texts, scored by macro-F1; one of three classes is rare."""

    name: str
    items: int = 150
    units: int = 5
    right: tuple[float, ...] = (0.8, 0.7, 0.7)
    share: tuple[float, ...] = (0.6, 0.33, 0.07)

    @property
    def watched(self) -> tuple[str, ...]:
        """Intervals of the scores that are ranked afterwards, and decisions about equal systems."""
        return ("score, rank: interval", "score, rank: any pair falsely decided")

    def _labels(self, rng: np.random.Generator, items: int) -> tuple[Array, Array]:
        true = rng.choice(len(self.share), items, p=self.share)
        sees = rng.random((len(self.right), items)) < np.array(self.right)[:, None]
        guess = rng.choice(len(self.share), (len(self.right), items), p=self.share)
        return true, np.where(sees, true, guess)

    def draw(self, rng: np.random.Generator) -> Any:
        """Draw outputs and references, and score them."""
        import betterthan as bt

        true, given = self._labels(rng, self.items)
        rows = [
            {"item": f"i{item}", "system": f"s{system:02d}", "output": f"c{label}", "reference": f"c{true[item]}"}
            for (system, item), label in np.ndenumerate(given)
        ]
        return bt.score(rows, ["f1"], "reference")

    @cache  # noqa: B019 (a few worlds per process)
    def truth(self) -> Truth:
        """Return macro-F1 in the population."""
        true, given = self._labels(np.random.default_rng(1), 2_000_000)
        found = {}
        for system, labels in enumerate(given):
            of = []
            for one in range(len(self.share)):
                both = np.sum((labels == one) & (true == one))
                of.append(2 * both / (np.sum(labels == one) + np.sum(true == one)))
            found[f"s{system:02d}"] = float(np.mean(of))
        return found | {"s02": found["s01"]}

    def equal(self) -> list[tuple[str, str]]:
        """Return pairs of equal systems."""
        return _equal(self.truth())


@dataclass(frozen=True)
class Replayed:
    """Judgments that `replay` collects again, a few runs at a time."""

    name: str
    budget: int = 100
    runs: int = 12
    units: int = 5

    @property
    def watched(self) -> tuple[str, ...]:
        """The interval of Kendall's tau over runs."""
        return ("replay: interval of tau",)

    def draw(self, rng: np.random.Generator) -> Any:
        """Return the judgments, always the same."""
        del rng
        return Votes("judgments", (), SPREAD, 500, judge_taste=0.5).draw(np.random.default_rng(2))

    def tau(self, runs: int, seed: int) -> Any:
        """Return the mean of tau over runs, with its interval."""
        import betterthan as bt

        told = bt.replay(
            self.draw(np.random.default_rng(0)),
            ["uniform"],
            runs=runs,
            budget=self.budget,
            looks=[self.budget],
            reach=[self.budget],
            seed=seed,
        )
        return told.outcomes[0].looks[-1].kendall

    @cache  # noqa: B019 (a few worlds per process)
    def truth(self) -> Truth:
        """Return the mean over many runs."""
        return {"tau": float(self.tau(3000, 10**6).value)}


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
    for judges, watched in ((2, (INTERVAL, PAIRS)), (3, (INTERVAL, PAIRS, ALARM)), (6, (INTERVAL, PAIRS, ALARM))):
        yield Votes(f"{judges} judges with tastes", watched, judges=judges, judge_taste=0.8, units=judges)
    yield Votes("12 judges with tastes", (INTERVAL, ALARM), judges=12, judge_taste=0.8)
    yield Votes("2 judges, 2 items", (INTERVAL,), judges=2, items=2, judge_taste=0.5, item_taste=0.5, units=2)
    for items in (4, 8):
        yield Votes(f"{items} items", (INTERVAL, PAIRS, ALARM), items=items, item_taste=0.8, units=items)
    yield Votes("12 judges, sizes by Zipf", (INTERVAL, PAIRS), judges=12, judge_taste=0.6, heavy=1.5)
    yield Votes("30 judges, sizes by Zipf", (INTERVAL, ALARM), judges=30, judge_taste=0.6, heavy=1.2)
    yield Votes(
        "a newcomer, 3 of 30 judges", (INTERVAL, PAIRS), (0.0,) * 4, judges=30, judge_taste=0.8, newcomer=3, units=3
    )
    yield Votes("unequal systems, 5 judges", (INTERVAL, FIRST), SPREAD, judges=5, judge_taste=0.6)
    yield Votes("12 equal systems", (INTERVAL, PAIRS, FIRST), EQUAL12, 3000, item_taste=0.5, judge_taste=0.4)
    yield Votes("30 systems, thin", (INTERVAL, PAIRS), tuple(np.linspace(1, -1, 15).repeat(2)), 3000)
    yield Votes("60 % ties", (INTERVAL, PAIRS), ties=0.6, item_taste=0.5)
    yield Votes("random weights", (INTERVAL, PAIRS), weights=True, item_taste=0.5)
    yield Votes("12 equal systems, 3 judges", (PAIRS, FIRST), EQUAL12, 2000, judges=3, judge_taste=0.6, units=3)
    yield Votes("adaptive choice of pairs", (INTERVAL, PAIRS), (0.0,) * 5, adaptive=True, item_taste=0.4)
    yield Collected("pairs chosen by information", (INTERVAL, PAIRS), (0.0,) * 7, 400, policy="information")
    yield Collected("pairs chosen by uncertain", (INTERVAL,), (0.0,) * 7, 400, policy="uncertain")
    yield Votes("two systems, 40 judgments", (ALARM,), (0.0, 0.0), 40, items=40, judges=40)


def scores() -> Iterator[Scores]:
    """List worlds of scores."""
    yield Scores("normal, 5 items", (INTERVAL, ALARM), items=5, ease=1.0)
    yield Scores("normal, 10 items", (PAIRS, ALARM), items=10, ease=1.0)
    yield Scores("normal, 100 items", (PAIRS,), items=100, ease=1.0)
    yield Scores("lognormal, 10 items", (INTERVAL, ALARM), items=10, noise=_lognormal)
    yield Scores("lognormal, 30 items", (INTERVAL,), items=30, noise=_lognormal)
    for items, watched in ((10, INTERVAL), (40, ALARM), (150, INTERVAL)):
        yield Scores(f"80 % zeros, {items} items", (watched,), items=items, made=_zeros)
    yield Scores("ceiling at 5 of 1–5, 10 items", (INTERVAL,), items=10, made=_likert)
    yield Scores("ceiling at 5 of 1–5, 150 items", (INTERVAL, PAIRS), items=150, made=_likert)
    for level, shift, also in (("50", 0.0, (ALARM,)), ("90", 2.4, (ALARM,)), ("98", 4.6, ())):
        yield Scores(f"right in {level} %, 50 items", (INTERVAL, *also), (shift,) * 3, items=50, made=_right, ease=0.5)
    yield Scores("unequal systems, scores", (INTERVAL, FIRST), (0.6, 0.3, 0.3, 0.0, -0.5), ease=1.0)
    yield Scores("12 equal systems, scores", (INTERVAL, PAIRS), EQUAL12, ease=1.0, items=60)
    yield Scores("12 equal systems, 5 items", (PAIRS,), EQUAL12, items=5)
    yield Scores("two systems, unequal variances", (ALARM,), (0.0, 0.0), items=12, spread=(1.0, 4.0))
    for groups, watched in ((4, PAIRS), (8, ALARM)):
        yield Scores(
            f"{groups} groups by Zipf",
            (INTERVAL, watched),
            items=10 * groups,
            groups=groups,
            group_taste=0.7,
            units=groups,
        )
    yield Scores(
        "25 groups by Zipf, lognormal", (INTERVAL, ALARM), items=250, groups=25, group_taste=0.3, noise=_lognormal
    )
    for runs, effect, also in ((2, 0.3, (PAIRS,)), (3, 0.0, ()), (3, 1.0, (PAIRS,)), (5, 0.3, (ALARM,))):
        yield Scores(
            f"{runs} runs, effect {effect}",
            (INTERVAL, *also),
            items=100,
            runs=runs,
            run_effect=effect,
            ease=1.0,
            units=runs,
        )
    for judges, watched in ((2, PAIRS), (3, PAIRS), (8, ALARM)):
        yield Scores(
            f"ratings by {judges} judges", (INTERVAL, watched), items=30, judges=judges, judge_taste=0.5, units=judges
        )
    yield Scores("hard items missing for one system", (INTERVAL, PAIRS), items=60, ease=1.5, missing=0.3)
    yield Scores("hard items missing for two systems", (INTERVAL, ALARM), items=60, ease=1.5, missing=0.3, lacking=2)


def others() -> Iterator[Labels | Metrics | Answers | Classes | Replayed]:
    """List worlds of `agree`, `correlate`, `items`, `score` and `replay`."""
    yield Labels("labels, 10 items", items=10)
    yield Labels("a rare label, 40 items", rare=0.08)
    yield Metrics("metrics and people, 8 systems")
    yield Metrics("a perfect metric, close systems", systems=6, close=0.3, wrong=0.0)
    yield Answers("right and wrong, 12 systems, 60 items")
    yield Classes("macro-F1 with a rare class")
    yield Replayed("12 runs of a replay")


World = Votes | Scores | Labels | Metrics | Answers | Classes | Replayed


def worlds() -> list[World]:
    """List all worlds."""
    return [*votes(), *scores(), *others()]


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
    "3 runs, effect 1.0",
    "hard items missing for one system",
)
