"""Two systems compared on several tasks: per task, and overall."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from betterthan.base import PlanError, spelling
from betterthan.datasets import data_sets, scope_of_tasks
from betterthan.evidence import ScoreTable
from betterthan.findings import Finding, kinds, merge_findings, percent
from betterthan.inference import Estimate, adjusted, task_mean
from betterthan.options import CompareOptions, takes
from betterthan.present import Column, Table, chance, digits, wrapped
from betterthan.results import Result
from betterthan.verbs.compare.compare_two import compare
from betterthan.verbs.compare.duel import Duel


@dataclass(frozen=True)
class TaskDuel:
    """One task and metric: both scores, and the difference of means with its interval and test."""

    title: str
    dataset: str
    metric: str
    n: int
    values: tuple[float, float] | None
    difference: Estimate
    p: float
    p_adjusted: float
    shown: str | None


@dataclass(frozen=True)
class Overall:
    """One metric over all its tasks, which count equally, and how much they vary; None where that is not known."""

    metric: str
    tasks: int
    difference: Estimate
    p: float | None
    shown: str | None
    heterogeneity: task_mean.Heterogeneity | None


@dataclass(frozen=True, kw_only=True, repr=False, eq=False)
class TaskDuels(Result):
    """How much better `a` is than `b`: task by task, and overall."""

    verb: ClassVar[str] = "compare"
    schema: ClassVar[str] = "task-duels/3"
    holds = ("a", "b", "level", "random", "tasks", "overall", "verdict")

    settings: CompareOptions
    a: str
    b: str
    duels: tuple[Duel, ...]  # every task in depth
    tasks: tuple[TaskDuel, ...]
    overall: tuple[Overall, ...]
    random: tuple[str, ...] = ()  # task, if tasks are a sample of others

    @property
    def about(self) -> Mapping[str, str]:
        """The part of the signature about sources of variation."""
        return {"random": "+".join(self.random)}

    @property
    def level(self) -> float:
        """The level of intervals and of verdicts."""
        return self.settings.level

    @property
    def verdict(self) -> str:
        """Who is better overall, by which interval and test, and on how many tasks."""
        return " ".join(_sentence(self, each) for each in self.overall) or _by_task(self)

    def columns(self) -> dict[str, list[Any]]:
        """Return the tasks as columns."""
        return {
            "dataset": [each.dataset for each in self.tasks],
            "metric": [each.metric for each in self.tasks],
            "n": [each.n for each in self.tasks],
            "value_a": [each.values and each.values[0] for each in self.tasks],
            "value_b": [each.values and each.values[1] for each in self.tasks],
            "difference": [each.difference.value for each in self.tasks],
            "low": [each.difference.low for each in self.tasks],
            "high": [each.difference.high for each in self.tasks],
            "p": [each.p for each in self.tasks],
            "p_adjusted": [each.p_adjusted for each in self.tasks],
            "shown": [each.shown for each in self.tasks],
        }

    def tables(self) -> list[Table]:
        """Return the tasks, and the metrics over all of them."""
        named = [Column("task", "left", flexible=True), Column("items"), Column(self.a), Column(self.b)]
        named += [Column("difference")]
        between = Column(f"{100 * self.level:g} % interval", "left")
        rows = [
            [
                each.title,
                f"{each.n:,}",
                *_both(each),
                *_shown(each.difference),
                chance(each.p_adjusted),
                each.shown or "",
            ]
            for each in self.tasks
        ]
        tables = [Table([*named, between, Column("p (Holm)"), Column(f"{self.a} is", "left")], rows)]
        if self.overall:
            columns = [
                Column("overall", "left", flexible=True),
                Column("tasks"),
                Column("difference"),
                between,
                Column("p"),
                Column("I²"),
                Column("p (Q)"),
                Column(f"{self.a} is", "left"),
            ]
            whole = [
                [
                    each.metric,
                    f"{each.tasks}",
                    *_shown(each.difference),
                    "" if each.p is None else chance(each.p),
                    *_varies(each.heterogeneity),
                    each.shown or "",
                ]
                for each in self.overall
            ]
            tables.append(Table(columns, whole))
        return tables

    def body(self, width: int | None) -> list[str]:
        """Return the tasks, and the metrics over all of them."""
        return [line for table in self.tables() for line in (table.to_text(width), "")]

    def brief(self, width: int | None) -> str:
        """Return the verdict."""
        return wrapped(self.verdict, width)


@takes(CompareOptions)
def compare_tasks(evidence: Any, options: CompareOptions) -> TaskDuels:
    """Compare two systems on every data set and metric of scores, and overall where a metric has several data sets.

    Tasks are compared as `compare` does, and their p-values are corrected for their number (Holm). Overall, tasks count
    equally: the difference is for these tasks, or for tasks like these where scores were read with
    `random=["task"]`. Cochran's Q and I² say how much it varies between tasks.

    >>> table = {"task": ["x"] * 4 + ["y"] * 4, "item": list("1122") * 2, "system": ["owl", "yak"] * 4,
    ...          "score": [3, 1, 4, 3, 5, 2, 6, 6]}
    >>> found = compare_tasks(table, "owl", "yak")
    >>> [(each.dataset, each.difference.value) for each in found.tasks], found.overall[0].difference.value
    ([('x', 1.5), ('y', 1.5)], 1.5)
    """
    if options.question not in {None, "mean"}:
        raise PlanError(
            f"tasks are compared by the mean score, not by {spelling.option('question', options.question)}",
            remedy=f"Leave it out, or choose one task with {spelling.option('where')}.",
        )
    sets = data_sets(evidence, unit=options.unit, tolerance=options.tolerance, pools_tasks=True)
    if not sets.scored:
        raise PlanError(
            "tasks are compared by scores, but these are judgments", remedy=f"Use {spelling.verb('compare')}."
        )
    found = []
    for data in sets.scored:
        if {options.a, options.b} - {None} <= {*data.scores.systems}:
            duel = compare(replace(sets, sets=(data,), random=()), **vars(options))
            found.append((data.scores, duel))
    if not found:
        raise PlanError(f"no task has scores of both {options.a!r} and {options.b!r}.")
    return _side_by_side(found, options, sets.random)


def _side_by_side(
    found: Sequence[tuple[ScoreTable, Duel]], settings: CompareOptions, random: tuple[str, ...]
) -> TaskDuels:
    first = found[0][1]
    corrected = adjusted(np.array([duel.p for _, duel in found]), "holm")
    tasks = tuple(
        TaskDuel(
            table.title,
            table.dataset,
            table.metric,
            duel.n,
            duel.values,
            _difference(duel),
            duel.p,
            float(p),
            duel.shown if p <= 1 - duel.level else None,
        )
        for (table, duel), p in zip(found, corrected, strict=True)
    )
    findings = merge_findings([(task.title, duel.findings) for task, (_, duel) in zip(tasks, found, strict=True)])
    whole = _overall(found, settings.level, random="task" in random)
    if random and not whole:
        raise PlanError(
            f"{spelling.option('random', 'task')} needs a metric on several tasks, because one task says nothing about "
            "others",
            remedy="Add tasks, or leave it out.",
        )
    if not random:
        findings = [*findings, *(finding for each in whole for finding in _varying_tasks(each))]
    if whole and any(duel.unit == "item+judge" for _, duel in found):  # errors of tasks are added as independent ones
        findings = [
            *findings,
            kinds.resampling.OTHER_UNITS.found(
                unit="item and judge of each task",
                others="judge in several tasks",
                other="item+judge",
                hint="Compare single tasks: their intervals allow for judges.",
            ),
        ]
    return TaskDuels(
        settings=settings.changed(a=first.a, b=first.b, groups=None),
        a=first.a,
        b=first.b,
        duels=tuple(duel for _, duel in found),
        tasks=tasks,
        overall=whole,
        random=random,
        findings=tuple(findings),
        reading=first.reading,
        data="+".join(dict.fromkeys(duel.data for _, duel in found)),
    )


def _difference(duel: Duel) -> Estimate:
    effect = duel.effect("mean_difference")
    return Estimate(None, None, None) if effect is None else Estimate(effect.value, effect.low, effect.high)


def _overall(found: Sequence[tuple[ScoreTable, Duel]], level: float, *, random: bool) -> tuple[Overall, ...]:
    """Return every metric that several tasks have, over all of them or over tasks like them."""
    metrics = dict.fromkeys(table.metric for table, _ in found)
    whole = []
    for metric in metrics:
        means = [
            task_mean.TaskMean.of(duel.differences)
            for table, duel in found
            if table.metric == metric and duel.differences is not None
        ]
        if len(means) < 2:
            continue
        difference, p = task_mean.overall(means, level, random=random)
        shown = None if p is None or p > 1 - level else "better" if difference.known > 0 else "worse"
        whole.append(Overall(metric, len(means), difference, p, shown, task_mean.heterogeneity(means)))
    return tuple(whole)


def _varying_tasks(found: Overall) -> list[Finding]:
    """Return whether the difference varies between tasks, which a mean over these tasks does not allow for."""
    kind, varies = kinds.comparisons.TASKS_DIFFER, found.heterogeneity
    if varies is None or varies.p > kind.thresholds["p"]:
        return []
    return [kind.found(metric=_on(found), share=varies.i_squared, p_value=chance(varies.p))]


def _shown(estimate: Estimate) -> tuple[str, str]:
    places = digits.decimals([(estimate.low, estimate.high)])
    low, high = (digits.rounded(end, places) or "open" for end in (estimate.low, estimate.high))
    return digits.rounded(estimate.value, places), f"{low} … {high}"


def _both(task: TaskDuel) -> tuple[str, str]:
    """Return the scores of both, with the digits that the interval leaves."""
    if task.values is None:
        return "", ""
    places = digits.decimals([(task.difference.low, task.difference.high)])
    return digits.rounded(task.values[0], places), digits.rounded(task.values[1], places)


def _varies(found: task_mean.Heterogeneity | None) -> tuple[str, str]:
    return ("", "") if found is None else (percent(found.i_squared), chance(found.p))


def _on(found: Overall) -> str:
    return f" on {found.metric}" if found.metric else ""


def _sentence(duels: TaskDuels, found: Overall) -> str:
    """Return a sentence on a metric over all tasks."""
    level = f"{100 * duels.level:g} %"
    metric = f"{_on(found)}, {scope_of_tasks(found.tasks, random='task' in duels.random)}"
    value, ends = _shown(found.difference)
    mean = f"mean difference over tasks {value}"
    if found.p is None:
        return f"Nothing can be said about {duels.a} and {duels.b} overall{metric}: {mean}, without any variation."
    between = f"{level} confidence interval by {_unit(duels)} {ends.replace('…', 'to')}, p = {chance(found.p)}"
    if found.shown is None:
        return f"{duels.a} and {duels.b} do not differ significantly overall{metric} ({mean}, {between})."
    return f"{duels.a} is {found.shown} than {duels.b} overall{metric} ({mean}, {between})."


def _by_task(duels: TaskDuels) -> str:
    """Return on which tasks one is shown to be better; where on none, what the clearest difference leaves open."""
    found = {word: [each.title for each in duels.tasks if each.shown == word] for word in ("better", "worse")}
    how = f"mean scores by {_unit(duels)}, Holm-corrected, {100 * (1 - duels.level):.3g} % level"
    number, told = len(duels.tasks), list[str]()
    for word, titles in found.items():
        than = "" if told else f" than {duels.b}"
        told += [f"{word}{than} on {len(titles)} of {number} tasks ({_listed(titles)})"] if titles else []
    if told:
        return f"{duels.a} is significantly {', and '.join(told)}: {how}."
    clearest = min(duels.tasks, key=lambda each: each.p)
    value, ends = _shown(clearest.difference)
    return (
        f"{duels.a} and {duels.b} differ significantly on none of {len(duels.tasks)} tasks ({how}). The clearest "
        f"difference is {value} on {clearest.title} (interval {ends}, p = {chance(clearest.p)} before the correction): "
        f"{clearest.n:,} items cannot tell."
    )


def _listed(titles: Sequence[str]) -> str:
    return ", ".join(titles[:3]) + (f" and {len(titles) - 3} more" if len(titles) > 3 else "")


def _unit(duels: TaskDuels) -> str:
    """Return the units of dependence of all tasks, and tasks themselves where they are random."""
    within = " or ".join(dict.fromkeys(duel.unit for duel in duels.duels))
    return " and ".join([*duels.random, within])
