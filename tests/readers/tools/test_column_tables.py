"""Tables with the columns of one tool: which column plays which part, and where less is better."""

from pathlib import Path
from typing import Any

import pytest

import betterthan as bt
from betterthan.engine.duckdb.column_export import write_columns
from betterthan.readers.format import format_called
from tests.readers.tools.boards import found, means, refused

#: The board of every example, computed by hand from the numbers in it.
EXAMPLES: dict[str, dict[str, dict[str, float]]] = {
    "automl-benchmark": {"1h8c neg_logloss": {"owl": -0.28125, "yak": -0.5}},
    "cd-diagram": {"": {"owl": 0.8125, "yak": 0.5625}},
    "gift-eval": {
        "eval_metrics/MASE[0.5]": {"owl": -1.0, "yak": -1.375},
        "eval_metrics/mean_weighted_sum_quantile_loss": {"owl": -0.375, "yak": -0.625},
    },
    "sklearn-cv": {"score": {"C=1": 0.625, "C=10": 0.7916666666666666}},
    "webmushra": {"": {"owl": 81.25, "yak": 53.75}},
}


@pytest.mark.parametrize("name", EXAMPLES)
def test_examples_have_the_means_computed_by_hand(name: str, tmp_path: Path) -> None:
    columns = format_called(name).example(tmp_path)
    write_columns(tmp_path / "table.csv", columns)
    reading = bt.read(tmp_path / "table.csv").reading
    assert reading is not None
    assert reading.format == name
    assert means(tmp_path / "table.csv") == EXAMPLES[name]


def _columns(name: str) -> dict[str, Any]:
    return dict(format_called(name).example(Path()))


def test_errors_that_are_not_negated_go_by_their_name() -> None:
    results = _columns("automl-benchmark")
    results |= {"metric": ["logloss"] * 8, "result": [-each for each in results["result"]]}
    assert means(results) == {"1h8c logloss": {"owl": -0.28125, "yak": -0.5}}
    assert means({**results, "metric": ["auc"] * 8}) == {"1h8c auc": {"owl": 0.28125, "yak": 0.5}}
    assert means({**results, "metric": ["neg_rmse"] * 8}) == {"1h8c neg_rmse": {"owl": 0.28125, "yak": 0.5}}


def test_errors_on_the_scale_of_their_data_set_are_not_averaged() -> None:
    reading = bt.read(_columns("gift-eval")).reading
    assert reading is not None
    assert reading.ignored == ("eval_metrics/MSE[mean]", "domain")


def test_sessions_of_listening_tests_are_judges() -> None:
    ratings = _columns("webmushra")
    assert found(ratings)["judges-averaged"].startswith("Scores are means over up to 2 judges per item")


def test_models_of_vlm_eval_kit_are_files(tmp_path: Path) -> None:
    paths = format_called("vlm-eval-kit").example(tmp_path)
    assert means(paths) == {"": {"owl_MMBench_result": 1.0, "yak_MMBench_result": 0.5}}
    assert "there are no files with columns answer, hit, index, prediction; its columns are 'text'." in refused(
        {"text": ["x"]}, format="vlm-eval-kit"
    )


def test_options_that_name_systems_or_items_choose_another_format() -> None:
    named = bt.read(_columns("cd-diagram"), system="classifier_name", item="dataset_name", score="accuracy")
    assert named.reading is not None
    assert named.reading.format == "scores-long"


def test_a_table_without_the_columns_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    path.write_text("text,other\nx,y\n")
    assert refused(path, format="webmushra") == (
        f"{path}: there are no columns rating_score, rating_stimulus, session_uuid, trial_id; its columns are "
        "'text', 'other'. Leave out format."
    )
    assert refused(path, format="sklearn-cv") == (
        f"{path}: there are no columns params and split0_test_score; its columns are 'text', 'other'. Leave out format."
    )


def test_settings_are_called_by_their_parameters_and_repeated_ones_by_their_place() -> None:
    results = {**_columns("sklearn-cv"), "params": [{"C": 1}, {"C": 10}]}
    assert means({**results, "param_kernel": ["rbf", None]}) == {
        "score": {"C=1, kernel=rbf": 0.625, "C=10": 0.7916666666666666}
    }
    again = {name: [*values, values[0]] for name, values in _columns("sklearn-cv").items() if name != "param_C"}
    assert sorted(means(again)["score"]) == ["{'C': 10}", "{'C': 1}", "{'C': 1} (row 3)"]


def test_scorers_of_errors_are_negated_by_scikit_learn(tmp_path: Path) -> None:
    """Of two metrics, one an error: −0.25 is better than −0.5, whatever its name says."""
    results = {
        "params": ["{'C': 1}", "{'C': 10}"],
        **{f"split{split}_test_{metric}": [-0.5, -0.25] for split in (0, 1) for metric in ("rmse", "neg_log_loss")},
        "split0_train_rmse": [0.0, 0.0],
    }
    assert means(results) == {metric: {"{'C': 1}": -0.5, "{'C': 10}": -0.25} for metric in ("neg_log_loss", "rmse")}
    write_columns(tmp_path / "cv_results.csv", results)
    scores = bt.read(tmp_path / "cv_results.csv", score="rmse")
    assert [row.system for row in bt.rank(scores, model="mean", ci="none").board.rows] == ["{'C': 10}", "{'C': 1}"]
    assert refused(tmp_path / "cv_results.csv", score="mse").endswith(
        "there is no metric 'mse'; allowed: neg_log_loss, rmse."
    )


def test_categories_of_vlm_eval_kit_are_items_and_files_are_systems(tmp_path: Path) -> None:
    paths = format_called("vlm-eval-kit-averages").example(tmp_path)
    scores = bt.read_scores(paths)
    (table,) = scores.tables
    assert (table.systems, table.items, table.metric) == (("owl", "yak"), ("AR", "CP", "LR"), "accuracy dev")
    assert table.values.tolist() == [[0.7, 0.5], [0.9, 0.7], [0.8, 0.6]]
    with pytest.raises(bt.EvidenceError, match=r"there are no files MODEL_BENCHMARK_acc\.csv"):
        bt.read_scores({"split": ["dev"], "Overall": [0.5]}, format="vlm-eval-kit-averages")
    for path in paths:  # without the ending, the columns may be anything
        Path(path).rename(Path(path).with_name(Path(path).name.replace("_acc", "")))
    with pytest.raises(bt.EvidenceError):
        bt.read_scores(sorted(tmp_path.glob("*.csv")))
