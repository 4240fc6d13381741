"""Summaries of other tools are refused with what to give instead."""

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
