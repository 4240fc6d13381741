"""WMT's rankings in XML: the same board as the CSV, and nothing that reaches outside the file."""

import csv
import gzip
from pathlib import Path
from xml.sax.saxutils import quoteattr

import numpy as np
import pytest

import betterthan as bt
from betterthan.evidence.format import format_called
from tests.evidence.tools.boards import refused

WMT13 = Path(__file__).parents[4] / "shared" / "data" / "wmt13-fr-en" / "rankings.csv.gz"


def _as_xml(rows: list[dict[str, str]], *, tasks: bool) -> str:
    hits = []
    for number, row in enumerate(rows):
        slots = "".join(
            f"<translation system={quoteattr(row[f'system{place}Id'])} rank={quoteattr(row[f'system{place}rank'])}/>"
            for place in range(1, 6)
        )
        segment, user = quoteattr(row["segmentId"]), quoteattr(row["judgeId"])
        if tasks:
            ranked = f'<ranking-task id={segment}><ranking-result user={user} duration="9">{slots}</ranking-result></ranking-task>'
        else:
            ranked = f"<ranking-item id={segment} user={user}>{slots}</ranking-item>"
        languages = f"source-language={quoteattr(row['srclang'])} target-language={quoteattr(row['trglang'])}"
        hits.append(f'<HIT {languages} hit-id="{number}">{ranked}</HIT>')
    return f"<WMT13-results>{''.join(hits)}</WMT13-results>"


@pytest.mark.skipif(not WMT13.is_file(), reason="rankings of WMT13 are not at ../shared/data")
@pytest.mark.parametrize("tasks", [True, False])
def test_the_board_is_that_of_the_csv(tasks: bool, tmp_path: Path) -> None:
    with gzip.open(WMT13, "rt") as stream:
        rows = list(csv.DictReader(stream))[:400]
    with (tmp_path / "rankings.csv").open("w", newline="") as stream:
        writer = csv.DictWriter(stream, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    (tmp_path / "rankings.xml").write_text(_as_xml(rows, tasks=tasks))
    one, other = bt.read(tmp_path / "rankings.csv"), bt.read(tmp_path / "rankings.xml")
    assert other.reading.format == "wmt-xml"
    for name in ("ranking", "system", "rank", "weight"):
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name))
    assert one.systems == other.systems
    assert bt.rank(one, seed=1, resamples=50).board.rows == bt.rank(other, seed=1, resamples=50).board.rows


def test_one_slot_may_name_several_systems(tmp_path: Path) -> None:
    path = Path(format_called("wmt-xml").example(tmp_path))
    path.write_text(path.read_text().replace("set.fr-en.yak", "set.fr-en.yak,set.fr-en.gnu"))
    assert bt.read(path).systems == ("elk", "gnu", "owl", "yak")


DOCTYPES = [
    '<!DOCTYPE WMT15-results [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]>',
    '<!DOCTYPE WMT15-results [<!ENTITY secret SYSTEM "file:///etc/hostname">]>',
    '<!DOCTYPE WMT15-results SYSTEM "http://example.org/wmt.dtd">',
]


@pytest.mark.parametrize("doctype", DOCTYPES)
def test_document_types_and_entities_are_refused(doctype: str, tmp_path: Path) -> None:
    path = Path(format_called("wmt-xml").example(tmp_path))
    text = path.read_text()
    path.write_text(text.replace("<WMT15-results>", f"{doctype}<WMT15-results>", 1))
    assert refused(path) == (
        f"{path}: has a document type ('WMT15-results'), which can name other files and entities. "
        "Remove the line that begins with <!DOCTYPE."
    )


def test_damaged_files_are_refused(tmp_path: Path) -> None:
    path = Path(format_called("wmt-xml").example(tmp_path))
    text = path.read_text()
    path.write_text(text[: len(text) // 2])
    assert "results.xml: is no whole XML file: " in refused(path)
    path.write_text(text.replace('rank="1"', 'rank="first"'))
    assert "the rank 'first' is not a finite number" in refused(path)
    path.write_text("<WMT15-results></WMT15-results>")
    assert "holds no ranking of at least two translations." in refused(path)
    path.write_text(text.replace("<ranking-result", "&secret;<ranking-result", 1))
    assert "is no whole XML file: undefined entity" in refused(path)
