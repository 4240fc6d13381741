"""Summaries of other tools are refused with what to give instead."""

from pathlib import Path

import pytest

from betterthan.base.spelling import spell_for
from tests.readers.tools.boards import refused
from tests.readers.tools.test_no_evidence import CORPUS

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
