"""Frames of ragas, LangSmith, TruLens and Braintrust: one file per system, or apps and versions; only feedback counts."""

import csv
from pathlib import Path

import pytest

from tests.readers.tools.boards import means


def test_ragas_metrics_are_the_means_of_its_columns(samples: Path) -> None:
    files = sorted((samples / "ragas").glob("*.csv"))
    boards = means(files)
    assert means(files, score=list(boards), item="user_input") == boards
    assert set(boards) == {"faithfulness", "answer_relevancy", "context_recall"}
    for system in ("strong", "middle", "weak"):
        with (samples / "ragas" / f"{system}.csv").open() as stream:
            rows = list(csv.DictReader(stream))
        for metric, board in boards.items():
            values = [float(row[metric]) for row in rows if row[metric]]
            assert board[system] == pytest.approx(sum(values) / len(values))
