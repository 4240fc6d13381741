"""Two versions with several runs each: files that a pattern matches, or folders."""

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import betterthan as bt
from tests.cli.conftest import Answer, run  # noqa: F401 (a fixture)

Run = Callable[..., Answer]
RUNS = {"new": ([1, 0, 1, 1], [1, 1, 1, 0]), "old": ([0, 0, 1, 1], [1, 0, 0, 1], [0, 0, 1, 0])}


def _written(folder: Path) -> Path:
    """Write every run twice: side by side, and in a folder of its version with notes beside it."""
    for version, runs in RUNS.items():
        (folder / version).mkdir()
        (folder / version / "README.md").write_text("notes")
        for seed, scores in enumerate(runs):
            text = "id,correct\n" + "".join(f"q{place},{score}\n" for place, score in enumerate(scores))
            (folder / version / f"seed{seed}.csv").write_text(text)
            (folder / f"{version}_seed{seed}.csv").write_text(text)
    return folder


def test_patterns_and_folders_are_the_same_runs(tmp_path: Path) -> None:
    folder = _written(tmp_path)
    patterns = bt.read_runs(f"{folder}/new_seed*.csv", f"{folder}/old_seed*.csv", score="correct")
    folders = bt.read_runs(folder / "new", folder / "old", score="correct")
    for scores, names in ((patterns, ("new_seed", "old_seed")), (folders, ("new", "old"))):
        (table,) = scores.tables
        assert (table.systems, table.items) == (names, ("q0", "q1", "q2", "q3"))
        np.testing.assert_allclose(table.values, np.stack([np.mean(RUNS[each], axis=0) for each in RUNS], axis=1))
        assert table.repeats is not None
        assert table.repeats.runs == 3
    assert bt.compare(folders, "new", "old").unit == "item+run"


def test_one_against_several_and_what_becomes_of_them(tmp_path: Path) -> None:
    folder = _written(tmp_path)
    one = bt.read_runs(folder / "new_seed0.csv", f"{folder}/old_seed*.csv", score="correct", names=("one", "many"))
    np.testing.assert_allclose(one.tables[0].values[:, 0], RUNS["new"][0])
    best = bt.read_runs(folder / "new", folder / "old", score="correct", reduce="best")
    np.testing.assert_allclose(best.tables[0].values, np.stack([np.max(RUNS[each], axis=0) for each in RUNS], axis=1))


def test_the_command_line_takes_them(run: Run, tmp_path: Path) -> None:  # noqa: F811 (the fixture)
    folder = _written(tmp_path)
    for pair in ((f"{folder}/new_seed*.csv", f"{folder}/old_seed*.csv"), (folder / "new", folder / "old")):
        document = json.loads(run("compare", *pair, "--score", "correct", "--format", "json").out)
        assert (document["unit"], document["values"]) == ("item+run", [0.75, pytest.approx(5 / 12)])
    assert run("compare", f"{folder}/none*.csv", folder / "old").code == 2


def test_repeats_in_a_column_and_in_files_are_too_much(tmp_path: Path) -> None:
    folder = _written(tmp_path)
    with pytest.raises(bt.EvidenceError) as refusal:
        bt.read_runs(folder / "new", folder / "old", score="correct", repeat="id")
    assert str(refusal.value) == (
        "several files are runs of one system, so no column can distinguish runs, too. Leave out repeat='id', or give "
        "one file of each system."
    )
    (tmp_path / "empty").mkdir()
    with pytest.raises(bt.EvidenceError, match="holds no table"):
        bt.read_runs(folder / "new", tmp_path / "empty", score="correct")
