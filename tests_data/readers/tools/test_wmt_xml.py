"""WMT's rankings in XML: the same board as the CSV, and nothing that reaches outside the file."""

import csv
import gzip
from pathlib import Path
from xml.sax.saxutils import quoteattr

import numpy as np
import pytest

import betterthan as bt


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


@pytest.mark.parametrize("tasks", [True, False])
def test_the_board_is_that_of_the_csv(tasks: bool, shared: Path, tmp_path: Path) -> None:
    with gzip.open(shared / "wmt13-fr-en" / "rankings.csv.gz", "rt") as stream:
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
