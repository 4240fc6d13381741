"""lm-evaluation-harness without samples: tasks are items, groups and standard errors are not."""

import json
from pathlib import Path

import betterthan as bt
from tests.readers.tools.boards import means


def _files(samples: Path) -> list[str]:
    return [str(path) for path in (samples / "lm-eval").rglob("results_*.json")]


def test_boards_are_the_figures_of_the_files(samples: Path) -> None:
    boards = means(_files(samples))
    assert set(boards) == {
        "acc",
        "acc_norm",
        "bleu",
        "chrf",
        "ter",
        "exact_match,flexible-extract",
        "exact_match,strict-match",
    }
    for path in _files(samples):
        document = json.loads(Path(path).read_text())
        results, model = document["results"], document["model_name"]
        assert boards["acc"][model] == results["toy_mc"]["acc,none"]
        assert boards["exact_match,strict-match"][model] == results["toy_sums"]["exact_match,strict-match"]
        assert boards["ter"][model] == -results["toy_mt"]["ter,none"]  # less is better


def test_samples_are_read_where_there_are_any(samples: Path) -> None:
    for source in (samples / "lm-eval", samples / "lm-eval" / "*"):
        reading = bt.read(str(source)).reading
        assert reading is not None
        assert reading.format == "lm-eval"
    asked = bt.read(samples / "lm-eval", format="lm-eval-results").reading
    assert asked is not None
    assert asked.format == "lm-eval-results"
