"""lighteval: details per document, organisation and model as two folders, the last run of several."""

from pathlib import Path

import pyarrow.parquet as pq
import pytest

from tests.readers.tools.boards import found, means


def test_boards_are_the_means_of_documents(samples: Path) -> None:
    boards = means(samples / "lighteval")
    assert set(boards) == {"gsm8k|0 extractive_match"}
    own = {}
    for path in (samples / "lighteval" / "details").rglob("*.parquet"):
        values = [row["extractive_match"] for row in pq.read_table(path)["metric"].to_pylist()]
        own[f"toyorg/{path.parts[-3]}"] = sum(values) / len(values)
    assert boards["gsm8k|0 extractive_match"] == pytest.approx(own)
    files = [str(path) for path in (samples / "lighteval" / "details").rglob("*.parquet")]
    assert means(files) == boards
    assert found(samples / "lighteval") == {}  # summaries are the tool's own
