"""The result of `rank`: one leaderboard per model, metric and data set."""

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from typing import TYPE_CHECKING, Any, ClassVar

from betterthan.base import BetterthanError, escaping, quoted_value, spelling
from betterthan.datasets import DataSets, EvidenceSummary, direction_of
from betterthan.findings import merge_findings
from betterthan.options import Plan, Settings
from betterthan.present import Column, Table, in_blocks, wrapped
from betterthan.results import Detail, Result, findings_text
from betterthan.uncertainty import scales
from betterthan.verbs.rank.board_columns import interval_text, ranked
from betterthan.verbs.rank.board_verdict import by_model, verdict_of_data_sets, verdict_of_models
from betterthan.verbs.rank.leaderboard import Leaderboard

if TYPE_CHECKING:
    from betterthan.state import State
    from betterthan.verbs.rank.board_changes import Changes
    from betterthan.verbs.rank.board_overview import Overview
    from betterthan.verbs.rank.board_plots import BoardsPlots
    from betterthan.verbs.rank.model_disagreement import Disagreement
    from betterthan.verbs.rank.overall_board import OverallBoard

#: Of more data sets than this, only the overview is shown as text.
_BOARDS_SHOWN = 3


@dataclass(frozen=True)
class Origin:
    """The evidence and the options of a ranking; copies in other processes lack them."""

    evidence: Any
    plan: Plan

    @cached_property
    def state(self) -> "State":
        """The judgments, ready to be extended; they are read once for all boards."""
        from betterthan.state import State  # noqa: PLC0415 (few boards grow)

        return State.of(self.evidence)

    def __reduce__(self) -> Any:
        return Origin, (None, self.plan)


@dataclass(frozen=True, kw_only=True, repr=False, eq=False)
class Leaderboards(Result):
    """Boards in the order of the evidence and, within it, of the models; find one by its title or its model.

    `rank` always returns this, also for one board: a program written for one data set also works with two. `board` is
    the only board.

    >>> import betterthan as bt
    >>> boards = bt.rank({"owl": [3, 5, 4], "yak": [2, 1, 9]}, model=["mean", "bradley-terry"], ci="none")
    >>> [boards["mean"].rows[0].system, boards["bradley-terry"].rows[0].system]
    ['owl', 'owl']
    """

    verb: ClassVar[str] = "rank"
    schema: ClassVar[str] = "leaderboards/4"
    holds = ("verdict", "evidence", "overview", "overall", ("leaderboards", "boards"), "disagreement", "changes")

    settings: Settings
    boards: tuple[Leaderboard, ...]
    origin: Origin | None = None
    overview: "Overview | None" = None  # every system's value on every leaderboard, of several titles
    overall: "OverallBoard | None" = None  # systems over all of them
    overall_options: tuple[tuple[str, str], ...] = ()  # those that were given, for the signature
    changed: Any = None  # since an earlier board, see `changes`

    @property
    def changes(self) -> "Changes | None":
        """What changed since an earlier board, None where none was given."""
        found: Changes | None = self.changed
        return found

    def since(self, before: Any) -> "Leaderboards":
        """Return the same leaderboards with what changed since an earlier one.

        Parameters
        ----------
        before : path, Leaderboards or dict
            The JSON file of an earlier ranking, its result or its document.

        Returns
        -------
        Leaderboards
            The leaderboards with `changes`.
        """
        from betterthan.verbs.rank.board_changes import changes_since  # noqa: PLC0415 (most boards are new)

        return replace(self, changed=changes_since(self, before))

    def update(self, judgments: Any, *, again: bool = False, **changed: Any) -> "Leaderboards":
        """Add new judgments and rank again, with the same options but for those `changed`.

        The result is that of ranking all judgments at once. `ci="none"` needs only the new judgments and the counts of
        the known ones; intervals by item or judge need all of them.

        Parameters
        ----------
        judgments : judgments, path, data frame, list or dict
            The new judgments.
        again : bool, default False
            Add judgments even if they were added before.
        **changed : object
            Options of `rank` that differ from the earlier call.

        Returns
        -------
        Leaderboards
            The leaderboards of all judgments.

        Examples
        --------
        >>> import betterthan as bt
        >>> boards = bt.rank([("owl", "yak", "a"), ("owl", "yak", "a"), ("yak", "owl", "a")], ci="none")
        >>> [row.system for row in boards.update([("elk", "owl", word) for word in "aab"]).board]
        ['elk', 'owl', 'yak']
        """
        from betterthan.verbs.rank.incremental import update  # noqa: PLC0415 (it ranks, and ranking makes boards)

        return update(self, judgments, again=again, **changed)

    def save_state(self, path: str | os.PathLike[str]) -> None:
        """Save what was ranked as a state, to which new judgments can be added later: see `load_state`.

        Parameters
        ----------
        path : str or path
            File to write.
        """
        from betterthan.state import state_file  # noqa: PLC0415
        from betterthan.verbs.rank.incremental import state_of  # noqa: PLC0415

        state_file.save_state(state_of(self), path)

    def with_overall(self, sets: DataSets, plan: Plan) -> "Leaderboards":
        """Add the overview of several data sets or metrics, and the overall board.

        Parameters
        ----------
        sets : DataSets
            The data sets that were ranked.
        plan : Plan
            The options, which say how tasks count.

        Returns
        -------
        Leaderboards
            The same leaderboards with both.
        """
        from betterthan.verbs.rank.board_overview import Overview  # noqa: PLC0415 (most evidence is one data set)
        from betterthan.verbs.rank.overall_rule import one_per_title, rule_of  # noqa: PLC0415
        from betterthan.verbs.rank.overall_scores import overall_board  # noqa: PLC0415

        given = {**plan.of_suites, **({"random": "+".join(sets.random)} if sets.random else {})}
        said = replace(self, overall_options=tuple(given.items()))
        if plan.overall == "none":
            return replace(said, overview=Overview.of(self.boards, None))
        rule = rule_of(one_per_title(self.boards), sets.scored, plan)
        overview = Overview.of(self.boards, rule)
        overall, findings = overall_board(overview, sets.scored, rule, random=bool(sets.random))
        return replace(said, overview=overview, overall=overall, findings=(*self.findings, *findings))

    @property
    def board(self) -> Leaderboard:
        """The only leaderboard; several are refused with their names."""
        if len(self.boards) > 1:
            names = ", ".join(repr(self._name(board)) for board in self.boards[:10])
            raise BetterthanError(f"there are {len(self.boards)} leaderboards: {names}. Choose one by its name.")
        return self.boards[0]

    @property
    def about(self) -> Mapping[str, str]:
        """The part of the signature about the evidence: the first conversion that was needed."""
        converted = next((board for board in self.boards if board.evidence.conversion), self.boards[0])
        direction = direction_of(board.evidence.lower_is_better for board in self.boards)
        return {**converted.evidence.facts(), "direction": direction or "", **dict(self.overall_options)}

    def __iter__(self) -> Iterator[Leaderboard]:
        return iter(self.boards)

    def __len__(self) -> int:
        return len(self.boards)

    def __getitem__(self, key: str | tuple[str, str]) -> Leaderboard:
        """Find a board by its title, its model, or both as (title, model)."""
        named = self.boards if isinstance(key, (str, tuple)) else ()
        exact = [board for board in named if key in (board.title, board.mechanism, (board.title, board.mechanism))]
        found = exact or [board for board in named if key in (board.model.name, (board.title, board.model.name))]
        if len(found) == 1:
            return found[0]
        names = ", ".join(repr(self._name(board)) for board in self.boards[:20])
        what = f"{len(found)} leaderboards are called" if found else "no leaderboard"
        raise KeyError(escaping.brief(f"{what} {quoted_value(key)}; there are: {names}"))

    @property
    def titles(self) -> tuple[str, ...]:
        """Metrics and data sets, in order."""
        return tuple(dict.fromkeys(board.title for board in self.boards))

    @property
    def models(self) -> tuple[str, ...]:
        """Models with their options, in order."""
        return tuple(dict.fromkeys(board.mechanism for board in self.boards))

    @cached_property
    def disagreement(self) -> "tuple[Disagreement, ...]":
        """How far any two models order the same systems differently."""
        return tuple(
            _disagreement(one, two)
            for title in self.titles
            for one, two in combinations([board for board in self.boards if board.title == title], 2)
        )

    @property
    def plot(self) -> "BoardsPlots":
        """Pictures of where models agree: `plot.bump()`, `plot.agreement()`."""
        from betterthan.verbs.rank.board_plots import BoardsPlots  # noqa: PLC0415 (most boards are not drawn)

        return BoardsPlots(self)

    def side_by_side(self, title: str) -> Table:
        """Return one data set's systems with their score and rank (with its range) under every model.

        The first model's scores have their intervals, too: of scores it is the mean, which people report.

        Parameters
        ----------
        title : str
            Title of the data set.

        Returns
        -------
        Table
            The table.
        """
        boards = [board for board in self.boards if board.title == title]
        main = boards[0]
        columns = [Column("system", "left", flexible=True)]
        for board in boards:
            columns += [Column(board.mechanism), *self._interval_heading(board, main), Column("rank", "left")]
        rows = []
        for system in (row.system for row in main):
            cells = [system]
            for board in boards:
                row = board[system]
                interval = [interval_text(board, row)] if self._interval_heading(board, main) else []
                cells += [board.shown(row.score), *interval, ranked(row)]
            rows.append(cells)
        return Table(columns, rows)

    def _interval_heading(self, board: Leaderboard, main: Leaderboard) -> list[Column]:
        """Return the heading of the first model's intervals; other boards show none."""
        if board is not main or board.draws is None:
            return []
        return [Column(f"{100 * board.settings.level:g} % interval", "left")]

    def _columns_each(self, boards: Sequence[Leaderboard]) -> list[int]:
        """Return the number of columns per model that stay together."""
        return [2 + len(self._interval_heading(board, boards[0])) for board in boards]

    def disagreement_table(self, title: str | None = None) -> Table:
        """Return the disagreement of models as a table: on one data set, or on average over all of them.

        Parameters
        ----------
        title : str, optional
            Title of the data set; by default the average over all.

        Returns
        -------
        Table
            The table.
        """
        kept = [each for each in self.disagreement if title is None or (each.title or "") == title]
        columns = [
            Column("models", "left", flexible=True),
            Column("pairs differ"),
            Column("same best"),
            Column("top 3"),
            Column("Kendall", optional=1),
            Column("Spearman", optional=2),
        ]
        rows = []
        for a, b in combinations(self.models, 2):
            some = [each for each in kept if {each.a, each.b} == {a, b}]
            if not some:  # data sets may have different models
                continue
            differ = sum(each.pairs_differ for each in some) / len(some)
            rows.append(
                [
                    f"{a} – {b}",
                    f"{100 * differ:.1f} %",
                    _share([each.same_best for each in some]),
                    _share([each.same_top3 for each in some]),
                    _mean([each.kendall for each in some]),
                    _mean([each.spearman for each in some]),
                ]
            )
        return Table(columns, rows)

    @property
    def evidence(self) -> EvidenceSummary | None:
        """The evidence in numbers, where it is one data set."""
        return self.boards[0].evidence if len(self.titles) == 1 else None

    def columns(self) -> dict[str, list[Any]]:
        """Return the rows of all boards as columns; of several, with the board's title and model first."""
        if len(self.boards) == 1:
            return self.boards[0].columns()
        parts = [board.columns() for board in self.boards]
        return {
            "leaderboard": [board.title for board in self.boards for _ in board],
            "model": [board.mechanism for board in self.boards for _ in board],
            **{name: [value for part in parts for value in part[name]] for name in parts[0]},
        }

    def tables(self) -> list[Table]:
        """Return the overview of several data sets, every board, and where models disagree."""
        if len(self.boards) == 1:
            changes = [] if self.changes is None else [replace(self.changes.table(), title="Changes")]
            return [*self.boards[0].tables(), *changes]
        tables = [] if self.overview is None else [self.overview.table("Overview")]
        if self.overall is not None:
            tasks = self.overall.task_table(self.overall.about_tasks)
            tables += [self.overall.table("Overall"), *([] if tasks is None else [tasks])]
        tables += [board.table(self._name(board)) for board in self.boards]
        tables += [
            board.frontier.table(f"Cost frontier: {self._name(board)}") for board in self.boards if board.frontier
        ]
        return [*tables, replace(self.disagreement_table(), title="Disagreement")] if self.disagreement else tables

    @property
    def verdict(self) -> str:
        """A sentence on who ranks first: on the only board, by every model, or on how many data sets."""
        if len(self.boards) == 1:
            return self.boards[0].verdict
        if len(self.titles) == 1:
            return verdict_of_models(self.boards)
        assert self.overview is not None
        first, models = verdict_of_data_sets(self.overview.boards), {each.model for each in self.overview.columns}
        said = by_model(models.pop(), first) if len(models) == 1 < len(self.models) else first
        return said if self.overall is None else f"{said} {self.overall.sentence}"

    def body(self, width: int | None) -> list[str]:
        """Return the board, or models side by side and an overview of several data sets."""
        if len(self.boards) == 1:
            return [*self.boards[0].body(width), *self._change_lines(width)]
        several = len(self.titles) > 1
        parts = [] if self.overview is None else [in_blocks(self.overview.table(plain=True), width), ""]
        if self.overview is not None:
            parts += [wrapped(self.overview.legend(plain=True), width), ""]
        if self.overall is not None:
            parts += self.overall.lines(width)
        for title in self.titles if len(self.titles) <= _BOARDS_SHOWN else ():
            boards = [board for board in self.boards if board.title == title]
            lines = self._side_by_side_lines(boards, width) if len(boards) > 1 else boards[0].body(width)
            parts += [*([title, ""] if title else []), *lines, *([""] if several else [])]
        if len(self.titles) > _BOARDS_SHOWN and any(board.frontier for board in self.boards):
            said = "Each leaderboard has its own cost frontier: see Markdown or JSON, or choose one with"
            parts += [wrapped(f"{said} {spelling.option('where')}.", width), ""]
        if several and len(self.models) > 1:
            head = f"Disagreement on {len(self.titles)} leaderboards"
            parts += [head, "", self.disagreement_table().to_text(width), ""]
        return parts

    def details(self, width: int | None) -> list[str]:
        """Return the clusters of every board, and how strengths were found."""
        if len(self.boards) == 1:
            return self.boards[0].details(width)
        return [f"{self._name(board)}: {line}" for board in self.boards for line in board.details(width)]

    def brief(self, width: int | None) -> str:
        """Return the board, or the tables that stand for several."""
        if len(self.boards) == 1:
            board = self.boards[0]
            shown = [board.table(), *([] if board.frontier is None else [board.frontier.table()])]
            return "\n\n".join(table.to_text(width) for table in shown)
        if len(self.titles) == 1:
            return in_blocks(self.side_by_side(self.titles[0]), width, self._columns_each(self.boards))
        assert self.overview is not None
        return in_blocks(self.overview.table(plain=True), width)

    def closing(self, width: int | None, detail: Detail = "usual") -> list[str]:
        """Return the reading report, every board's findings, and the signature."""
        named = merge_findings([(self._name(board), board.findings) for board in self.boards])
        read = [wrapped(line, width) for line in self.reading_lines]
        return [*read, *findings_text(named, width, detail), str(self.signature)]

    def notes(self) -> list[str]:
        """Return the verdict, the evidence of every data set, every board's clusters, findings and the signature."""
        if len(self.boards) == 1:
            *notes, signature = replace(self.boards[0], reading=self.reading).notes()
            return [*notes, *([] if self.changes is None else self.changes.sentences), signature]
        evidence = {board.title: str(board.evidence) for board in self.boards}
        clusters = [f"{self._name(board)}: {board.separation}" for board in self.boards if board.separation is not None]
        said = [f"{title}: {line}" if title else line for title, line in evidence.items()]
        priced = [board for board in self.boards if board.frontier is not None]
        said += [f"{self._name(board)}: {' '.join(board.frontier.sentences)}" for board in priced if board.frontier]
        legend = [] if self.overview is None else [self.overview.legend()]
        return [self.verdict, *legend, *said, *clusters, *self.closing(None)]

    def _change_lines(self, width: int | None) -> list[str]:
        """Return what changed since an earlier board, as text."""
        if self.changes is None:
            return []
        said = wrapped(" ".join(self.changes.sentences), width)
        return ["", *([self.changes.table().to_text(width), ""] if self.changes.moves else []), said, ""]

    def _side_by_side_lines(self, boards: Sequence[Leaderboard], width: int | None) -> list[str]:
        title = boards[0].title
        return [
            wrapped(str(boards[0].evidence), width),
            "",
            in_blocks(self.side_by_side(title), width, self._columns_each(boards)),
            "",
            *(wrapped(line, width) for line in _scales(boards)),
            self.disagreement_table(title).to_text(width),
            *(line for board in boards if board.frontier for line in board.frontier.lines(width)),
            "",
        ]

    def _name(self, board: Leaderboard) -> str:
        if len(self.models) == 1:
            return board.title
        model = board.mechanism
        return model if len(self.titles) == 1 else f"{board.title} · {model}"


def _scales(boards: Sequence[Leaderboard]) -> list[str]:
    """Report the scale of strengths that have no unit of their own."""
    named: dict[str, list[str]] = {}  # models that treat ties in other ways may have other scores on one scale
    for board in boards:
        if board.settings.scale is not None:
            named.setdefault(board.score_name, []).append(board.mechanism)
    lines = [f"Scores of {', '.join(models)}: {scales.SCALE_WORDS[score]}." for score, models in named.items()]
    return [*lines, ""] if lines else []


def _disagreement(one: Leaderboard, two: Leaderboard) -> "Disagreement":
    """Compare two boards on the systems that both can place, ranked among themselves."""
    from betterthan.verbs.rank.model_disagreement import disagree  # noqa: PLC0415 (one model disagrees with none)

    placed = [row.system for row in one if one.can_place(row.system) and two.can_place(row.system)]
    ranks = [board.order_of(placed) for board in (one, two)]
    return disagree(one.mechanism, ranks[0], two.mechanism, ranks[1], one.title or None)


def _share(answers: Sequence[bool]) -> str:
    if len(answers) == 1:
        return "yes" if answers[0] else "no"
    return f"{100 * sum(answers) / len(answers):.0f} %"


def _mean(values: Sequence[float | None]) -> str:
    known = [value for value in values if value is not None]
    return f"{sum(known) / len(known):.2f}" if known else ""
