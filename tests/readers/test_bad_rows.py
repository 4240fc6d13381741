"""Bad rows: all kinds are reported at once, and a board of few rows is made on request only."""

from pathlib import Path

import pytest

import betterthan as bt

LINES = ["1,owl,0.5", "1,yak,0.25", "2,owl,x", ",yak,0.5", ",owl,0.5", "3,,0.5"]


def _file(folder: Path, *lines: str) -> Path:
    (folder / "rows.csv").write_text("\n".join(["item,system,score", *lines, ""]))
    return folder / "rows.csv"


def test_all_kinds_of_bad_rows_are_reported_at_once(tmp_path: Path) -> None:
    path = _file(tmp_path, *LINES, "4,owl,1", "4,yak,1", "5,owl,1", "5,yak,1")
    with pytest.raises(bt.EvidenceError) as refusal:
        bt.read(path)
    assert str(refusal.value) == (
        f"{path}, row 6: the system's name is missing. Every score belongs to a system: fill it in. Other bad rows: "
        "missing item (2), bad score (1). To leave out bad rows and count them, use on_error='skip'."
    )
    assert bt.read(path, on_error="skip").account.refused == 4


def test_most_rows_are_left_out_on_request_only(tmp_path: Path) -> None:
    path = _file(tmp_path, *LINES)
    with pytest.raises(bt.EvidenceError) as refusal:
        bt.read(path)
    assert "skip" not in str(refusal.value)
    with pytest.raises(bt.EvidenceError) as refusal:
        bt.read(path, on_error="skip")
    assert str(refusal.value) == (
        f"{path}: 4 of 6 rows are bad: missing name (1), missing item (2), bad score (1). Correct the file or the "
        "options. To use the other 2 rows nevertheless, pass on_error='skip-most'."
    )
    assert bt.read(path, on_error="skip-most").account.kept == 2


def test_judgments_of_which_most_are_bad(tmp_path: Path) -> None:
    votes = {"left": ["owl", "owl", "owl"], "right": ["yak", None, "owl"], "winner": ["left"] * 3}
    with pytest.raises(bt.EvidenceError, match=r"2 of 3 rows are bad: missing name \(1\), against itself \(1\)"):
        bt.rank(bt.read(votes, on_error="skip"), ci="none")
    assert bt.read_judgments(votes, on_error="skip-most").tally().number == 1


def test_a_decimal_comma_is_no_reason_to_skip(tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    path.write_text('item;system;score\n1;owl;0.5\n1;yak;"0,6"\n2;owl;0.5\n2;yak;0.4\n')
    with pytest.raises(bt.EvidenceError) as refusal:
        bt.read(path)
    assert str(refusal.value) == (
        f"{path}, row 2: the score '0,6' is not a finite number. It has a decimal comma: if all numbers of the file have "
        "one, use decimal=','; if some have a decimal point, write all alike."
    )


@pytest.mark.parametrize("row", [1, 6000])
def test_a_nul_is_refused_in_every_row(row: int, tmp_path: Path) -> None:
    rows = [f"{place},{name},{place % 7}" for place in range(4000) for name in ("owl", "yak")]
    rows[row] = rows[row].replace("yak", "y\0k").replace("owl", "o\0l")
    path = _file(tmp_path, *rows)
    with pytest.raises(bt.EvidenceError, match=r"is a binary file, not text|the column 'system' holds a NUL character"):
        bt.read(path)
