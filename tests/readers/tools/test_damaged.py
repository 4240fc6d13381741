"""Whatever is damaged in a tool's files, the answer is evidence or one sentence, never a traceback."""

import json
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import betterthan as bt
from betterthan.readers.format import format_called, tool_formats

VALUES: tuple[Any, ...] = (None, "x", "", 7, -1.5, True, [], {}, ["x"], [[1]], {"x": 1}, [None], {"x": None}, 1e400)
_JSON = {".json", ".jsonl"}
#: Files that hold JSON lines, although they are called .json.
_LINES = "_score.json"
#: Formats of one tool, of which one stands back where the other has more to say.
COMPANIONS = (
    {"lm-eval", "lm-eval-results"},
    {"google-mqm", "google-mqm-averages"},
    {"argilla", "argilla-rankings"},
    {"argilla", "argilla-ratings"},
    {"argilla-rankings", "argilla-ratings"},
    {"every-eval-ever", "every-eval-ever-results"},
    {"promptfoo", "promptfoo-tables"},
    {"promptfoo-best", "promptfoo-tables"},
)


def _places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the path of every value inside."""
    if path:
        yield path
    children = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, child in children:
        yield from _places(child, (*path, key))


def _damaged(document: Any, rng: random.Random) -> Any:
    """Replace a value by one of another kind, or remove it."""
    places = list(_places(document))
    *way, last = rng.choice(places)
    inside = document
    for key in way:
        inside = inside[key]
    if rng.random() < 0.3:
        del inside[last]
    else:
        inside[last] = rng.choice(VALUES)
    return document


def _line_damaged(line: str, rng: random.Random) -> str:
    """Remove, add or replace a cell."""
    cells = re.split(r"([\t, ])", line)
    place = rng.randrange(len(cells))
    cells[place : place + rng.randrange(2)] = rng.choice(([], ["x"], [""], ["-1"], ['"'], ["\t"], ["nan"], ["\x00"]))
    return "".join(cells)


def _damage(path: Path, rng: random.Random) -> None:
    text = path.read_text()
    if rng.random() < 0.1:
        path.write_text(text[: rng.randrange(len(text))])
    elif path.suffix not in _JSON:
        lines = text.splitlines()
        place = rng.randrange(len(lines))
        lines[place] = _line_damaged(lines[place], rng)
        path.write_text("\n".join(lines))
    elif path.suffix == ".jsonl" or path.name.endswith(_LINES):
        lines = text.splitlines()
        place = rng.randrange(len(lines))
        lines[place] = json.dumps(_damaged(json.loads(lines[place]), rng))
        path.write_text("\n".join(lines))
    else:
        path.write_text(json.dumps(_damaged(json.loads(text), rng)))


def _answer(source: Any) -> str:
    """Return the sentence with which a source is refused, nothing where it is read."""
    try:
        bt.read(source)
    except bt.BetterthanError as error:
        return str(error)
    return ""


# Those of lighteval are made of Parquet; campaigns are databases (tests/campaign/test_damaged.py). Damaged pickles have
# tests of their own (test_pandas_pickle.py).
TEXTS = [each.name for each in tool_formats() if not each.name.startswith(("lighteval", "campaign", "pandas-pickle"))]


@pytest.mark.parametrize("name", TEXTS)
def test_damage_is_refused_or_harmless(name: str, tmp_path: Path) -> None:
    rng = random.Random(name)
    for number in range(50):
        folder = tmp_path / str(number)
        folder.mkdir()
        source = format_called(name).example(folder)
        _damage(rng.choice(sorted(path for path in folder.rglob("*") if path.is_file())), rng)
        assert len(_answer(source).splitlines()) in {0, 1, 3, 5}  # a sentence, and at most two readings that work


@pytest.mark.parametrize("name", [each.name for each in tool_formats()])
def test_a_folder_of_two_tools_is_refused_and_unknown_files_are_named(name: str, tmp_path: Path) -> None:
    for other in tool_formats():
        if other.name <= name or {other.name, name} in COMPANIONS or other.surest != format_called(name).surest:
            continue
        both = tmp_path / other.name
        both.mkdir()
        for each in (name, other.name):
            format_called(each).example(both)
        answer = _answer(both)
        assert answer.startswith(f"{both}: these are files of several tools: ")
        assert f"{name} (" in answer
        assert f"{other.name} (" in answer
    alone = tmp_path / "alone"
    alone.mkdir()
    format_called(name).example(alone)
    (alone / "weights.bin").write_bytes(b"\x00\x01")
    reading = bt.read(alone, format=name if name == "pandas-pickle" else None).reading  # read on request only
    assert reading is not None
    assert [Path(file).name for file in reading.files_ignored] == ["weights.bin"]


def test_files_of_the_less_certain_of_two_tools_are_named_as_ignored(tmp_path: Path) -> None:
    for name in ("human-eval", "verifiers"):
        format_called(name).example(tmp_path)
    reading = bt.read(tmp_path).reading
    assert reading is not None
    assert reading.format == "human-eval"
    assert [Path(file).name for file in reading.files_ignored] == ["metadata.json", "results.jsonl"] * 2
