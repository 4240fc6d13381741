"""OpenAI evals: matches and metrics of samples, errors, unfinished runs."""

import json
from pathlib import Path

import pytest

from tests.readers.tools.boards import means


def test_boards_are_those_of_the_final_reports(samples: Path) -> None:
    boards = means(samples / "openai-evals")
    assert set(boards) == {"test-match.s1.simple-v0 correct"}
    for path in (samples / "openai-evals").iterdir():
        lines = [json.loads(line) for line in path.read_text().splitlines()]
        model = lines[0]["spec"]["completion_fns"][0]
        report = next(line["final_report"] for line in lines if "final_report" in line)
        assert boards["test-match.s1.simple-v0 correct"][model] == pytest.approx(report["accuracy"])
