"""Free-for-all: whether TrueSkill learns more from matches of several systems than from pairs."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import comb
from typing import Any, ClassVar

import numpy as np

from betterthan.base import FloatArray, IntArray, PlanError
from betterthan.datasets import Orders, RankedSet, RowWeights
from betterthan.evidence import Rankings
from betterthan.inference import Estimate
from betterthan.models import Fit, TrueSkill
from betterthan.present import Column, Picture, Table, pictures
from betterthan.verbs.select import corrected_intervals, unit_splits
from betterthan.verbs.study.agreement import ACCURACY_MARGIN, above, below, near
from betterthan.verbs.study.experiments.base import (
    EFFICIENT_ELICITATION,
    Claim,
    Columns,
    Found,
    Means,
    Work,
    numbers,
    register_study,
)
from betterthan.verbs.study.held_out import RADII, HeldOutJudgments, check_settings, ratio_of, tuned

_MATCHES, _PAIRS = "matches", "pairs"
_SIZES, _PLAYERS = (400, 800, 1600, 3200, 6400), (2, 3, 4, 5)
#: Tables 3 and 4 of the paper: a row per size, a column per number of players.
_PRINTED = {
    _MATCHES: (
        (0.479, 0.482, 0.491, 0.492),
        (0.483, 0.493, 0.495, 0.495),
        (0.493, 0.492, 0.497, 0.495),
        (0.493, 0.494, 0.498, 0.497),
        (0.495, 0.498, 0.498, 0.498),
    ),
    _PAIRS: (
        (0.479, 0.475, 0.470, 0.459),
        (0.483, 0.488, 0.476, 0.466),
        (0.493, 0.488, 0.481, 0.481),
        (0.493, 0.492, 0.487, 0.489),
        (0.495, 0.496, 0.494, 0.495),
    ),
}
_CAUSE = (
    "The paper averages ten language pairs, and its TrueSkill chooses its own matches; here matches are drawn at "
    "random, for every number of systems alike, from the evidence given."
)


@register_study
@dataclass(frozen=True, kw_only=True)
class FreeForAll:
    """Accuracy of TrueSkill, trained on matches of two and more systems, on held-out judgments.

    A match is a random set of `players` systems of a random ranking, drawn with replacement. `sizes` are numbers of
    matches, then numbers of pairs within the matches. In every run other rankings of judges `test_by` are held out:
    `dev` judgments to choose the decision radius among `radii`, `test` judgments to measure.
    """

    players: str = "2|3|4|5"
    sizes: str = "400|800|1600|3200|6400"
    runs: int = 50
    train_by: str = "*"
    test_by: str = "researcher*"
    dev: int = 2000
    test: int = 2000
    radii: str = RADII

    name: ClassVar[str] = "free-for-all"
    about: ClassVar[str] = "Whether TrueSkill learns more from matches of several systems than from pairs."
    paper: ClassVar[str] = EFFICIENT_ELICITATION
    place: ClassVar[str] = "Section 4.2, Tables 3 and 4"
    takes: ClassVar[str] = "rankings"
    needs: ClassVar[bool] = True
    bundled: ClassVar[str] = ""
    means: ClassVar[Means | None] = Means(("equal", "size", "players"), (("accuracy", "low", "high"),))
    quick: ClassVar[dict[str, Any]] = {
        "players": "2|3",
        "sizes": "100|400",
        "runs": 4,
        "test_by": "*",
        "dev": 200,
        "test": 200,
    }

    def __post_init__(self) -> None:
        numbers("players", self.players, least=2, most=50)
        numbers("sizes", self.sizes, least=1, most=1_000_000)
        check_settings(self)

    def run(self, work: Work) -> Found:
        """Train, tune and test on every split."""
        data = work.only()
        if not isinstance(data, RankedSet):
            raise PlanError(
                f"{self.name} is a study of rankings, and this evidence is {data.kind}",
                remedy="Give rankings of at least three systems each.",
            )
        judged = HeldOutJudgments.of(data, self.train_by, self.test_by)
        splits = judged.deal(self.test_by, self.dev, self.test, self.runs, work.options.seed)
        training = _Training(self, judged, data.rankings, work.options.seed)
        training.check(splits)
        found = np.array(work.parts.each(training, list(enumerate(splits))))
        return _Results(self, training.settings, found, ratio_of(judged, splits), work.options.level).found()

    def picture(self, columns: Columns, title: str) -> Picture:
        """Draw accuracies against sizes, by matches and by pairs."""
        return pictures.panels.draw(
            panel=[f"{equal} to train on" for equal in columns["equal"]],
            x=columns["size"],
            series=[f"{players} systems" for players in columns["players"]],
            value=columns["accuracy"],
            low=columns["low"],
            high=columns["high"],
            name="accuracy",
            title=title,
        )


@dataclass(frozen=True)
class _Training:
    """Trains on matches of one split: `_Training(...)((run, split))` is one piece of work."""

    study: FreeForAll
    judged: HeldOutJudgments
    rankings: Rankings
    seed: int

    @property
    def settings(self) -> list[tuple[str, int, int]]:
        """The equal quantity, the size, and the systems in a match."""
        sizes = numbers("sizes", self.study.sizes, least=1, most=1_000_000)
        players = numbers("players", self.study.players, least=2, most=50)
        return [(equal, int(size), int(many)) for equal in (_MATCHES, _PAIRS) for size in sizes for many in players]

    def check(self, splits: Sequence[unit_splits.Split]) -> None:
        """Refuse at once where no ranking to train on has that many systems."""
        most = max(many for _, _, many in self.settings)
        for split in splits:
            longest = int(self._sizes()[self._pool(split)].max(initial=0))
            if longest < most:
                raise PlanError(
                    f"matches of {most} systems need rankings of as many, and the longest to train on has {longest}",
                    remedy=f"Use fewer: '{self.study.name}(players=2|3)'.",
                )

    def __call__(self, task: tuple[int, unit_splits.Split]) -> list[list[float]]:
        """Return accuracy, perplexity and the radius of each for every setting."""
        run, split = task
        dev, test = self.judged.counts(split.dev), self.judged.counts(split.test)
        radii = numbers("radii", self.study.radii, least=0, most=1000, whole=False)
        pool, model = self._pool(split), TrueSkill(preset="wmt", players="all")
        found = []
        for equal, size, players in self.settings:
            number_of = size if equal == _MATCHES else max(1, round(size / comb(players, 2)))
            # The same matches where both numbers are the same: two systems are one pair.
            rng = np.random.default_rng([self.seed, run, number_of, players])
            orders = draw_matches(self.rankings, pool, number_of, players, rng)
            mean, spread = model.player(orders, 1)(None)
            fit = Fit.plain(self.rankings.systems, mean, spread=spread, parameters=model.parameters(orders))
            best = tuned(model, fit, self._pairs(), radii, (dev, test))
            found.append([best.accuracy, best.perplexity, best.accuracy_radius, best.perplexity_radius])
        return found  # type: ignore[return-value]  # TrueSkill's chances are cut at radii, so that there are some

    def _pairs(self) -> tuple[IntArray, IntArray]:
        first, second = self.judged.pieces.pairs
        code = {name: place for place, name in enumerate(self.rankings.systems)}
        place = np.array([code[name] for name in self.judged.pieces.systems])
        return place[first], place[second]

    def _pool(self, split: unit_splits.Split) -> IntArray:
        """Return the rankings to train on."""
        pieces = self.judged.pieces
        code = self.rankings.about["ranking"].codes
        there = np.isin(code, np.unique(pieces.whole_of[self.judged.rows(split.train, self.study.train_by)]))
        return np.flatnonzero(there)

    def _sizes(self) -> IntArray:
        return np.bincount(self.rankings.ranking, minlength=len(self.rankings.weight))


def draw_matches(rankings: Rankings, pool: IntArray, matches: int, players: int, rng: np.random.Generator) -> Orders:
    """Draw matches: a random set of systems of a random ranking of the pool that has enough."""
    order = np.argsort(rankings.ranking, kind="stable")
    size = np.bincount(rankings.ranking, minlength=len(rankings.weight))
    begin = np.concatenate([[0], np.cumsum(size)[:-1]])
    chosen = rng.choice(pool[size[pool] >= players], matches)
    # The first that many of a shuffled ranking; places beyond its end are last.
    turn = rng.random((matches, int(size[chosen].max())))
    turn[np.arange(turn.shape[1]) >= size[chosen][:, None]] = np.inf
    entry = order[(begin[chosen][:, None] + np.argsort(turn, axis=1)[:, :players]).ravel()]
    return Orders(
        rankings.systems,
        np.repeat(np.arange(matches), players),
        rankings.system[entry],
        rankings.rank[entry],
        rankings.weight[chosen],
        RowWeights.of(matches, {}),
    )


@dataclass(frozen=True)
class _Results:
    """Accuracies of all runs (runs × settings × numbers)."""

    study: FreeForAll
    settings: Sequence[tuple[str, int, int]]
    numbers: FloatArray
    ratio: float
    level: float

    def found(self) -> Found:
        """Sum up over runs."""
        accuracy = [
            corrected_intervals.estimate(self._of(each), self.ratio, self.level, (0.0, 1.0)) for each in self.settings
        ]
        perplexity = [
            corrected_intervals.estimate(values, self.ratio, self.level, (1.0, np.inf))
            for values in self.numbers[:, :, 1].T
        ]
        printed = [_printed(*each) for each in self.settings]
        columns = {
            "equal": [equal for equal, _, _ in self.settings],
            "size": [size for _, size, _ in self.settings],
            "players": [players for _, _, players in self.settings],
            "accuracy": [each.value for each in accuracy],
            "low": [each.low for each in accuracy],
            "high": [each.high for each in accuracy],
            "printed": printed,
            "radius": np.median(self.numbers[:, :, 2], axis=0).tolist(),
            "perplexity": [each.value for each in perplexity],
            "perplexity_radius": np.median(self.numbers[:, :, 3], axis=0).tolist(),
        }
        return Found(columns, self._claims(accuracy), self._summary(accuracy))

    def _claims(self, accuracy: Sequence[Estimate]) -> tuple[Claim, ...]:
        """Set the extremes of Tables 3 and 4 next to ours."""
        claims = []
        sizes, players = {size for _, size, _ in self.settings}, {many for _, _, many in self.settings}
        least, few, many = min(sizes), min(players), max(players)
        for equal, more in ((_MATCHES, True), (_PAIRS, False)):
            if few == many:
                break
            gap, _ = corrected_intervals.difference(
                self._of((equal, least, many)), self._of((equal, least, few)), self.ratio, self.level
            )
            ends = [_printed(equal, least, each) for each in (many, few)]
            printed = None if None in ends else round(ends[0] - ends[1], 3)  # type: ignore[operator]
            claims.append(
                Claim.of(
                    f"With {least:,} {equal}, {many} systems at once {'help' if more else 'hurt'}: {many} − {few}",
                    "above 0" if more else "below 0",
                    gap,
                    replace(above(0) if more else below(0), printed=printed),
                    _CAUSE,
                )
            )
        for (equal, size, many), ours in zip(self.settings, accuracy, strict=True):
            printed = _printed(equal, size, many)
            if printed is not None and size in {min(sizes), max(sizes)}:
                claims.append(
                    Claim.of(
                        f"Accuracy with {size:,} {equal} of {many} systems"
                        if equal == _MATCHES
                        else f"Accuracy with {size:,} pairs in matches of {many} systems",
                        f"{printed:.3f}",
                        ours,
                        near(printed, ACCURACY_MARGIN),
                        _CAUSE,
                    )
                )
        return tuple(claims)

    def _summary(self, accuracy: Sequence[Estimate]) -> Table:
        players = list(dict.fromkeys(each[2] for each in self.settings))
        shown = {each: f"{ours.known:.3f}" for each, ours in zip(self.settings, accuracy, strict=True)}
        sizes = list(dict.fromkeys(each[1] for each in self.settings))
        rows = [
            [equal, f"{size:,}", *(shown[equal, size, many] for many in players)]
            for equal in (_MATCHES, _PAIRS)
            for size in sizes
        ]
        columns = [Column("equal", "left"), Column("number"), *(Column(f"N = {many}") for many in players)]
        return Table(
            columns, rows, frozenset([len(sizes)]), title="Accuracy on held-out judgments, by systems in a match"
        )

    def _of(self, setting: tuple[str, int, int]) -> FloatArray:
        values: FloatArray = self.numbers[:, list(self.settings).index(setting), 0]
        return values


def _printed(equal: str, size: int, players: int) -> float | None:
    """Return the paper's figure, None for other settings."""
    if size not in _SIZES or players not in _PLAYERS:
        return None
    return _PRINTED[equal][_SIZES.index(size)][_PLAYERS.index(players)]
