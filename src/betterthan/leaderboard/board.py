"""One leaderboard: immutable, with its doubts and the line that repeats it."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from math import floor, log10
from typing import Any

from betterthan import __version__
from betterthan.errors import BetterthanError, MissingExtraError, nearest
from betterthan.findings import Finding
from betterthan.infer.disagreement import Disagreement
from betterthan.infer.draws import Draws
from betterthan.leaderboard.plots import BoardPlots
from betterthan.leaderboard.summary import EvidenceSummary
from betterthan.models.base import Fit, Model
from betterthan.plan import Plan
from betterthan.present.document import to_json
from betterthan.present.table import Column, Table, Tables, wrapped
from betterthan.signature import Signature
from betterthan.spelling import option

_DIGITS = {"worth": 4, "log": 3, "elo": 0, "winrate": 3}
#: Digits of a score of a model's own, beyond the first that its spread needs.
_OWN_DIGITS = 3


@dataclass(frozen=True)
class Row:
    """One system's place. What is absent (no intervals asked for, an open end, no log-strength) is None."""

    rank: int
    system: str
    score: float
    log_strength: float | None
    low: float | None
    high: float | None
    rank_low: int | None
    rank_high: int | None
    cluster: int | None
    p_best: float | None
    wins: float
    ties: float
    losses: float
    comparisons: float

    @property
    def interval(self) -> tuple[float | None, float | None]:
        """Lower and upper end of the score's interval."""
        return self.low, self.high

    def to_dict(self) -> dict[str, Any]:
        """Return plain JSON values."""
        return dict(self.__dict__)


@dataclass(frozen=True, repr=False)
class Leaderboard(Tables):
    """Systems in order, with intervals, rank ranges and clusters.

    >>> import betterthan as bt
    >>> board = bt.rank([("owl", "yak", "a")] * 6 + [("owl", "yak", "b")] * 4)
    >>> board["owl"].rank, round(board.probability("owl", "yak")[0], 6)
    (1, 0.6)
    """

    rows: tuple[Row, ...]
    plan: Plan
    evidence: EvidenceSummary
    model: Model
    fit: Fit
    draws: Draws | None
    findings: tuple[Finding, ...]
    title: str = ""

    @property
    def mechanism(self) -> str:
        """The model with its options, as it was asked for."""
        return self.plan.model or self.model.name

    @property
    def signature(self) -> Signature:
        """The line that repeats this result."""
        facts = {"evidence": self.evidence.kind}
        if self.evidence.conversion:
            facts["conversion"] = self.evidence.conversion
        return Signature(__version__, {**facts, **self.plan.facts(), "data": self.evidence.digest})

    def __iter__(self) -> Iterator[Row]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, system: str) -> Row:
        return self._by_name[self._name(system)]

    @cached_property
    def _by_name(self) -> dict[str, Row]:
        return {row.system: row for row in self.rows}

    @cached_property
    def _places(self) -> dict[str, int]:
        return {system: place for place, system in enumerate(self.fit.systems)}

    @property
    def plot(self) -> BoardPlots:
        """Pictures: `plot.leaderboard()`, `plot.ranks()`."""
        return BoardPlots(self)

    def probability(self, a: str, b: str) -> tuple[float, float, float]:
        """Return the model's chances that `a` beats, ties with and loses to `b` in one judgment."""
        chances = self.model.probability(self.fit, self._place(a), self._place(b))
        if chances is None:
            raise BetterthanError(
                f"{self.model.name} has no probability of winning",
                remedy="Rank with a model that has one, such as bradley-terry or davidson.",
            )
        return chances

    def confidence(self, a: str, b: str) -> float:
        """Return how sure the evidence makes us that `a` is better than `b`: the share of draws."""
        if self.draws is None:
            raise BetterthanError(
                f"this leaderboard has no draws ({option('ci', 'none')})",
                remedy=f"Rank again with {option('ci', 'bootstrap')} or {option('ci', 'analytic')}.",
            )
        return self.draws.better(self._place(a), self._place(b))

    @property
    def clusters(self) -> tuple[tuple[str, ...], ...]:
        """Systems that cannot be told apart, together, best first."""
        numbers = sorted({row.cluster for row in self.rows if row.cluster is not None})
        return tuple(tuple(row.system for row in self.rows if row.cluster == number) for number in numbers)

    def to_dict(self) -> dict[str, Any]:
        """Return the board as the JSON that `--format json` prints."""
        return document([self], [], self.signature)

    def to_json(self) -> str:
        """Return JSON text; numbers are plain, absent is null."""
        return to_json(self.to_dict())

    def columns(self) -> dict[str, list[Any]]:
        """Return the rows as columns, in the order of the JSON."""
        records = [row.to_dict() for row in self.rows]
        return {name: [record[name] for record in records] for name in records[0]}

    def to_pandas(self) -> Any:
        """Return a pandas data frame, one row per system."""
        return _frame("pandas", "pandas", "a pandas data frame").DataFrame(self.columns())

    def to_polars(self) -> Any:
        """Return a Polars data frame, one row per system."""
        return _frame("polars", "polars", "a Polars data frame").DataFrame(self.columns(), strict=False)

    def to_arrow(self) -> Any:
        """Return a PyArrow table, one row per system."""
        return _frame("pyarrow", "arrow", "a PyArrow table").table(self.columns())

    def tables(self) -> list[Table]:
        """Return the board."""
        return [self.table()]

    def table(self) -> Table:
        """Return the board as a finished table of text."""
        with_draws = self.draws is not None
        columns = [
            Column("#"),
            *([Column("range")] if with_draws else []),
            Column("system", "left", flexible=True),
            Column("score"),
        ]
        if with_draws:
            columns.append(Column(f"{100 * (self.plan.level or 0.95):g} % interval", "left"))
        columns += [Column("won", optional=1), Column("tied", optional=3), Column("lost", optional=2)]
        if self.model.probability(self.fit, 0, 1) is not None:
            columns.append(Column("wins/ties next" if self._ties_happen else "beats next", optional=4))
        cells, rules = [], set()
        for place, row in enumerate(self.rows):
            beats = self._beats_next(place)
            counted = [_amount(value) for value in (row.wins, row.ties, row.losses)]
            extent = [ranges(row)] if with_draws else []
            interval = [self._interval(row)] if with_draws else []
            line = [str(row.rank), *extent, row.system, self.shown(row.score), *interval, *counted, beats]
            cells.append(line[: len(columns)])
            if place and row.cluster != self.rows[place - 1].cluster:
                rules.add(place)
        return Table(columns, cells, frozenset(rules))

    def to_text(self, width: int | None = None) -> str:
        """Return what the terminal shows: evidence, table, clusters, findings, signature."""
        head = [self.title] if self.title else []
        parts = [*head, wrapped(str(self.evidence), width), "", self.table().to_text(width), ""]
        if self.fit.parameters:
            values = ", ".join(f"{name} {value:.4g}" for name, value in self.fit.parameters.items())
            parts.append(wrapped(f"{self.model.name}: {values}", width))
        if (sentence := self.separation) is not None:
            parts.append(wrapped(sentence, width))
        parts += [wrapped(str(finding), width) for finding in self.findings]
        return "\n".join([*parts, str(self.signature)])

    __str__ = __repr__ = to_text

    def _beats_next(self, place: int) -> str:
        """Return the chance to beat the system below, where the two can be compared."""
        if place + 1 == len(self.rows) or self.fit.apart[self._place(self.rows[place + 1].system)]:
            return ""
        here, below = (self._place(row.system) for row in self.rows[place : place + 2])
        chances = self.model.probability(self.fit, here, below)
        if chances is None:
            return ""
        return f"{chances[0]:.2f}/{chances[1]:.2f}" if self._ties_happen else f"{chances[0]:.2f}"

    @property
    def _ties_happen(self) -> bool:
        """Does the model know ties? Then the better one may win less than half of the time."""
        chances = self.model.probability(self.fit, 0, 1)
        return chances is not None and chances[1] > 0

    def _interval(self, row: Row) -> str:
        low = "open" if row.low is None else self.shown(row.low)
        high = "open" if row.high is None else self.shown(row.high)
        return f"{low} … {high}"

    def shown(self, value: float) -> str:
        """Return a score as text, with the digits that tell the systems apart."""
        text = f"{value:.{self._digits}f}"
        return text.removeprefix("-") if float(text) == 0 else text

    @property
    def _digits(self) -> int:
        if self.plan.scale is not None:
            return _DIGITS[self.plan.scale]
        scores = [row.score for row in self.rows]
        spread = (max(scores) - min(scores)) or abs(scores[0]) or 1.0
        return min(max(_OWN_DIGITS - 1 - floor(log10(spread)), 0), 12)

    @property
    def separation(self) -> str | None:
        """Which ranks cannot be told apart, in one sentence; None without intervals."""
        if self.draws is None:
            return None
        count = len(self.clusters)
        joined = [group for group in self.clusters if len(group) > 1]
        if not joined:
            return f"{count} clusters: every rank is separated from the next."
        place = {row.system: number for number, row in enumerate(self.rows, start=1)}
        shown = [f"{place[group[0]]}–{place[group[-1]]}" for group in joined[:4]]
        rest = f" and {len(joined) - 4} more groups" if len(joined) > 4 else ""
        counted = f"{count} cluster{'s' if count > 1 else ''}"
        return f"{counted}; ranks {', '.join(shown)}{rest} cannot be fully told apart."

    def _name(self, system: str) -> str:
        if system in self._places:
            return system
        raise BetterthanError(f"no system {system!r} on this leaderboard. {nearest(system, self.fit.systems)}")

    def _place(self, system: str) -> int:
        return self._places[self._name(system)]

    def can_place(self, system: str) -> bool:
        """Can the model compare this system with the others?"""
        return not self.fit.apart[self._place(system)]


def document(
    boards: Sequence[Leaderboard], disagreement: Sequence[Disagreement], signature: Signature | None
) -> dict[str, Any]:
    """Return boards as one JSON object; with a signature all of them are of the same evidence."""
    findings = {json.dumps(finding.to_dict()): finding for board in boards for finding in board.findings}
    return {
        "betterthan": __version__,
        "signature": str(signature) if signature else None,
        "evidence": boards[0].evidence.to_dict() if signature else None,
        "leaderboards": [_board(board) for board in boards],
        "disagreement": [each.to_dict() for each in disagreement],
        "findings": [finding.to_dict() for finding in findings.values()],
    }


def _board(board: Leaderboard) -> dict[str, Any]:
    fit = board.fit
    parameters: Mapping[str, float] = fit.parameters
    return {
        "title": board.title or None,
        "model": board.model.name,
        "score": board.model.score if board.plan.scale is None else board.plan.scale,
        "options": {option.name: getattr(board.model, option.name) for option in fields(board.model)},  # type: ignore[arg-type]
        "settings": {name: value for name, value in board.plan.__dict__.items() if name != "model"},
        "fit": {
            "converged": fit.converged,
            "iterations": fit.iterations,
            "log_likelihood": fit.log_likelihood,
            "parameters": dict(parameters),
        },
        "signature": str(board.signature),
        "evidence": board.evidence.to_dict(),
        "rows": [row.to_dict() for row in board.rows],
    }


def ranges(row: Row) -> str:
    """Return a row's range of ranks as text."""
    if row.rank_low is None or row.rank_high is None:
        return ""
    return str(row.rank_low) if row.rank_low == row.rank_high else f"{row.rank_low}–{row.rank_high}"


def _amount(value: float) -> str:
    return f"{value:,.0f}" if float(value).is_integer() or value >= 1000 else f"{value:,.1f}"


def _frame(module: str, extra: str, purpose: str) -> Any:
    from importlib import import_module  # noqa: PLC0415

    try:
        return import_module(module)
    except ImportError:
        raise MissingExtraError(module, extra, purpose) from None
