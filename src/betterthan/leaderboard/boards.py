"""What `rank` returns: one leaderboard per model, metric and data set."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from typing import TYPE_CHECKING, Any, ClassVar

from betterthan.datasets.summary import EvidenceSummary
from betterthan.errors import BetterthanError
from betterthan.findings.whose import of_whom
from betterthan.infer.disagreement import Disagreement, disagree
from betterthan.leaderboard.board import Leaderboard
from betterthan.leaderboard.columns import ranges
from betterthan.leaderboard.overview import overview
from betterthan.options.rank import Settings
from betterthan.present.table import Column, Table, wrapped
from betterthan.results.result import Result

if TYPE_CHECKING:
    from betterthan.leaderboard.plots import BoardsPlots


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
    schema: ClassVar[str] = "leaderboards/1"
    holds = ("evidence", ("leaderboards", "boards"), "disagreement")

    settings: Settings
    boards: tuple[Leaderboard, ...]

    @property
    def board(self) -> Leaderboard:
        """The only leaderboard; several are refused with their names."""
        if len(self.boards) > 1:
            names = ", ".join(repr(self._name(board)) for board in self.boards[:10])
            raise BetterthanError(f"there are {len(self.boards)} leaderboards: {names}. Choose one by its name.")
        return self.boards[0]

    @property
    def about(self) -> Mapping[str, str]:
        """What the signature says of the evidence: the first conversion that was needed."""
        converted = next((board for board in self.boards if board.evidence.conversion), self.boards[0])
        return converted.evidence.facts()

    def __iter__(self) -> Iterator[Leaderboard]:
        return iter(self.boards)

    def __len__(self) -> int:
        return len(self.boards)

    def __getitem__(self, key: str | tuple[str, str]) -> Leaderboard:
        """Find a board by its title, its model, or both as (title, model)."""
        exact = [
            board for board in self.boards if key in {board.title, board.mechanism, (board.title, board.mechanism)}
        ]
        found = exact or [board for board in self.boards if key in {board.model.name, (board.title, board.model.name)}]
        if len(found) == 1:
            return found[0]
        names = ", ".join(repr(self._name(board)) for board in self.boards[:20])
        what = f"{len(found)} leaderboards are called" if found else "no leaderboard"
        raise KeyError(f"{what} {key!r}; there are: {names}")

    @property
    def titles(self) -> tuple[str, ...]:
        """Metrics and data sets, in order."""
        return tuple(dict.fromkeys(board.title for board in self.boards))

    @property
    def models(self) -> tuple[str, ...]:
        """Models with their options, in order."""
        return tuple(dict.fromkeys(board.mechanism for board in self.boards))

    @cached_property
    def disagreement(self) -> tuple[Disagreement, ...]:
        """How far any two models order the same systems differently."""
        return tuple(
            _disagreement(one, two)
            for title in self.titles
            for one, two in combinations([board for board in self.boards if board.title == title], 2)
        )

    @property
    def plot(self) -> "BoardsPlots":
        """Pictures of where models agree: `plot.bump()`, `plot.agreement()`."""
        from betterthan.leaderboard.plots import BoardsPlots  # noqa: PLC0415 (most boards are not drawn)

        return BoardsPlots(self)

    def side_by_side(self, title: str) -> Table:
        """Return one data set's systems with their score, rank and rank range under every model."""
        boards = [board for board in self.boards if board.title == title]
        with_draws = any(board.draws is not None for board in boards)
        columns = [Column("system", "left", flexible=True)]
        for board in boards:
            columns += [Column(board.mechanism), Column("#"), *([Column("range")] if with_draws else [])]
        rows = []
        for system in (row.system for row in boards[0]):
            cells = [system]
            for board in boards:
                row = board[system]
                rank = "" if row.rank is None else str(row.rank)
                cells += [board.shown(row.score), rank, *([ranges(row)] if with_draws else [])]
            rows.append(cells)
        return Table(columns, rows)

    def overview(self, model: str | None = None) -> Table:
        """Return every system's rank on every data set by one model (the first), best mean rank first."""
        return overview([board for board in self.boards if board.mechanism == (model or self.models[0])])

    def disagreement_table(self, title: str | None = None) -> Table:
        """Return the disagreement of models as a table: on one data set, or on average over all of them."""
        kept = [each for each in self.disagreement if title is None or (each.title or "") == title]
        columns = [Column("models", "left", flexible=True), Column("pairs differ"), Column("same best"),
                   Column("top 3"), Column("Kendall", optional=1), Column("Spearman", optional=2)]  # fmt: skip
        rows = []
        for a, b in combinations(self.models, 2):
            some = [each for each in kept if {each.a, each.b} == {a, b}]
            if not some:  # data sets may have different models
                continue
            differ = sum(each.pairs_differ for each in some) / len(some)
            rows.append([
                f"{a} – {b}", f"{100 * differ:.1f} %", _share([each.same_best for each in some]),
                _share([each.same_top3 for each in some]), _mean([each.kendall for each in some]),
                _mean([each.spearman for each in some]),
            ])  # fmt: skip
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
        """Return every board, and where models disagree."""
        if len(self.boards) == 1:
            return self.boards[0].tables()
        tables = [board.table(self._name(board)) for board in self.boards]
        return [*tables, replace(self.disagreement_table(), title="Disagreement")] if self.disagreement else tables

    def to_text(self, width: int | None = None) -> str:
        """Return what the terminal shows: the board, or models side by side and an overview of several data sets."""
        if len(self.boards) == 1:
            return replace(self.boards[0], reading=self.reading).to_text(width)
        several = len(self.titles) > 1
        read = [wrapped(line, width) for line in self.reading_lines]
        parts = []
        if len(self.models) == 1:
            parts = [board.to_text(width) for board in self.boards] if len(self.boards) <= 3 else []
        elif len(self.titles) <= 3:
            parts = [self._side_by_side_text(title, width) for title in self.titles]
        for model in self.models if several else ():
            by = f" by {model}" if len(self.models) > 1 else ""
            head = f"Ranks on {len(self.titles)} leaderboards{by}"
            parts.append(f"{head}\n\n{_in_blocks(self.overview(model), width, 1)}")
        if several and len(self.models) > 1:
            head = f"Disagreement on {len(self.titles)} leaderboards"
            parts.append(f"{head}\n\n{self.disagreement_table().to_text(width)}")
        if len(self.titles) > 3:  # the boards themselves are not shown
            named = of_whom([(self._name(board), board.findings) for board in self.boards])
            parts.append("\n".join([*(wrapped(str(finding), width) for finding in named), str(self.signature)]))
        return "\n\n".join([*read, *parts])

    def notes(self) -> list[str]:
        """Return the evidence of every data set, every board's clusters, findings and the signature."""
        if len(self.boards) == 1:
            return replace(self.boards[0], reading=self.reading).notes()
        evidence = {board.title: str(board.evidence) for board in self.boards}
        clusters = [f"{self._name(board)}: {board.separation}" for board in self.boards if board.separation is not None]
        named = of_whom([(self._name(board), board.findings) for board in self.boards])
        said = [f"{title}: {line}" if title else line for title, line in evidence.items()]
        return [*self.reading_lines, *said, *clusters, *(str(finding) for finding in named), str(self.signature)]

    def _side_by_side_text(self, title: str, width: int | None) -> str:
        boards = [board for board in self.boards if board.title == title]
        table = self.side_by_side(title)
        parts = [*([title] if title else []), wrapped(str(boards[0].evidence), width), ""]
        parts += [_in_blocks(table, width, (len(table.columns) - 1) // len(boards)), ""]
        parts += [self.disagreement_table(title).to_text(width), ""]
        named = of_whom([(board.mechanism, board.findings) for board in boards])
        parts += [wrapped(str(finding), width) for finding in named]
        signatures = [self.signature] if len(self.titles) == 1 else [board.signature for board in boards]
        return "\n".join([*parts, *(str(signature) for signature in signatures)])

    def _name(self, board: Leaderboard) -> str:
        if len(self.models) == 1:
            return board.title
        model = board.mechanism
        return model if len(self.titles) == 1 else f"{board.title} · {model}"


def _disagreement(one: Leaderboard, two: Leaderboard) -> Disagreement:
    """Compare two boards on the systems that both can place, ranked among themselves."""
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


def _in_blocks(table: Table, width: int | None, step: int) -> str:
    """Show as many columns below each other as fit, `step` of them together, each time with the first one."""
    if width is None:
        return table.to_text()
    sizes = [max(len(text) for text in (column.title, *(row[place] for row in table.rows))) + 2
             for place, column in enumerate(table.columns)]  # fmt: skip
    blocks: list[str] = []
    start, last = 1, len(table.columns)
    while start < last:
        end = start + step
        while end < last and min(sizes[0], 26) + sum(sizes[start : min(end + step, last)]) + 2 <= width:
            end = min(end + step, last)
        blocks.append(_only(table, [0, *range(start, min(end, last))]).to_text(width))
        start = end
    return "\n\n".join(blocks)


def _only(table: Table, keep: Sequence[int]) -> Table:
    return Table([table.columns[place] for place in keep], [[row[place] for place in keep] for row in table.rows])
