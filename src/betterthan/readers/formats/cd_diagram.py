"""Inputs of cd-diagram, which draws critical difference diagrams: a row per classifier and data set."""

from pathlib import Path
from typing import Any, ClassVar

from betterthan.readers.tool_parts.column_format import ColumnFormat


class CdDiagramFormat(ColumnFormat):
    """example.csv of cd-diagram: data sets are items, and more accuracy is better."""

    name: ClassVar[str] = "cd-diagram"
    about: ClassVar[str] = "cd-diagram's table: classifier_name, dataset_name, accuracy per row"
    keys: ClassVar = frozenset({"classifier_name", "dataset_name", "accuracy"})
    roles: ClassVar = {"item": "dataset_name", "system": "classifier_name"}
    metrics: ClassVar = ("accuracy",)
    lower: ClassVar = {"accuracy": False}

    def example(self, folder: Path) -> Any:
        """Return the accuracies of two classifiers on two data sets."""
        del folder
        return {
            "classifier_name": ["owl", "owl", "yak", "yak"],
            "dataset_name": ["car", "wine"] * 2,
            "accuracy": [0.75, 0.875, 0.5, 0.625],
        }


FORMAT = CdDiagramFormat()
