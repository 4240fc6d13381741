"""The fuzzer finds what it looks for: every kind of bad answer is called one, and a good one is not."""

import json
import random
from pathlib import Path

import pytest

from fuzz.checks import Answer, complaints
from fuzz.commands import call, options, spoiled
from fuzz.files import FORMATS, written
from fuzz.plausible import Plausible, plausible, wrong
from fuzz.tables import seeds

RANK = ["rank", "votes.csv", "--format", "json"]
GOOD = json.dumps({"evidence": {"kind": "judgments", "rows": 3}})


@pytest.mark.parametrize(
    ("words", "answer", "rows", "said"),
    [
        (RANK, Answer(None, "", ""), 3, "did not end in time"),
        (RANK, Answer(-11, "", ""), 3, "exit code -11"),
        (RANK, Answer(3, "", "betterthan: an error of betterthan itself"), 3, "exit code 3"),
        (RANK, Answer(2, "", "Traceback (most recent call last):\n"), 3, "a traceback"),
        (RANK, Answer(2, "", "a\n" * 7), 3, "a message of 7 lines"),
        (RANK, Answer(2, "", "x" * 3000), 3, "3000 characters"),
        (RANK, Answer(2, "", ""), 3, "no message"),
        (RANK, Answer(0, GOOD, "x.py:1: RuntimeWarning: overflow"), 3, "a Python warning"),
        (["rank", "votes.csv"], Answer(0, "owl \x1b[31m", ""), 3, "control characters on standard output"),
        (RANK, Answer(0, '{"score": NaN}', ""), 3, "JSON that cannot be read: NaN"),
        (RANK, Answer(0, GOOD, ""), 4, "4 rows in the file, 3 accounted for"),
    ],
)
def test_what_is_wrong_is_called_wrong(words: list[str], answer: Answer, rows: int, said: str) -> None:
    assert said in "; ".join(complaints(words, answer, rows))


def test_what_is_right_is_not() -> None:
    assert complaints(RANK, Answer(0, GOOD, ""), 3) == []
    assert complaints(RANK, Answer(2, "", "betterthan: no such file.\n"), 3) == []


def test_calls_are_the_same_for_a_seed_and_many_options_are_tried(tmp_path: Path) -> None:
    made = []
    for _ in range(2):
        rng = random.Random("0 7")
        table = seeds(rng).spoiled(rng)
        made.append((table, *written(table, tmp_path, rng), call(tmp_path / "x.csv", rng)))
    assert made[0] == made[1]
    assert len(options("rank")) > 30
    assert not {"--help", "--output"} & {name for name, _ in options("rank")}


@pytest.mark.parametrize("end", FORMATS)
def test_every_format_is_written(end: str) -> None:
    assert len(FORMATS[end](seeds(random.Random(1)))) > 20


def test_signatures_are_spoiled() -> None:
    line, rng = "betterthan 0.2.0|verb:rank|model:bradley-terry|seed:0", random.Random(0)
    assert len({spoiled(line, rng) for _ in range(50)}) > 30


def _board(*systems: str) -> str:
    return json.dumps({"leaderboards": [{"rows": [{"system": system} for system in systems]}]})


def test_a_plausible_table_that_is_read_to_another_board_is_found() -> None:
    made = Plausible(Path("results.csv"), ("owl", "yak"))
    assert wrong(made, Answer(0, _board("owl", "yak"), ""), _never) == []
    assert wrong(made, Answer(0, _board("yak", "owl"), ""), _never) == ["read as yak > owl, not owl > yak"]
    assert wrong(made, Answer(0, _board("owl", "yak", "year"), ""), _never)


def _never(words: list[str]) -> Answer:
    raise AssertionError(words)


def test_a_hint_that_fails_or_gives_another_board_is_found() -> None:
    made = Plausible(Path("results.csv"), ("owl", "yak"))
    refused = Answer(2, "", "betterthan: no.\n  betterthan rank 'my results.csv' --left a\n")
    pasted = []

    def ask(words: list[str], answer: Answer) -> Answer:
        pasted.append(words)
        return answer

    assert wrong(made, refused, lambda words: ask(words, Answer(0, _board("owl", "yak"), ""))) == []
    assert "by the hint" in wrong(made, refused, lambda words: ask(words, Answer(0, _board("yak", "owl"), "")))[0]
    assert "a hint fails" in wrong(made, refused, lambda words: ask(words, Answer(2, "", "no")))[0]
    assert pasted == [["rank", "my results.csv", "--left", "a"]] * 3


def test_plausible_tables_are_the_same_for_a_seed(tmp_path: Path) -> None:
    made = []
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        table = plausible(tmp_path / name, random.Random("0 3"))
        made.append((table.order, table.path.name, table.path.read_bytes()))
    assert made[0] == made[1]
