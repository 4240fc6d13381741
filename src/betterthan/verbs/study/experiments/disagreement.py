"""Disagreement: how often models order the same systems differently, over many tables of scores."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, ClassVar, Literal

import numpy as np

from betterthan.base import FloatArray, IntArray, registry
from betterthan.datasets import ScoredSet
from betterthan.findings import counted
from betterthan.inference import Estimate, mean_of
from betterthan.present import Column, Picture, Table, pictures
from betterthan.verbs.rank import disagree
from betterthan.verbs.study.agreement import SHARE_MARGIN, Expected, above, below, near
from betterthan.verbs.study.experiments.base import (
    BETTER_THAN_AVERAGE,
    Claim,
    Columns,
    Found,
    Work,
    models_named,
    numbers,
    register_study,
)
from betterthan.verbs.study.mean_gap import gap_of
from betterthan.verbs.study.name_patterns import name_of, read_patterns
from betterthan.verbs.study.published_figures import DISAGREEMENT, table_3
from betterthan.verbs.study.study_ranking import ranks_by, sampled

_MEASURES = ("disagree", "best", "top3")
_WORDS = {"disagree": "pairs ordered differently", "best": "another best system", "top3": "another top three"}
_WHOLE = "all"
#: Rows by test-set size: all tables at the sizes that all of them have, and at all sizes the tables that have them.
_SIZE, _LARGE = "size", "size, large tables"


@dataclass(frozen=True)
class _Task:
    """One table: all of it by every model, and samples of it by some."""

    data: ScoredSet
    models: tuple[str, ...]
    beside: tuple[str, ...]
    sizes: tuple[tuple[str, int], ...]
    repeats: int
    exact: bool
    seed: tuple[int, int]


@register_study
@dataclass(frozen=True, kw_only=True)
class DisagreementStudy:
    """Shares of pairs that two models order differently, and of tables where the best system or the top three differ.

    Every table is ranked as it is by `models` and those `beside`. By `models` it is also ranked from samples of its
    items, drawn `repeats` times without replacement: a `share` of them, and as many as `sizes` say, where there
    are more. Only items on which all systems were scored are drawn. `families` and `tasks` say to what family a
    metric and to what task a data set belongs (`PATTERN=NAME`, the first that matches). Pairs ordered differently
    are (1 − τ_b) / 2, over the tables in which neither model ties all systems. Two means or medians are equal if all
    their digits are, as in the paper's code, or by `equal=rounded` if they differ by rounding only.
    """

    models: str = "mean|median|bradley-terry(ties=drop)"
    beside: str = "elo|trueskill"
    share: float = 0.2
    sizes: str = "10|20|40|100|500|1000|5000"
    repeats: int = 30
    families: str = "ROUGE?WE*=ROUGE-WE|ROUGE*=ROUGE|BLEU*=BLEU|JS?*=JS|S3?*=S3"
    tasks: str = "TAC*=summarization|CNN*=summarization|WMT*=translation|MSCOCO*=captioning|dialogue*=dialogue"
    equal: Literal["exact", "rounded"] = "exact"

    name: ClassVar[str] = "disagreement"
    about: ClassVar[str] = "How often models order the same systems differently, over many tables of scores."
    paper: ClassVar[str] = BETTER_THAN_AVERAGE
    place: ClassVar[str] = "Section 5.1, Figure 4, Tables 1, 3 and 4"
    takes: ClassVar[str] = "tables of scores"
    needs: ClassVar[bool] = False
    bundled: ClassVar[str] = "scores.csv.gz"
    means: ClassVar[None] = None
    quick: ClassVar[dict[str, Any]] = {"beside": "elo", "sizes": "10|40", "repeats": 3}

    def __post_init__(self) -> None:
        models_named("|".join(filter(None, (self.models, self.beside))), least=2)
        models_named(self.models, least=2)
        registry.number("share", self.share, least=0, most=1, above=True)
        numbers("sizes", self.sizes, least=2, most=1_000_000)
        registry.number("repeats", self.repeats, least=2, most=100_000, whole=True)
        registry.one_of("equal", self.equal, "exact", "rounded")
        for option in ("families", "tasks"):
            read_patterns(option, getattr(self, option))

    def run(self, work: Work) -> Found:
        """Rank every table and its samples, and add up where models differ."""
        tables = work.scored(self.name, self.takes)
        models, beside = models_named(self.models), tuple(filter(None, self.beside.split("|")))
        sizes = numbers("sizes", self.sizes, least=2, most=1_000_000)
        tasks = [
            _Task(
                data,
                models,
                beside,
                self._sizes(data, sizes),
                self.repeats,
                self.equal == "exact",
                (work.options.seed, place),
            )
            for place, data in enumerate(tables)
        ]
        rows = work.parts.each(_measured, tasks)
        setups = [self._setup(data, found) for data, found in zip(tables, rows, strict=True)]
        results = _Results(setups, _names(models), _names((*models, *beside)), self.share_name, work.options.level)
        return Found(results.columns(), results.claims(), results.summary())

    @property
    def share_name(self) -> str:
        """The name of samples of a share."""
        return f"{100 * self.share:g} %"

    def picture(self, columns: Columns, title: str) -> Picture:
        """Draw Figure 4: by metric and by task over all sizes, and by size; of small tables as they are."""
        shown = {
            "metric": "by metric",
            "task": "by task",
            _SIZE: "by test-set size, all tables",
            _LARGE: f"by {_LARGE}",
        }
        small = not {_SIZE, _LARGE} & set(columns["by"])
        kept = [
            place
            for place, by in enumerate(columns["by"])
            if by in shown and (columns["sample"][place] == _WHOLE) == small and columns["disagree"][place] is not None
        ]
        names = [columns["group"][place] for place in kept]
        return pictures.panels.draw(
            panel=[shown[columns["by"][place]] for place in kept],
            x=[
                int(name) if columns["by"][place] in {_SIZE, _LARGE} else name
                for place, name in zip(kept, names, strict=True)
            ],
            series=[f"{columns['a'][place]} – {columns['b'][place]}" for place in kept],
            value=[columns["disagree"][place] for place in kept],
            low=[columns["disagree_low"][place] for place in kept],
            high=[columns["disagree_high"][place] for place in kept],
            name="pairs ordered differently",
            title=title,
        )

    def _sizes(self, data: ScoredSet, sizes: Sequence[float]) -> tuple[tuple[str, int], ...]:
        """Return the samples that a table is large enough for."""
        complete = int(np.sum(~np.any(np.isnan(data.scores.values), axis=1)))
        share = (self.share_name, max(2, round(self.share * complete)))
        every = [share, *((str(int(size)), int(size)) for size in sizes if size < complete)]
        return tuple(each for each in every if each[1] <= complete)

    def _setup(self, data: ScoredSet, found: dict[str, Any]) -> "_Setup":
        metric, data_set = data.scores.metric or "scores", data.scores.dataset or "the table"
        return _Setup(metric, name_of(metric, self.families), data_set, name_of(data_set, self.tasks), found)


def _names(models: Sequence[str]) -> tuple[str, ...]:
    """Return the names of models in tables, without options where those are not needed."""
    plain = tuple(model.partition("(")[0] for model in models)
    return plain if len(set(plain)) == len(plain) else tuple(models)


def _measured(task: _Task) -> dict[str, Any]:
    """Return, for the whole table and every kind of sample, the measures of every pair of models."""
    found: dict[str, Any] = {_WHOLE: _apart(ranks_by((*task.models, *task.beside), task.data, exact=task.exact))}
    complete = np.flatnonzero(~np.any(np.isnan(task.data.scores.values), axis=1))
    for name, size in task.sizes:
        rng = np.random.default_rng([*task.seed, size])
        drawn = (rng.choice(complete, size=size, replace=False) for _ in range(task.repeats))
        runs = [_apart(ranks_by(task.models, sampled(task.data, np.sort(rows)), exact=task.exact)) for rows in drawn]
        found[name] = _means(np.array(runs)).tolist()
    return found


def _apart(ranks: Sequence[IntArray]) -> list[list[float]]:
    """Return the measures of every pair of rankings; unknown are those that some table cannot have."""
    found = []
    for a, b in combinations(ranks, 2):
        one = disagree("", a, "", b)
        tau = np.nan if one.kendall is None else (1 - one.kendall) / 2
        top = float(not one.same_top3) if len(a) > 3 else np.nan  # three systems are always the top three
        found.append([tau, float(not one.same_best), top])
    return found


def _means(runs: FloatArray) -> FloatArray:
    """Average what is known over the first axis, NaN where nothing is."""
    known = ~np.isnan(runs)
    with np.errstate(invalid="ignore"):
        mean: FloatArray = np.where(known, runs, 0.0).sum(axis=0) / known.sum(axis=0)
    return mean


@dataclass(frozen=True)
class _Setup:
    """One table, what it belongs to, and its measures by sample (pairs × measures)."""

    metric: str
    family: str
    data_set: str
    task: str
    found: dict[str, Any]

    def over_sizes(self, sizes: Sequence[str], pair: int, measure: int) -> float:
        """Average a measure over the sizes that the table is large enough for."""
        values = [self.found[size][pair][measure] for size in sizes if size in self.found]
        known = [value for value in values if not np.isnan(value)]
        return float(np.mean(known)) if known else np.nan


@dataclass(frozen=True)
class _Row:
    """One line of the tidy table: a pair of models in one group of tables, by one kind of sample."""

    sample: str
    by: str
    group: str
    pair: tuple[str, str]
    found: tuple[Estimate, Estimate, Estimate]
    tables: int
    printed: tuple[float, ...] | None


@dataclass(frozen=True)
class _Results:
    setups: Sequence[_Setup]
    models: tuple[str, ...]
    every: tuple[str, ...]  # with those that rank whole tables alone
    share: str
    level: float

    def columns(self) -> dict[str, list[Any]]:
        """Return the tidy table."""
        rows = list(self._rows())
        columns: dict[str, list[Any]] = {
            "sample": [row.sample for row in rows],
            "by": [row.by for row in rows],
            "group": [row.group for row in rows],
            "a": [row.pair[0] for row in rows],
            "b": [row.pair[1] for row in rows],
            "tables": [row.tables for row in rows],
        }
        for place, measure in enumerate(_MEASURES):
            found = [row.found[place] for row in rows]
            columns[measure] = [_rounded(each.value) for each in found]
            columns[f"{measure}_low"] = [_rounded(each.low) for each in found]
            columns[f"{measure}_high"] = [_rounded(each.high) for each in found]
            columns[f"{measure}_printed"] = [None if row.printed is None else row.printed[place] for row in rows]
        return columns

    def _rows(self) -> Iterator[_Row]:
        """Go through the tables of the paper: 1 and 4, the breakdowns of whole tables, 3, and Figure 4."""
        yield from self._grouped(_WHOLE, "overall", lambda one: _WHOLE)
        for by in ("family", "metric", "task", "data_set"):
            yield from self._grouped(_WHOLE, by.replace("_", " "), lambda one, by=by: getattr(one, by))
        yield from self._grouped(self.share, "overall", lambda one: _WHOLE)
        yield from self._grouped(self.share, "data set and family", lambda one: f"{one.data_set} {one.family}")
        if self.sizes:
            yield from self._grouped("sizes", "metric", lambda one: one.metric)
            yield from self._grouped("sizes", "task", lambda one: one.task)
            for size in self.common:
                yield from self._grouped(size, _SIZE, lambda one, size=size: size)
            for size in self.sizes if len(self.sizes) > len(self.common) else ():
                yield from self._grouped(size, _LARGE, lambda one, size=size: size, self.large)

    def _grouped(self, sample: str, by: str, group_of: Any, setups: Sequence[_Setup] | None = None) -> Iterator[_Row]:
        groups: dict[str, list[_Setup]] = {}
        for setup in self.setups if setups is None else setups:
            if sample == "sizes" or sample in setup.found:
                groups.setdefault(group_of(setup), []).append(setup)
        for group, some in groups.items():
            for place, pair in enumerate(self._pairs(sample)):
                found = tuple(self._mean(some, sample, place, measure) for measure in range(3))
                printed = None
                if by == "overall" and sample == _WHOLE:
                    printed = DISAGREEMENT.get(pair)
                elif by == "data set and family":
                    printed = table_3(some[0].data_set, some[0].family, pair)
                yield _Row(sample, by, group, pair, found, len(some), printed)  # type: ignore[arg-type]

    @property
    def sizes(self) -> list[str]:
        """The sizes of samples that some table is large enough for, the smallest first."""
        names = {name for setup in self.setups for name in setup.found} - {_WHOLE, self.share}
        return sorted(names, key=int)

    @property
    def common(self) -> list[str]:
        """The sizes that every table is large enough for, so that metrics and tasks are compared at the same ones."""
        return [size for size in self.sizes if all(size in setup.found for setup in self.setups)]

    @property
    def large(self) -> list[_Setup]:
        """The tables that are large enough for every size, so that all sizes are compared on the same ones."""
        return [setup for setup in self.setups if all(size in setup.found for size in self.sizes)]

    def _pairs(self, sample: str) -> list[tuple[str, str]]:
        return list(combinations(self.every if sample == _WHOLE else self.models, 2))

    def _values(self, some: Sequence[_Setup], sample: str, pair: int, measure: int) -> list[float]:
        if sample == "sizes":
            return [one.over_sizes(self.common, pair, measure) for one in some]
        return [one.found[sample][pair][measure] for one in some]

    def _mean(self, some: Sequence[_Setup], sample: str, pair: int, measure: int) -> Estimate:
        """Average over tables; metrics of one data set go together, so its interval is one over data sets."""
        values = self._values(some, sample, pair, measure)
        return mean_of(values, self.level, (0.0, 1.0), [one.data_set for one in some])

    def claims(self) -> tuple[Claim, ...]:
        """Set Tables 1 and 4 next to ours, and what the paper says about Figure 4."""
        found = [
            self._printed(pair, place, measure)
            for place, pair in enumerate(self._pairs(_WHOLE))
            for measure in range(3 if pair in _TABLE_1 else 1)
            if pair in DISAGREEMENT
        ]
        return (*found, *self._figure_4(), *self._table_3())

    def _printed(self, pair: tuple[str, str], place: int, measure: int) -> Claim:
        ours, printed = self._mean(self.setups, _WHOLE, place, measure), DISAGREEMENT[pair][measure]
        what = f"{pair[0]} – {pair[1]}: {_WORDS[_MEASURES[measure]]}"
        return Claim.of(what, f"{100 * printed:.0f} %", ours, near(printed, SHARE_MARGIN), self._fewer)

    @property
    def _fewer(self) -> str:
        data_sets = counted(len({one.data_set for one in self.setups}), "data set")
        return (
            f"The paper has 296 tables. Those of CNN/DM, MSCOCO and WMT are not bundled; these are "
            f"{len(self.setups):,} of {data_sets}, and intervals are over data sets."
        )

    def _figure_4(self) -> Iterator[Claim]:
        """Compare metrics, tasks and sizes, where there are several."""
        pairs = self._pairs(self.share)
        if ("mean", "bradley-terry") not in pairs or ("mean", "median") not in pairs:
            return
        with_bt, without = pairs.index(("mean", "bradley-terry")), pairs.index(("mean", "median"))
        every = self._pairs(_WHOLE)
        data_sets = [one.data_set for one in self.setups]
        one, two = (self._values(self.setups, _WHOLE, every.index(pairs[place]), 0) for place in (without, with_bt))
        apart = mean_of(np.subtract(one, two).tolist(), self.level, clusters=data_sets)
        yield Claim.of(
            "The mean agrees more with the median than with BT: mean–median less mean–BT",
            "below 0",
            apart,
            below(0),
            self._fewer,
        )
        if not self.sizes:
            return
        gap = self._metrics(with_bt)
        if gap.value is not None:
            yield Claim.of(
                "BLEU is affected more than BERTScore and MoverScore (mean–BT): difference",
                "above 0",
                gap,
                above(0),
                self._fewer,
            )
        talk, sums = (self._by_set(task, with_bt) for task in ("dialogue", "summarization"))
        if talk and sums:
            yield Claim.of(
                "Dialogue is affected more than summarization (mean–BT): difference",
                "above 0",
                gap_of(talk, sums, self.level),
                above(0),
                self._fewer,
            )
        for some, sizes in ((self.setups, self.common), (self.large, self.sizes)):
            if len(sizes) > 1 and (some is self.setups or len(self.sizes) > len(self.common)):
                yield self._falling(some, sizes, with_bt)

    def _falling(self, some: Sequence[_Setup], sizes: Sequence[str], pair: int) -> Claim:
        """Compare the largest with the smallest size on the same tables."""
        most, least = (self._values(some, size, pair, 0) for size in (sizes[-1], sizes[0]))
        fall = mean_of(np.subtract(most, least).tolist(), self.level, (-1.0, 1.0), [one.data_set for one in some])
        what = f"Larger test sets, less disagreement (mean–BT, the same {counted(len(some), 'table')})"
        return Claim.of(f"{what}: {sizes[-1]} items less {sizes[0]}", "below 0", fall, below(0), self._fewer)

    def _by_set(self, task: str, pair: int) -> list[float]:
        """Return the mean of every data set of a task over sizes that all tables have."""
        by_set: dict[str, list[float]] = {}
        for one in self.setups:
            if one.task == task and not np.isnan(value := one.over_sizes(self.common, pair, 0)):
                by_set.setdefault(one.data_set, []).append(value)
        return [float(np.mean(values)) for values in by_set.values()]

    def _metrics(self, pair: int) -> Estimate:
        """Return how much more BLEU is affected than the two recent metrics, data set by data set."""
        by_set: dict[str, dict[str, list[float]]] = {}
        for one in self.setups:
            kind = "BLEU" if one.family == "BLEU" else "new" if one.family in {"BERTScore", "MoverScore"} else ""
            if kind and not np.isnan(value := one.over_sizes(self.common, pair, 0)):
                by_set.setdefault(one.data_set, {}).setdefault(kind, []).append(value)
        both = [found for found in by_set.values() if len(found) == 2]
        return mean_of(
            [float(np.mean(found["BLEU"]) - np.mean(found["new"])) for found in both], self.level, (-1.0, 1.0)
        )

    def _table_3(self) -> Iterator[Claim]:
        """Describe how far the cells of Table 3 are from ours, all together."""
        cells = [
            row
            for row in self._grouped(self.share, "data set and family", lambda one: f"{one.data_set} {one.family}")
            if row.printed
        ]
        gaps = [
            (abs(row.found[0].value - row.printed[0]), row.group.split(" ")[0])
            for row in cells
            if row.printed and row.found[0].value is not None
        ]
        if gaps:
            yield Claim.of(
                f"Table 3, pairs ordered differently: mean difference of {len(gaps)} cells",
                "0",
                mean_of([gap for gap, _ in gaps], self.level, (0.0, 1.0), [name for _, name in gaps]),
                Expected(high=SHARE_MARGIN, printed=0.0),
                "Table 3 does not say how it samples; a fifth of the items, 30 times, comes near. "
                "Its cells of TAC08 and ROUGE-WE look transposed.",
            )

    def summary(self) -> Table:
        """Return Tables 1 and 4."""
        rows = [
            [f"{row.pair[0]} – {row.pair[1]}", *(_percent(each) for each in row.found)]
            for row in self._grouped(_WHOLE, "overall", lambda one: _WHOLE)
        ]
        heads = [Column("models", "left"), *(Column(_WORDS[name]) for name in _MEASURES)]
        return Table(heads, rows, title=f"{counted(len(self.setups), 'table')} of scores, as they are")


#: The pairs of Table 1, of which all three measures are set next to ours.
_TABLE_1 = (("mean", "median"), ("mean", "bradley-terry"), ("median", "bradley-terry"))


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 4)


def _percent(found: Estimate) -> str:
    return "" if found.value is None else f"{100 * found.value:.2f} %"
