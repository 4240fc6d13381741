"""Results of the AutoML Benchmark: a row per framework, task and fold."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar

from betterthan.engine import Table
from betterthan.readers.tool_parts.column_format import ColumnFormat

_KEYS = frozenset({"task", "framework", "constraint", "fold", "result", "metric"})
#: Errors as older releases write them; newer ones negate them, and call them neg_…
_ERRORS = frozenset({"logloss", "rmse", "mae", "mse", "rmsle", "msle", "mape", "smape", "mase", "wql", "wape", "ncrps"})


class AutoMlBenchmarkFormat(ColumnFormat):
    """results.csv: tasks are items, folds repeats; the benchmark negates errors and calls them neg_…

    Its layout follows the source of the benchmark, and was not tried on real results.
    """

    name: ClassVar[str] = "automl-benchmark"
    about: ClassVar[str] = "the AutoML Benchmark's results.csv: task, framework, constraint, fold, result, metric"
    surest: ClassVar[float] = 0.9
    keys: ClassVar = _KEYS
    roles: ClassVar = {
        "item": "task",
        "system": "framework",
        "metric": "metric",
        "repeat": "fold",
        "dataset": "constraint",
    }
    metrics: ClassVar = ("result",)

    def directions(self, found: Table) -> Mapping[tuple[str, str], bool]:
        """Less is better for errors, and more for negated ones; other metrics go by their names."""
        labels = found.distinct(["constraint", "metric"]).columns
        pairs = zip(labels["constraint"].texts(), labels["metric"].texts(), strict=True)
        named = [(str(constraint), str(metric)) for constraint, metric in pairs]
        return {pair: pair[1] in _ERRORS for pair in named if pair[1] in _ERRORS or pair[1].startswith("neg_")}

    def example(self, folder: Path) -> Any:
        """Return the results of two frameworks on two tasks with two folds."""
        del folder
        return {
            "id": ["openml.org/t/1", "openml.org/t/1", "openml.org/t/2", "openml.org/t/2"] * 2,
            "task": ["car", "car", "wine", "wine"] * 2,
            "framework": ["owl"] * 4 + ["yak"] * 4,
            "constraint": ["1h8c"] * 8,
            "fold": [0, 1] * 4,
            "type": ["multiclass"] * 8,
            "result": [-0.25, -0.5, -0.125, -0.25, -0.5, -0.75, -0.25, -0.5],
            "metric": ["neg_logloss"] * 8,
            "duration": [10.5] * 8,
        }


FORMAT = AutoMlBenchmarkFormat()
