"""Several files as one table: columns that only some of them have are left out and named, or refused where they matter."""

import pickle
from pathlib import Path

import pytest

import betterthan as bt
from betterthan.readers.open_tables import open_table


def _files(folder: Path, extra: str) -> list[Path]:
    """Write two files of scores, the second with one column more."""
    first, second = folder / "first.csv", folder / "second.csv"
    first.write_text("item,system,score\nq1,owl,0.5\nq1,yak,0.4\n")
    second.write_text(f"{extra},item,score,system\nx,q2,0.7,owl\nx,q2,0.2,yak\n")
    return [first, second]


def test_a_column_that_means_nothing_is_left_out_and_named(tmp_path: Path) -> None:
    files = _files(tmp_path, "remark")
    read = bt.read(files)
    assert [table.values.tolist() for table in read.tables] == [[[0.5, 0.4], [0.7, 0.2]]]
    (finding,) = read.reading.findings
    assert finding.message == f"Left out or read in another notation: column remark, which {files[0]} lacks."
    with open_table(files) as table, pickle.loads(pickle.dumps(table)) as again:
        assert table.columns == again.columns == ("item", "system", "score")
        assert again.lacking == {"remark": str(files[0])}


@pytest.mark.parametrize("extra", ["judge", "Metric", "run", "weight", "dataset"])
def test_a_column_that_could_change_the_answer_is_refused(extra: str, tmp_path: Path) -> None:
    files = _files(tmp_path, extra)
    with pytest.raises(bt.EvidenceError) as refusal:
        bt.read(files)
    assert str(refusal.value) == (
        f"{files[0]}: has no column {extra!r}, which other files have. Add it, rename it if it is called differently, or "
        "read the files one at a time."
    )


def test_a_column_that_is_asked_for_is_refused_by_the_file_that_lacks_it(tmp_path: Path) -> None:
    files = _files(tmp_path, "remark")
    with pytest.raises(bt.EvidenceError, match=r"first\.csv: has no column 'remark', which other files have"):
        bt.read_scores(files, group="remark")


def test_files_of_different_tables_are_refused(tmp_path: Path) -> None:
    files = _files(tmp_path, "remark")
    files[1].write_text("prompt,answer,score\nq,a,1\n")
    with pytest.raises(
        bt.EvidenceError, match=r"second\.csv: its columns differ from those of .*first\.csv: answer, item"
    ):
        bt.read(files)
