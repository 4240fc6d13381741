"""Formats of tables that are not imported could not have been more certain."""

from pathlib import Path

import pytest

from betterthan.options import ReadOptions
from betterthan.readers.format import table_formats
from betterthan.readers.formats import WORTH_ASKING, surest, worth_asking
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
