"""Columns of another file by key, for tables and for tools; Potato, whose systems stand elsewhere."""

import json
from pathlib import Path

from tests.readers.tools.boards import counted, found, refused


def test_potato_needs_the_file_with_the_systems(samples: Path) -> None:
    path, pairs = samples / "potato" / "annotations.jsonl", str(samples / "potato" / "pairs.jsonl")
    assert "cannot tell which systems were compared; the tasks have 'instance_id'." in refused(path)
    assert "line 2: instance_id = 'p007' is not among the values of 'id'" in refused(
        path, join=pairs, on="instance_id=id"
    )
    options = {"join": pairs, "on": "instance_id=id", "on_error": "skip"}
    systems = next(
        json.loads(line)["systems"] for line in Path(pairs).read_text().splitlines() if json.loads(line)["id"] == "p000"
    )
    assert counted(path, **options) == {(*systems, "0", "p000", "judge1"): 1}
    assert found(path, **options)["annotations-left-out"].startswith("5 annotations were left out: ")
