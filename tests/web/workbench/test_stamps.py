"""A file that changed is read again, also where its size stays the same."""

import os
from pathlib import Path

from betterthan.web.workbench.open_files import Files


def test_another_time_is_another_file(tmp_path: Path) -> None:
    place = tmp_path / "votes.csv"
    place.write_text("a,b,1", encoding="utf-8")
    files = Files([str(place)])
    try:
        before = files["f1"].stamp
        assert files["f1"].stamp == before
        place.write_text("a,b,2", encoding="utf-8")
        os.utime(place, ns=(before[0] + 10**9, before[0] + 10**9))
        assert files["f1"].stamp != before
    finally:
        files.close()
