"""The overall board of several tasks: overall scores with intervals, ranks, and the leader task by task."""

from dataclasses import dataclass

from betterthan.findings import percent
from betterthan.inference import Estimate, task_mean
from betterthan.present import Column, Table, chance, digits, in_blocks, wrapped
from betterthan.verbs.rank.board_columns import ranked

#: More tasks than this are not listed in text; JSON and data frames have all.
_TASKS_SHOWN = 15


@dataclass(frozen=True)
class OverallRow:
    """A system over all tasks: its score with interval, rank range, and the task on which its rank is worst."""

    rank: int
    system: str
    score: float
    low: float | None
    high: float | None
    rank_low: int | None
    rank_high: int | None
    cluster: int | None
    p_best: float | None
    worst_task: str
    worst_rank: int


@dataclass(frozen=True)
class TaskDifference:
    """The leader less the next system on one task: the difference in the unit of the metric, and its tests.

    `p` is that of the task's leaderboard, `p_adjusted` Holm's over tasks. `ahead` says who has the better score, where
    they differ, and `shown` whether that is significant among all tasks.
    """

    task: str
    weight: float
    difference: Estimate | None
    p: float | None
    p_adjusted: float | None
    ahead: str | None
    shown: bool


@dataclass(frozen=True)
class OverallBoard:
    """Systems over all tasks, best first.

    `overall_is` says what the score is the mean of, `average` how tasks count, and `random` whether they are a sample
    of other tasks. `difference` is the leader's score less the next system's, and
    `between` compares the two on every task. `heterogeneity` is how much their
    difference varies between tasks, where tasks are independent and share a unit. `p_first` is the p-value of the claim
    that the leader is the best of all.
    """

    overall_is: str
    average: str
    weights: tuple[float, ...]
    tasks: tuple[str, ...]
    random: bool
    level: float
    scope: str
    rows: tuple[OverallRow, ...]
    p_first: float | None
    difference: Estimate | None
    between: tuple[TaskDifference, ...]
    heterogeneity: task_mean.Heterogeneity | None
    lacking: tuple[str, ...]

    @property
    def drawn(self) -> bool:
        """Whether there are intervals."""
        return self.rows[0].rank_low is not None

    @property
    def first(self) -> str | None:
        """The system that ranks first, None where several do."""
        together = [row.system for row in self.rows if row.rank == 1]
        return together[0] if len(together) == 1 else None

    @property
    def first_shown(self) -> bool:
        """Whether the first system is shown to be the best of all."""
        return self.p_first is not None and self.p_first <= 1 - self.level

    def shown(self, value: float | None) -> str:
        """Return an overall score as text, with the digits that intervals leave.

        Parameters
        ----------
        value : float or None
            A score, or the end of an interval.

        Returns
        -------
        str
            The rounded number.
        """
        if value is None:
            return "open" if self.drawn else ""
        places = digits.decimals((row.low, row.high) for row in self.rows)
        return f"{value:z.1f}" if places is None and self.overall_is == "mean rank" else digits.rounded(value, places)

    def table(self, title: str = "") -> Table:
        """Return the overall board as a finished table of text.

        Parameters
        ----------
        title : str, optional
            Title of the table.

        Returns
        -------
        Table
            The table.
        """
        between = [Column(f"{100 * self.level:g} % interval", "left")] if self.drawn else []
        columns = [Column("overall", "left", flexible=True), Column("rank", "left"), Column(self.overall_is), *between]
        rows = []
        for row in self.rows:
            ends = [f"{self.shown(row.low)} … {self.shown(row.high)}"] if self.drawn else []
            rows.append([row.system, ranked(row), self.shown(row.score), *ends, f"{row.worst_task} ({row.worst_rank})"])
        return Table([*columns, Column("worst task (rank)", "left")], rows, title=title)

    def task_table(self, title: str = "") -> Table | None:
        """Return the leader against the next system, one row per task; None without intervals or with one system.

        Parameters
        ----------
        title : str, optional
            Title of the table.

        Returns
        -------
        Table or None
            The table.
        """
        if not self.between or not self.drawn:
            return None
        measured = any(each.difference is not None for each in self.between)
        between = [Column("difference"), Column(f"{100 * self.level:g} % interval", "left")] if measured else []
        columns = [Column("task", "left", flexible=True), *between, Column("ahead", "left"), Column("p (Holm)")]
        rows = [
            [
                each.task,
                *(_difference(each.difference) if measured else []),
                each.ahead or "",
                "" if each.p_adjusted is None else chance(each.p_adjusted),
            ]
            for each in self.between
        ]
        overall = ["overall", *_difference(self.difference), self.first or "", ""]
        return Table(columns, [*rows, overall] if measured else rows, frozenset({len(rows)}), title)

    @property
    def sentence(self) -> str:
        """Who ranks first over all tasks, and how certain that is."""
        rows, how = self.rows, f"Overall ({self.overall_is} {self.scope}"
        how = f"{how})" if self.average == "macro" else f"{how}, {self._counting})"
        first = self.first
        if first is None:
            together = [row.system for row in rows if row.rank == 1]
            return f"{how}, {len(together)} systems share the first rank."
        if len(rows) == 1:
            return f"{how}: only {first} has scores of all tasks."
        if not self.drawn:
            return f"{how}, {first} ranks first."
        lead = f"{how}, {first} ranks first"
        if self.first_shown and self.p_first is not None:
            return f"{lead} significantly (compared with each other system, p = {chance(self.p_first)})."
        return (
            f"{lead}, but not significantly: {100 * self.level:g} % rank range {rows[0].rank_low}–{rows[0].rank_high}."
        )

    @property
    def _counting(self) -> str:
        return "items count equally" if self.average == "micro" else "weighted"

    @property
    def about_tasks(self) -> str:
        """What the table of tasks compares, and how much the difference varies; empty without it."""
        if self.task_table() is None:
            return ""
        one, two = self.rows[0].system, self.rows[1].system
        text = f"{one} against {two}, the next overall, task by task (p-values are Holm-corrected)."
        if self.heterogeneity is None:
            return text
        found = self.heterogeneity
        return (
            f"{text} The difference varies between tasks by I² = {percent(found.i_squared)} beyond chance "
            f"(Cochran's Q = {found.q:.1f}, {found.df} degrees of freedom, p = {chance(found.p)})."
        )

    def lines(self, width: int | None) -> list[str]:
        """Return the board and the tasks as lines of text.

        Parameters
        ----------
        width : int or None
            Width in characters; None does not wrap lines.

        Returns
        -------
        list of str
            The lines.
        """
        lines = [in_blocks(self.table(), width), ""]
        tasks = self.task_table()
        if tasks is not None:
            lines += [wrapped(self.about_tasks, width), ""]
            if len(self.between) <= _TASKS_SHOWN:
                lines += [in_blocks(tasks, width), ""]
            else:
                lines += [wrapped(self._in_short, width), ""]
        return lines

    @property
    def _in_short(self) -> str:
        """On how many tasks each of both is significantly better."""
        names = [row.system for row in self.rows[:2]]
        counts = [sum(each.shown and each.ahead == name for each in self.between) for name in names]
        won = " and ".join(f"{name} on {count}" for name, count in zip(names, counts, strict=True))
        return f"Of {len(self.between)} tasks, {won} are significant (Holm-corrected). JSON lists every task."

    def row_of(self, system: str) -> OverallRow | None:
        """Return the row of a system, None where it lacks a task.

        Parameters
        ----------
        system : str
            Name of the system.

        Returns
        -------
        OverallRow or None
            The row.
        """
        return next((row for row in self.rows if row.system == system), None)


def _difference(found: Estimate | None) -> tuple[str, str]:
    if found is None:
        return "", ""
    places = digits.decimals([(found.low, found.high)])
    low, high = (digits.rounded(end, places) or "open" for end in (found.low, found.high))
    return digits.rounded(found.value, places), f"{low} … {high}"
