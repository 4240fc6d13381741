"""The report as a document: what it says, what it cites, how large it is."""

from pathlib import Path

import betterthan as bt


def test_wmt13_is_small(shared: Path, tmp_path: Path) -> None:
    path = tmp_path / "wmt13.html"
    bt.report(shared / "wmt13-fr-en" / "rankings.csv.gz", path)
    assert 50_000 < path.stat().st_size < 5_000_000
