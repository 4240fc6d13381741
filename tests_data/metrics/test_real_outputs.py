"""Real outputs: counterfactual reviews against the expert's edit, and sentiment classifiers against the truth."""

import re
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pytest

import betterthan as bt

_NAMES = {"chrF_vs_expert": "chrf", "ED_vs_expert": "edit-distance", "WER_vs_expert": "wer"}
_SIX = ("crowd", "llama", "mice", "llama_02", "crest", "gbda")


def _plain(text: str) -> str:
    """Return a review without line breaks, which some systems copy as markup."""
    return " ".join(re.sub(r"<unk>br />|<br ?/>", " ", text).split())


@pytest.fixture(scope="module")
def reviews(shared: Path) -> tuple[list[dict[str, str]], list[dict[str, str]]]:
    """Return outputs and references."""
    rows = duckdb.sql(f"SELECT instance, system, gen_text FROM '{shared / 'ceval-imdb' / 'outputs.csv.gz'}'").fetchall()
    texts = [(str(item), system, _plain(text)) for item, system, text in rows if text is not None]
    outputs = [{"item": item, "system": system, "output": text} for item, system, text in texts if system != "expert"]
    return outputs, [{"item": item, "reference": text} for item, system, text in texts if system == "expert"]


@pytest.fixture(scope="module")
def scored(reviews: Any) -> bt.Scored:
    """Return their scores."""
    outputs, references = reviews
    return bt.score([row for row in outputs if row["system"] in _SIX], "chrf,edit-distance,wer", references)


def test_scores_against_the_expert_are_the_published_ones(scored: bt.Scored, shared: Path) -> None:
    columns = scored.columns()
    cells = zip(columns["item"], columns["system"], columns["metric"], columns["score"], strict=True)
    found = {(item, system, metric): score for item, system, metric, score in cells}
    place = shared / "ceval-imdb" / "reference-metrics.csv.gz"
    expected = duckdb.sql(f"SELECT instance, system, metric, score FROM '{place}'").fetchall()
    compared = [
        (found[str(item), system, _NAMES[metric]], score) for item, system, metric, score in expected if system in _SIX
    ]
    assert len(compared) == 3 * (6 * 488 - 4 - 1)
    assert max(abs(one - other) for one, other in compared) < 1e-6


def test_mean_and_pairwise_order_differ_on_one_pair(scored: bt.Scored, tmp_path: Path) -> None:
    scored.save(tmp_path / "scores.parquet")
    boards = bt.rank(bt.read_scores(str(tmp_path / "scores.parquet"), where={"metric": "chrf"}), resamples=50)
    assert [row.system for row in boards["mean"]] == list(_SIX)
    assert [row.system for row in boards["bradley-terry"]] == ["crowd", "llama", "llama_02", "mice", "crest", "gbda"]


def test_sentiment_classifiers(shared: Path, tmp_path: Path) -> None:
    scored = bt.score(str(shared / "sst5" / "predictions.csv.gz"), "accuracy,f1", "truth", outputs="pred")
    expected = {"textblob": (28.3710, 0.24681), "vader": (31.5385, 0.31217), "logistic": (40.8597, 0.35306)}
    for system, (accuracy, f1) in expected.items():
        assert 100 * scored[system, "accuracy"] == pytest.approx(accuracy, abs=5e-5)
        assert scored[system, "f1"] == pytest.approx(f1, abs=5e-6)
    scored.save(tmp_path / "scores.csv")
    boards = bt.rank(str(tmp_path / "scores.csv"))
    for system, (accuracy, f1) in expected.items():
        row = boards["f1", "corpus"][system]
        assert row.score == pytest.approx(f1, abs=5e-6)
        assert row.low < f1 < row.high
        assert 100 * boards["accuracy", "mean"][system].score == pytest.approx(accuracy, abs=5e-5)
    assert [row.rank for row in boards["f1", "corpus"]] == [1, 2, 3, 4, 5]


@pytest.mark.parametrize(("metric", "items"), [("f1", 150), ("accuracy", 150)])
def test_intervals_of_the_default_call_hold_the_truth_as_often_as_they_say(
    metric: str, items: int, shared: Path
) -> None:
    """The test set is the population; samples of its items are scored and ranked by default calls."""
    place = shared / "sst5" / "predictions.csv.gz"
    rows = duckdb.sql(f"SELECT instance, system, pred, truth FROM '{place}' ORDER BY instance, system").fetchall()
    systems = sorted({row[1] for row in rows})
    said = np.array([row[2] for row in rows]).reshape(-1, len(systems))
    true = np.array([row[3] for row in rows]).reshape(-1, len(systems))[:, 0]

    def scored(chosen: Any) -> bt.Scored:
        columns = {name: said[chosen, place].tolist() for place, name in enumerate(systems)}
        return bt.score({**columns, "truth": true[chosen].tolist()}, metric, "truth", systems=systems)

    population = scored(np.arange(len(true)))
    truth = {system: population[system, metric] for system in systems}
    rng = np.random.default_rng(2024)
    runs, held = 150, 0
    for _ in range(runs):
        sample = scored(rng.integers(len(true), size=items))
        board = bt.rank(sample, model="corpus" if metric == "f1" else "mean").board
        held += sum(row.low <= truth[row.system] <= row.high for row in board)
    share = held / (runs * len(systems))
    assert 0.93 <= share <= 0.975, share
