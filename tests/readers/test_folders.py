"""Folders: tables are read, what lies beside them is named."""

from pathlib import Path

import pytest

import betterthan as bt

SCORES = "item,score\nq1,{0}\nq2,{1}\nq3,{2}\n"


def _folder(place: Path, *others: str) -> Path:
    (place / "runs").mkdir()
    (place / "runs" / "owl.csv").write_text(SCORES.format(0.5, 0.7, 0.4))
    (place / "runs" / "yak.csv").write_text(SCORES.format(0.3, 0.6, 0.5))
    for name in others:
        (place / "runs" / name).parent.mkdir(exist_ok=True)
        (place / "runs" / name).write_text("# About\n\nThese are notes, a: 1\n")
    return place / "runs"


def test_notes_scripts_and_settings_are_left_out_and_named(tmp_path: Path) -> None:
    folder = _folder(tmp_path, "README.md", "config.json", "scripts/run.py", "LICENSE")
    read = bt.read(folder)
    assert read.tables[0].systems == ("owl", "yak")
    (finding,) = [each for each in read.reading.findings if each.code == "other-files"]
    assert finding.message == "Left out: runs/LICENSE, runs/README.md, runs/config.json, runs/scripts/run.py."


def test_a_folder_of_tables_alone_has_no_finding(tmp_path: Path) -> None:
    assert not [each for each in bt.read(_folder(tmp_path)).reading.findings if each.code == "other-files"]


def test_another_table_is_never_left_out(tmp_path: Path) -> None:
    folder = _folder(tmp_path, "README.md")
    (folder / "judgments.csv").write_text("left,right,winner\nowl,yak,left\n")
    with pytest.raises(bt.EvidenceError, match="cannot tell which tool wrote this folder"):
        bt.read(folder)
