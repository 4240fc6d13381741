"""Decision values: the effect of over-confident systems and rare large errors on scores and rankings."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, ClassVar

import numpy as np

from betterthan.base import FloatArray, IntArray, parallel, registry
from betterthan.datasets import PairCounts, pair_samples
from betterthan.inference import Estimate, mean_of
from betterthan.models import BradleyTerry
from betterthan.present import Column, Picture, Table, pictures
from betterthan.verbs.rank import disagree
from betterthan.verbs.study.decision_data import (
    Loaded,
    Predictions,
    Texts,
    average_precision,
    compared,
    correlations,
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

_BT = "bradley-terry"
#: What the paper prints: the correlation of Bradley–Terry with accuracy for random responders, and ties of SST-5.
_RANDOM, _TIES = -0.5, 2 / 3
_RESPONDERS, _ANSWERS = 3, 1000


@dataclass(frozen=True)
class _Task:
    """Originals next to altered systems, or random responders where nothing can be altered."""

    evidence: Predictions | Texts | None
    variant: str
    study: "DecisionValues"
    level: float
    seed: int


@register_study
@dataclass(frozen=True, kw_only=True)
class DecisionValues:
    """Rankings by global scores and by Bradley–Terry, of original systems and of altered ones.

    Predictions have a column of `truth`, one of `labels`, and one of decision `values` per label (p1|p2|…), in the
    order of labels. Systems without any are certain of what they say. A prediction wins where its decision value of the
    true label is higher. Altered systems are sure of all they say (binarised), or of what they say wrongly (penalised).
    Texts are the column `outputs`, with a column of references (`reference`), or the outputs of the system `expert`
    in their place. Altered systems have `length` random letters and spaces appended to a `share` of their outputs.
    A good score puts originals above altered systems, which the average precision of originals measures. Intervals
    of Bradley–Terry are percentiles of `runs` samples of 12·m·ln m comparisons per pair. Without evidence, `models`
    systems are simulated on `items` items.
    """

    truth: str = "truth"
    labels: str = "pred"
    values: str = "p1|p2|p3|p4|p5"
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
        return load_predictions(source, self.truth, self.labels, tuple(filter(None, self.values.split("|"))))

    def run(self, work: Work) -> Found:
        """Rank systems as they are, and next to altered ones."""
        seed, level = work.options.seed, work.options.level
        loaded: Loaded | None = work.loaded
        evidence = (
            simulated(self.models, self.items, np.random.default_rng(seed)) if loaded is None else loaded.evidence
        )
        variants = ("binarised", "penalised") if isinstance(evidence, Predictions) else ("lengthened",)
        tasks = [_Task(evidence, variant, self, level, seed) for variant in variants]
        *altered, chance = work.parts.each(_done, [*tasks, _Task(None, "random", self, level, seed)])
        ranks = _as_they_are(evidence)
        results = _Results(ranks, dict(zip(variants, altered, strict=True)), chance, level)
        ties = _tied(evidence.binarised()) if isinstance(evidence, Predictions) else None
        left = "" if loaded is None or not loaded.incomplete else f" ({loaded.incomplete:,} incomplete ones left out)"
        title = f"{len(evidence.systems)} systems on {evidence.items:,} items{left}: Spearman's correlation"
        return Found(results.columns(evidence.systems), results.claims(ties), results.summary(title))

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


def _ranks_bt(counts: PairCounts) -> IntArray:
    with parallel.one_blas_thread():
        return ranked(BradleyTerry().fit(counts))


def _as_they_are(evidence: Predictions | Texts) -> dict[str, IntArray]:
    """Rank the systems by every score."""
    if isinstance(evidence, Texts):
        return _of_texts(evidence)[0]
    ranks = {name: ranks_by_score(score) for name, score in evidence.scores().items()}
    ranks[_BT] = _ranks_bt(compared(evidence.of_truth()))
    ranks[f"{_BT}, binarised"] = _ranks_bt(compared(evidence.binarised().of_truth()))
    return ranks


def _of_texts(texts: Texts) -> tuple[dict[str, IntArray], dict[str, PairCounts]]:
    """Rank by every metric of the whole test set, and by comparisons of single items."""
    ranks, counts = {}, {}
    for name, (whole, closeness) in texts.measured().items():
        ranks[name] = ranks_by_score(whole)
        counts[f"{_BT}, {name}"] = compared(closeness)
    return ranks | {name: _ranks_bt(each) for name, each in counts.items()}, counts


def _tied(predictions: Predictions) -> float:
    outcomes = compared(predictions.of_truth()).outcomes
    return float(outcomes[1].sum() / outcomes.sum())


def _done(task: _Task) -> Any:
    """Return the average precision of originals by every score; or what random responders give."""
    if task.evidence is None:
        return _responders(task)
    if isinstance(task.evidence, Texts):
        rng = np.random.default_rng([task.seed, 2])
        both = task.evidence.beside(task.evidence.lengthened(task.study.share, task.study.length, rng))
        ranks, counts = _of_texts(both)
    else:
        other = task.evidence.binarised() if task.variant == "binarised" else task.evidence.penalised()
        mixed = task.evidence.beside(other)
        ranks = {name: ranks_by_score(score) for name, score in mixed.scores().items()}
        counts = {_BT: compared(mixed.of_truth())}
        ranks[_BT] = _ranks_bt(counts[_BT])
    size = len(next(iter(ranks.values())))
    original = np.arange(size) < size // 2
    found: dict[str, list[float | None]] = {}
    for name, order in ranks.items():
        low = high = None
        if name in counts:
            drawn = min(pair_samples.sample_size("12mlnm", size), task.evidence.items)
            runs = Redraw(counts[name], order, drawn, task.study.runs, (task.seed, 3)).ranks()
            precisions = [average_precision(original, each) for each in runs]
            low, high = np.quantile(precisions, [(1 - task.level) / 2, (1 + task.level) / 2]).tolist()
        found[name] = [average_precision(original, order), low, high]
    return found


def _responders(task: _Task) -> dict[str, Any]:
    """Let three systems answer at random: how Bradley–Terry correlates with accuracy, and who comes first."""
    rng = np.random.default_rng([task.seed, 4])
    amount = pair_samples.sample_size("12mlnm", _RESPONDERS)
    every: list[float] = []
    drawn: list[float] = []
    first = np.zeros(_RESPONDERS)
    for _ in range(task.study.runs):
        right: FloatArray = (rng.integers(2, size=(_ANSWERS, _RESPONDERS)) == rng.integers(2, size=(_ANSWERS, 1))) * 1.0
        counts = compared(right)
        accuracy, bt = ranks_by_score(right.mean(axis=0)), _ranks_bt(counts)
        (sample,) = Redraw(counts, bt, amount, 1, tuple(rng.integers(2**31, size=2).tolist())).ranks()
        for kept, ranks in ((every, bt), (drawn, sample)):
            kept.append(_spearman(accuracy, ranks))
        first += (bt == 1) / np.sum(bt == 1)
    return {"all": every, "drawn": drawn, "first": (first / task.study.runs).tolist()}


def _spearman(one: IntArray, two: IntArray) -> float:
    found = disagree("", one, "", two).spearman
    return np.nan if found is None else found


@dataclass(frozen=True)
class _Results:
    ranks: Mapping[str, IntArray]
    precision: Mapping[str, Mapping[str, Sequence[float | None]]]
    chance: Mapping[str, Any]
    level: float

    def columns(self, systems: Sequence[str]) -> dict[str, list[Any]]:
        """Return ranks, correlations, average precisions and what random responders give, one number per row."""
        rows: list[tuple[Any, ...]] = [
            ("rank", "as they are", name, systems[place], int(rank), None, None)
            for name, ranks in self.ranks.items()
            for place, rank in enumerate(ranks)
        ]
        found = correlations(self.ranks)
        rows += [("spearman", "as they are", a, b, found[a, b], None, None) for a, b in combinations(self.ranks, 2)]
        rows += [
            ("average precision", variant, name, "", *three)
            for variant, each in self.precision.items()
            for name, three in each.items()
        ]
        for kind in ("all", "drawn"):
            mean = mean_of(self.chance[kind], self.level, (-1.0, 1.0))
            rows.append(("random responders", kind, "accuracy", _BT, mean.value, mean.low, mean.high))
        names = ("part", "variant", "a", "b", "value", "low", "high")
        return {name: list(values) for name, values in zip(names, zip(*rows, strict=True), strict=True)}

    def claims(self, ties: float | None) -> tuple[Claim, ...]:
        """Set what the paper says next to ours; its tables of figures are not in the text that we have."""
        return (*(self._texts() if ties is None else self._predictions(ties)), *self._random())

    def _predictions(self, ties: float) -> list[Claim]:
        found = correlations(self.ranks)
        close, raw, sure = (
            _known(found[pair]) for pair in (("accuracy", "f1"), ("accuracy", _BT), ("accuracy", f"{_BT}, binarised"))
        )
        unlike = "The paper has nine systems on Jigsaw, and eight on SST-5; these are others."
        claims = [
            Claim(
                "Global scores agree: Spearman of accuracy and F1",
                "highly correlated",
                close,
                _above(close, 0.8),
                cause=unlike,
            ),
            Claim(
                "BT of raw decision values agrees less with accuracy than F1 does: difference",
                "below 0",
                _minus(raw, close),
                _above(_minus(close, raw), 0, strictly=True),
                cause=unlike,
            ),
            Claim(
                "BT of binarised values agrees with accuracy (SST-5)", "strong", sure, _above(sure, 0.8), cause=unlike
            ),
            Claim(
                "Binarised values tie: share of comparisons (SST-5)",
                "about two thirds",
                Estimate(ties, None, None),
                abs(ties - _TIES) <= 0.1,
                printed=_TIES,
                cause="It depends on how often systems are right together: the paper has 88 % on Jigsaw.",
            ),
        ]
        sure_ones, wrong_ones = self.precision["binarised"], self.precision["penalised"]
        chance = 0.5
        gap = _of(sure_ones, _BT, minus="mae")
        claims += [
            Claim(
                "MAE puts originals above binarised systems: average precision",
                "above chance",
                _of(sure_ones, "mae"),
                _above(_of(sure_ones, "mae"), chance, strictly=True),
                cause="Certainty lowers the error of a system that is right often enough.",
            ),
            Claim(
                "F1 cannot tell them: average precision",
                "as by chance",
                _of(sure_ones, "f1"),
                abs(_of(sure_ones, "f1").known - chance) < 1e-9,
            ),
            Claim(
                "BT is misled by certainty: its average precision − MAE's", "below 0", gap, gap.known < 0, cause=unlike
            ),
            Claim(
                "AUC puts originals above penalised systems: average precision",
                "above chance",
                _of(wrong_ones, "auc"),
                _above(_of(wrong_ones, "auc"), chance, strictly=True),
                cause=unlike,
            ),
            Claim(
                "BT puts originals above penalised systems: average precision",
                "most of them",
                _of(wrong_ones, _BT),
                _above(_of(wrong_ones, _BT), chance, strictly=True),
                cause=unlike,
            ),
        ]
        return claims

    def _texts(self) -> list[Claim]:
        found, bt = self.precision["lengthened"], f"{_BT}, chrf"
        agree = _known(correlations(self.ranks)["chrf", bt])
        cause = "The paper does not print how long the strings are; ours are a choice (length)."
        claims = [Claim("chrF and BT by chrF agree: Spearman", "correlated", agree, _above(agree, 0.5, strictly=True))]
        for name in ("edit-distance", "wer"):
            gap = _of(found, name, minus=bt)
            claims.append(
                Claim(
                    f"Rare long errors hurt {name} more than BT: difference of average precisions",
                    "above 0",
                    gap,
                    gap.known > 0,
                    cause=cause,
                )
            )
        gap = _of(found, "chrf", minus="edit-distance")
        claims.append(
            Claim(
                "chrF is as little hurt as BT: its average precision − that of edit-distance",
                "below 0",
                gap,
                gap.known < 0,
                cause=cause,
            )
        )
        return claims

    def _random(self) -> list[Claim]:
        every, drawn = (mean_of(self.chance[kind], self.level, (-1.0, 1.0)) for kind in ("all", "drawn"))
        known = [value for value in self.chance["drawn"] if not np.isnan(value)]
        low = float(np.mean([value <= _RANDOM + 1e-9 for value in known])) if known else 0.0
        cause = (
            f"The paper has one run of 12·m·ln m comparisons per pair. With all comparisons BT orders systems as "
            f"accuracy does; of such samples the correlation is {drawn.known:.2f} on average, and −0.5 or less in "
            f"{100 * low:.0f} % of them."
        )
        most = max(self.chance["first"])
        near = abs(every.known - _RANDOM) < 0.05
        return [
            Claim("Three random responders: Spearman of accuracy and BT", "−0.5", every, near, _RANDOM, cause),
            Claim(
                "Three random responders: BT favours one, share of runs in which the same is first",
                "favours one",
                Estimate(most, None, None),
                most > 0.5,
                cause=cause,
            ),
        ]

    def summary(self, title: str) -> Table:
        """Return the correlations of all scores."""
        found = correlations(self.ranks)
        heads = [Column("", "left"), *(Column(name) for name in self.ranks)]
        rows = [
            [a, *("" if a == b or found[a, b] is None else f"{found[a, b]:.2f}" for b in self.ranks)]
            for a in self.ranks
        ]
        return Table(heads, rows, title=title)


def _known(value: float | None) -> Estimate:
    return Estimate(value, None, None)


def _minus(one: Estimate, two: Estimate) -> Estimate:
    return Estimate(None if one.value is None or two.value is None else one.value - two.value, None, None)


def _above(found: Estimate, least: float, *, strictly: bool = False) -> bool:
    return found.value is not None and (found.value > least if strictly else found.value >= least)


def _of(found: Mapping[str, Sequence[float | None]], name: str, minus: str = "") -> Estimate:
    """Return an average precision with its interval, or how much it is above that of another score."""
    value, low, high = found[name]
    if minus:
        return _minus(Estimate(value, None, None), Estimate(found[minus][0], None, None))
    return Estimate(value, low, high)
