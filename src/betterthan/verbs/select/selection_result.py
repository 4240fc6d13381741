"""The result of `select`: predictive scores of each model with intervals, and the best model."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, ClassVar

from betterthan.inference import Estimate
from betterthan.options import SelectOptions
from betterthan.present import Column, Table, chance, wrapped
from betterthan.results import Result
from betterthan.verbs.select.prediction_scores import MEASURES
from betterthan.verbs.select.selection_plots import SelectionPlots

#: Measures in which models are tested against each other, the one that decides first.
COMPARED = ("log_loss", "accuracy")
#: What differs by less is marked as best together.
_SAME = 1e-8
_TITLES = {
    "accuracy": "accuracy",
    "perplexity": "perplexity",
    "log_loss": "log loss",
    "brier": "Brier",
    "calibration_error": "calibration",
}


@dataclass(frozen=True)
class Bin:
    """A calibration bin: the mean of predicted probabilities from `low` on, the observed share, and the number over all
    splits.
    """

    low: float
    chance: float
    observed: float
    number: float


@dataclass(frozen=True)
class Row:
    """How well a model predicts after training on `size` judgments; `role` is model, baseline or bound.

    `radius` is the median of the tuned decision radii, in standard deviations of the strengths, None where the model
    has chances of its own. `taken` counts the splits in which each alternative was chosen; `bins` describe the
    calibration.
    """

    model: str
    role: str
    size: int
    measures: dict[str, Estimate]
    radius: float | None
    accuracy_radius: float | None
    taken: dict[str, int]
    bins: tuple[Bin, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return plain JSON values."""
        return asdict(self) | {"bins": [asdict(each) for each in self.bins]}  # a list, as JSON has it


@dataclass(frozen=True)
class Versus:
    """Two models on the same splits at the largest size: the measure of `a` less that of `b`."""

    a: str
    b: str
    measure: str
    difference: Estimate
    p: float
    p_adjusted: float

    def to_dict(self) -> dict[str, Any]:
        """Return plain JSON values."""
        return asdict(self)


@dataclass(frozen=True, kw_only=True, repr=False, eq=False)
class Selection(Result):
    """The result of `select`: predictive performance of models on held-out judgments, and the best model.

    >>> import betterthan as bt
    >>> votes = [("owl", "yak", "a")] * 40 + [("owl", "yak", "b")] * 10
    >>> found = bt.select(votes, "bradley-terry,expected-wins", repeats=1)
    >>> found["bradley-terry"].measures["accuracy"].value
    0.8
    """

    verb: ClassVar[str] = "select"
    schema: ClassVar[str] = "selection/1"
    holds = (
        "kind",
        "unit",
        "units",
        "judgments",
        "splits",
        "tested",
        "level",
        "sizes",
        "best",
        "verdict",
        "rows",
        "versus",
    )

    settings: SelectOptions
    rows: tuple[Row, ...]
    versus: tuple[Versus, ...]
    kind: str
    unit: str
    units: int
    judgments: float
    splits: int
    tested: float

    @property
    def about(self) -> Mapping[str, str]:
        """The part of the signature about the evidence."""
        return {"evidence": self.kind}

    @property
    def level(self) -> float:
        """The level of intervals and tests."""
        return self.settings.level

    @property
    def plot(self) -> SelectionPlots:
        """Pictures: `plot.learning()`, `plot.calibration()`."""
        return SelectionPlots(self)

    @property
    def sizes(self) -> tuple[int, ...]:
        """Numbers of judgments trained on; without `sizes`, their mean over splits."""
        return tuple(dict.fromkeys(row.size for row in self.rows))

    @property
    def models(self) -> tuple[str, ...]:
        """The models that competed, as they were requested."""
        return tuple(dict.fromkeys(row.model for row in self.rows if row.role == "model"))

    @property
    def best(self) -> dict[str, str]:
        """The best model by each measure at the largest size, the first of equals."""
        found = {}
        for measure, more_is_better in MEASURES.items():
            means = {model: self[model].measures[measure].known for model in self.models}
            found[measure] = (max if more_is_better else min)(means, key=lambda model: means[model])
        return found

    def at(self, size: int) -> list[Row]:
        """Return models and references after training on this many judgments.

        Parameters
        ----------
        size : int
            Number of training judgments.

        Returns
        -------
        list of Row
            One row per model and reference.
        """
        return [row for row in self.rows if row.size == size]

    def __getitem__(self, model: str) -> Row:
        for row in self.at(self.sizes[-1]):
            if row.model == model:
                return row
        raise KeyError(f"no model {model!r}; there are: {', '.join(row.model for row in self.at(self.sizes[-1]))}")

    def figures(self) -> dict[tuple[str, str], float | None]:
        """Return every measure of every model, and of every size where there are several."""
        several = len({row.size for row in self.rows}) > 1
        return {
            (measure, f"{row.model}, {row.size:,} judgments" if several else row.model): found.value
            for row in self.rows
            for measure, found in row.measures.items()
        }

    def columns(self) -> dict[str, list[Any]]:
        """Return all measures in long form."""
        found = [(row, measure, estimate) for row in self.rows for measure, estimate in row.measures.items()]
        return {
            "model": [row.model for row, _, _ in found],
            "role": [row.role for row, _, _ in found],
            "size": [row.size for row, _, _ in found],
            "measure": [measure for _, measure, _ in found],
            **{name: [getattr(estimate, name) for _, _, estimate in found] for name in ("value", "low", "high")},
        }

    def tables(self) -> list[Table]:
        """Return measures at the largest size, learning curves, tests, and what was tuned."""
        curves = [self.curve_table(measure) for measure in ("accuracy", "perplexity")] if len(self.sizes) > 1 else []
        tests = [self.test_table(measure) for measure in COMPARED] if self.versus else []
        return [self.measure_table(), *curves, *tests, self.tuning_table()]

    def measure_table(self) -> Table:
        """Return the measures at the largest size, the best of the models marked, references last."""
        interval = f"{100 * self.level:g} % interval"
        columns = [
            Column("model", "left", flexible=True),
            Column("accuracy"),
            Column(interval, "left"),
            Column("perplexity"),
            Column(interval, "left"),
            Column("log loss", optional=3),
            Column("Brier", optional=1),
            Column("calibration", optional=2),
        ]
        shown = self.at(self.sizes[-1])
        rows = []
        for row in shown:
            cells = {name: self._marked(row, name) for name in MEASURES}
            ranges = {name: _range(row.measures[name], 3) for name in ("accuracy", "perplexity")}
            rows.append(
                [
                    row.model,
                    cells["accuracy"],
                    ranges["accuracy"],
                    cells["perplexity"],
                    ranges["perplexity"],
                    cells["log_loss"],
                    cells["brier"],
                    cells["calibration_error"],
                ]
            )
        return Table(columns, rows, frozenset({len(self.models)}))

    def _marked(self, row: Row, measure: str) -> str:
        mean, best = (each.measures[measure].known for each in (row, self[self.best[measure]]))
        star = "*" if row.role == "model" and abs(mean - best) < _SAME else " "
        return f"{mean:.4f}{star}"

    def curve_table(self, measure: str) -> Table:
        """Return a measure by training size.

        Parameters
        ----------
        measure : str
            Name of the measure, such as 'accuracy'.

        Returns
        -------
        Table
            The table.
        """
        columns = [Column(_TITLES[measure], "left", flexible=True), *(Column(f"{size:,}") for size in self.sizes)]
        names = [row.model for row in self.at(self.sizes[-1])]
        means = {(row.model, row.size): row.measures[measure].known for row in self.rows}
        rows = [[name, *(f"{means[name, size]:.4f}" for size in self.sizes)] for name in names]
        return Table(columns, rows, frozenset({len(self.models)}))

    def test_table(self, measure: str) -> Table:
        """Return the paired differences of any two models in one measure, at the largest size.

        Parameters
        ----------
        measure : str
            Name of the measure, such as 'accuracy'.

        Returns
        -------
        Table
            The table.
        """
        columns = [
            Column(_TITLES[measure], "left", flexible=True),
            Column("less that of", "left", flexible=True),
            Column("difference"),
            Column(f"{100 * self.level:g} % interval", "left"),
            Column("p (Holm)"),
        ]
        rows = [
            [each.a, each.b, _shown(each.difference.known, 4), _range(each.difference, 4), chance(each.p_adjusted)]
            for each in self.versus
            if each.measure == measure
        ]
        return Table(columns, rows)

    def tuning_table(self) -> Table:
        """Return the tuned parameters at the largest training size."""
        columns = [
            Column("tuned", "left", flexible=True),
            Column("radius"),
            Column("for accuracy"),
            Column("taken", "left", flexible=True),
        ]
        rows = [
            [
                row.model,
                "its own" if row.radius is None else f"{row.radius:.3f}",
                f"{row.accuracy_radius:.3f}",
                ", ".join(f"{text} {times}×" for text, times in row.taken.items() if text != row.model),
            ]
            for row in self.at(self.sizes[-1])
            if row.role == "model"
        ]
        return Table(columns, rows)

    def body(self, width: int | None) -> list[str]:
        """Return measures, learning curves and tests."""
        heading = (
            f"{self.judgments:,.0f} judgments in {self.units:,} {self.unit}s · {self.splits} splits by {self.unit} · "
            f"trained on {self.sizes[-1]:,}, tested on {self.tested:,.0f} · * best"
        )
        parts = [wrapped(heading, width), ""]
        for table in self.tables():
            parts += [table.to_text(width), ""]
        return parts

    @property
    def verdict(self) -> str:
        """Which model to take, in a sentence for each measure."""
        trained = f"after training on {self.sizes[-1]:,} judgments"
        words = {"log_loss": f"Lowest log loss {trained}", "accuracy": "Highest accuracy"}
        said = [f"{words[measure]}: {self.best[measure]}{self._compared_with(measure)}." for measure in COMPARED]
        return " ".join(said)

    def _compared_with(self, measure: str) -> str:
        """Return which models are shown to be worse than the best, and which are not."""
        best = self.best[measure]
        p = {
            each.b if each.a == best else each.a: each.p_adjusted
            for each in self.versus
            if each.measure == measure and best in {each.a, each.b}
        }
        worse = [model for model, value in p.items() if value <= 1 - self.level]
        same = [model for model in p if model not in worse]
        if not p:
            return ""
        if not worse:
            return "; no other model is significantly worse"
        rest = f"; the difference from {_listed(same)} is not significant" if same else ""
        return f", significantly better than {_listed(worse)}{rest}"


def _range(found: Estimate, digits: int) -> str:
    if found.low is None and found.high is None:
        return "none"
    low, high = ("" if end is None else _shown(end, digits) for end in (found.low, found.high))
    return f"{low} … {high}"


def _shown(value: float, digits: int) -> str:
    return f"{round(value, digits) + 0.0:.{digits}f}"  # a zero has no sign


def _listed(names: list[str]) -> str:
    return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))
