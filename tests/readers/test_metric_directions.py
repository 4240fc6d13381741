"""Whether less of a metric is better: by one table of names, in every layout, and asked where a name does not say."""

from pathlib import Path

import pytest

import betterthan as bt
from betterthan.readers.columns.metric_names import (
    is_ambiguous,
    is_error_like,
    is_metric,
    known_direction,
    metric_with_name,
)
from betterthan.readers.columns.name_tables import LESS as LESS_NAMES
from betterthan.readers.columns.name_tables import MORE as MORE_NAMES
from betterthan.readers.columns.roles import normal

LESS = [
    "MASE",
    "sMAPE",
    "CRPS",
    "wQL",
    "mean_wQuantileLoss",
    "MSIS",
    "NRMSE",
    "logloss",
    "rmsle",
    "test_error",
    "val_logloss",
    "LPIPS",
    "FVD",
    "FID",
    "KID",
    "EPE",
    "regret",
    "avg_rank",
    "cost",
    "time",
    "latency_ms",
    "perplexity",
    "wer",
    "x/MAE[0.5]",
    "MAE(norm)",
    "quantile_loss[0.9]",
    "minADE@5",
    "owl_wer",
    "top_5_error",
    "bleu_loss",
    "rank_1",
    "MetricX-24",
    "FID↓",
    "Latency(ms)",
    "num_errors",
    "RMSE(log)",
    "score_lower_is_better",
    "accuracy_loss",
    "recall_error",
    "cost_per_success",
    "wer_per_speaker",
]
MORE = [
    "accuracy",
    "acc,none",
    "exact_match,strict-match",
    "BLEU",
    "chrF++",
    "nDCG@10",
    "pass@1",
    "rouge1",
    "ROUGE-L",
    "f1_macro",
    "neg_log_loss",
    "neg_mean_squared_error",
    "val_accuracy",
    "win_rate",
    "tokens_per_second",
    "log_likelihood",
    "human_score",
    "SSIM↑",
    "failure_recall",
    "error_detection_accuracy",
    "toxicity_auc",
    "sql_accuracy",
    "rank_correlation",
    "drop_f1",
]
#: A word turns the direction of the metric beside it, or the name is of something that is good or bad by the context.
AMBIGUOUS = [
    "accuracy_drop",
    "drop in accuracy",
    "cost_savings",
    "time_to_failure",
    "error_robustness",
    "loss_reduction",
    "improvement_in_latency",
    "relative WER reduction",
    "wer_improvement",
    "performance_drop",
    "drop_rate",
    "time saved",
    "errors_found",
    "anti-toxicity",
    "neg_nll",
    "1 - WER",
    "-loss",
    "perplexity_increase",
    "cost_efficiency",
    "bias_score",
    "refusal_rate",
    "inaccuracy",
    "unfaithfulness",
    "dissimilarity",
    "survival_time",
    "distance_to_goal",
    "num_steps",
    "accuracy_gap",
    "accuracy_cost",
    "no_answer_rate",
]
UNKNOWN = ["glow", "toxic", "error_correction", "P@5", "MQM", "CPUSpeed", "human", "politeness"]


@pytest.mark.parametrize("name", LESS)
def test_less_is_better(name: str) -> None:
    assert known_direction(name) == "less"


@pytest.mark.parametrize("name", MORE)
def test_more_is_better(name: str) -> None:
    assert known_direction(name) == "more"


def test_names_that_say_nothing() -> None:
    assert {name: known_direction(name) for name in UNKNOWN} == dict.fromkeys(UNKNOWN)
    asked = ("docking_error_free", "error_correction", "1-loss", "1 - error", "no_failures", "residual", "entropy")
    assert [name for name in asked if not is_error_like(name)] == []
    assert [name for name in ("glow", "politeness", "wer", "accuracy") if is_error_like(name)] == []


@pytest.mark.parametrize("name", AMBIGUOUS)
def test_the_direction_of_a_name_is_ambiguous(name: str) -> None:
    assert (known_direction(name), is_ambiguous(name)) == (None, True)


@pytest.mark.parametrize("name", [*LESS, *MORE, "glow", "politeness", "DROP", "without_cot", "robust-bert", "harmless"])
def test_the_direction_of_a_name_is_not_ambiguous(name: str) -> None:
    assert not is_ambiguous(name)


def test_a_metric_is_distinguished_from_a_metric_of_a_system() -> None:
    assert [is_metric(name) for name in ("test_wer", "bleu", "owl_wer", "owl")] == [True, True, False, False]
    assert [metric_with_name(name) for name in ("test_wer", "owl_wer", "ppl_yak", "owl")] == ["", "wer", "ppl", ""]


def test_the_table_is_folded_and_contradicts_nothing() -> None:
    assert not LESS_NAMES & MORE_NAMES
    assert [name for name in LESS_NAMES | MORE_NAMES if normal(name) != name] == []


@pytest.mark.parametrize("name", ["MASE", "val_logloss", "LPIPS", "x/MAE[0.5]", "avg_rank"])
def test_every_layout_knows_the_direction(name: str, tmp_path: Path) -> None:
    long = tmp_path / "long.csv"
    long.write_text(
        f"item,system,metric,score\n1,owl,{name},0.1\n1,yak,{name},0.2\n2,owl,{name},0.3\n2,yak,{name},0.4\n"
    )
    columns = tmp_path / "columns.csv"
    columns.write_text(f"item,system,{name}\n1,owl,0.1\n1,yak,0.2\n2,owl,0.3\n2,yak,0.4\n")
    for path, score in ((long, None), (columns, [name])):
        assert bt.read_scores(path, score=score).tables[0].negated


def test_a_name_that_sounds_like_an_error_is_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "long.csv"
    path.write_text(
        "item,system,metric,score\n1,owl,entropy,0.1\n1,yak,entropy,0.2\n2,owl,entropy,1\n2,yak,entropy,2\n"
    )
    with pytest.raises(bt.EvidenceError) as refusal:
        bt.read(path)
    assert str(refusal.value) == (
        f"{path}: cannot tell whether less or more of 'entropy' is better\n"
        "2 systems (owl, yak): less of 'entropy' is better; less is better for 'entropy':\n"
        f"  bt.read({str(path)!r}, lower_is_better=['entropy'])\n"
        "2 systems (owl, yak): more of 'entropy' is better; more is better for 'entropy':\n"
        f"  bt.read({str(path)!r}, lower_is_better='none')"
    )
    assert bt.read_scores(path, lower_is_better="entropy").tables[0].negated
    assert not bt.read_scores(path, lower_is_better="none").tables[0].negated


def test_readings_in_both_directions_keep_what_is_known_of_other_metrics(tmp_path: Path) -> None:
    path = tmp_path / "columns.csv"
    path.write_text("item,system,wer,bleu\n1,owl,1,3\n1,yak,2,2\n2,owl,2,3\n2,yak,3,2\n".replace("bleu", "bleu_drop"))
    with pytest.raises(bt.EvidenceError) as refusal:
        bt.read(path, score=["wer", "bleu_drop"])
    assert [call for _, call in refusal.value.calls] == [
        f"bt.read({str(path)!r}, score=['wer', 'bleu_drop'], lower_is_better=['wer', 'bleu_drop'])",
        f"bt.read({str(path)!r}, score=['wer', 'bleu_drop'], lower_is_better=['wer'])",
    ]


def test_columns_that_share_an_ambiguous_metric_are_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "drops.csv"
    path.write_text("item,accuracy_drop_owl,accuracy_drop_yak\n1,0.5,0.75\n2,0.25,0.5\n")
    with pytest.raises(bt.EvidenceError, match="cannot tell whether less or more of 'accuracy_drop' is better"):
        bt.read(path)


def test_a_metric_that_all_columns_share_needs_no_names_of_items(tmp_path: Path) -> None:
    path = tmp_path / "results.csv"
    path.write_text("owl_mase,yak_mase\n0.5,0.75\n0.25,0.5\n")
    table = bt.read_scores(path).tables[0]
    assert (table.metric, table.negated, table.systems) == ("mase", True, ("owl_mase", "yak_mase"))


@pytest.mark.parametrize(
    "lines", ["item,owl,yak\n1,0.1,0.2\n2,0.3,0.4\n", "item,system,score\n1,owl,0.1\n1,yak,0.2\n2,owl,1\n2,yak,2\n"]
)
def test_a_file_that_is_called_like_an_error_is_asked_for(lines: str, tmp_path: Path) -> None:
    path = tmp_path / "wer.csv"
    path.write_text(lines)
    with pytest.raises(bt.EvidenceError) as refusal:
        bt.read(path)
    assert refusal.value.what == "the file is called 'wer', so less may be better"
    assert [call for _, call in refusal.value.calls] == [
        f"bt.read({str(path)!r}, lower_is_better={word!r})" for word in ("all", "none")
    ]
    assert bt.read_scores(path, lower_is_better="all").tables[0].negated
    assert not bt.read_scores(path, lower_is_better="none").tables[0].negated


@pytest.mark.parametrize(
    ("sign", "name", "asked"), [(1, "Frame_Errors", True), (-1, "Frame_Errors", False), (1, "wer", False)]
)
def test_errors_that_grow_with_a_quality_are_asked_for(sign: int, name: str, asked: bool, tmp_path: Path) -> None:
    path = tmp_path / "rated.csv"
    rows = [
        (item, system, quality := (item * 7 + place * 3) % 11 / 10, quality if sign > 0 else 1 - quality)
        for item in range(15)
        for place, system in enumerate(("owl", "yak"))
    ]
    path.write_text(f"item,system,factuality,{name}\n" + "".join(f"{i},{s},{q},{e}\n" for i, s, q, e in rows))
    if not asked:
        assert [table.negated for table in bt.read_scores(path).tables] == [False, True]
        return
    with pytest.raises(bt.EvidenceError) as refusal:
        bt.read_scores(path)
    assert str(refusal.value).startswith(
        f"{path}: '{name}' may say how much is free of errors: called like errors, but high where 'factuality' is\n"
    )
    assert [call.rpartition("lower_is_better=")[2] for _, call in refusal.value.calls] == [f"['{name}'])", "'none')"]
    assert not any(table.negated for table in bt.read_scores(path, lower_is_better="none").tables)


def test_levenshtein_may_be_a_distance_or_a_similarity(tmp_path: Path) -> None:
    path = tmp_path / "edits.csv"
    path.write_text("item,system,levenshtein\n1,owl,0.5\n1,yak,0.25\n2,owl,0.5\n2,yak,0.75\n")
    with pytest.raises(bt.EvidenceError, match="cannot tell whether less or more of 'levenshtein' is better"):
        bt.read_scores(path)


def test_names_of_metrics_do_not_hide_that_their_column_holds_times(tmp_path: Path) -> None:
    path = tmp_path / "runs.csv"
    rows = [(f"i{n}", who, what, n + len(what)) for n in range(3) for who in ("owl", "yak") for what in ("sign", "wer")]
    for column in ("score_us", "latency"):
        path.write_text(f"item,system,metric,{column}\n" + "".join(f"{i},{s},{m},{v}\n" for i, s, m, v in rows))
        with pytest.raises(bt.EvidenceError, match="cannot tell whether less or more of 'sign' is better"):
            bt.read_scores(path, score=[column])
    path.write_text("item,system,metric,value\n" + "".join(f"{i},{s},{m},{v}\n" for i, s, m, v in rows))
    assert [table.negated for table in bt.read_scores(path).tables] == [False, True]
