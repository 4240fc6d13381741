"""Summaries of other tools are refused with what to give instead."""

import subprocess
import sys
from pathlib import Path

import pytest

import betterthan as bt
from betterthan.spelling import spell_for
from tests.evidence.tools.boards import refused

CORPUS = "these are corpus scores of sacrebleu, not scores of single segments. "
SCORE = "Give the output files and references to betterthan score."
ALPACA = "this is a leaderboard of AlpacaEval, which holds no single judgments. Give the folders with annotations.json of its models."
REFUSED = {
    "sacrebleu/single.json": CORPUS + SCORE,
    "sacrebleu/single-multi-metric.json": CORPUS + SCORE,
    "sacrebleu/multi-system.json": CORPUS + SCORE,
    "sacrebleu/paired-ar.json": CORPUS + SCORE,
    "sacrebleu/sentence-level.AIRC.txt": f"these are sacrebleu's scores of one system as text. {SCORE}",
    "alpaca_eval/alpaca_eval_gpt4_leaderboard.csv": ALPACA,
    "alpaca_eval/weighted_alpaca_eval_gpt4_turbo_leaderboard.csv": ALPACA,
}


@pytest.mark.parametrize("name", REFUSED)
def test_summaries_are_refused(name: str, samples: Path) -> None:
    with spell_for("command line"):
        assert refused(samples / name) == f"{samples / name}: {REFUSED[name]}"


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
