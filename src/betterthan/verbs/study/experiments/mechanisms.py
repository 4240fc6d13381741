"""Models: how well mean, median and Bradley–Terry find the true order where scores are difficult."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, ClassVar

import numpy as np

from betterthan.base import FloatArray, registry
from betterthan.datasets import data_sets
from betterthan.inference import Estimate, mean_of
from betterthan.present import Column, Picture, Table, pictures
from betterthan.readers import read_scores
from betterthan.uncertainty import ranks_and_clusters
from betterthan.verbs.rank import disagree
from betterthan.verbs.study.agreement import SHARE_MARGIN, Expected, about_zero, below
from betterthan.verbs.study.experiments.base import (
    BETTER_THAN_AVERAGE,
    Claim,
    Columns,
    Found,
    Work,
    models_named,
    numbers,
    register_study,
)
from betterthan.verbs.study.study_ranking import ranks_by

#: Bradley–Terry holds if all difficulties together cost it no more of Kendall's tau than this.
_HOLDS = 0.05
_MEAN, _MEDIAN, _BT = "mean", "median", "bradley-terry"
#: What the paper's text leaves open, and where its three descriptions differ.
_UNLIKE = {
    "paper": (
        "As Appendix A.2 is printed, outliers are the other systems' scores, which are no larger than others and "
        "hardly move a mean. Its types have new strengths for every system, which hurts all models alike."
    ),
    "code": (
        "The authors' code draws strengths that are ten times their share of the sum, so systems are farther apart the "
        "fewer there are. It adds at least one outlier to every table, and each outlier contradicts the order."
    ),
    "ours": "The paper gives neither the size of offsets nor that of outliers; ours are a choice (offset, size).",
}


@dataclass(frozen=True)
class Setup:
    """One setting of the simulation; `runs` data sets are drawn from it."""

    kind: str
    types: int
    outliers: float
    systems: int
    items: int


@dataclass(frozen=True)
class _Task:
    study: "Mechanisms"
    setup: Setup
    seed: int


@register_study
@dataclass(frozen=True, kw_only=True)
class Mechanisms:
    """Kendall's tau between the true strengths and the order that every model finds.

    Scores are normal around strengths with standard deviation `noise`. What types of items and outliers are, the paper
    and its code describe in different ways, its `kinds`.

    `paper` is Appendix A.2. Systems have a new strength for every type, uniform on [0, 1], and the truth is their mean.
    Outliers are items whose scores are distributed to the systems at random. `code` is what the authors' code does.
    Strengths are ten times the shares of uniform numbers, and every type adds an offset between 0 and 100 that all
    systems share. Outliers are additional items with scores between 0 and 100 in a contrary order. `ours` follows
    Section 4. Strengths are uniform on [0, 1], and a type adds a normal offset with standard deviation `offset` that
    all systems share. Outliers are single scores moved by `size` up or down.
    """

    types: str = "1|3|5|10"
    outliers: str = "0|0.01|0.025"
    systems: str = "2|3|5|10|25|50"
    items: str = "10|30|100|200"
    runs: int = 10
    models: str = "mean|median|bradley-terry"
    kinds: str = "paper|code|ours"
    noise: float = 1.0
    offset: float = 5.0
    size: float = 20.0

    name: ClassVar[str] = "mechanisms"
    about: ClassVar[str] = "Which model finds the true order where items are of several types and scores have outliers."
    paper: ClassVar[str] = BETTER_THAN_AVERAGE
    place: ClassVar[str] = "Section 4, Figure 3, Appendix A.2"
    takes: ClassVar[str] = ""
    needs: ClassVar[bool] = False
    bundled: ClassVar[str] = ""
    means: ClassVar[None] = None
    quick: ClassVar[dict[str, Any]] = {"types": "1|10", "outliers": "0|0.025", "systems": "10", "items": "100"}

    def __post_init__(self) -> None:
        self._axes()
        registry.number("runs", self.runs, least=2, most=100_000, whole=True)
        registry.number("noise", self.noise, least=0, most=1e6, above=True)
        registry.number("offset", self.offset, least=0, most=1e6)
        registry.number("size", self.size, least=0, most=1e6)
        wrong = [kind for kind in self._kinds if kind not in _UNLIKE]
        if wrong or not self._kinds or len(set(self._kinds)) < len(self._kinds):
            raise ValueError(
                f"kinds must be of {', '.join(_UNLIKE)} with | between them, and none twice, got {self.kinds!r}"
            )
        models_named(self.models)

    @property
    def _kinds(self) -> tuple[str, ...]:
        return tuple(part.strip() for part in self.kinds.split("|"))

    def _axes(self) -> tuple[tuple[float, ...], ...]:
        return (
            numbers("types", self.types, least=1, most=1000),
            numbers("outliers", self.outliers, least=0, most=0.5, whole=False),
            numbers("systems", self.systems, least=2, most=500),
            numbers("items", self.items, least=2, most=100_000),
        )

    @property
    def setups(self) -> list[Setup]:
        """All settings."""
        return [
            Setup(kind, int(types), share, int(systems), int(items))
            for kind in self._kinds
            for types, share, systems, items in product(*self._axes())
        ]

    def run(self, work: Work) -> Found:
        """Simulate every setup, and add the correlations up as the panels of Figure 3 do."""
        setups = self.setups
        taus = work.parts.each(_simulated, [_Task(self, setup, work.options.seed) for setup in setups])
        every = np.array(taus, dtype=float)
        models, level = models_named(self.models), work.options.level
        parts = [
            _Results(kind, [setups[place] for place in places], every[places], models, level)
            for kind in self._kinds
            if (places := [place for place, setup in enumerate(setups) if setup.kind == kind])
        ]
        columns = {name: [value for part in parts for value in part.columns()[name]] for name in parts[0].columns()}
        claims = tuple(claim for part in parts for claim in part.claims())
        heads = [Column("kind", "left"), Column("setups", "left"), *(Column(model) for model in models)]
        rows = [[part.kind, *row] for part in parts for row in part.rows()]
        rules = frozenset(np.cumsum([len(part.rows()) for part in parts])[:-1].tolist())
        shown = Table(heads, rows, rules, title="Kendall's tau to the true strengths, mean and interval")
        return Found(columns, claims, shown)

    def picture(self, columns: Columns, title: str) -> Picture:
        """Draw the panels of Figure 3."""
        heading = [
            f"{kind} ({panel}) {varied}, {where}"
            for kind, panel, varied, where in zip(
                *(columns[name] for name in ("kind", "panel", "varied", "setups")), strict=True
            )
        ]
        return pictures.panels.draw(
            panel=heading,
            x=columns["x"],
            series=columns["model"],
            value=columns["tau"],
            low=columns["low"],
            high=columns["high"],
            name="Kendall's tau",
            title=title,
        )


def _simulated(task: _Task) -> list[list[float]]:
    """Return Kendall's tau of every run and model (NaN where a model ties all systems)."""
    study, setup = task.study, task.setup
    models = models_named(study.models)
    found = []
    for run in range(study.runs):
        # Setups that differ in their difficulties alone have the same strengths: their difference is paired.
        strengths = np.random.default_rng([task.seed, run, setup.systems, setup.items])
        rng = np.random.default_rng([task.seed, run, setup.systems, setup.items, setup.types, 1])
        scores, truth = _DRAWN[setup.kind](study, setup, strengths, rng)
        names = [f"s{place:03d}" for place in range(setup.systems)]
        columns = {name: scores[:, place].tolist() for place, name in enumerate(names)}
        data = data_sets(read_scores(columns)).only("a simulation")
        order = [data.pairs(units=False).systems.index(name) for name in names]
        best = ranks_and_clusters.ranks_of(truth, np.zeros(len(truth), dtype=bool), 0.0)
        taus = [disagree("truth", best, "", ranks[order]).kendall for ranks in ranks_by(models, data)]
        found.append([np.nan if tau is None else tau for tau in taus])
    return found


#: Scores (items × systems) and the strengths that are to be found.
_Drawn = tuple[FloatArray, FloatArray]


def _as_printed(study: Mechanisms, setup: Setup, strengths: np.random.Generator, rng: np.random.Generator) -> _Drawn:
    """Draw scores as Appendix A.2 describes them."""
    by_type = np.vstack(
        [strengths.uniform(size=setup.systems), strengths.uniform(size=(setup.types - 1, setup.systems))]
    )
    kind = rng.integers(setup.types, size=setup.items)
    scores = by_type[kind] + rng.normal(0.0, study.noise, (setup.items, setup.systems))
    wild = rng.random(setup.items) < setup.outliers
    scores[wild] = rng.permuted(scores[wild], axis=1)
    return scores, by_type.mean(axis=0)


def _as_coded(study: Mechanisms, setup: Setup, strengths: np.random.Generator, rng: np.random.Generator) -> _Drawn:
    """Draw scores as the authors' code does: equally many items per type, and outliers in addition to them."""
    truth = strengths.uniform(size=setup.systems)
    truth = 10 * truth / truth.sum()
    offsets = np.repeat(rng.uniform(0, 100, setup.types), setup.items // setup.types)
    scores = truth + offsets[:, None] + rng.normal(0.0, study.noise, (len(offsets), setup.systems))
    outliers: list[FloatArray] = []
    while len(outliers) < max(int(setup.outliers * len(scores)), int(setup.outliers > 0)):
        drawn = rng.uniform(size=setup.systems)
        if _concordance(drawn, truth) < 0:
            outliers.append(100 * drawn)
    return np.vstack([scores, *outliers]), truth


def _concordance(one: FloatArray, two: FloatArray) -> float:
    """Return concordant less discordant pairs, which has the sign of Kendall's tau."""
    signs = np.sign(one[:, None] - one) * np.sign(two[:, None] - two)
    return float(signs.sum()) / 2


def _as_in_section_4(
    study: Mechanisms, setup: Setup, strengths: np.random.Generator, rng: np.random.Generator
) -> _Drawn:
    """Draw scores as Section 4 describes them, with sizes of our choice."""
    truth = strengths.uniform(size=setup.systems)
    offsets = rng.normal(0.0, study.offset, setup.types) * (setup.types > 1)
    kind = rng.integers(setup.types, size=setup.items)
    scores = truth + offsets[kind][:, None] + rng.normal(0.0, study.noise, (setup.items, setup.systems))
    wild = rng.random(scores.shape) < setup.outliers
    return np.where(wild, scores + rng.choice([-study.size, study.size], size=scores.shape), scores), truth


_DRAWN: Mapping[str, Callable[[Mechanisms, Setup, np.random.Generator, np.random.Generator], _Drawn]] = {
    "paper": _as_printed,
    "code": _as_coded,
    "ours": _as_in_section_4,
}


@dataclass(frozen=True)
class _Results:
    """Correlations of all setups of one kind (setups × runs × models)."""

    kind: str
    setups: Sequence[Setup]
    taus: Any
    models: tuple[str, ...]
    level: float

    def columns(self) -> dict[str, list[Any]]:
        """Return the data of the panels of Figure 3, one row per value and model."""
        clean, plain = self._least("types"), self._least("outliers")
        panels: list[tuple[str, str, str, Callable[[Setup], bool]]] = [
            ("systems", "a", "no difficulty", lambda one: one.types == clean and one.outliers == plain),
            ("items", "b", "no difficulty", lambda one: one.types == clean and one.outliers == plain),
            ("outliers", "c", "one type", lambda one: one.types == clean),
            ("types", "d", "no outliers", lambda one: one.outliers == plain),
            ("outliers", "e", "several types", lambda one: one.types > clean),
            ("types", "f", "with outliers", lambda one: one.outliers > plain),
            ("systems", "g", "all setups", lambda _: True),
            ("items", "h", "all setups", lambda _: True),
        ]
        rows = []
        for varied, letter, words, belongs in panels:
            for x in dict.fromkeys(getattr(one, varied) for one in self.setups):
                chosen = [belongs(one) and getattr(one, varied) == x for one in self.setups]
                if not any(chosen):
                    continue
                for model in self.models:
                    values = self._of(model, chosen)
                    tau = mean_of(values, self.level, (-1.0, 1.0))
                    rows.append((self.kind, letter, varied, words, x, model, *_three(tau), len(values)))
        names = ("kind", "panel", "varied", "setups", "x", "model", "tau", "low", "high", "data_sets")
        return {name: list(values) for name, values in zip(names, zip(*rows, strict=True), strict=True)}

    def rows(self) -> list[list[str]]:
        """Return Kendall's tau without and with each difficulty."""
        return [[words, *(self._shown(model, chosen) for model in self.models)] for words, chosen in self._cases()]

    def claims(self) -> tuple[Claim, ...]:
        """Set what the paper says about Figure 3 next to the figures."""
        (_, clean), *_ = cases = self._cases()
        if not {_MEAN, _MEDIAN, _BT} <= set(self.models) or len(cases) < 4:
            return ()
        (_, wild), (_, mixed), (_, both) = cases[1:]
        behind = (
            ("Outliers hurt the mean", _MEAN, wild),
            ("Types of items hurt the median", _MEDIAN, mixed),
            ("With both, the mean falls behind", _MEAN, both),
            ("With both, the median falls behind", _MEDIAN, both),
        )
        words = {_MEAN: "mean − BT", _MEDIAN: "median − BT"}
        return (
            *(
                Claim.of(
                    f"{self.kind}: Without difficulties all models do equally well: {words[model]}",
                    "within each other's intervals",
                    self._apart(model, clean, _BT, clean),
                    about_zero(SHARE_MARGIN),
                    "The median of normal scores needs 1.57 times as many items as the mean to be as precise, and "
                    "comparisons lose what the size of a difference says.",
                )
                for model in (_MEAN, _MEDIAN)
            ),
            *(
                Claim.of(
                    f"{self.kind}: {what}: {words[model]}",
                    "below 0",
                    self._apart(model, chosen, _BT, chosen),
                    below(0),
                    _UNLIKE[self.kind],
                )
                for what, model, chosen in behind
            ),
            Claim.of(
                f"{self.kind}: BT holds: with both − without",
                "unaffected",
                self._apart(_BT, both, _BT, clean),
                Expected(low=-_HOLDS),
                _UNLIKE[self.kind],
            ),
        )

    def _cases(self) -> list[tuple[str, list[bool]]]:
        """Return the setups without a difficulty, with the largest of each, and with both."""
        few, many = self._least("types"), max(one.types for one in self.setups)
        none, most = self._least("outliers"), max(one.outliers for one in self.setups)
        cases = {
            (few, none): "no difficulty",
            (few, most): f"{100 * most:g} % outliers",
            (many, none): f"{many} types",
            (many, most): "both",
        }
        if few == many or none == most:  # one of the difficulties is not varied
            cases = {(few, none): "least difficulty", (many, most): "most difficulty"}
        return [
            (words, [(one.types, one.outliers) == wanted for one in self.setups]) for wanted, words in cases.items()
        ]

    def _least(self, name: str) -> float:
        return float(min(getattr(one, name) for one in self.setups))

    def _of(self, model: str, chosen: Sequence[bool]) -> list[float]:
        found: list[float] = self.taus[np.array(chosen), :, self.models.index(model)].ravel().tolist()
        return found

    def _apart(self, a: str, in_a: Sequence[bool], b: str, in_b: Sequence[bool]) -> Estimate:
        """Return the mean difference of data sets with the same strengths."""
        return mean_of(np.subtract(self._of(a, in_a), self._of(b, in_b)).tolist(), self.level)

    def _shown(self, model: str, chosen: Sequence[bool]) -> str:
        tau = mean_of(self._of(model, chosen), self.level, (-1.0, 1.0))
        if tau.value is None or tau.low is None or tau.high is None:
            return "" if tau.value is None else f"{tau.value:.3f}"
        return f"{tau.value:.3f} [{tau.low:.3f}, {tau.high:.3f}]"


def _three(found: Estimate) -> tuple[float | None, float | None, float | None]:
    return found.value, found.low, found.high
