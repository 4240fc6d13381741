"""Decision values: the effect of over-confident systems and rare large errors on scores and rankings."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any, ClassVar

import numpy as np

from betterthan.base import FloatArray, IntArray, parallel, registry
from betterthan.datasets import pair_samples
from betterthan.inference import Estimate, mean_of, share_of
from betterthan.models import BradleyTerry
from betterthan.present import Column, Picture, Table, pictures
from betterthan.verbs.rank import disagree
from betterthan.verbs.study.agreement import SHARE_MARGIN, Expected, above, below, near
from betterthan.verbs.study.decision_columns import AUTO
from betterthan.verbs.study.decision_data import (
    BT,
    Loaded,
    Predictions,
    Texts,
    average_precision,
    compared,
    expected_precision,
    load_predictions,
    load_texts,
    ranks_by_score,
    simulated,
)
from betterthan.verbs.study.experiments.base import (
    CONFIDENCE_AND_STABILITY,
    Claim,
    Columns,
    Found,
    Work,
    register_study,
)
from betterthan.verbs.study.redrawn_comparisons import Redraw
from betterthan.verbs.study.study_ranking import ranked

#: What the paper prints: the correlation of Bradley–Terry with accuracy for random responders, and ties of SST-5.
_RANDOM, _TIES, _ABOUT = -0.5, 2 / 3, 0.1
_RESPONDERS, _ANSWERS = 3, 1000
#: Random orders whose range is shown next to average precisions.
_ORDERS = 10_000
#: The smallest correlation that is called strong.
_STRONG = 0.8
_AS_THEY_ARE, _BINARISED, _PENALISED, _LENGTHENED = "as they are", "binarised", "penalised", "lengthened"
_BT_BINARISED = f"{BT}, binarised"


@dataclass(frozen=True)
class _Task:
    """Original systems, alone or next to altered ones, or random responders where nothing can be altered."""

    evidence: Predictions | Texts | None
    variant: str
    study: "DecisionValues"
    seed: int


@register_study
@dataclass(frozen=True, kw_only=True)
class DecisionValues:
    """Rankings by global scores and by Bradley–Terry, of original systems and of altered ones.

    Predictions have a column of `truth` (or `majority`: the label that most systems say), one of `labels`, and one of
    decision `values` per label (p1|p2|…), in the order of labels. By `auto` these are found by their names. Of two
    labels the value of the second one is enough, and labels follow from values if they have no column. Systems without
    any values are certain of what they say. A prediction wins where its decision value of the true label is higher.
    Altered systems are sure of all they say (binarised), or of what they say wrongly (penalised).
    Texts are the column `outputs`. References are a column or a file (`reference`), or the outputs of the system
    `expert`. Altered systems have `length` random letters and spaces appended to a `share` of their outputs.
    A good score puts originals above altered systems, which the average precision of originals measures. It is
    compared with that of a random order. Intervals are percentiles of `runs` bootstrap samples of the items, the same
    for all scores. Rankings of `runs` samples of 12·m·ln m comparisons per pair are in the table. Without evidence,
    `models` systems are simulated on `items` items.
    """

    truth: str = "truth"
    labels: str = "pred"
    values: str = AUTO
    outputs: str = ""
    reference: str = ""
    expert: str = ""
    share: float = 0.05
    length: int = 1000
    runs: int = 1000
    models: int = 9
    items: int = 2000

    name: ClassVar[str] = "decision-values"
    about: ClassVar[str] = (
        "What over-confident systems and rare large errors do to global scores and to pairwise rankings."
    )
    paper: ClassVar[str] = CONFIDENCE_AND_STABILITY
    place: ClassVar[str] = "Sections 5 and 6, Tables 2 to 7"
    takes: ClassVar[str] = "predictions, or texts with references"
    needs: ClassVar[bool] = False
    bundled: ClassVar[str] = ""
    means: ClassVar[None] = None
    quick: ClassVar[dict[str, Any]] = {"runs": 50, "items": 500}

    def __post_init__(self) -> None:
        registry.number("share", self.share, least=0, most=1, above=True)
        registry.number("length", self.length, least=1, most=1_000_000, whole=True)
        registry.number("runs", self.runs, least=2, most=100_000, whole=True)
        registry.number("models", self.models, least=3, most=500, whole=True)
        registry.number("items", self.items, least=10, most=1_000_000, whole=True)
        if self.reference and self.expert:
            raise ValueError("references are a column or the outputs of a system, got both reference and expert")

    def load(self, source: Any) -> Loaded:
        """Read predictions, or texts where a column of outputs is named."""
        if self.outputs:
            return load_texts(source, self.outputs, self.reference, self.expert)
        return load_predictions(source, self.truth, self.labels, self.values)

    def run(self, work: Work) -> Found:
        """Rank systems as they are, and next to altered ones."""
        seed, level = work.options.seed, work.options.level
        loaded: Loaded | None = work.loaded
        evidence = (
            simulated(self.models, self.items, np.random.default_rng(seed)) if loaded is None else loaded.evidence
        )
        variants = (_BINARISED, _PENALISED) if isinstance(evidence, Predictions) else (_LENGTHENED,)
        tasks = [_Task(evidence, variant, self, seed) for variant in (_AS_THEY_ARE, *variants)]
        plain, *altered, chance = work.parts.each(_done, [*tasks, _Task(None, "random", self, seed)])
        results = _Results(evidence, plain, dict(zip(variants, altered, strict=True)), chance, level)
        left = "" if loaded is None or not loaded.incomplete else f" ({loaded.incomplete:,} incomplete ones left out)"
        title = f"{len(evidence.systems)} systems on {evidence.items:,} items{left}: Spearman's correlation"
        return Found(results.columns(), results.claims(), results.summary(title))

    def picture(self, columns: Columns, title: str) -> Picture:
        """Draw how well every score separates originals from altered systems."""
        kept = [place for place, part in enumerate(columns["part"]) if part == "average precision"]
        return pictures.panels.draw(
            panel=["score"] * len(kept),
            x=[columns["a"][place] for place in kept],
            series=[columns["variant"][place] for place in kept],
            value=[columns["value"][place] for place in kept],
            low=[columns["low"][place] for place in kept],
            high=[columns["high"][place] for place in kept],
            name="average precision of originals",
            title=title,
        )


#: Ranks of all systems by every score: on all items, and on every bootstrap sample of them.
_Ranks = dict[str, list[IntArray]]


def _rankings(evidence: Predictions | Texts, runs: int, rng: np.random.Generator) -> _Ranks:
    """Rank systems by every score on all items, and on samples of items."""
    drawn = rng.multinomial(evidence.items, np.full(evidence.items, 1 / evidence.items), size=runs).T
    weights: FloatArray = np.concatenate([np.ones((evidence.items, 1)), drawn], axis=1)
    found = {name: [ranks_by_score(sample) for sample in scores.T] for name, scores in evidence.scores(weights).items()}
    found |= {name: _ranks_bt(close, weights, rng) for name, close in evidence.closeness().items()}
    return found


def _ranks_bt(closeness: FloatArray, weights: FloatArray, rng: np.random.Generator) -> list[IntArray]:
    """Rank by comparisons of pairs on samples of items; the first sample is of all items once."""
    counts, model = compared(closeness), BradleyTerry()
    apart = np.sign(closeness[:, counts.first] - closeness[:, counts.second])
    outcomes = np.stack([(apart == sign).T @ weights for sign in (1.0, 0.0, -1.0)])
    with parallel.one_blas_thread():
        fit = model.fit(counts)
        strengths, _ = model.refitter(fit, counts)(outcomes[..., 1:], rng)
    return [ranked(fit), *(ranked(fit, strength) for strength in strengths.T)]


def _tied(predictions: Predictions, drawn: Sequence[int] | None = None) -> float:
    right = predictions.of_truth() if drawn is None else predictions.of_truth()[drawn]
    pairs = combinations(range(right.shape[1]), 2)
    return float(np.mean([np.mean(right[:, one] == right[:, two]) for one, two in pairs]))


def _done(task: _Task) -> Any:
    """Return ranks, or average precisions of originals, on all items and on samples; or what random responders give."""
    evidence, runs = task.evidence, task.study.runs
    if evidence is None:
        return _responders(task)
    rng = np.random.default_rng([task.seed, 1])
    if task.variant == _AS_THEY_ARE:
        found: dict[str, Any] = {"ranks": _plain(_rankings(evidence, runs, rng))}
        if isinstance(evidence, Predictions):
            sure = evidence.binarised()
            # The same samples of items as above.
            again = _rankings(sure, runs, np.random.default_rng([task.seed, 1]))
            found["ranks"][_BT_BINARISED] = _plain(again)[BT]
            places = rng.integers(evidence.items, size=(runs, evidence.items))
            found["ties"] = [_tied(sure), *(_tied(sure, drawn) for drawn in places)]
        return found
    both = evidence.beside(_altered(evidence, task))  # type: ignore[arg-type]  # the same kind as the original
    size = len(both.systems)
    original = np.arange(size) < size // 2
    precision = {
        name: [average_precision(original, ranks) for ranks in samples]
        for name, samples in _rankings(both, runs, rng).items()
    }
    drawn = min(pair_samples.sample_size("12mlnm", size), evidence.items)
    sampled = {
        name: [average_precision(original, ranks) for ranks in _redrawn(close, drawn, runs, task.seed)]
        for name, close in both.closeness().items()
    }
    found = {"precision": precision, "sampled": sampled, "drawn": drawn}
    if isinstance(both, Predictions):
        f1 = both.scores()["f1"][:, 0]
        found["same f1"] = int(np.sum(np.abs(f1[original] - f1[~original]) <= 1e-12))
    return found


def _altered(evidence: Predictions | Texts, task: _Task) -> Predictions | Texts:
    if isinstance(evidence, Texts):
        return evidence.lengthened(task.study.share, task.study.length, np.random.default_rng([task.seed, 2]))
    return evidence.binarised() if task.variant == _BINARISED else evidence.penalised()


def _redrawn(closeness: FloatArray, drawn: int, runs: int, seed: int) -> list[IntArray]:
    counts = compared(closeness)
    with parallel.one_blas_thread():
        whole = ranked(BradleyTerry().fit(counts))
    return Redraw(counts, whole, drawn, runs, (seed, 3)).ranks()


def _plain(ranks: _Ranks) -> dict[str, list[list[int]]]:
    return {name: [each.tolist() for each in samples] for name, samples in ranks.items()}


def _responders(task: _Task) -> dict[str, Any]:
    """Let three systems answer at random: how Bradley–Terry correlates with accuracy, and who comes first."""
    rng = np.random.default_rng([task.seed, 4])
    amount = pair_samples.sample_size("12mlnm", _RESPONDERS)
    every: list[float] = []
    drawn: list[float] = []
    first = []
    for _ in range(task.study.runs):
        right: FloatArray = (rng.integers(2, size=(_ANSWERS, _RESPONDERS)) == rng.integers(2, size=(_ANSWERS, 1))) * 1.0
        counts = compared(right)
        with parallel.one_blas_thread():
            bt = ranked(BradleyTerry().fit(counts))
        accuracy = ranks_by_score(right.mean(axis=0))
        (sample,) = Redraw(counts, bt, amount, 1, tuple(rng.integers(2**31, size=2).tolist())).ranks()
        for kept, ranks in ((every, bt), (drawn, sample)):
            kept.append(_spearman(accuracy, ranks))
        first.append(int(rng.choice(np.flatnonzero(bt == 1))))
    return {"all": every, "drawn": drawn, "first": first}


def _spearman(one: Any, two: Any) -> float:
    found = disagree("", np.asarray(one), "", np.asarray(two)).spearman
    return np.nan if found is None else found


@dataclass(frozen=True)
class _Results:
    """What was found for the systems as they are, next to each kind of altered ones, and for random responders."""

    evidence: Predictions | Texts
    plain: Mapping[str, Any]
    altered: Mapping[str, Mapping[str, Any]]
    responders: Mapping[str, Any]
    level: float

    @property
    def size(self) -> int:
        """The number of original systems."""
        return len(self.evidence.systems)

    @property
    def chance(self) -> float:
        """The expected average precision of originals among as many altered ones in a random order."""
        return expected_precision(self.size, 2 * self.size)

    def columns(self) -> dict[str, list[Any]]:
        """Return ranks, correlations, average precisions and what random responders give, one number per row."""
        names = list(self.plain["ranks"])
        rows: list[tuple[Any, ...]] = [
            ("rank", _AS_THEY_ARE, name, system, int(rank), None, None)
            for name in names
            for system, rank in zip(self.evidence.systems, self.plain["ranks"][name][0], strict=True)
        ]
        rows += [("spearman", _AS_THEY_ARE, a, b, *_three(self._correlation(a, b))) for a, b in combinations(names, 2)]
        rows.append(("average precision", "random order", "random order", "", self.chance, *self._random_range()))
        for variant, found in self.altered.items():
            rows += [
                ("average precision", variant, name, "", *_three(self._sampled(values)))
                for name, values in found["precision"].items()
            ]
            rows += [
                (f"average precision, {found['drawn']:,} comparisons per pair", variant, name, "", *_three(self._of(v)))
                for name, v in found["sampled"].items()
            ]
        for kind in ("all", "drawn"):
            mean = mean_of(self.responders[kind], self.level, (-1.0, 1.0))
            rows.append(("random responders", kind, "accuracy", BT, *_three(mean)))
        heads = ("part", "variant", "a", "b", "value", "low", "high")
        return {name: list(values) for name, values in zip(heads, zip(*rows, strict=True), strict=True)}

    def claims(self) -> tuple[Claim, ...]:
        """Set what the paper says next to ours; its tables of figures are not in the text that we have."""
        return (*(self._texts() if isinstance(self.evidence, Texts) else self._predictions()), *self._random())

    def _predictions(self) -> list[Claim]:
        unlike = f"The paper has nine systems on Jigsaw, and eight on SST-5; these are {self.size} others."
        close = self._correlation("accuracy", "f1")
        raw = self._correlation("accuracy", BT, minus="f1")
        sure = self._correlation("accuracy", _BT_BINARISED)
        binarised, penalised = self.altered[_BINARISED], self.altered[_PENALISED]
        return [
            Claim.of(
                "Global scores agree: Spearman of accuracy and F1",
                "highly correlated",
                close,
                Expected(low=_STRONG),
                unlike,
            ),
            Claim.of(
                "BT of raw decision values agrees less with accuracy than F1 does: difference",
                "below 0",
                raw,
                below(0),
                unlike,
            ),
            Claim.of(
                "BT of binarised values agrees with accuracy (SST-5)", "strong", sure, Expected(low=_STRONG), unlike
            ),
            Claim.of(
                "Binarised values tie: share of comparisons (SST-5)",
                "about two thirds",
                self._sampled(self.plain["ties"]),
                near(_TIES, _ABOUT),
                "It depends on how often systems are right together: the paper has 88 % on Jigsaw.",
            ),
            self._above_chance(
                "MAE puts originals above binarised systems",
                binarised["precision"]["mae"],
                "Certainty lowers the error of a system that is right often enough.",
            ),
            Claim.exact(
                "F1 cannot distinguish them: systems with the same F1 as their copy",
                f"all {self.size}",
                binarised["same f1"],
                near(self.size, 0),
            ),
            Claim.of(
                "BT is misled by certainty: its average precision − MAE's",
                "below 0",
                self._gap(binarised["precision"], BT, "mae"),
                below(0),
                unlike,
            ),
            self._above_chance("AUC puts originals above penalised systems", penalised["precision"]["auc"], unlike),
            self._above_chance("BT puts originals above penalised systems", penalised["precision"][BT], unlike),
        ]

    def _above_chance(self, what: str, values: Sequence[float], cause: str) -> Claim:
        """Compare average precisions with what a random order is expected to have."""
        ours = self._sampled([value - self.chance for value in values])
        statement = f"{what}: average precision − {self.chance:.3f} of a random order"
        low, high = self._random_range()
        spread = f"Of random orders {100 * self.level:g} % have between {low:.2f} and {high:.2f}."
        return Claim.of(statement, "above chance", ours, above(0), f"{cause} {spread}")

    def _texts(self) -> list[Claim]:
        found, bt = self.altered[_LENGTHENED]["precision"], f"{BT}, chrf"
        cause = "The paper does not print how long the strings are; ours are a choice (length)."
        return [
            Claim.of(
                "chrF and BT by chrF agree: Spearman", "correlated", self._correlation("chrf", bt), above(0.5), cause
            ),
            *(
                Claim.of(
                    f"Rare long errors hurt {name} more than BT: difference of average precisions",
                    "above 0",
                    self._gap(found, name, bt),
                    above(0),
                    cause,
                )
                for name in ("edit-distance", "wer")
            ),
            Claim.of(
                "chrF is as little hurt as BT: its average precision − that of edit-distance",
                "below 0",
                self._gap(found, "chrf", "edit-distance"),
                below(0),
                cause,
            ),
        ]

    def _random(self) -> list[Claim]:
        every, drawn = (mean_of(self.responders[kind], self.level, (-1.0, 1.0)) for kind in ("all", "drawn"))
        known = [value for value in self.responders["drawn"] if not np.isnan(value)]
        low = float(np.mean([value <= _RANDOM + 1e-9 for value in known])) if known else 0.0
        cause = (
            "The paper has one run of 12·m·ln m comparisons per pair. With all comparisons BT orders systems as "
            f"accuracy does; of such samples the correlation is {drawn.known:.2f} on average, and −0.5 or less in "
            f"{100 * low:.0f} % of them."
        )
        first = self.responders["first"]
        most = max(set(first), key=first.count)
        return [
            Claim.of(
                "Three random responders: Spearman of accuracy and BT",
                "−0.5",
                every,
                near(_RANDOM, SHARE_MARGIN),
                cause,
            ),
            Claim.of(
                "Three random responders: BT favours one, share of runs in which the same is first",
                "favours one",
                share_of([each == most for each in first], self.level),
                above(0.5),
                cause,
            ),
        ]

    def summary(self, title: str) -> Table:
        """Return the correlations of all scores."""
        names = list(self.plain["ranks"])
        heads = [Column("", "left"), *(Column(name) for name in names)]
        rows = [
            [a, *("" if a == b or (value := self._correlation(a, b).value) is None else f"{value:.2f}" for b in names)]
            for a in names
        ]
        return Table(heads, rows, title=title)

    def _correlation(self, a: str, b: str, minus: str = "") -> Estimate:
        """Return Spearman's correlation of two rankings, or how much it exceeds that with a third one."""
        ranks = self.plain["ranks"]
        found = [_spearman(one, two) for one, two in zip(ranks[a], ranks[b], strict=True)]
        if minus:
            other = (_spearman(one, two) for one, two in zip(ranks[a], ranks[minus], strict=True))
            found = [one - two for one, two in zip(found, other, strict=True)]
        return self._sampled(found)

    def _gap(self, found: Mapping[str, Sequence[float]], one: str, two: str) -> Estimate:
        return self._sampled([a - b for a, b in zip(found[one], found[two], strict=True)])

    def _sampled(self, values: Sequence[float]) -> Estimate:
        """Return the value on all items with the percentiles of those on samples of them."""
        whole, *samples = values
        return replace(self._of(samples), value=None if np.isnan(whole) else whole)

    def _of(self, samples: Sequence[float]) -> Estimate:
        known = np.array([value for value in samples if not np.isnan(value)])
        if not len(known):
            return Estimate(None, None, None)
        low, high = np.quantile(known, [(1 - self.level) / 2, (1 + self.level) / 2]).tolist()
        if low == high:  # all samples are alike, and more of them might not be
            return mean_of(known.tolist(), self.level, (-1.0, 1.0))
        return Estimate(float(np.mean(known)), low, high)

    def _random_range(self) -> list[float]:
        """Return the range of the average precisions of random orders."""
        rng, original = np.random.default_rng(0), np.arange(2 * self.size) < self.size
        marks = rng.permuted(np.tile(original, (_ORDERS, 1)), axis=1)
        precision = np.cumsum(marks, axis=1) / np.arange(1, 2 * self.size + 1)
        found = (precision * marks).sum(axis=1) / self.size
        range_: list[float] = np.quantile(found, [(1 - self.level) / 2, (1 + self.level) / 2]).tolist()
        return range_


def _three(found: Estimate) -> tuple[float | None, float | None, float | None]:
    return found.value, found.low, found.high
