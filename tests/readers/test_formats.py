"""Formats: every one recognises, reads and survives its own example; other packages can bring theirs."""

import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import betterthan as bt
from betterthan.base import spelling
from betterthan.engine.duckdb.column_export import write_columns
from betterthan.engine.table import Table
from betterthan.options.read import ReadOptions
from betterthan.readers import format as registry
from betterthan.readers.conversion import convert
from betterthan.readers.format import Recognition, all_formats, format_called
from betterthan.readers.open_tables import open_table
from betterthan.readers.recognition import find_format

#: Formats that are read on request only.
ON_REQUEST = {"pandas-pickle"}


def _sorted(columns: Mapping[str, Any]) -> list[tuple[str, ...]]:
    texts = [[str(value) for value in values] for _, values in sorted(columns.items())]
    return sorted(zip(*texts, strict=True))


@pytest.mark.parametrize("name", all_formats())
def test_a_format_recognises_its_own_example(name: str, tmp_path: Path) -> None:
    found = format_called(name)
    assert "\n" not in found.about
    chosen, _ = find_format(found.example(tmp_path), ReadOptions())
    assert chosen.name == name


@pytest.mark.parametrize("ending", ["csv", "jsonl", "parquet"])
@pytest.mark.parametrize("name", all_formats())
def test_an_example_survives_being_written(name: str, ending: str, tmp_path: Path) -> None:
    found = format_called(name)
    evidence = bt.read(found.example(tmp_path), format=name if name in ON_REQUEST else None)
    assert evidence.kind == found.kind
    assert bt.read(found.example(tmp_path), format=name) == evidence
    written = convert(evidence, evidence.kind)
    write_columns(tmp_path / f"written.{ending}", written)
    # Which column says what is dependent is never guessed.
    group = evidence.tables[0].grouped_by or None if isinstance(evidence, bt.Scores) else None
    again = bt.read(tmp_path / f"written.{ending}", group=group)
    assert again.kind == evidence.kind
    assert _sorted(convert(again, again.kind)) == _sorted(written)


@pytest.mark.parametrize("name", [name for name, each in all_formats().items() if each.takes == "table"])
def test_a_format_says_what_its_table_lacks(name: str) -> None:
    with pytest.raises(bt.EvidenceError) as refusal:
        bt.read({"text": ["x"], "other": ["y"]}, format=name)
    assert str(refusal.value).startswith("the given arrays: ")
    assert "'text', 'other'" in str(refusal.value)


def test_formats_are_listed() -> None:
    assert (
        "wmt",
        "rankings",
        "WMT's rankings: system1Id, system1rank … in one row, or pairs of one rankingID in several",
    ) in bt.formats()
    assert {name for name, _, _ in bt.formats()} >= {
        "judgments",
        "winner-loser",
        "rankings-wide",
        "rankings-long",
        "wmt",
        "scores-wide",
        "scores-long",
    }
    with pytest.raises(bt.EvidenceError) as refusal:
        bt.read({"owl": [1.5], "yak": [2.5]}, format="scores-wid")
    assert str(refusal.value) == "there is no format 'scores-wid'. Did you mean 'scores-wide'?"
    with pytest.raises(bt.EvidenceError) as refusal:
        bt.read({"owl": [1.5], "yak": [2.5]}, "rankings", format="scores-wide")
    assert str(refusal.value) == "format='scores-wide' is a format of scores, not of rankings. Leave out kind."
    with pytest.raises(bt.EvidenceError) as refusal:
        bt.read_scores({"owl": [1.5], "yak": [2.5]}, "rankings")
    assert str(refusal.value) == "kind='rankings' contradicts read_scores. Leave it out, or use bt.read."


RANKS = {"owl": [1, 2], "yak": [2, 1]}


def test_two_readings_that_are_equally_certain_are_refused() -> None:
    with pytest.raises(bt.EvidenceError) as refusal:
        bt.read(RANKS)
    assert str(refusal.value) == (
        "the given arrays: this may be rankings (the numbers 1 to 2, where 1 is best) or scores (the numbers 1 to 2, "
        "where more is better)\n"
        "2 systems (owl, yak): as rankings, rank 1 is best:\n  bt.read(evidence, kind='rankings')\n"
        "2 systems (owl, yak): as scores; more is better:\n  bt.read(evidence, kind='scores')"
    )
    assert bt.read(RANKS, format="rankings-wide").kind == "rankings"


WMT = format_called("wmt").example(Path())
UNUSED: list[tuple[Any, dict[str, Any], str]] = [
    (
        WMT,
        {"systems": ["owl", "yak"]},
        "--systems has no effect on wmt (WMT's rankings: system1Id, system1rank … in one row, or pairs of one rankingID in several)",
    ),
    (
        {"left": ["owl"], "right": ["yak"], "winner": ["a"]},
        {"metric": "left", "kind": "judgments"},
        "--metric has no effect on judgments (one comparison per row: two systems and who won, or how often each did)",
    ),
    (
        {"owl": [0.5], "yak": [0.25], "judge": ["ann"]},
        {"judge": "judge"},
        "--judge has no effect on scores-wide (one item per row: a column of scores per system)",
    ),
    (
        {"item": ["1", "1"], "system": ["owl", "yak"], "score": [1, 2]},
        {"weight": "score"},
        "--weight has no effect on scores-long (one score per row: item, system, score, perhaps metric and data set)",
    ),
]


@pytest.mark.parametrize(("source", "options", "message"), UNUSED)
def test_an_option_without_effect_is_refused(source: Any, options: dict[str, Any], message: str) -> None:
    with spelling.spell_for("command line"), pytest.raises(bt.EvidenceError) as refusal:
        bt.read(source, **options)
    assert str(refusal.value).startswith(f"the given arrays: {message}. Leave it out, or choose another format with --")


def test_one_text_is_one_column_of_counts() -> None:
    votes = {"left": ["owl"], "right": ["yak"], "winner": ["a"], "often": [7]}
    assert bt.read_judgments(votes, counts="often").tally().times.tolist() == [7.0]
    counted = {"left": ["owl"], "right": ["yak"], "x": [3], "y": [4]}
    assert bt.read_judgments(counted, counts="x,y").tally().times.sum() == 7


def test_a_table_that_was_given_stays_open(tmp_path: Path) -> None:
    (tmp_path / "scores.csv").write_text("item,owl,yak\n1,0.5,0.25\n")
    table = open_table(tmp_path / "scores.csv")
    assert bt.read(table) == bt.read(table)
    assert bt.read(table, where={"owl": "0.5"}).kind == "scores"
    with pytest.raises(bt.EvidenceError):
        bt.read(table, weight="owl")
    assert table.unique(["owl"]) == (1, 1)
    table.close()


PLUG_IN = '''
from pathlib import Path
import betterthan as bt
from betterthan.readers.format import Recognition


class Folder:
    """A folder with a file of scores per system: one number per line."""

    name, kind, about, takes = "folder-of-runs", "scores", "a folder with one file per system", "places"
    uses, surest = frozenset({"lower_is_better"}), 1.0

    def recognise(self, found, options):
        return Recognition(1.0, "a file RUNS") if any(file.below[-1] == "RUNS" for file in found) else None

    def read(self, found, options):
        files = [file.path for file in found if file.path.suffix == ".txt"]
        columns = {file.stem: [float(line) for line in file.read_text().split()] for file in files}
        return bt.read_scores(columns, format="scores-wide", lower_is_better=options.lower_is_better)

    def example(self, folder):
        place = folder / "runs"
        place.mkdir(exist_ok=True)
        (place / "RUNS").write_text("2")
        (place / "owl.txt").write_text("0.5 0.25")
        (place / "yak.txt").write_text("0.75 0.125")
        return place


FORMAT = Folder()
'''


@pytest.fixture
def plug_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Install a package with a format of its own."""
    site = tmp_path / "site"
    (site / "runs_format-1.0.dist-info").mkdir(parents=True)
    (site / "runs_format.py").write_text(PLUG_IN)
    (site / "runs_format-1.0.dist-info" / "METADATA").write_text(
        "Metadata-Version: 2.1\nName: runs-format\nVersion: 1.0\n"
    )
    (site / "runs_format-1.0.dist-info" / "entry_points.txt").write_text(
        "[betterthan.formats]\nruns = runs_format:FORMAT\n"
    )
    monkeypatch.syspath_prepend(str(site))
    registry.plugged_formats.cache_clear()
    yield
    sys.modules.pop("runs_format", None)
    registry.plugged_formats.cache_clear()


@pytest.mark.usefixtures("plug_in")
def test_another_package_brings_a_format_that_reads_a_folder(tmp_path: Path) -> None:
    assert ("folder-of-runs", "scores", "a folder with one file per system") in bt.formats()
    folder = format_called("folder-of-runs").example(tmp_path)
    scores = bt.read(folder)
    np.testing.assert_array_equal(scores.tables[0].values, [[0.25, 0.125], [0.5, 0.75]])
    assert bt.read(folder, format="folder-of-runs", lower_is_better=True).tables[0].negated
    assert bt.rank(folder, model="mean", ci="none").board.rows[0].system == "yak"
    test_a_format_recognises_its_own_example("folder-of-runs", tmp_path)
    test_an_example_survives_being_written("folder-of-runs", "csv", tmp_path)
    with pytest.raises(bt.EvidenceError) as refusal:
        bt.read(folder, item="x")
    assert str(refusal.value) == (
        f"{folder}: item has no effect on folder-of-runs (a folder with one file per system). "
        "Leave it out, or choose another format with format."
    )
    (folder / "RUNS").unlink()
    with pytest.raises(
        bt.EvidenceError, match=r"cannot tell which tool wrote this folder; its files are runs/owl\.txt"
    ):
        bt.read(folder)
    assert bt.read({"owl": [0.5], "yak": [0.25]}).kind == "scores"  # everything else is read as before


@dataclass(frozen=True)
class _Doubled:
    """A format that is as certain as another."""

    name = "doubled"
    kind = "rankings"
    about = "the same again"
    takes = "table"
    uses = frozenset[str]()
    surest = 0.9

    def recognise(self, found: Table, options: ReadOptions) -> Recognition | None:
        del options
        return Recognition(0.9, "a whim") if "system1rank" in found.columns else None


def test_formats_of_one_kind_are_told_apart_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("betterthan.readers.recognition.plugged_formats", lambda: (_Doubled(),))
    with pytest.raises(bt.EvidenceError) as refusal:
        bt.read(WMT)
    assert str(refusal.value) == (
        "the given arrays: this may be wmt (columns system1Id, system1rank …) or doubled (a whim)\n"
        "3 systems (elk, owl, yak): as wmt, rank 1 is best:\n  bt.read(evidence, format='wmt')"
    )


def test_runs_are_matched_on_one_score() -> None:
    new, old = {"id": [1, 2], "bleu": [3, 4]}, {"id": [2, 1], "bleu": [5, 1]}
    assert bt.read_runs(new, old, score=["bleu"]).tables == bt.read_runs(new, old, score="bleu").tables
    with pytest.raises(bt.EvidenceError) as refusal:
        bt.read_runs(new, old, score=["bleu", "chrf"])
    assert str(refusal.value) == (
        "two runs in memory have one score for each item. Put them into one table with a column of systems, or into files."
    )


def test_runs_in_files_may_have_several_metrics(tmp_path: Path) -> None:
    (tmp_path / "b.csv").write_text("id,lang,bleu,ms\n1,de,3,9\n2,fr,4,8\n")
    (tmp_path / "a.csv").write_text("id,lang,bleu,ms\n2,fr,5,7\n1,de,1,6\n3,de,2,5\n")
    files = str(tmp_path / "b.csv"), str(tmp_path / "a.csv")
    scores = bt.read_runs(*files, score=["bleu", "ms"], lower_is_better=["ms"])
    bleu, time = scores.tables
    assert (bleu.systems, bleu.items, time.negated) == (("b", "a"), ("1", "2", "3"), True)
    np.testing.assert_array_equal(bleu.values, [[3, 1], [4, 5], [np.nan, 2]])
    np.testing.assert_array_equal(time.as_given, [[9, 6], [8, 7], [np.nan, 5]])
    named = bt.read_runs(*files, names=("new", "old"), score="bleu", dataset="lang")
    assert [(table.dataset, table.systems) for table in named] == [("de", ("new", "old")), ("fr", ("new", "old"))]
    np.testing.assert_array_equal(named.tables[0].values, [[3, 1], [np.nan, 2]])
