"""Tables of Weights & Biases: columns and data, with one row per system and prompt."""

import json
from collections import defaultdict
from pathlib import Path

import pytest

import betterthan as bt
from tests.readers.tools.boards import means


def test_columns_called_like_metrics_are_boards(samples: Path) -> None:
    [path] = (samples / "wandb").iterdir()
    table = json.loads(path.read_text())
    by_model = defaultdict[str, list[dict[str, float]]](list)
    for values in table["data"]:
        row = dict(zip(table["columns"], values, strict=True))
        by_model[row["model"]].append(row)
    own = {
        metric: {model: sum(row[metric] for row in rows) / len(rows) for model, rows in by_model.items()}
        for metric in ("exact_match", "bleu")
    }
    assert means(path) == {metric: pytest.approx(scores) for metric, scores in own.items()}
    reading = bt.read(path).reading
    assert reading is not None
    assert reading.ignored == ("id",)
