"""Files that are named, packed or written in awkward ways are read rightly or refused, never half."""

import bz2
import gzip
import json
import os
import resource
import tempfile
import zipfile
from pathlib import Path

import duckdb
import pytest
import zstandard

import betterthan as bt

ROWS = "left,right,winner\nowl,yak,a\nowl,yak,b\nowl,yak,a\n"
MANY = "left,right,winner\n" + "owl,yak,a\nyak,owl,a\n" * 60_000


def _judgments(path: Path, **choices: object) -> tuple[float, int]:
    tally = bt.read_judgments(path, **choices).tally()
    return float(tally.times.sum()), tally.account.refused


@pytest.mark.parametrize(
    "name", ["votes[1].csv", "star*.csv", "what?.csv", "with 'quote'.csv", "ünïcode 🦉.csv", "winner=x/votes.csv"]
)
def test_a_name_means_that_file_alone(name: str, tmp_path: Path) -> None:
    (tmp_path / name).parent.mkdir(exist_ok=True)
    for neighbour in ("votes1.csv", "star2.csv", "whatx.csv"):
        (tmp_path / neighbour).write_text(ROWS * 2)
    (tmp_path / name).write_text(ROWS)
    tally = bt.read_judgments(tmp_path / name).tally()
    assert tally.times.sum() == 3
    assert sorted(tally.outcome.tolist()) == [0, 2]


@pytest.mark.parametrize("ending", ["gz", "bz2", "zst"])
def test_cut_archives_are_refused(ending: str, tmp_path: Path) -> None:
    whole = tmp_path / f"votes.csv.{ending}"
    if ending == "zst":
        with duckdb.connect() as connection:
            (tmp_path / "plain.csv").write_text(MANY)
            connection.execute(
                f"COPY (FROM read_csv('{tmp_path}/plain.csv')) TO '{whole}' (FORMAT csv, COMPRESSION zstd)"
            )
    else:
        whole.write_bytes((gzip if ending == "gz" else bz2).compress(MANY.encode()))
    assert _judgments(whole) == (120_000, 0)
    data = whole.read_bytes()
    for keep in (len(data) * 2 // 3, len(data) - 3):
        whole.write_bytes(data[:keep])
        with pytest.raises(bt.EvidenceError, match="the compressed data is damaged"):
            _judgments(whole)
    flipped = bytearray(data)
    flipped[len(data) // 2] ^= 0xFF
    whole.write_bytes(bytes(flipped))
    with pytest.raises(bt.EvidenceError):
        _judgments(whole)


def test_an_open_quote_stops_even_when_bad_rows_are_skipped(tmp_path: Path) -> None:
    path = tmp_path / "votes.csv"
    path.write_text(ROWS + '"owl,yak,a\n' + "owl,yak,b\n" * 50)
    with pytest.raises(bt.EvidenceError, match="line 5: a quotation mark is opened and never closed"):
        _judgments(path, on_error="skip")
    with pytest.raises(bt.EvidenceError, match="line 5"):
        _judgments(path)


def test_late_and_many_json_keys_are_seen(tmp_path: Path) -> None:
    path = tmp_path / "votes.jsonl"
    first = [{"left": "owl", "right": "yak", "winner": "a"}] * 30_000
    path.write_text("".join(json.dumps(row) + "\n" for row in [*first, {**first[0], "weight": 5}]))
    with pytest.raises(bt.EvidenceError, match="the weight"):
        _judgments(path)
    wide = tmp_path / "scores.jsonl"
    wide.write_text("".join(json.dumps({f"system {n}": n + row for n in range(250)}) + "\n" for row in range(3)))
    assert len(bt.read_scores(wide).systems) == 250


def test_malformed_json_lines_are_counted_not_kept(tmp_path: Path) -> None:
    path = tmp_path / "ranks.jsonl"
    path.write_text('{"owl": 1, "yak": 2, "elk": 3}\n{"owl": 2,\n{"owl": 2, "yak": 1, "elk": 3}\n')
    rankings = bt.read(path, on_error="skip")
    assert rankings.kind == "rankings"
    assert (rankings.account.read, rankings.account.refused) == (3, 1)


def test_blank_lines_before_the_header(tmp_path: Path) -> None:
    path = tmp_path / "votes.csv"
    path.write_text("\n\n" + ROWS)
    assert _judgments(path) == (3, 0)
    path.write_text("\n \n")
    with pytest.raises(bt.EvidenceError, match="the file is empty"):
        _judgments(path)


@pytest.mark.parametrize(
    "text",
    [
        b"left,right,winner\r\nowl,yak,a\nowl,yak,b\r\n",
        b"left,right,winner\nowl,yak,a\r\nowl,yak,b\n",
        b"left,right,winner\nowl,yak,a\nowl,yak,b\r\n",
        b'left,right,winner,note\r\nowl,yak,a,"two\nlines"\r\nowl,yak,b,"\r\n"\r\n',
    ],
)
def test_two_kinds_of_line_ends_are_read(text: bytes, tmp_path: Path) -> None:
    path = tmp_path / "votes.csv"
    path.write_bytes(text)
    assert _judgments(path) == (2, 0)
    assert sorted(bt.read_judgments(path).tally().outcome.tolist()) == [0, 2]
    assert path.read_bytes() == text


def test_line_ends_on_both_sides_of_a_chunk(tmp_path: Path) -> None:
    """Files are looked through in chunks of a mebibyte; a CRLF may lie across two."""
    head = b"left,right,winner,note\n"
    filler = b"owl,yak,a," + b"x" * ((1 << 20) - len(head) - len(b"owl,yak,a,") - 1)
    path = tmp_path / "votes.csv"
    path.write_bytes(head + filler + b"\r\nowl,yak,b,\n")
    assert path.read_bytes()[(1 << 20) - 1 : (1 << 20) + 1] == b"\r\n"
    assert _judgments(path) == (2, 0)
    assert bt.read_judgments(path).table.rows(["note"]).columns["note"].labels[0].strip("x") == ""


@pytest.mark.parametrize("encoding", ["latin-1", "iso-8859-1", "cp1252", "utf-16", "utf-8-sig", "utf8"])
def test_encodings(encoding: str, tmp_path: Path) -> None:
    path = tmp_path / "votes.csv"
    path.write_bytes(ROWS.replace("owl", "eulé").encode(encoding))
    assert "eulé" in bt.read_judgments(path, encoding=encoding).tally().systems
    with pytest.raises(bt.EvidenceError, match="unknown encoding 'klingon'"):
        bt.read_judgments(path, encoding="klingon")


def test_pipes_are_read_whole(tmp_path: Path) -> None:
    reader, writer = os.pipe()
    with os.fdopen(writer, "w") as stream:
        stream.write(ROWS)
    try:
        assert _judgments(Path(f"/dev/fd/{reader}")) == (3, 0)
    finally:
        os.close(reader)


def test_results_go_through_links_and_into_pipes(tmp_path: Path) -> None:
    from betterthan.present import atomic_files

    (tmp_path / "real.txt").write_text("old")
    (tmp_path / "link.txt").symlink_to(tmp_path / "real.txt")
    atomic_files.write_text(tmp_path / "link.txt", "new")
    assert (tmp_path / "link.txt").is_symlink()
    assert (tmp_path / "real.txt").read_text() == "new"
    reader, writer = os.pipe()
    atomic_files.write_text(f"/dev/fd/{writer}", "through")
    os.close(writer)
    with os.fdopen(reader) as stream:
        assert stream.read() == "through"


def test_odd_column_names_are_only_names(tmp_path: Path) -> None:
    path = tmp_path / "votes.csv"
    names = ["left", "right", "winner", 'a"b', "betterthan_file", "source", "v", "c0", "select", "times{x}"]
    path.write_text(
        ",".join(f'"{name.replace(chr(34), chr(34) * 2)}"' for name in names) + "\n" + "owl,yak,a,1,2,3,4,5,6,-1\n"
    )
    evidence = bt.read_judgments(path, item="betterthan_file", judge='a"b')
    assert evidence.table.columns == tuple(names)
    assert evidence.tally("item", "judge").times.sum() == 1
    with pytest.raises(bt.EvidenceError, match=r"the weight '-1' in column 'times\{x\}' is not a number"):
        bt.read_judgments(path, weight="times{x}").tally()


def test_overlapping_patterns_read_a_file_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.csv").write_text(ROWS)
    (tmp_path / "b.csv").write_text(ROWS)
    found = bt.read_judgments(["*.csv", "a.csv", "./b.csv", str(tmp_path / "[ab].csv")])
    assert found.tally().account.read == 6


@pytest.mark.parametrize("encoding", ["rot13", "hex", "base64", "klingon", ""])
def test_what_is_no_encoding_of_text_is_refused(encoding: str, tmp_path: Path) -> None:
    (tmp_path / "votes.csv").write_text(ROWS)
    with pytest.raises(bt.EvidenceError) as refusal:
        bt.read_judgments(tmp_path / "votes.csv", encoding=encoding)
    assert str(refusal.value) == (
        f"unknown encoding {encoding!r}; allowed: utf-8, utf-16, latin-1, cp1252 and others that Python knows."
    )


def test_headers_of_long_texts_are_refused(tmp_path: Path) -> None:
    (tmp_path / "votes.csv").write_text(f"left,right,winner,{'x' * 140_000}\nowl,yak,a,1\n")
    with pytest.raises(bt.EvidenceError, match="a name in the header is longer than 100,000 characters"):
        bt.read_judgments(tmp_path / "votes.csv")


def test_headers_that_cannot_be_split_are_refused(tmp_path: Path) -> None:
    (tmp_path / "votes.csv").write_bytes(b"left,ri\rght,winner\nowl,yak,a\nyak,owl,a\n")
    with pytest.raises(bt.EvidenceError):
        bt.read(tmp_path / "votes.csv")


@pytest.mark.parametrize("name", ["deep.json", "deep.jsonl", "beside.jsonl"])
def test_deep_json_is_refused(name: str, tmp_path: Path) -> None:
    deep = "[" * 100_000 + "]" * 100_000
    (tmp_path / name).write_text(deep if name == "deep.json" else f'{{"left": "owl", "x": {deep}}}\n{{"left"\n')
    with pytest.raises(bt.EvidenceError, match=r"recursion depth|malformed JSON"):
        bt.read_judgments(tmp_path / name)


def test_a_deep_plan_is_refused(tmp_path: Path) -> None:
    (tmp_path / "plan.toml").write_text("resamples = " + "[" * 100_000)
    with pytest.raises(bt.PlanError, match="is not a plan: maximum recursion depth exceeded"):
        bt.rank([("owl", "yak", "left")], plan=tmp_path / "plan.toml")


@pytest.mark.parametrize("name", ["votes.csv.gz", "votes.csv.zst", "votes.zip"])
def test_a_full_temporary_folder_is_no_damaged_data(name: str, tmp_path: Path) -> None:
    packed = {"gz": gzip.compress, "zst": zstandard.ZstdCompressor().compress}.get(name.rsplit(".", 1)[-1])
    if packed is None:
        with zipfile.ZipFile(tmp_path / name, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("votes.csv", MANY)
    else:
        (tmp_path / name).write_bytes(packed(MANY.encode()))
    limit = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (len(MANY) // 2, limit[1]))  # a disk with room for a half of it
    try:
        with pytest.raises(bt.EvidenceError) as refusal:
            bt.read_judgments(tmp_path / name)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limit)
    assert str(refusal.value) == (
        f"{tempfile.gettempdir()}: the temporary folder is full: File too large. Make room in it, or choose another folder "
        "with the environment variable TMPDIR."
    )
