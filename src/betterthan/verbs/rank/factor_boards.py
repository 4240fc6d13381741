"""Factors: systems that are combinations, such as models with prompts: boards by each factor, and their interaction."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from betterthan.base import BoolArray, FloatArray, IntArray, PlanError, spelling
from betterthan.datasets import ScoredSet, data_sets
from betterthan.engine import Coded
from betterthan.evidence import ScoreTable
from betterthan.findings import Finding
from betterthan.inference import Estimate, clustered_error, student
from betterthan.options import RankOptions, Settings, takes
from betterthan.present import Column, Table, chance, digits, wrapped
from betterthan.results import Result
from betterthan.verbs.rank.leaderboard import Leaderboard
from betterthan.verbs.rank.rank_evidence import rank

#: Draws of the largest interaction, and parts of the items from which the best level is chosen in turn.
_DRAWS, _PARTS = 4_000, 5
#: Up to this many degrees of freedom, times the logarithm of their number, items do not show correlations of cells.
_UNKNOWN = 3.0


@dataclass(frozen=True)
class Cell:
    """A combination: its mean score, and its deviation from the sum of both main effects, with an interval."""

    system: str
    level: str
    score: float
    interaction: Estimate
    p: float


@dataclass(frozen=True)
class BestLevel:
    """The best level of a system: `seen` is its score on the items that chose it, which is too high on average.

    The value of `score` is that of levels chosen on other items. Its interval is about the level that is named, and
    holds for all levels at once, so that it allows for the choice.
    """

    system: str
    level: str
    seen: float
    score: Estimate


@dataclass(frozen=True, kw_only=True, repr=False, eq=False)
class FactorBoards(Result):
    """Leaderboards by two factors on the same items, whether they interact, and the best level of every system."""

    verb: ClassVar[str] = "rank"
    schema: ClassVar[str] = "factors/1"
    holds = ("verdict", "factors", "random", ("systems", "by_system"), ("levels", "by_level"), "cells", "p", "best")

    settings: Settings
    factors: tuple[str, str]
    random: bool  # whether levels of the second factor are a sample of others
    by_system: Leaderboard
    by_level: Leaderboard
    cells: tuple[Cell, ...]
    p: float
    best: tuple[BestLevel, ...]

    @property
    def about(self) -> Mapping[str, str]:
        """The part of the signature about the factors."""
        return {"evidence": "scores", "factors": ",".join(self.factors), "fixed": "" if self.random else "judge"}

    @property
    def verdict(self) -> str:
        """Who ranks first over all levels, and whether that depends on the level."""
        one, two = self.factors
        level = self.settings.level
        scope = f"for {two}s like these" if self.random else f"on these {len(self.by_level.rows)} {two}s"
        said = self.by_system.verdict.replace("judges", f"{two}s").replace("judge", two)
        text = f"By {one}, {scope}: {said}"
        if self.p > 1 - level:
            return f"{text} The differences between {one}s do not vary significantly by {two} (p = {chance(self.p)})."
        most = min(self.cells, key=lambda each: (each.p, -abs(each.interaction.known)))
        higher = most.interaction.known > 0
        better = "better" if higher != self.by_system.evidence.lower_is_better else "worse"
        return (
            f"{text} The differences between {one}s depend on the {two} (interaction, p = {chance(self.p)}): most of "
            f"all, {most.system} is {better} with {most.level} than elsewhere."
        )

    def columns(self) -> dict[str, list[Any]]:
        """Return one row per combination."""
        return {
            self.factors[0]: [each.system for each in self.cells],
            self.factors[1]: [each.level for each in self.cells],
            "score": [each.score for each in self.cells],
            "interaction": [each.interaction.value for each in self.cells],
            "low": [each.interaction.low for each in self.cells],
            "high": [each.interaction.high for each in self.cells],
            "p": [each.p for each in self.cells],
        }

    def tables(self) -> list[Table]:
        """Return both leaderboards, the scores of combinations, and the best level of every system."""
        one, two = self.factors
        return [
            self.by_system.table(f"By {one}"),
            self.by_level.table(f"By {two}"),
            self._cell_table(),
            self._best_table(),
        ]

    def _cell_table(self) -> Table:
        """Return systems × levels; a mark says that a combination differs from its main effects."""
        levels = list(dict.fromkeys(each.level for each in self.cells))
        systems = [row.system for row in self.by_system.rows]
        found = {(each.system, each.level): each for each in self.cells}
        places = digits.decimals((each.interaction.low, each.interaction.high) for each in self.cells)
        rows = [
            [
                system,
                *(
                    digits.rounded(found[system, level].score, places)
                    + ("*" if found[system, level].p <= 1 - self.settings.level else " ")
                    for level in levels
                ),
            ]
            for system in systems
        ]
        heads = [Column(self.factors[0], "left", flexible=True), *map(Column, levels)]
        return Table(heads, rows, title=f"{self.factors[0]} × {self.factors[1]}")

    def _best_table(self) -> Table:
        one, two = self.factors
        level = f"{100 * self.settings.level:g} % interval"
        heads = [Column(one, "left", flexible=True), Column(f"best {two}", "left"), Column("seen"), Column("expected")]
        places = digits.decimals((each.score.low, each.score.high) for each in self.best)
        rows = [
            [
                each.system,
                each.level,
                digits.rounded(each.seen, places),
                digits.rounded(each.score.value, places),
                f"{digits.rounded(each.score.low, places)} … {digits.rounded(each.score.high, places)}",
            ]
            for each in self.best
        ]
        return Table([*heads, Column(level, "left")], rows, title=f"Best {two} of every {one}")

    def body(self, width: int | None) -> list[str]:
        """Return all tables, and what their marks mean."""
        _, two = self.factors
        level = f"{100 * self.settings.level:g} %"
        notes = (
            "",
            "",
            f"* differs from what both factors add up to ({level} confidence for all combinations).",
            f"The best of several {two}s looks too good on the items that chose it. Expected: the score of {two}s "
            f"chosen on other items. Intervals hold for all {two}s at once.",
        )
        lines = []
        for table, note in zip(self.tables(), notes, strict=True):
            lines += [table.title, "", table.to_text(width), "", *([wrapped(note, width), ""] if note else [])]
        return lines


@takes(RankOptions)
def rank_factors(evidence: Any, options: RankOptions) -> FactorBoards:
    """Rank systems that are combinations of two factors, such as models with prompts, by each factor.

    Scores are read with the first factor as `system` and the second as `judge`: every item is scored with several
    levels. Levels are a sample of others, or these alone with `fixed=["judge"]`.

    >>> import numpy as np
    >>> rng, rows = np.random.default_rng(0), {"item": [], "model": [], "prompt": [], "score": []}
    >>> for item, model, prompt in np.ndindex(20, 2, 3):
    ...     for name, value in zip(rows, (item, f"m{model}", f"p{prompt}", float(model + rng.normal())), strict=True):
    ...         rows[name].append(value)
    >>> import betterthan as bt
    >>> found = rank_factors(bt.read(rows, system="model", judge="prompt"), resamples=200)
    >>> found.by_system.rows[0].system, len(found.cells)
    ('m1', 6)
    """
    plan = replace(options.asked(), model=options.model or "mean")
    if options.costs() is not None:
        raise PlanError(
            f"costs are those of systems, and factors have none, so {spelling.option('cost')} has no effect",
            remedy="Leave it out, or rank the combinations without factors.",
        )
    sets = data_sets(evidence, tolerance=plan.tolerance or 0.0)
    data = sets.only("a ranking by factors")
    if not sets.scored or sets.scored[0].scores.repeats is None or sets.scored[0].scores.repeats.judge is None:
        raise PlanError(
            "factors need scores of every item by both factors",
            remedy=f"Name the columns: {spelling.option('system', 'model')} and {spelling.option('judge', 'prompt')}.",
        )
    if plan.model != "mean":
        raise PlanError(
            f"factors are ranked by mean scores, so {spelling.option('model', plan.model)} has no effect",
            remedy="Leave it out.",
        )
    if plan.ci == "none":
        raise PlanError(
            f"factors are tested, so {spelling.option('ci', 'none')} leaves nothing to say", remedy="Leave it out."
        )
    scored = sets.scored[0]
    values, complete = _values(scored.scores)
    by_system = rank(replace(sets, sets=(scored,)), plan).board
    by_level = rank(replace(sets, sets=(_turned(scored),)), plan).board
    roles = {} if sets.reading is None else sets.reading.used
    names = roles.get("system", "system"), roles.get("judge", "level")
    level, seed = by_system.settings.level, by_system.settings.seed
    groups = _groups(scored, complete)
    repeats = scored.scores.repeats
    assert repeats is not None
    assert repeats.judge is not None
    sign = -1.0 if scored.scores.negated else 1.0
    cells, p = _interactions(sign * values, groups, (scored.scores.systems, repeats.judge.labels), level, seed)
    return FactorBoards(
        settings=by_system.settings,
        data=data.digest,
        findings=tuple(dict.fromkeys([*_named(by_system.findings, names[1]), *_named(by_level.findings, names[0])])),
        reading=sets.reading,
        factors=names,
        random="judge" in by_system.settings.unit,
        by_system=by_system,
        by_level=by_level,
        cells=cells,
        p=p,
        best=_best(values, groups, (scored.scores.systems, repeats.judge.labels), level, seed, sign),
    )


def _named(findings: Sequence[Finding], factor: str) -> list[Finding]:
    """Call the levels that scores are averaged over by the name of their factor, and leave out what is for judges."""
    return [
        replace(each, **{name: getattr(each, name).replace("judge", factor) for name in ("message", "hint")})
        for each in findings
        if each.code != "judges-averaged"
    ]


def _values(table: ScoreTable) -> tuple[FloatArray, BoolArray]:
    """Return the scores of items that have all combinations (items × systems × levels), and which items those are."""
    repeats = table.repeats
    assert repeats is not None
    assert repeats.judge is not None
    shape = len(table.items), len(table.systems), len(repeats.judge.labels)
    there = ~np.isnan(repeats.value)
    place = np.ravel_multi_index((repeats.item[there], repeats.system[there], repeats.judge.codes[there]), shape)
    size = int(np.prod(shape))
    number = np.bincount(place, minlength=size)
    total = np.bincount(place, repeats.value[there], size)
    values = np.divide(total, number, out=np.full(size, np.nan), where=number > 0).reshape(shape)
    complete: BoolArray = ~np.any(np.isnan(values), axis=(1, 2))
    if int(complete.sum()) < 2:
        raise PlanError(
            "factors need items that have scores of all combinations, and there are not two of them",
            remedy="Leave out levels that few items have.",
        )
    if min(shape[1:]) < 2:
        raise PlanError("factors need two levels each, and one of them has one", remedy=f"Use {spelling.verb('rank')}.")
    return values[complete], complete


def _turned(data: ScoredSet) -> ScoredSet:
    """Return the same scores with the factors exchanged: levels are ranked, and systems are what varies."""
    table = data.scores
    repeats = table.repeats
    assert repeats is not None
    assert repeats.judge is not None
    turned = replace(repeats, system=repeats.judge.codes, judge=Coded(repeats.system, table.systems))
    shape = len(table.items), len(repeats.judge.labels)
    there = ~np.isnan(repeats.value)
    place = repeats.item[there] * shape[1] + repeats.judge.codes[there]
    number = np.bincount(place, minlength=shape[0] * shape[1])
    total = np.bincount(place, repeats.value[there], shape[0] * shape[1])
    mean = np.divide(total, number, out=np.full(len(number), np.nan), where=number > 0).reshape(shape)
    scores = replace(table, systems=repeats.judge.labels, values=mean, repeats=turned)
    return ScoredSet.of(scores, data.read, data.source, None, data.tolerance, data.fixed)


def _groups(data: ScoredSet, complete: BoolArray) -> IntArray:
    """Return the group of every complete item; without groups each is one of its own."""
    groups = data.groups
    codes = np.arange(len(complete)) if groups is None else groups.codes
    return np.unique(codes[complete], return_inverse=True)[1].ravel().astype(np.int64)


def _sums(values: FloatArray, groups: IntArray) -> tuple[FloatArray, FloatArray]:
    """Add up items by group, and count them."""
    total = np.zeros((int(groups.max()) + 1, *values.shape[1:]))
    np.add.at(total, groups, values)
    return total, np.bincount(groups).astype(float)


def _interactions(
    values: FloatArray, groups: IntArray, names: tuple[tuple[str, ...], tuple[str, ...]], level: float, seed: int
) -> tuple[tuple[Cell, ...], float]:
    """Return every combination with its interaction, and the p-value that none differs from 0.

    p-values are corrected for all combinations by the distribution of the largest, in draws with random signs and
    sizes of what items deviate by.
    """
    mean = values.mean(axis=0)
    away = values - values.mean(axis=2, keepdims=True) - values.mean(axis=1, keepdims=True)
    away = (away + values.mean(axis=(1, 2), keepdims=True)).reshape(len(values), -1)
    found = away.mean(axis=0)
    largest, error, alone = _largest(away, groups, seed, float(np.abs(values).max(initial=0.0)))
    varies = error > 0
    ratio = np.where(varies, np.abs(found) / np.where(varies, error, 1.0), 0.0)
    joint = (1 + np.sum(largest[:, None] >= ratio, axis=0)) / (_DRAWS + 1)
    single = student.two_sided(ratio, alone)
    # Few items do not show how combinations correlate: then each is corrected for their number alone.
    trust = 1 - min(_UNKNOWN * float(np.log(len(found))) / float(np.min(alone)), 1.0)
    p = np.maximum(np.minimum(single * len(found), 1.0) ** (1 - trust) * joint**trust, single)
    p = np.where(varies, p, 1.0)
    separate = float(student.quantile(alone[:1], 1 - (1 - level) / 2 / len(found))[0])
    reach = float(np.quantile(largest, level)) ** trust * separate ** (1 - trust) * error
    one, two = names
    cells = tuple(
        Cell(
            system,
            other,
            float(mean[row, column]),
            Estimate(float(found[at]), float(found[at] - reach[at]), float(found[at] + reach[at])),
            float(p[at]),
        )
        for row, system in enumerate(one)
        for column, other in enumerate(two)
        for at in [row * len(two) + column]
    )
    return cells, float(np.min(p))


def _largest(
    values: FloatArray, groups: IntArray, seed: int, scale: float
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return draws of the largest deviation of means over their errors, these errors, and their degrees of freedom.

    Draws give random signs and sizes to what items, or groups of them, deviate by.
    """
    sums, sizes = _sums(values, groups)
    error, freedom = clustered_error(sums, np.repeat(sizes[:, None], values.shape[1], axis=1))
    error = np.where(error > 1e-12 * max(scale, 1e-300), error, 0.0)
    parts = (sums - sizes[:, None] * values.mean(axis=0)) / sizes.sum()
    spread = np.sqrt(np.sum(parts**2, axis=0))
    parts = parts / np.where(spread > 0, spread, np.inf)
    rng, degrees = np.random.default_rng(seed), float(np.min(freedom))
    drawn = np.abs(rng.normal(size=(_DRAWS, len(parts))) @ parts)
    drawn *= np.sqrt(degrees / rng.chisquare(degrees, _DRAWS))[:, None]
    largest: FloatArray = drawn.max(axis=1)
    return largest, error, freedom


def _best(  # noqa: PLR0917 (what a choice is made of)
    values: FloatArray,
    groups: IntArray,
    names: tuple[tuple[str, ...], tuple[str, ...]],
    level: float,
    seed: int,
    sign: float,
) -> tuple[BestLevel, ...]:
    """Name the best level of every system, with an interval that holds for all of its levels at once.

    So it holds for the level that happens to be the best. The value is that of levels that were chosen on other items.
    """
    part = np.random.default_rng(seed).permutation(int(groups.max()) + 1) % _PARTS
    of_item, means = part[groups], values.mean(axis=0)
    found = []
    for place, system in enumerate(names[0]):
        held = np.empty(len(values))
        for each in range(_PARTS):
            left_out = of_item == each
            if np.any(left_out):
                held[left_out] = values[left_out, place, int(np.argmax(values[~left_out, place].mean(axis=0)))]
        own = values[:, place]
        largest, error, _ = _largest(own, groups, seed, float(np.abs(own).max(initial=0.0)))
        best = int(np.argmax(means[place]))
        seen = float(sign * means[place, best])
        reach = float(np.quantile(largest, level) * error[best])
        score = Estimate(float(sign * held.mean()), seen - reach, seen + reach)
        found.append(BestLevel(system, names[1][best], seen, score))
    return tuple(found)
