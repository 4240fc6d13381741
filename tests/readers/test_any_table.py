"""Whatever a table's columns are called and hold: it is refused in one sentence, or every column is accounted for."""

import csv
import io
import tempfile
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

import betterthan as bt
from betterthan.evidence.reading_report import Reading
from betterthan.readers.columns.name_tables import DESCRIBING, LESS, MORE, OTHER
from betterthan.readers.columns.roles import NAMES, SIDES, TEXTS
from betterthan.readers.columns.suspicious_columns import sounds_else
from betterthan.readers.open_tables import open_table

SYSTEMS = ["owl", "yak", "elk", "gnu"]
KNOWN = sorted(
    {*OTHER, *LESS, *MORE, *DESCRIBING, *(name for names in NAMES.values() for name in names)}
    | {name for pair in (*SIDES, *TEXTS) for name in pair}
    | {
        "winner",
        "loser",
        "V12",
        "V13",
        "V23",
        "rank_1",
        "rank_2",
        "system1Id",
        "system1rank",
        "system2Id",
        "system2rank",
    }
    | {"n_a", "n_tie", "n_b", "wins_a", "wins_b", "first", "second", "third", "order", "feedback.x", "app_name"}
    | {"avg_length", "total_instances", "inner_id", "execution_time", "tstamp", "SEX", "latency_ms", "doc_id", "bleu"}
)
#: Names that have misled readers, drawn more often than others.
TELLING = [
    "turn",
    "tstamp",
    "id",
    "n",
    "avg_length",
    "SEX",
    "latency_ms",
    "target",
    "label",
    "source",
    "dataset",
    "bleu",
]
NAME = st.one_of(
    st.sampled_from(TELLING),
    st.sampled_from(KNOWN),
    st.sampled_from(SYSTEMS),
    st.text(
        st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"], exclude_characters=","), min_size=1, max_size=8
    ),
    st.integers(-3, 2000).map(str),
)
CELLS = {
    "systems": st.sampled_from(SYSTEMS),
    "outcomes": st.sampled_from(["a", "b", "tie", "left", "right", "owl", "yak", "A>B", ""]),
    "whole": st.integers(-1, 5).map(str),
    "large": st.integers(0, 10**9).map(str),
    "decimal": st.floats(0, 1).map(lambda value: f"{value:.3f}"),
    "yes": st.sampled_from(["true", "false", "yes", "no"]),
    "order": st.sampled_from(["owl > yak", "yak > owl = elk", '["owl", "yak"]', "A>B"]),
    "place": st.integers(1, 3).map(str),
    "sign": st.sampled_from(["1", "-1", "0"]),
    "text": st.sampled_from(["x", "some words", "nan", "NA", "", "[]", "{}", "1,5", "2026-05-01"]),
}


#: Columns that make sense together: without them, nearly every table would be refused.
LAYOUTS: list[dict[str, str]] = [
    {},
    {"left": "systems", "right": "systems", "winner": "outcomes"},
    {"model_a": "systems", "model_b": "systems", "n_a": "whole", "n_b": "whole"},
    {"winner": "systems", "loser": "systems"},
    {"item": "large", "system": "systems", "score": "decimal"},
    {"prompt": "large", "model": "systems"},
    {"ranking": "large", "system": "systems", "rank": "whole"},
    dict.fromkeys(SYSTEMS, "decimal"),
    dict.fromkeys(SYSTEMS[:3], "place"),
    {"order": "order"},
    dict.fromkeys(("first", "second", "third"), "systems"),
    dict.fromkeys(("V12", "V13", "V23"), "sign"),
    {"system": "systems", "mmlu": "decimal", "gsm8k": "decimal"},
]


@st.composite
def tables(draw: st.DrawFn) -> dict[str, list[str]]:
    """Draw a table: a layout that makes sense or none, and up to three more columns, each of one kind of cells."""
    kinds = dict(draw(st.sampled_from(LAYOUTS)))
    for name in draw(st.lists(NAME, min_size=0 if kinds else 1, max_size=3, unique=True)):
        kinds.setdefault(name, draw(st.sampled_from(sorted(CELLS))))
    rows = draw(st.integers(1, 6))
    names = draw(st.permutations(list(kinds)))
    return {name: draw(st.lists(CELLS[kinds[name]], min_size=rows, max_size=rows)) for name in names}


def _accounted(source: Any, **options: Any) -> None:
    """Check that a source is refused in one sentence, or that its reading names every column."""
    try:
        evidence = bt.read(source, **options)
        systems = evidence.systems
    except bt.BetterthanError as error:
        said = str(error)
    else:
        said = ""
    if said:
        first, *hints = said.split("\n")
        assert first
        assert len(hints) in {0, 2, 4}  # what a reading means, and the call
        return
    reading = evidence.reading
    assert isinstance(reading, Reading)
    with open_table(source) as table:
        columns = set(table.columns)
    named = {name for used in reading.used.values() for name in (used, *used.split(", "))} | set(reading.ignored)
    lost = {column for column in columns if column not in named and not _part(column, named)}
    assert not lost, f"{lost} of {columns} is neither used nor ignored: {reading}"
    # Cells name no system like a column that sounds like something else, so such a system is a column.
    wrong = [system for system in systems if system in columns and sounds_else(system)]
    assert not wrong, f"{wrong} ranked as systems: {reading}"


def _part(column: str, named: set[str]) -> bool:
    """Is a column part of one that is made of several, such as app_name+app_version?"""
    return any("+" in name and column in name.split("+") for name in named)


QUICK = settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@QUICK
@given(tables())
@example({"target": ["1", "2"], "acc": ["0.5", "1"], "acc_norm": ["0.5", "0"]})
@example({"V12": ["1", "-1"], "V13": ["1", "1"], "V23": ["-1", "1"], "SEX": ["1", "2"]})
def test_columns_in_memory_are_accounted_for(columns: dict[str, list[str]]) -> None:
    _accounted({name: [_typed(cell) for cell in cells] for name, cells in columns.items()})


@QUICK
@given(tables(), st.sampled_from([None, "judgments", "rankings", "scores"]))
def test_columns_are_accounted_for_where_the_kind_is_said(columns: dict[str, list[str]], kind: Any) -> None:
    _accounted(columns, kind=kind)


@settings(QUICK, max_examples=60)
@given(tables(), st.booleans(), st.sampled_from([",", ";", "\t"]), st.booleans())
def test_columns_of_files_are_accounted_for(columns: dict[str, list[str]], header: bool, sign: str, mark: bool) -> None:
    stream = io.StringIO()
    writer = csv.writer(stream, delimiter=sign)
    writer.writerows([list(columns)] * header)
    writer.writerows(zip(*columns.values(), strict=True))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "table.csv"
        path.write_text(stream.getvalue(), encoding="utf-8-sig" if mark else "utf-8")
        _accounted(path)


@settings(QUICK, max_examples=60)
@given(
    st.lists(st.sampled_from(sorted({*OTHER, *TELLING[:8]})), min_size=1, max_size=2, unique=True),
    st.sampled_from(["decimal", "place", "whole"]),
    st.sampled_from([None, "rankings", "scores"]),
    st.data(),
)
def test_columns_of_something_else_beside_systems_are_never_ranked(
    others: list[str], cells: str, kind: Any, data: st.DataObject
) -> None:
    names = data.draw(st.permutations([*SYSTEMS[:3], *others]))
    columns = {name: data.draw(st.lists(CELLS[cells], min_size=4, max_size=4)) for name in names}
    _accounted({name: [float(cell) for cell in column] for name, column in columns.items()}, kind=kind)


def _typed(cell: str) -> Any:
    """Return numbers as numbers, and nothing as None."""
    try:
        return float(cell)
    except ValueError:
        return cell or None
