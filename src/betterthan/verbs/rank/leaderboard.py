"""One leaderboard, with its findings and signature."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property
from itertools import groupby
from math import floor, log10
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

import numpy as np

from betterthan.base import BetterthanError, IntArray, nearest, need_text, spelling
from betterthan.datasets import EvidenceSummary, direction_of
from betterthan.findings import counted
from betterthan.models import Fit, Model
from betterthan.options import FAMILY_WISE, REPEATED, Settings
from betterthan.present import Table, digits, wrapped
from betterthan.results import Result
from betterthan.uncertainty import Decisions, Draws, ranks_and_clusters, scales
from betterthan.verbs.rank.board_columns import FRAME, TEXT, BoardRow, columns_for
from betterthan.verbs.rank.board_verdict import FirstRank, verdict

if TYPE_CHECKING:
    from betterthan.verbs.rank.board_control import Control
    from betterthan.verbs.rank.board_frontier import Frontier
    from betterthan.verbs.rank.board_plots import BoardPlots
    from betterthan.verbs.rank.corrected_system import CorrectedSystem

_DIGITS = {"worth": 4, "log": 3, "elo": 0, "winrate": 3, "expected": 3}
#: Digits of a score of a model's own, beyond the first that its spread needs.
_OWN_DIGITS = 3


#: A row of a board as JSON has it: the fields of `Row`, and columns of other packages.
Record = Annotated[dict[str, Any], BoardRow]


@dataclass(frozen=True)
class FitFacts:
    """How the strengths were computed."""

    converged: bool
    iterations: int
    log_likelihood: float | None
    parameters: dict[str, float]


@dataclass(frozen=True, kw_only=True, repr=False, eq=False)
class Leaderboard(Result):
    """A leaderboard: systems in order, with intervals, rank ranges and clusters.

    >>> import betterthan as bt
    >>> board = bt.rank([("owl", "yak", "a")] * 6 + [("owl", "yak", "b")] * 4).board
    >>> board["owl"].rank, round(board.probability("owl", "yak")[0], 6)
    (1, 0.6)
    """

    verb: ClassVar[str] = "rank"
    schema: ClassVar[str] = "leaderboard/2"
    holds = (
        ("title", "name"),
        "verdict",
        "first",
        ("model", "model_name"),
        ("score", "score_name"),
        ("options", "model_options"),
        "settings",
        ("fit", "fit_facts"),
        ("signature", "line"),
        "evidence",
        ("rows", "records"),
        "control",
        "correction",
        "frontier",
        "findings",
    )

    settings: Settings
    rows: tuple[BoardRow, ...]
    evidence: EvidenceSummary
    model: Model
    fit: Fit
    draws: Draws | None
    decisions: Decisions | None = None  # about all pairs, in the order of the fit
    title: str = ""
    named: tuple[str, str] = ("", "")  # data set and metric, where the title names them
    scope: str = ""  # what rank ranges hold for: the units that are a sample of others
    profiles: Mapping[str, Any] = field(default_factory=dict)  # what is published about systems
    corrections: Any = None  # what people's labels change, in the order of the rows, see `correction`
    controlled: Any = None  # what is controlled for, see `control`
    priced: Any = None  # scores against costs, see `frontier`

    @property
    def correction(self) -> "tuple[CorrectedSystem, ...] | None":
        """What people's labels change for every system, in the order of the rows; None without any."""
        found: tuple[CorrectedSystem, ...] | None = self.corrections
        return found

    @property
    def control(self) -> "Control | None":
        """What is controlled for: effects with intervals, and the board without control; None without any."""
        found: Control | None = self.controlled
        return found

    @property
    def frontier(self) -> "Frontier | None":
        """Scores against costs: which systems no cheaper one matches; None without costs."""
        found: Frontier | None = self.priced
        return found

    @property
    def mechanism(self) -> str:
        """The model with its options, as it was requested."""
        return self.settings.model

    @property
    def about(self) -> Mapping[str, str]:
        """The part of the signature about the evidence."""
        return {**self.evidence.facts(), "direction": direction_of([self.evidence.lower_is_better]) or ""}

    def __iter__(self) -> Iterator[BoardRow]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, system: str) -> BoardRow:
        return self._by_name[self._name(system)]

    @cached_property
    def _by_name(self) -> dict[str, BoardRow]:
        return {row.system: row for row in self.rows}

    @cached_property
    def _places(self) -> dict[str, int]:
        return {system: place for place, system in enumerate(self.fit.systems)}

    @cached_property
    def first(self) -> FirstRank | None:
        """The system that ranks first, and whether that is shown; None where several share the first rank."""
        together = [row for row in self.rows if row.rank == 1]
        if len(together) != 1:
            return None
        row = together[0]
        joint = self.settings.clusters == FAMILY_WISE and self.settings.ci not in REPEATED
        if self.decisions is None or not joint:
            return FirstRank(row.system, None, row.rank_high == 1)
        p = self.decisions.p_first(self._places[row.system])
        return FirstRank(row.system, p, p <= 1 - self.settings.level)

    def corrected(self, system: str) -> "CorrectedSystem | None":
        """Return what people's labels change for a system, None on other leaderboards.

        Parameters
        ----------
        system : str
            Name of the system.

        Returns
        -------
        CorrectedSystem or None
            Its labels, and its means by the labels and by the judge alone.
        """
        return next((each for each in self.correction or () if each.system == self._name(system)), None)

    @property
    def is_open(self) -> bool:
        """Whether most bootstrap samples do not determine every strength, so that rank ranges say nothing."""
        return self.draws is not None and 2 * self.draws.degenerate > len(self.draws.strength)

    def may_be_best(self, row: BoardRow) -> bool | None:
        """Whether the evidence leaves open that a system is the best of all; None without intervals.

        Parameters
        ----------
        row : BoardRow
            A row of this leaderboard.

        Returns
        -------
        bool or None
            Whether the system may be the best.
        """
        if row.rank_low is None:
            return None
        if self.first is not None and self.first.shown:
            return row.system == self.first.system
        return row.rank_low == 1 and not bool(self.fit.apart[self._places[row.system]])

    @property
    def plot(self) -> "BoardPlots":
        """Pictures: `plot.leaderboard()`, `plot.ranks()`."""
        from betterthan.verbs.rank.board_plots import BoardPlots  # noqa: PLC0415 (most boards are not drawn)

        return BoardPlots(self)

    def probability(self, a: str, b: str) -> tuple[float, float, float]:
        """Return the model's chances that `a` beats, ties with and loses to `b` in one judgment.

        Where ties counted as half a win for each side, the model knows no ties: see `expected_score`.

        Parameters
        ----------
        a : str
            First system.
        b : str
            Second system.

        Returns
        -------
        tuple of float
            Probabilities of a win, a tie and a loss of `a`.
        """
        chances = self._chances(a, b)
        if self.ties_halved:
            raise BetterthanError(
                f"ties count as half a win here, so the model has an expected score ({chances[0]:.3f}) and no chances",
                remedy=f"Use expected_score(), or rank with {spelling.option('ties', 'davidson')} for the "
                "chance of a tie.",
            )
        return chances

    def expected_score(self, a: str, b: str) -> float:
        """Return the expected score of `a` against `b` in one judgment: the chance of a win, plus half a tie.

        Parameters
        ----------
        a : str
            First system.
        b : str
            Second system.

        Returns
        -------
        float
            The expected score, from 0 to 1.
        """
        win, tie, _ = self._chances(a, b)
        return win + tie / 2

    def _chances(self, a: str, b: str) -> tuple[float, float, float]:
        unknown = [system for system in (a, b) if self[system].score is None]
        if unknown:
            raise BetterthanError(
                f"the evidence does not place {' and '.join(map(repr, unknown))}, so there is no chance of winning",
                remedy="Collect more comparisons: a system must have won, lost and met the others.",
            )
        chances = self.model.probability(self.fit, self._place(a), self._place(b))
        if chances is None:
            raise BetterthanError(
                f"{self.model.name} has no probability of winning",
                remedy="Rank with a model that has one, such as bradley-terry or davidson.",
            )
        return chances

    def confidence(self, a: str, b: str) -> float:
        """Return the confidence that `a` is better than `b`: the share of draws.

        Parameters
        ----------
        a : str
            First system.
        b : str
            Second system.

        Returns
        -------
        float
            The share of bootstrap samples in which `a` is better.
        """
        if self.draws is None:
            raise BetterthanError(
                f"this leaderboard has no draws ({spelling.option('ci', 'none')})",
                remedy=f"Rank again with {spelling.option('ci', 'bootstrap')} or {spelling.option('ci', 'analytic')}.",
            )
        return self.draws.better(self._place(a), self._place(b))

    @cached_property
    def clusters(self) -> tuple[tuple[str, ...], ...]:
        """Clusters, best first: all rank ranges of one lie above all rank ranges of the next."""
        placed = sorted(
            (row.cluster, place, row.system) for place, row in enumerate(self.rows) if row.cluster is not None
        )
        return tuple(
            tuple(system for _, _, system in together) for _, together in groupby(placed, key=lambda each: each[0])
        )

    @property
    def line(self) -> str:
        """The signature as text."""
        return str(self.signature)

    @property
    def name(self) -> str | None:
        """Metric and data set, None where there is only one."""
        return self.title or None

    @property
    def model_name(self) -> str:
        """The model, without its options."""
        return self.model.name

    @property
    def model_options(self) -> dict[str, Any]:
        """The model's options."""
        return {option.name: getattr(self.model, option.name) for option in fields(self.model)}  # type: ignore[arg-type]

    @property
    def fit_facts(self) -> FitFacts:
        """How the strengths were found."""
        fit = self.fit
        return FitFacts(fit.converged, fit.iterations, fit.log_likelihood, dict(fit.parameters))

    @property
    def score_name(self) -> str:
        """The name of the score; a win probability fitted to ties as half wins is an expected score."""
        if self.settings.scale is None:
            return self.model.score
        halved = self.evidence.ties > 0 and not self.ties_happen and self.model.ties != "drop"
        return "expected" if self.settings.scale == "winrate" and halved else self.settings.scale

    @property
    def score_title(self) -> str:
        """The title of the score."""
        return scales.TITLES.get(self.score_name, self.score_name)

    @property
    def records(self) -> list[Record]:
        """The rows as plain JSON values, with the columns of other packages."""
        columns = columns_for(self, FRAME)
        return [{column.name: column.value(self, row) for column in columns} for row in self.rows]

    def columns(self) -> dict[str, list[Any]]:
        """Return the rows as columns, in the order of the JSON."""
        return {column.name: [column.value(self, row) for row in self.rows] for column in columns_for(self, FRAME)}

    def tables(self) -> list[Table]:
        """Return the board, what it controls for, and the frontier of costs."""
        return [self.table(), *self._effects, *([] if self.frontier is None else [self.frontier.table()])]

    @property
    def _changed(self) -> list[str]:
        """Who ranks first without control, where that is another system."""
        return [self.control.sentence] if self.control is not None and self.control.sentence else []

    @property
    def _effects(self) -> list[Table]:
        """The effects of what is controlled for, where there are any."""
        return [self.control.table(self.settings.level)] if self.control is not None and self.control.effects else []

    def table(self, title: str = "") -> Table:
        """Return the board as a finished table of text.

        Parameters
        ----------
        title : str, optional
            Title of the table.

        Returns
        -------
        Table
            The table.
        """
        columns = columns_for(self, TEXT)
        cells = [[column.cell(self, row) for column in columns] for row in self.rows]
        rules = frozenset(
            place
            for place, (above, row) in enumerate(zip(self.rows, self.rows[1:], strict=False), start=1)
            if row.cluster != above.cluster
        )
        return Table([column.heading(self) for column in columns], cells, rules, title)

    def body(self, width: int | None) -> list[str]:
        """Return evidence, table and clusters."""
        parts = [wrapped(str(self.evidence), width), "", self.table().to_text(width), ""]
        parts += [line for table in self._effects for line in (table.to_text(width), "")]
        parts += self._changed
        if self.fit.parameters and not self._effects:
            values = ", ".join(f"{name} {value:.4g}" for name, value in self.fit.parameters.items())
            parts.append(wrapped(f"{self.model.name}: {values}", width))
        if (sentence := self.separation) is not None:
            parts.append(wrapped(sentence, width))
        return parts if self.frontier is None else [*parts, *self.frontier.lines(width)]

    def details(self, width: int | None) -> list[str]:
        """Return the clusters, and how the strengths were computed."""
        lines = [f"Cluster {number}: {', '.join(names)}." for number, names in enumerate(self.clusters, start=1)]
        fit = self.fit_facts
        likelihood = "" if fit.log_likelihood is None else f", log-likelihood {fit.log_likelihood:.4f}"
        ended = "converged" if fit.converged else "did not converge"
        lines.append(f"{self.mechanism} {ended} after {counted(fit.iterations, 'step')}{likelihood}.")
        return [wrapped(line, width) for line in lines]

    @property
    def verdict(self) -> str:
        """A sentence on who ranks first, and whether that is significant."""
        sentence = verdict(self)
        return f"{self.title}: {sentence}" if self.title else sentence

    def notes(self) -> list[str]:
        """Return the verdict, the evidence, clusters, findings and signature."""
        clusters = [self.separation] if self.separation is not None else []
        priced = [] if self.frontier is None else self.frontier.sentences
        return [self.verdict, str(self.evidence), *self._changed, *clusters, *priced, *self.closing(None)]

    def beats_next(self, row: BoardRow) -> str:
        """Return the chance to beat the system below, where the two can be compared.

        Parameters
        ----------
        row : Row
            A row of this leaderboard.

        Returns
        -------
        str
            The probability as text, empty if there is none.
        """
        return self._beats_next.get(row.system, "")

    @cached_property
    def _beats_next(self) -> dict[str, str]:
        """The chances of every system against the one below, as text."""
        places = np.array([self._places[row.system] for row in self.rows])
        chances = self.model.chances(self.fit, places[:-1], places[1:])
        if chances is None:
            return {}
        return {
            row.system: f"{win:.2f}/{tie:.2f}" if self.ties_happen else f"{win:.2f}"
            for row, below, (win, tie, _) in zip(self.rows, self.rows[1:], chances.T.tolist(), strict=False)
            if row.score is not None and below.score is not None
        }

    @property
    def ties_halved(self) -> bool:
        """Did ties count as half a win for each side? Then chances are expected scores."""
        return self.settings.ties == "half" and self.evidence.ties > 0

    @property
    def has_chances(self) -> bool:
        """Whether the model predicts win probabilities."""
        return self._first_chances is not None

    @property
    def ties_happen(self) -> bool:
        """Whether the model predicts ties, so that the better system may win less than half of the time."""
        return self._first_chances is not None and self._first_chances[1] > 0

    @cached_property
    def _first_chances(self) -> tuple[float, float, float] | None:
        """The model's chances of the first two systems: which chances it predicts is the same for all."""
        return self.model.probability(self.fit, 0, 1)

    def shown(self, value: float | None) -> str:
        """Return a score as text, with the digits that its interval does not leave open.

        Parameters
        ----------
        value : float or None
            A score of this leaderboard.

        Returns
        -------
        str
            The rounded score.
        """
        if value is None:
            return "open"
        return f"{value:z.{self._digits}f}"

    @cached_property
    def _digits(self) -> int:
        if (places := digits.decimals((row.low, row.high) for row in self.rows)) is not None:
            return places
        if self.settings.scale is not None:
            return _DIGITS[self.settings.scale]
        scores = [row.score for row in self.rows if row.score is not None] or [0.0]
        spread = (max(scores) - min(scores)) or abs(scores[0]) or 1.0
        return min(max(_OWN_DIGITS - 1 - floor(log10(spread)), 0), 12)

    @property
    def separation(self) -> str | None:
        """How many clusters there are, and whose rank ranges overlap, in one sentence; None without intervals."""
        if self.draws is None:
            return None
        clusters = self.clusters
        count, joined = len(clusters), [group for group in clusters if len(group) > 1]
        number = f"{count} cluster{'s' if count > 1 else ''}"
        if not joined:
            return f"{number}: every rank is separated from the next ({self.promise})."
        place = {row.system: number for number, row in enumerate(self.rows, start=1)}
        shown = [f"{place[group[0]]}–{place[group[-1]]}" for group in joined[:4]]
        rest = f" and {len(joined) - 4} more groups" if len(joined) > 4 else ""
        return f"{number}: the rank ranges of {', '.join(shown)}{rest} overlap ({self.promise})."

    @property
    def promise(self) -> str:
        """The guarantee of rank ranges and clusters: their level, and the units that they hold for."""
        settings = self.settings
        level = f"{100 * settings.level:g} %"
        if settings.ci in REPEATED:
            what = "orders of" if settings.ci == "runs" else "draws from"
            return f"{level} of {settings.resamples} {what} the judgments"
        kind = "family-wise confidence" if settings.clusters == FAMILY_WISE else "confidence for each rank range alone"
        return f"{level} {kind}, {self.scope}"

    def can_place(self, system: str) -> bool:
        """Whether the model can compare this system with the others.

        Parameters
        ----------
        system : str
            Name of the system.

        Returns
        -------
        bool
            Whether it can be compared.
        """
        return not self.fit.apart[self._place(system)]

    def order_of(self, systems: Sequence[str]) -> IntArray:
        """Rank some systems among themselves, also those whose rank is not certain enough to be shown.

        Parameters
        ----------
        systems : list of str
            Names of the systems.

        Returns
        -------
        array of int
            Ranks among these systems, 1 for the best.
        """
        strength = self.fit.strength[[self._place(system) for system in systems]]
        return ranks_and_clusters.ranks_of(strength, np.zeros(len(strength), dtype=bool), self.fit.resolution)

    def _name(self, system: str) -> str:
        need_text(system, "the name of a system")
        if system in self._places:
            return system
        raise BetterthanError(f"no system {system!r} on this leaderboard. {nearest(system, self.fit.systems)}")

    def _place(self, system: str) -> int:
        return self._places[self._name(system)]
