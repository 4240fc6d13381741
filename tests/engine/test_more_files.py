"""Archives, databases, spreadsheets and further layouts of JSON and CSV: read rightly or refused in one sentence."""

import bz2
import gzip
import io
import json
import pickle
import sqlite3
import stat
import struct
import subprocess
import sys
import tarfile
import tempfile
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import pandas as pd
import pyarrow as pa
import pyarrow.feather
import pytest
import zstandard

import betterthan as bt
from betterthan.engine import connection as duckdb_connection
from betterthan.engine.files import archives
from betterthan.engine.files import decompression as unpack
from betterthan.engine.files.arrow_files import arrow_metadata
from betterthan.options.read import ReadOptions
from betterthan.readers.open_tables import open_table, opened
from tests.engine.workbooks import write_workbook, write_zip

VOTES = "left,right,winner\nowl,yak,a\nyak,elk,b\n"
MORE = "right,left,winner\nowl,yak,tie\n"
COLUMNS = {"left": ["owl", "yak"], "right": ["yak", "elk"], "winner": ["a", "b"]}


def _rows(path: Any, **how: Any) -> list[tuple[str | None, ...]]:
    with open_table(path, **how) as table:
        found = table.rows(table.columns).columns
        return list(zip(*(found[name].texts() for name in table.columns), strict=True))


def _tar(path: Path, files: dict[str, str]) -> Path:
    held = io.BytesIO()
    with tarfile.open(fileobj=held, mode="w") as archive:
        for name, text in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(text.encode())
            archive.addfile(info, io.BytesIO(text.encode()))
    pack: dict[str, Callable[[bytes], bytes]] = {
        ".gz": gzip.compress,
        ".tgz": gzip.compress,
        ".bz2": bz2.compress,
        ".zst": zstandard.ZstdCompressor().compress,
    }
    path.write_bytes(pack.get(path.suffix, bytes)(held.getvalue()))
    return path


@pytest.mark.parametrize("name", ["v.zip", "v.tar", "v.tar.gz", "v.tgz", "v.tar.bz2", "v.tar.zst", "no-ending"])
def test_archives_of_tables_are_one_table(name: str, tmp_path: Path) -> None:
    files = {"a/votes.csv": VOTES, "b/more.csv": MORE, "README.md": "notes", "__MACOSX/a/._votes.csv": "junk"}
    path = (write_zip if name in {"v.zip", "no-ending"} else _tar)(tmp_path / name, files)
    expected = [("owl", "yak", "a"), ("yak", "elk", "b"), ("yak", "owl", "tie")]
    assert _rows(path) == expected
    table = open_table(path)
    assert table.locate({"winner": "tie"}) == f"{path}:b/more.csv, row 1"
    assert pickle.loads(pickle.dumps(table)).rows(["left"]).columns["left"].labels == ("owl", "yak")
    assert bt.read_judgments(path).tally().times.sum() == 3


def test_an_archive_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    path = write_zip(tmp_path / "v.zip", {"a/votes.csv": VOTES, "b.json": "[1]"})
    with pytest.raises(bt.EvidenceError):
        open_table(path)
    assert list(folder.iterdir()) == []
    with open_table(write_zip(tmp_path / "w.zip", {"a/votes.csv": VOTES})):
        assert list(folder.iterdir()) != []
    assert list(folder.iterdir()) == []


def test_zip_files_packed_with_zstandard_are_read(tmp_path: Path) -> None:
    """Python writes this method from 3.14 on: the archive is put together here, field by field."""
    data, name = VOTES.encode() * 5000, b"votes.csv"
    packed = zstandard.ZstdCompressor().compress(data)
    common = struct.pack("<HHHHHIIIHH", 20, 0, 93, 0, 0x21, zlib.crc32(data), len(packed), len(data), len(name), 0)
    local = b"PK\x03\x04" + common + name + packed
    central = b"PK\x01\x02" + struct.pack("<H", 20) + common + struct.pack("<HHHII", 0, 0, 0, 0, 0) + name
    end = b"PK\x05\x06" + struct.pack("<HHHHIIH", 0, 0, 1, 1, len(central), len(local), 0)
    path = tmp_path / "v.zip"
    path.write_bytes(local + central + end)
    temporaries = unpack.Temporaries()
    found = archives.unpack_archive(path, "v.zip", temporaries)
    assert (found.folder / "votes.csv").read_bytes() == data
    path.write_bytes(local[:-40] + b"x" * 40 + central + end)
    with pytest.raises(bt.EvidenceError, match=r"v\.zip: the zip file is damaged"):
        archives.unpack_archive(path, "v.zip", temporaries)


def _link_in_zip(path: Path) -> None:
    info = zipfile.ZipInfo("votes.csv")
    info.external_attr = (stat.S_IFLNK | 0o777) << 16
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(info, "/etc/passwd")


def _encrypted(path: Path) -> None:
    write_zip(path, {"votes.csv": VOTES})
    data = bytearray(path.read_bytes())
    data[6] |= 1
    data[data.index(b"PK\x01\x02") + 8] |= 1
    path.write_bytes(bytes(data))


def _special_in_tar(kind: bytes) -> Callable[[Path], None]:
    def write(path: Path) -> None:
        with tarfile.open(path, "w") as archive:
            info = tarfile.TarInfo("votes.csv")
            info.type, info.linkname = kind, "/etc/passwd"
            archive.addfile(info)

    return write


TRUST = "Unpack it yourself if you trust it, and give its files."
HARMFUL: dict[str, tuple[str, Callable[[Path], Any], str]] = {
    "parent": (
        "v.zip",
        lambda path: write_zip(path, {"../votes.csv": VOTES}),
        f"holds '../votes.csv', a name that leads outside the archive. {TRUST}",
    ),
    "absolute": (
        "v.tar",
        lambda path: _tar(path, {"/etc/votes.csv": VOTES}),
        f"holds '/etc/votes.csv', a name that leads outside the archive. {TRUST}",
    ),
    "backslash": (
        "v.zip",
        lambda path: write_zip(path, {"..\\votes.csv": VOTES}),
        f"holds '../votes.csv', a name that leads outside the archive. {TRUST}",
    ),
    "drive": (
        "v.zip",
        lambda path: write_zip(path, {"C:/votes.csv": VOTES}),
        f"holds 'C:/votes.csv', a name that leads outside the archive. {TRUST}",
    ),
    "link in zip": ("v.zip", _link_in_zip, f"holds 'votes.csv', which is a link or a device. {TRUST}"),
    "link in tar": (
        "v.tar",
        _special_in_tar(tarfile.SYMTYPE),
        f"holds 'votes.csv', which is a link or a device. {TRUST}",
    ),
    "hard link": (
        "v.tar",
        _special_in_tar(tarfile.LNKTYPE),
        f"holds 'votes.csv', which is a link or a device. {TRUST}",
    ),
    "device": ("v.tar", _special_in_tar(tarfile.CHRTYPE), f"holds 'votes.csv', which is a link or a device. {TRUST}"),
    "encrypted": ("v.zip", _encrypted, "'votes.csv' is encrypted. Unpack it, and give its files."),
    "no table": (
        "v.zip",
        lambda path: write_zip(path, {"a.txt": "x"}),
        "the archive holds no table but a.txt; allowed: ",
    ),
    "nothing": ("v.zip", lambda path: write_zip(path, {}), "the archive holds no table but nothing; allowed: "),
}


@pytest.mark.parametrize("case", HARMFUL)
def test_harmful_archives_are_refused(case: str, tmp_path: Path) -> None:
    name, write, message = HARMFUL[case]
    write(tmp_path / name)
    with pytest.raises(bt.EvidenceError) as refusal:
        open_table(tmp_path / name)
    assert str(refusal.value).startswith(f"{tmp_path / name}: {message}")


def test_an_archive_inside_an_archive_stays_packed(tmp_path: Path) -> None:
    inner = write_zip(tmp_path / "inner.zip", {"votes.csv": VOTES})
    with zipfile.ZipFile(tmp_path / "outer.zip", "w") as archive:
        archive.write(inner, "votes.csv")
    with pytest.raises(bt.EvidenceError) as refusal:
        open_table(tmp_path / "outer.zip")
    assert (
        str(refusal.value) == f"{tmp_path / 'outer.zip'}:votes.csv: is an archive inside an archive. Unpack it first."
    )


@pytest.mark.parametrize("name", ["v.zip", "v.tar"])
def test_damaged_archives_are_refused(name: str, tmp_path: Path) -> None:
    text = "left,right,winner\n" + "".join(f"owl{place},yak,a\n" for place in range(5000))
    path = (write_zip if name == "v.zip" else _tar)(tmp_path / name, {"votes.csv": text})
    whole = path.read_bytes()
    for cut in (600, len(whole) // 3, len(whole) - 30):
        path.write_bytes(whole[:cut])
        if name == "v.tar" and cut > len(whole) // 2:  # what is missing there is padding
            continue
        with pytest.raises(bt.EvidenceError, match=r"the (zip|tar) file is damaged: .*Write it again\."):
            open_table(path)
    flipped = bytearray(whole)
    flipped[len(whole) // 2] ^= 0xFF
    path.write_bytes(bytes(flipped))
    if name == "v.zip":  # a tar file has no checksums of contents
        with pytest.raises(bt.EvidenceError, match=r"the zip file is damaged: .*Write it again\."):
            open_table(path)


def test_archives_have_bounds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archives, "MEMBERS", 3)
    with pytest.raises(bt.EvidenceError, match="holds more than 3 files"):
        open_table(write_zip(tmp_path / "many.zip", {f"{place}.csv": VOTES for place in range(4)}))
    monkeypatch.setattr(unpack, "HARMLESS", 1 << 20)
    for name in ("bomb.zip", "bomb.tar.gz"):
        path = (write_zip if name.endswith("zip") else _tar)(tmp_path / name, {"a.csv": "x" * (3 << 20)})
        with pytest.raises(
            bt.EvidenceError, match=r"grows to more than \d MB when it is unpacked\. Unpack it yourself"
        ):
            open_table(path)


@pytest.mark.parametrize("ending", ["gz", "bz2", "zst"])
def test_compressed_bombs_are_refused(ending: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(unpack, "HARMLESS", 1 << 20)
    pack = {"gz": gzip.compress, "bz2": bz2.compress, "zst": zstandard.ZstdCompressor().compress}[ending]
    path = tmp_path / f"votes.csv.{ending}"
    path.write_bytes(pack(VOTES.encode() + b"x" * (20 << 20)))
    with pytest.raises(bt.EvidenceError) as refusal:
        open_table(path)
    assert "MB when it is unpacked. Unpack it yourself if you trust it." in str(refusal.value)
    path.write_bytes(pack(VOTES.encode()))
    assert len(_rows(path)) == 2


_REMOTE = "is a remote address, and only local files are read"
_FETCH = f"{_REMOTE}\nFetch it first, and give the path of the file:\n  "


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("http://host/votes.csv", f"{_FETCH}curl -fL -o votes.csv http://host/votes.csv"),
        ("https://host/a votes.csv?raw=1", f"{_FETCH}curl -fL -o 'a votes.csv' 'https://host/a votes.csv?raw=1'"),
        ("https://host", f"{_FETCH}curl -fL -o evidence.csv https://host"),
        ("s3://host/votes.csv", f"{_FETCH}aws s3 cp s3://host/votes.csv votes.csv"),
        ("gs://host/votes.csv", f"{_FETCH}gcloud storage cp gs://host/votes.csv votes.csv"),
        (
            "hf://datasets/ann/votes/data/votes.csv",
            f"{_FETCH}hf download ann/votes --repo-type dataset --local-dir votes",
        ),
        ("hf://host/votes.csv", f"{_REMOTE}. Download it first, and give the path of the file."),
        ("md://host/votes.csv", f"{_REMOTE}. Download it first, and give the path of the file."),
        ("/dev/zero", "is a device, not a file. Give a file or a pipe."),
        ("/dev/urandom", "is a device, not a file. Give a file or a pipe."),
    ],
)
def test_remote_addresses_and_devices_are_refused(address: str, message: str) -> None:
    with pytest.raises(bt.EvidenceError) as refusal:
        open_table(address)
    assert str(refusal.value) == f"{address}: {message}"


def test_duckdb_reaches_nothing_but_the_files(tmp_path: Path) -> None:
    (tmp_path / "votes.csv").write_text(VOTES)
    (tmp_path / "other.csv").write_text(VOTES)
    with open_table(tmp_path / "votes.csv") as table:
        cursor = table.opened.cursor()  # type: ignore[attr-defined]
        for sql in (
            f"SELECT * FROM read_csv('{tmp_path}/other.csv')",
            f"SELECT * FROM '{tmp_path}/other.csv'",
            f"COPY (SELECT 1) TO '{tmp_path}/out.csv'",
            f"ATTACH '{tmp_path}/new.duckdb'",
            "INSTALL httpfs",
            "LOAD httpfs",
            "SET enable_external_access = true",
            "SET autoload_known_extensions = true",
            "SELECT * FROM read_csv('https://example.com/a.csv')",
            "SELECT * FROM glob('/etc/*')",
        ):
            with pytest.raises(duckdb.Error):
                cursor.execute(sql)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["other.csv", "votes.csv"]


def test_duckdb_is_opened_in_one_place() -> None:
    source = Path(bt.__file__).parent
    opening = {path.name for path in source.rglob("*.py") if "duckdb.connect(" in path.read_text("utf-8")}
    assert opening == {"connection.py"}


def test_a_locked_connection_keeps_to_its_files_and_to_the_temporary_folder(tmp_path: Path) -> None:
    (tmp_path / "votes.csv").write_text(VOTES)
    (tmp_path / "other.csv").write_text(VOTES)
    with duckdb_connection.lock_up(duckdb_connection.connect(), [str(tmp_path / "votes.csv")]) as connection:
        assert len(connection.execute(f"SELECT * FROM read_csv('{tmp_path}/votes.csv')").fetchall()) == 2
        for sql in (f"SELECT * FROM read_csv('{tmp_path}/other.csv')", "INSTALL httpfs", "SET threads = 1"):
            with pytest.raises(duckdb.Error):
                connection.execute(sql)
        told = dict(connection.execute("SELECT name, value FROM duckdb_settings()").fetchall())
    assert told["temp_directory"].startswith(tempfile.gettempdir())
    off = ("enable_external_access", "autoload_known_extensions", "autoinstall_known_extensions")
    assert {told[name] for name in off} == {"false"}


def _stream(path: Path, table: Any) -> Path:
    with pa.OSFile(str(path), "wb") as sink, pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    return path


def test_arrow_streams_are_read(tmp_path: Path) -> None:
    table = pa.table(COLUMNS).replace_schema_metadata({"huggingface": '{"info": {}}'})
    path = _stream(tmp_path / "data-00000-of-00001.arrow", table)
    assert _rows(path) == [("owl", "yak", "a"), ("yak", "elk", "b")]
    assert arrow_metadata(path, "x") == {"huggingface": '{"info": {}}'}
    assert bt.read_judgments(path).tally().times.sum() == 2


DAMAGE = """
import random, sys, traceback
from pathlib import Path
import betterthan as bt
from betterthan.readers.open_tables import open_table

folder = Path(sys.argv[1])
whole = read = refused = 0
for name in ("file.arrow", "stream.arrow", "packed.arrow"):
    good, draw = (folder / name).read_bytes(), random.Random(name)
    with open_table(folder / name) as table:
        table.distinct(table.columns), table.rows(table.columns)
    whole += 1
    for number in range(70):
        data = bytearray(good)
        if number % 7 == 0:
            data = data[: draw.randrange(1, len(data))]
        else:
            for _ in range(draw.randrange(1, 9)):
                data[draw.randrange(len(data))] = draw.choice([0, 0x7F, 0x80, 0xFF, draw.randrange(256)])
        (folder / "damaged.arrow").write_bytes(bytes(data))
        try:
            with open_table(folder / "damaged.arrow") as table:
                table.distinct(table.columns), table.rows(table.columns)
            read += 1
        except bt.EvidenceError as error:
            assert "\\n" not in str(error), error
            refused += 1
print(whole, read, refused)
"""


def test_damaged_arrow_files_are_refused_and_crash_nothing(tmp_path: Path) -> None:
    table = pa.table(
        {
            **{name: values * 40 for name, values in COLUMNS.items()},
            "kind": pa.array(["x", "y"] * 40).dictionary_encode(),
            "number": [1.5, None] * 40,
            "tags": [["a", "b"], None] * 40,
            "nested": [{"a": 1, "b": "x"}, None] * 40,
        }
    ).drop(["tags"])
    pyarrow.feather.write_feather(table, tmp_path / "file.arrow", compression="uncompressed")
    pyarrow.feather.write_feather(table, tmp_path / "packed.arrow", compression="zstd")
    _stream(tmp_path / "stream.arrow", table)
    done = subprocess.run(
        [sys.executable, "-c", DAMAGE, str(tmp_path)], capture_output=True, text=True, check=False, timeout=280
    )
    assert done.returncode == 0, done.stderr[-2000:]
    whole, read, refused = map(int, done.stdout.split())
    assert whole == 3
    assert read + refused == 210
    assert refused > 60


JSON_TABLES: dict[str, Any] = {
    "split": {"columns": ["left", "right", "winner"], "data": [["owl", "yak", "a"], ["yak", "elk", "b"]]},
    "pandas split": json.loads(pd.DataFrame(COLUMNS).to_json(orient="split")),
    "weights and biases": {
        "columns": list(COLUMNS),
        "data": [["owl", "yak", "a"], ["yak", "elk", "b"]],
        "ncols": 3,
        "nrows": 2,
    },
    "lists": COLUMNS,
    "pandas columns": json.loads(pd.DataFrame(COLUMNS).to_json()),
    "pandas filtered": json.loads(pd.DataFrame(COLUMNS, index=[7, 12]).to_json()),
    "records": json.loads(pd.DataFrame(COLUMNS).to_json(orient="records")),
}


@pytest.mark.parametrize("layout", JSON_TABLES)
def test_whole_tables_in_one_json_object(layout: str, tmp_path: Path) -> None:
    path = tmp_path / "votes.json"
    path.write_text(json.dumps(JSON_TABLES[layout], indent=1))
    assert _rows(path) == [("owl", "yak", "a"), ("yak", "elk", "b")]
    assert bt.read_judgments(path).tally().times.sum() == 2


def test_values_of_json_tables_are_kept_as_they_are(tmp_path: Path) -> None:
    path = tmp_path / "scores.json"
    path.write_text(
        '{"columns": ["id", "owl", "x/y"], "data": [[1, 0.5, null], [2, 1e-3, {"a": [1, 2]}], ["3", true, ""]]}'
    )
    assert _rows(path) == [("1", "0.5", None), ("2", "0.001", '{"a":[1,2]}'), ("3", "true", None)]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            '{"columns": ["a", "b"], "data": [[1, 2], [3]]}',
            "1 rows of its data do not have 2 values, one per column. Write the file again.",
        ),
        ('{"columns": [["a", "x"], "b"], "data": [[1, 2]]}', "its columns need one name each. Write the file again."),
        ('{"columns": [], "data": []}', "its columns need one name each. Write the file again."),
        ('{"a": [1, 2], "b": [1]}', "columns must be of equal length; a has 2, b has 1. Give one value per row."),
        (
            '{"columns": ["a", "A"], "data": [[1, 2]]}',
            "the column A, a is in the header more than once. Rename one of them.",
        ),
    ],
)
def test_json_tables_that_do_not_fit_are_refused(text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text(text)
    with pytest.raises(bt.EvidenceError) as refusal:
        open_table(path)
    assert str(refusal.value) == f"{path}: {message}"


@pytest.mark.parametrize(
    "text",
    [
        '{"owl": {"mmlu": 0.5}, "yak": {"mmlu": 0.7}}',
        '{"results": [{"a": 1}], "other": [{"b": 2}]}',
        '{"left": "owl", "right": "yak", "winner": "a"}',
    ],
)
def test_other_objects_are_one_row_as_before(text: str, tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text(text)
    assert len(_rows(path)) == 1


SHEET = [["left\n", "right", "winner", "weight"], ["owl", "yak", "a", 1], ["yak", "a, b; c", "b", 2.5]]


@pytest.mark.parametrize("name", ["votes.xlsx", "no-ending"])
def test_spreadsheets_are_read(name: str, tmp_path: Path) -> None:
    path = write_workbook(tmp_path / name, {"Votes": SHEET})
    assert _rows(path) == [("owl", "yak", "a", "1"), ("yak", "a, b; c", "b", "2.5")]
    several = write_workbook(tmp_path / name, {"Votes": SHEET, "Notes": [["x"], ["y"]]})
    assert _rows(several) == _rows(path)  # only one sheet has a table
    assert _rows(several, sheet="Notes") == [("y",)]
    several = write_workbook(tmp_path / name, {"Votes": SHEET, "More": SHEET})
    with pytest.raises(bt.EvidenceError) as refusal:
        open_table(several)
    assert str(refusal.value) == f"{several}: holds several sheets: 'Votes', 'More'. Say which with sheet."
    with pytest.raises(bt.EvidenceError) as refusal:
        open_table(several, sheet="Vote")
    assert str(refusal.value) == f"{several}: no sheet 'Vote'; there are 'Votes', 'More'. Did you mean 'Votes'?"


def test_a_commit_that_fails_on_a_full_disk_says_so() -> None:
    said = 'TransactionContext Error: Failed to commit: Could not write file "x.wal": No space left on device'
    with pytest.raises(OSError, match=r"^No space left on device$"), duckdb_connection.disk_errors():
        raise duckdb.TransactionException(said)


@pytest.mark.parametrize("name", ["rows.xlsx", "rows.csv", "rows.jsonl"])
def test_a_blank_row_is_a_bad_row_in_every_format(name: str, tmp_path: Path) -> None:
    rows: list[list[Any]] = [["owl", "yak", "a"], ["", "", ""], ["yak", "owl", "b"]]
    header = ["left", "right", "winner"]
    path = tmp_path / name
    if path.suffix == ".xlsx":
        write_workbook(path, {"Votes": [header, *rows]})
    elif path.suffix == ".csv":
        path.write_text("".join(f"{','.join(row)}\n" for row in [header, *rows]))
    else:
        path.write_text("".join(f"{json.dumps(dict(zip(header, row, strict=True)))}\n" for row in rows))
    with pytest.raises(bt.EvidenceError, match="row 2: a system's name is missing"):
        bt.rank(path, ci="none")


def test_blank_rows_around_a_table_are_no_rows(tmp_path: Path) -> None:
    path = write_workbook(tmp_path / "votes.xlsx", {"Votes": [["", ""], *SHEET, ["", ""], ["", ""]]})
    assert len(_rows(path)) == 2


def test_open_document_sheets_are_read(tmp_path: Path) -> None:
    names = "office:1.0", "table:1.0", "text:1.0"
    spaces = " ".join(f'xmlns:{name.split(":")[0]}="urn:oasis:names:tc:opendocument:xmlns:{name}"' for name in names)
    rows = "".join(
        "<table:table-row>"
        + "".join(f'<table:table-cell office:value-type="string"><text:p>{c}</text:p></table:table-cell>' for c in row)
        + "</table:table-row>"
        for row in (["left", "right", "winner"], ["owl", "yak", "a"])
    )
    text = f'<office:document-content {spaces}><office:body><office:spreadsheet><table:table table:name="S">{rows}</table:table></office:spreadsheet></office:body></office:document-content>'
    with zipfile.ZipFile(tmp_path / "v.ods", "w") as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        archive.writestr(
            "META-INF/manifest.xml", '<manifest xmlns="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"/>'
        )
        archive.writestr("content.xml", text)
    assert _rows(tmp_path / "v.ods") == [("owl", "yak", "a")]


def test_damaged_spreadsheets_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write_workbook(tmp_path / "votes.xlsx", {"Votes": SHEET})
    whole = path.read_bytes()
    path.write_bytes(whole[:300])
    with pytest.raises(bt.EvidenceError, match=r"votes\.xlsx: the file is damaged: .*Write it again\."):
        open_table(path)
    with pytest.raises(bt.EvidenceError, match=r"votes\.xlsx: the spreadsheet cannot be read: .*Save it as CSV\."):
        open_table(write_zip(path, {"a.txt": "no workbook"}))
    with monkeypatch.context() as small:
        small.setattr(unpack, "HARMLESS", 1 << 16)
        with pytest.raises(bt.EvidenceError, match="MB when it is unpacked"):
            open_table(write_workbook(path, {"Votes": [["x" * 5_000_000]]}))
    with pytest.raises(bt.EvidenceError, match="the sheet 'Votes' is empty"):
        open_table(write_workbook(path, {"Votes": []}))


def _sqlite(path: Path, *tables: str) -> Path:
    with sqlite3.connect(path) as connection:
        for table in tables:
            connection.execute(f'CREATE TABLE "{table}" ("left" TEXT, "right" TEXT, winner TEXT, weight REAL)')
            connection.execute(f"INSERT INTO \"{table}\" VALUES ('owl', 'y,\"k', 'a', 2.0), ('yak', 'elk', NULL, 0.5)")
    connection.close()
    return path


def _duckdb(path: Path, *tables: str) -> Path:
    with duckdb.connect(str(path)) as connection:
        for table in tables:
            connection.execute(f'CREATE TABLE "{table}" ("left" TEXT, "right" TEXT, winner TEXT, weight DOUBLE)')
            connection.execute(f"INSERT INTO \"{table}\" VALUES ('owl', 'y,\"k', 'a', 2.0), ('yak', 'elk', NULL, 0.5)")
        connection.execute("CREATE VIEW elsewhere AS SELECT 1")
    return path


@pytest.mark.parametrize(
    ("write", "name"), [(_sqlite, "v.db"), (_sqlite, "v.sqlite"), (_duckdb, "v.duckdb"), (_duckdb, "o'dd.db")]
)
def test_databases_are_read(write: Callable[..., Path], name: str, tmp_path: Path) -> None:
    path = write(tmp_path / name, "votes")
    before = path.read_bytes()
    assert _rows(path) == [("owl", 'y,"k', "a", "2"), ("yak", "elk", None, "0.5")]
    table = open_table(path, where="weight<1")
    assert pickle.loads(pickle.dumps(table)).rows(["left"]).columns["left"].labels == ("yak",)
    table.close()
    assert path.read_bytes() == before
    several = write(tmp_path / f"other{name}", "votes", "odd name")
    assert len(_rows(several, table="odd name")) == 2
    with pytest.raises(bt.EvidenceError) as refusal:
        open_table(several)
    assert str(refusal.value) == f"{several}: holds several tables: 'odd name', 'votes'. Say which with table."
    with pytest.raises(
        bt.EvidenceError, match=r"no table 'vote'; there are 'odd name', 'votes'\. Did you mean 'votes'"
    ):
        open_table(several, table="vote")
    with pytest.raises(bt.EvidenceError, match=r"holds no table|the file is empty"):
        open_table(write(tmp_path / f"empty{name}"))
    path.write_bytes(before[: len(before) // 2] + b"x" * 50)
    with pytest.raises(bt.EvidenceError):
        _rows(path)


def test_texts_with_line_ends_in_databases(tmp_path: Path) -> None:
    texts = ["a\rb", "a\r\nb", "a\nb", '"', ";", " x ", "ü🦉"]
    with sqlite3.connect(tmp_path / "v.db") as connection:
        connection.execute("CREATE TABLE t (a TEXT, b INTEGER)")
        connection.executemany("INSERT INTO t VALUES (?, ?)", [(text, 9007199254740993) for text in texts])
    connection.close()
    expected = [text.replace("\r\n", "\n").replace("\r", "\n") for text in texts]
    assert _rows(tmp_path / "v.db") == [(text, "9007199254740993") for text in expected]


def test_lines_that_cannot_be_read_are_counted_beside_decimal_commas(tmp_path: Path) -> None:
    path = tmp_path / "scores.csv"
    path.write_text("item;owl;yak\n1;0,9;0,25\n2;0,7\n3;0,7;0,5;9\n4;0,5;0,5\n")
    scores = bt.read_scores(path, on_error="skip")
    assert (scores.account.read, scores.account.refused) == (4, 2)
    assert scores.tables[0].values.tolist() == [[0.9, 0.25], [0.5, 0.5]]


def test_binary_data_in_databases_is_refused(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "v.db") as connection:
        connection.execute("CREATE TABLE t (a BLOB)")
        connection.execute("INSERT INTO t VALUES (?)", (b"\x00\x01",))
    connection.close()
    with pytest.raises(bt.EvidenceError, match=r"table t: the column 'a' holds binary data\. Leave"):
        open_table(tmp_path / "v.db")


@pytest.mark.parametrize(("given", "sign"), [("|", "|"), ("tab", "\t"), (";", ";"), (":", ":")])
def test_delimiters(given: str, sign: str, tmp_path: Path) -> None:
    path = tmp_path / "votes.csv"
    path.write_text(VOTES.replace(",", sign).replace("owl", '"o,;w"'))
    assert _rows(path, delimiter=given) == [("o,;w", "yak", "a"), ("yak", "elk", "b")]
    assert pickle.loads(pickle.dumps(open_table(path, delimiter=given))).columns == ("left", "right", "winner")


@pytest.mark.parametrize("wrong", ["", ",,", '"', "\n"])
def test_wrong_delimiters_are_refused(wrong: str, tmp_path: Path) -> None:
    (tmp_path / "votes.csv").write_text(VOTES)
    with pytest.raises(bt.PlanError, match="delimiter must be one character or 'tab', got"):
        open_table(tmp_path / "votes.csv", delimiter=wrong)


DECIMALS: dict[str, tuple[list[str], dict[str, Any], list[str]]] = {
    "all commas": (["0,9", "-1,25", "3", "", "NA"], {}, ["0.9", "-1.25", "3", "NA"]),
    "a point among them": (["0,9", "1.5"], {}, ["0,9", "1.5"]),
    "thousands": (["1,234", "5,000"], {}, ["1,234", "5,000"]),
    "thousands asked for as decimals": (["1,234", "5,000"], {"decimal": ","}, ["1.234", "5.000"]),
    "two commas": (["0,5", "1,234,567"], {}, ["0,5", "1,234,567"]),
    "asked for points": (["0,9", "1,5"], {"decimal": "."}, ["0,9", "1,5"]),
    "names": (["gpt-3,5", "gpt-4,0"], {}, ["gpt-3,5", "gpt-4,0"]),
}


@pytest.mark.parametrize("case", DECIMALS)
def test_decimal_commas(case: str, tmp_path: Path) -> None:
    cells, how, expected = DECIMALS[case]
    path = tmp_path / "scores.csv"
    path.write_text("id;x\n" + "".join(f"{place};{cell}\n" for place, cell in enumerate(cells)))
    assert [x for _, x in _rows(path, **how) if x is not None] == expected
    assert [x for _, x in _rows(path, on_error="skip", **how) if x is not None] == expected


def test_scores_with_decimal_commas_are_scores(tmp_path: Path) -> None:
    path = tmp_path / "scores.csv"
    path.write_text("item;owl;yak\n1;0,9;0,25\n2;0,7;0,5\n")
    assert bt.read_scores(path).tables[0].values.tolist() == [[0.9, 0.25], [0.7, 0.5]]
    (tmp_path / "scores.tsv").write_text("item\towl\tyak\n1\t0,9\t0,25\n")
    assert _rows(tmp_path / "scores.tsv") == [("1", "0.9", "0.25")]
    assert _rows(tmp_path / "scores.tsv", decimal=",") == [("1", "0.9", "0.25")]


@pytest.mark.parametrize(("name", "for_what"), [("sheet", "spreadsheets"), ("table", "databases")])
def test_options_without_effect_are_refused(name: str, for_what: str, tmp_path: Path) -> None:
    path = tmp_path / "votes.csv"
    path.write_text(VOTES)
    with pytest.raises(bt.EvidenceError) as refusal:
        open_table(path, **{name: "x"})
    assert str(refusal.value) == f"{path}: {name} is for {for_what}. Leave it out."
    with pytest.raises(bt.EvidenceError, match=f"^{name} is for files. Leave it out.$"):
        open_table(COLUMNS, **{name: "x"})


def test_options_open_a_table_with_the_columns_they_name(tmp_path: Path) -> None:
    path = tmp_path / "votes.jsonl"
    path.write_text('{"left": "owl", "right": "yak", "winner": "a", "src": "fr", "trg": "en", "meta": {"id": 7}}\n')
    options = ReadOptions(dataset="src+trg", item="meta.id", judge="nobody", where="meta.id=7")
    with opened(path, options) as table:
        assert table.columns[-2:] == ("meta.id", "src+trg")
        assert [column.labels for column in table.rows(["meta.id", "src+trg"]).columns.values()] == [("7",), ("fr-en",)]
