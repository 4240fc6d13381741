"""Summaries of other tools are refused with what to give instead."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

import betterthan as bt
from betterthan.base.spelling import spell_for
from tests.readers.tools.boards import refused

CORPUS = "these are corpus scores of sacrebleu, not scores of single segments. "


def test_tables_that_only_resemble_summaries_are_read(tmp_path: Path) -> None:
    path = tmp_path / "scores.json"
    path.write_text('[{"system": "owl", "item": "1", "BLEU": 28.4}, {"system": "yak", "item": "1", "BLEU": 26.4}]')
    assert bt.read(path).systems == ("owl", "yak")


@pytest.mark.parametrize("systems", [1, 2])
@pytest.mark.parametrize("metrics", [["bleu"], ["bleu", "chrf", "ter"]])
def test_what_sacrebleu_itself_prints_is_refused(systems: int, metrics: list[str], tmp_path: Path) -> None:
    pytest.importorskip("sacrebleu", reason="sacrebleu is in the group tools")
    (tmp_path / "ref.txt").write_text("the cat sat on the mat\nit is cold\n")
    outputs = [tmp_path / f"system{number}.txt" for number in range(systems)]
    for output in outputs:
        output.write_text("the cat sat on a mat\nit was cold\n")
    command = [sys.executable, "-m", "sacrebleu", str(tmp_path / "ref.txt"), "-i", *map(str, outputs), "-m", *metrics]
    printed = subprocess.run([*command, "--format", "json"], capture_output=True, text=True, check=True).stdout
    path = tmp_path / "scores.json"
    path.write_text(printed)
    assert refused(path).startswith(f"{path}: {CORPUS}")


SCORE = "Give the output files and references to betterthan score."
ALPACA = "this is a leaderboard of AlpacaEval, which holds no single judgments. Give the folders with annotations.json of its models."
_ONE = {"name": "BLEU", "score": 12.5, "signature": "nrefs:1|tok:13a", "verbose_score": "50.0/25.0", "nrefs": "1"}
_LINE = "BLEU|nrefs:1|case:mixed|tok:13a = 12.5 50.0/25.0 (BP = 1.000)"
LOGGED = "Give the tables of single items that the runs logged, such as those of wandb.Table or mlflow.log_table."
CURVES = f"these are curves of training: a value per step, and none per item. {LOGGED}"
RUNS = f"these are runs with one value per metric, not scores of single items. {LOGGED}"
_LEADERS = ",win_rate,standard_error,n_wins,n_wins_base,n_draws,n_total,mode\nowl,75.0,1.5,3,1,0,4,minimal\n"
REFUSED = {
    "single.json": (json.dumps(_ONE), CORPUS + SCORE),
    "several-metrics.json": (json.dumps([_ONE, {**_ONE, "name": "TER"}]), CORPUS + SCORE),
    "several-systems.json": (
        json.dumps(
            [
                {"system": "owl.txt", "BLEU": "12.5", "chrF2": "40.0"},
                {"system": "yak.txt", "BLEU": "9.5", "chrF2": "41.0"},
            ]
        ),
        CORPUS + SCORE,
    ),
    "paired.json": (
        json.dumps(
            [
                {"system": "Baseline: owl.txt", "BLEU": {"score": 12.5, "p_value": None}},
                {"system": "yak.txt", "BLEU": {"score": 9.5, "p_value": 0.25}},
            ]
        ),
        CORPUS + SCORE,
    ),
    "sentences.txt": (f"{_LINE}\n{_LINE}\n", f"these are sacrebleu's scores of one system as text. {SCORE}"),
    "leaderboard.csv": (_LEADERS, ALPACA),
    "tensorboard.csv": ("Wall time,Step,Value\n1.5,0,0.5\n2.5,1,0.25\n", CURVES),
    "wandb-curves.csv": ("Step,owl - loss,owl - loss__MIN,owl - loss__MAX\n0,0.5,0.5,0.5\n1,0.25,0.2,0.3\n", CURVES),
    "wandb-runs.csv": ("lr,_runtime,_step,_timestamp,acc,name\n0.1,5.5,1,2.5,0.5,owl\n0.2,6.5,1,2.5,0.7,yak\n", RUNS),
    "wandb-page.csv": ("Name,State,Notes,User,Tags,Created,Runtime,Sweep,acc\nowl,finished,,,,,5,,0.5\n", RUNS),
    "mlflow-runs.csv": ("run_id,experiment_id,status,artifact_uri,metrics.acc\na,1,x,y,0.5\nb,1,x,y,0.75\n", RUNS),
    "mlflow-page.csv": ("Start Time,Duration,Run ID,Name,Source Type,acc\n1,2,a,owl,LOCAL,0.5\n", RUNS),
}


@pytest.mark.parametrize("name", REFUSED)
def test_summaries_are_refused(name: str, tmp_path: Path) -> None:
    text, message = REFUSED[name]
    (tmp_path / name).write_text(text)
    with spell_for("command line"):
        assert refused(tmp_path / name) == f"{tmp_path / name}: {message}"
