"""Formats of tables that are not imported could not have been more certain."""

from pathlib import Path

import pytest

from betterthan.engine import Places
from betterthan.options import ReadOptions
from betterthan.readers.format import table_formats, tool_formats
from betterthan.readers.formats import MARKED, WORTH_ASKING, surest, unmarked, worth_asking
from betterthan.readers.open_tables import open_table


def test_every_entry_is_a_format() -> None:
    assert not set(WORTH_ASKING) - set(table_formats())


@pytest.mark.parametrize("other", sorted(table_formats()))
def test_a_format_that_recognises_a_table_is_worth_asking(other: str, tmp_path: Path) -> None:
    given = table_formats()[other]().example(tmp_path)
    table = open_table(
        [str(path) for path in sorted(given.iterdir())] if isinstance(given, Path) and given.is_dir() else given
    )
    for file in WORTH_ASKING:
        recognition = table_formats()[file]().recognise(table, ReadOptions())
        if recognition is not None:
            assert file in worth_asking([file], table.columns)
            assert recognition.certainty <= surest(file), file
    table.close()


def test_plain_tables_need_no_marked_format(tmp_path: Path) -> None:
    assert unmarked([b"item,owl,yak\n1,0.5,0.25\n"]) == set(MARKED)
    assert unmarked([b"item,owl,yak\n", b'{"version": 1}']) == set(MARKED) - {"promptfoo_tables"}
    (tmp_path / "scores.csv").write_text("item,owl,yak\n1,0.5,0.25\n")
    asked = {type(each).__module__.rpartition(".")[2] for each in tool_formats(Places([str(tmp_path)]))}
    every = {type(each).__module__.rpartition(".")[2] for each in tool_formats()}
    assert "google_mqm" in asked
    assert set(MARKED) <= every - asked


@pytest.mark.parametrize("name", sorted(MARKED))
def test_files_of_a_marked_format_have_its_mark(name: str, tmp_path: Path) -> None:
    (own,) = (each for each in tool_formats() if type(each).__module__.endswith(f".{name}"))
    heads = [file.head for file in Places([str(own.example(tmp_path))])]
    assert name not in unmarked(heads)
