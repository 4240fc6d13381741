"""Prediction: how well models predict held-out judgments, by number and kind of training judgments."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal

import numpy as np

from betterthan.base import FloatArray, IntArray, PlanError, parallel, registry
from betterthan.inference import Estimate, share_of
from betterthan.models import Fit, InOrder, Model, TrueSkill, build_model
from betterthan.present import Column, Picture, Table, pictures
from betterthan.verbs.collect import trueskill_elicitation
from betterthan.verbs.select import (
    corrected_intervals,
    divisible_evidence,
    prediction_scores,
    tuned_predictions,
    unit_splits,
)
from betterthan.verbs.study.agreement import ACCURACY_MARGIN, Expected, about_zero, above, below, near
from betterthan.verbs.study.experiments.base import (
    EFFICIENT_ELICITATION,
    Claim,
    Columns,
    Found,
    Means,
    Work,
    numbers,
    pair_models_named,
    register_study,
)
from betterthan.verbs.study.held_out import ANY, RADII, HeldOutJudgments, check_settings, ratio_of, tuned
from betterthan.verbs.study.model_runs import OWN

_RESEARCHERS = "researcher*"
_WINS, _ABILITY = "expected-wins", "hopkins-may"
_SIZES = (400, 800, 1600, 3200, 6400)
#: Table 2 of the paper.
_PRINTED = {
    (ANY, _WINS): (0.465, 0.471, 0.479, 0.486, 0.487),
    (ANY, _ABILITY): (0.471, 0.475, 0.477, 0.489, 0.490),
    (ANY, OWN): (0.479, 0.483, 0.493, 0.493, 0.495),
    (_RESEARCHERS, _WINS): (0.460, 0.475, 0.481, 0.492, 0.495),
    (_RESEARCHERS, _ABILITY): (0.463, 0.473, 0.482, 0.494, 0.496),
    (_RESEARCHERS, OWN): (0.484, 0.488, 0.493, 0.497, 0.497),
}
_BOUND = 0.525
_CAUSE = "The paper averages ten language pairs; here it is the evidence given."
_TOO_SURE = (
    "With the β that the paper prints, TrueSkill's means are so far apart for their variances that its chances are too "
    "extreme. With the β of its code (beta=0.05) they are less so."
)
_SATURATED = 3200
#: Perplexities that differ by less are comparable: less than 4 % of three equally likely outcomes.
_COMPARABLE = 0.1
_ACCURACY, _PERPLEXITY, _RADIUS, _PERPLEXITY_RADIUS = range(4)


@register_study
@dataclass(frozen=True, kw_only=True)
class Prediction:
    """Accuracy and perplexity of models on held-out judgments, after training on more and more others.

    `models` learn from judgments drawn at random without replacement; with `own=yes` TrueSkill also learns from pairs
    it chooses itself, whose judgments are drawn with replacement. `train_by` names kinds of judges to train on and
    `test_by` those to test on, by patterns of their names. In every run other units are held out: `dev` judgments
    choose the decision radius among `radii`, once for accuracy and once for perplexity, and `test` judgments measure.
    `beta`, in units of n·σ², is that of TrueSkill on its own pairs: the paper prints .025, and its code has .05.
    """

    models: str = "expected-wins|hopkins-may|trueskill(preset=wmt)"
    own: Literal["yes", "no"] = "yes"
    sizes: str = "400|800|1600|3200|6400"
    train_by: str = "*|researcher*"
    test_by: str = "researcher*"
    dev: int = 2000
    test: int = 2000
    runs: int = 20
    radii: str = RADII
    beta: float = trueskill_elicitation.BETA

    name: ClassVar[str] = "prediction"
    about: ClassVar[str] = "Which model foresees held-out judgments best, by how many and whose it learnt from."
    paper: ClassVar[str] = EFFICIENT_ELICITATION
    place: ClassVar[str] = "Section 4.1, Table 2, Figures 3 and 4"
    takes: ClassVar[str] = "any evidence"
    needs: ClassVar[bool] = False
    bundled: ClassVar[str] = "arena.csv.gz"
    means: ClassVar[Means | None] = Means(
        ("train_by", "size", "model"),
        (("accuracy", "low", "high"), ("perplexity", "perplexity_low", "perplexity_high")),
    )
    quick: ClassVar[dict[str, Any]] = {
        "sizes": "100|400",
        "train_by": "*",
        "test_by": "*",
        "dev": 200,
        "test": 200,
        "runs": 3,
    }

    def __post_init__(self) -> None:
        pair_models_named(self.models)
        registry.one_of("own", self.own, "yes", "no")
        registry.number("beta", self.beta, least=1e-6, most=1e6)
        numbers("sizes", self.sizes, least=1, most=10_000_000)
        check_settings(self)
        if not all(self.kinds) or len(set(self.kinds)) < len(self.kinds):
            raise ValueError(
                f"train_by must name kinds of judges with | between them, each once, got {self.train_by!r}"
            )

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of judges to train on."""
        return tuple(part.strip() for part in self.train_by.split("|"))

    @property
    def series(self) -> tuple[str, ...]:
        """The models, and TrueSkill on its own pairs."""
        return (*pair_models_named(self.models), *((OWN,) if self.own == "yes" else ()))

    @property
    def settings(self) -> list[tuple[str, int, str]]:
        """Kind of judges, number of judgments, and model."""
        sizes = numbers("sizes", self.sizes, least=1, most=10_000_000)
        return [(kind, int(size), one) for kind in self.kinds for size in sizes for one in self.series]

    def run(self, work: Work) -> Found:
        """Train, tune and test on every split."""
        judged = HeldOutJudgments.of(work.only(), *self.kinds, self.test_by)
        splits = judged.deal(self.test_by, self.dev, self.test, self.runs, work.options.seed)
        training = _Training(self, judged, work.options.seed)
        training.check(splits)
        parts = work.parts.each(training, list(enumerate(splits)))
        found, bounds = np.array([part[:-1] for part in parts]), np.array([part[-1][0] for part in parts])
        return _Results(self, found, bounds, ratio_of(judged, splits), work.options.level).found()

    def picture(self, columns: Columns, title: str) -> Picture:
        """Draw accuracy against training size, a panel for every kind of judges."""
        return pictures.panels.draw(
            panel=[f"judgments to train on, judges {kind}" for kind in columns["train_by"]],
            x=columns["size"],
            series=columns["model"],
            value=columns["accuracy"],
            low=columns["low"],
            high=columns["high"],
            name="accuracy",
            title=title,
        )


@dataclass(frozen=True)
class _Training:
    """Trains all models on one split: `_Training(...)((run, split))` is one piece of work."""

    study: Prediction
    judged: HeldOutJudgments
    seed: int

    def check(self, splits: Sequence[unit_splits.Split]) -> None:
        """Refuse at once where too little is left to train on."""
        most = max(size for _, size, _ in self.study.settings)
        for kind in self.study.kinds:
            least = min(len(self.judged.rows(split.train, kind)) for split in splits)
            if least < (most if self.study.series != (OWN,) else 1):
                raise PlanError(
                    f"sizes ask for {most:,} judgments of judges {kind} to train on, and {least:,} are left",
                    remedy="Use smaller sizes, or hold fewer judgments out with dev and test.",
                )

    def __call__(self, task: tuple[int, unit_splits.Split]) -> list[list[float | None]]:
        """Return accuracy, perplexity and the radius of each for every setting, and then the upper bound."""
        run, split = task
        pieces = self.judged.pieces
        held_out = self.judged.counts(split.dev), self.judged.counts(split.test)
        radii = numbers("radii", self.study.radii, least=0, most=1000, whole=False)
        found: list[list[float | None]] = []
        with parallel.one_blas_thread():
            for place, (kind, size, name) in enumerate(self.study.settings):
                # All models of a kind and size see the same judgments.
                rng = np.random.default_rng([self.seed, run, place // len(self.study.series)])
                rows = rng.permutation(self.judged.rows(split.train, kind))
                model, fit = self._own(rows, size, rng) if name == OWN else self._fitted(name, rows[:size])
                best = tuned(model, fit, pieces.pairs, radii, held_out)
                found.append([best.accuracy, best.perplexity, best.accuracy_radius, best.perplexity_radius])
        bound = float(np.sum(held_out[1] * prediction_scores.most_probable(held_out[1])) / held_out[1].sum())
        return [*found, [bound]]

    def _fitted(self, name: str, rows: IntArray) -> tuple[Model, Fit]:
        """Fit a model to judgments in the order in which they were drawn."""
        model: Any = build_model(name)
        if isinstance(model, InOrder) and model.order != "average":
            model = replace(model, shuffles=2)  # type: ignore[type-var]  # more of them only report on the order
        fit = model.fit(self.judged.pieces.statistic(model, divisible_evidence.EvidencePart(rows, np.ones(len(rows)))))
        return model, tuned_predictions.for_all(fit, self.judged.pieces.systems)

    def _own(self, rows: IntArray, size: int, rng: np.random.Generator) -> tuple[Model, Fit]:
        """Let TrueSkill choose its judgments among all that are left for training."""
        pieces, model = self.judged.pieces, TrueSkill(preset="wmt")
        world = trueskill_elicitation.Outcomes.of(
            len(pieces.systems), *pieces.pairs, pieces.counts(divisible_evidence.EvidencePart(rows, np.ones(len(rows))))
        )
        beliefs = trueskill_elicitation.elicit(world, size, 1, rng, beta=self.study.beta)
        fit = Fit.plain(pieces.systems, beliefs.mean[0], spread=np.sqrt(beliefs.variance[0]))
        return model, replace(fit, parameters=model.settings(size)._asdict())


@dataclass(frozen=True)
class _Results:
    """Results (runs × settings × numbers), and the upper bound of every run."""

    study: Prediction
    numbers: Any  # None, where a model needs no radius
    bounds: FloatArray
    ratio: float
    level: float

    def found(self) -> Found:
        """Sum up over runs."""
        settings = self.study.settings
        accuracy = [self._mean(each, _ACCURACY, (0.0, 1.0)) for each in settings]
        perplexity = [self._mean(each, _PERPLEXITY, (1.0, np.inf)) for each in settings]
        bound = corrected_intervals.estimate(self.bounds, self.ratio, self.level, (0.0, 1.0))
        columns: dict[str, list[Any]] = {
            "train_by": [kind for kind, _, _ in settings],
            "size": [size for _, size, _ in settings],
            "model": [name for _, _, name in settings],
            "accuracy": [each.value for each in accuracy],
            "low": [each.low for each in accuracy],
            "high": [each.high for each in accuracy],
            "printed": [_printed(*each) for each in settings],
            "radius": [self._median(each, _RADIUS) for each in settings],
            "perplexity": [each.value for each in perplexity],
            "perplexity_low": [each.low for each in perplexity],
            "perplexity_high": [each.high for each in perplexity],
            "perplexity_radius": [self._median(each, _PERPLEXITY_RADIUS) for each in settings],
            "upper_bound": [bound.value] * len(settings),
        }
        claims = [*self._compared(), *self._radii(), self._claim("Upper bound of accuracy", _BOUND, bound)]
        claims += [
            self._claim(f"Accuracy of {name} with {size:,} judgments of judges {kind}", printed, ours)
            for (kind, size, name), ours in zip(settings, accuracy, strict=True)
            if size in {_SIZES[0], _SIZES[-1]} and (printed := _printed(kind, size, name)) is not None
        ]
        return Found(columns, tuple(claims), self._summary())

    def _compared(self) -> list[Claim]:
        """Compare models at the smallest and at the largest size, and kinds of judges at the largest."""
        sizes = [size for _, size, _ in self.study.settings]
        least, most, kinds, series = min(sizes), max(sizes), self.study.kinds, self.study.series
        found = []
        if OWN in series:
            found += [
                self._apart(
                    f"With {least:,} judgments of judges {kinds[0]}, TrueSkill is ahead: own pairs − {other}",
                    (kinds[0], least, OWN),
                    (kinds[0], least, other),
                    "above 0",
                    above(0),
                )
                for other in (_WINS, _ABILITY)
                if other in series
            ]
            if _SATURATED in sizes and most > _SATURATED:
                found.append(
                    self._apart(
                        f"TrueSkill is saturated at {_SATURATED:,} judgments: {most:,} − {_SATURATED:,}",
                        (kinds[0], most, OWN),
                        (kinds[0], _SATURATED, OWN),
                        "about 0",
                        about_zero(ACCURACY_MARGIN),
                    )
                )
        if {ANY, _RESEARCHERS} <= set(kinds):
            found += [
                self._apart(
                    f"With {most:,} judgments, researchers alone teach {name} more: {_RESEARCHERS} − {ANY}",
                    (_RESEARCHERS, most, name),
                    (ANY, most, name),
                    "above 0",
                    above(0),
                )
                for name in series
            ]
        if {OWN, _ABILITY} <= set(series):
            expected = {ANY: ("comparable", about_zero(_COMPARABLE)), _RESEARCHERS: ("below 0", below(0))}
            found += [
                self._apart(
                    f"Perplexity with {most:,} judgments of judges {kind}: {_ABILITY} − TrueSkill's own pairs",
                    (kind, most, _ABILITY),
                    (kind, most, OWN),
                    *expected[kind],
                    _PERPLEXITY,
                )
                for kind in kinds
                if kind in expected
            ]
        return found

    def _apart(  # noqa: PLR0917 (a statement, what it compares, and when it holds)
        self,
        what: str,
        one: tuple[str, int, str],
        two: tuple[str, int, str],
        paper: str,
        expected: Expected,
        measured: int = _ACCURACY,
    ) -> Claim:
        gap, _ = corrected_intervals.difference(
            self._of(one, measured), self._of(two, measured), self.ratio, self.level
        )
        ends = (_printed(*one), _printed(*two)) if measured == _ACCURACY else (None, None)
        printed = None if None in ends else round(ends[0] - ends[1], 3)  # type: ignore[operator]
        cause = _CAUSE if measured == _ACCURACY else f"{_CAUSE} {_TOO_SURE}"
        expected = expected if printed is None else replace(expected, printed=printed)
        return Claim.of(what, paper, gap, expected, cause)

    def _radii(self) -> list[Claim]:
        """Return how often the radii are those that the paper reports."""
        cut = [each for each in self.study.settings if self._median(each, _PERPLEXITY_RADIUS) is not None]
        if not cut:
            return []
        sure, right = (
            [float(radius) for each in cut for radius in self._of(each, which)]
            for which in (_PERPLEXITY_RADIUS, _RADIUS)
        )
        cause = (
            "The paper prints the tied part of the normal distribution as that from 0 to r. Here it is from −r to r, "
            "so that no order of two systems matters, and half as large a radius makes as many ties."
        )
        found = []
        for what, radii, paper, typical in (
            ("Radii tuned by perplexity are .3 or .5", sure, "typically", lambda r: r in {0.3, 0.5}),
            ("Radii tuned by accuracy are .001, .01 or .1", right, "always", lambda r: r <= 0.1),
        ):
            share = share_of([typical(radius) for radius in radii], self.level)
            expected = above(0.5) if paper == "typically" else Expected(low=0.95)
            found.append(Claim.of(f"{what}: share of runs", paper, share, expected, cause))
        return found

    def _claim(self, what: str, printed: float, ours: Estimate) -> Claim:
        return Claim.of(what, f"{printed:.3f}", ours, near(printed, ACCURACY_MARGIN), _CAUSE)

    def _summary(self) -> Table:
        columns = [Column("judges", "left"), Column("judgments"), *(Column(name) for name in self.study.series)]
        sizes = list(dict.fromkeys((kind, size) for kind, size, _ in self.study.settings))
        rows = [
            [kind, f"{size:,}", *(self._shown((kind, size, name)) for name in self.study.series)]
            for kind, size in sizes
        ]
        rules = [place for place in range(1, len(sizes)) if sizes[place][0] != sizes[place - 1][0]]
        return Table(columns, rows, frozenset(rules), title="Accuracy and perplexity on held-out judgments")

    def _shown(self, setting: tuple[str, int, str]) -> str:
        accuracy, perplexity = (float(np.mean(self._of(setting, which))) for which in (_ACCURACY, _PERPLEXITY))
        return f"{accuracy:.3f} / {perplexity:.2f}"

    def _mean(self, setting: tuple[str, int, str], which: int, within: tuple[float, float]) -> Estimate:
        return corrected_intervals.estimate(self._of(setting, which), self.ratio, self.level, within)

    def _median(self, setting: tuple[str, int, str], which: int) -> float | None:
        values = self.numbers[:, self.study.settings.index(setting), which]
        return None if None in values else float(np.median(values.astype(float)))

    def _of(self, setting: tuple[str, int, str], which: int) -> FloatArray:
        values: FloatArray = self.numbers[:, self.study.settings.index(setting), which].astype(float)
        return values


def _printed(kind: str, size: int, name: str) -> float | None:
    """Return the paper's figure, None for other settings."""
    if size not in _SIZES or (kind, name) not in _PRINTED:
        return None
    return _PRINTED[kind, name][_SIZES.index(size)]
