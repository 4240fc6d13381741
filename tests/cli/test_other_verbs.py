"""`convert`, `demo`, help and version."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import betterthan
from betterthan import demo
from betterthan.cli.main import VERBS
from betterthan.readers.open_tables import open_table
from betterthan.worlds.simulated import DEMO_ARENA, DEMO_SCORES, DEMO_SEED

Run = Callable[..., Any]


def test_help_and_version(run: Run) -> None:
    assert run("--version").out == f"betterthan {betterthan.__version__}\n"
    text = run("--help").out
    for verb in VERBS:
        assert f"  {verb} " in text
        assert run(verb, "--help").code == 0
    assert run("bogus").code == 2


def test_convert_lists_the_formats(run: Run) -> None:
    answer = run("convert", "--formats")
    assert answer.code == 0
    for name, kind, _ in betterthan.formats():
        assert any(line.split()[:2] == [name, kind] for line in answer.out.splitlines())


def test_convert_between_kinds(run: Run, tmp_path: Path) -> None:
    pairs = tmp_path / "pairs.csv"
    answer = run("convert", demo.path("scores.csv.gz"), "--to", "judgments", "-o", pairs)
    assert (answer.code, answer.out, answer.err) == (0, "", f"{pairs}: 6,720 rows of judgments\n")
    again = json.loads(run("rank", pairs, "--format", "json", "--ci", "none", "--scale", "log").out)
    direct = json.loads(
        run("rank", demo.path("scores.csv.gz"), "--format", "json", "--ci", "none", "--scale", "log").out
    )
    assert again["leaderboards"][0]["rows"] == direct["leaderboards"][2]["rows"]
    assert run("convert", pairs, "--to", "scores", "-o", tmp_path / "x.csv").err == (
        "betterthan: judgments cannot be converted to scores; scores convert to rankings and judgments, rankings to judgments.\n"
    )
    assert "unknown ending" in run("convert", pairs, "-o", tmp_path / "x.xlsx").err


def test_the_demo_tells_how_right_it_was(run: Run, tmp_path: Path) -> None:
    answer = run("demo", "-o", tmp_path / "out")
    assert answer.code == 0
    assert "44 of 45 pairs are in the right order" in answer.out
    assert "28 of 28 pairs are in the right order" in answer.out
    written = sorted(path.name for path in (tmp_path / "out").iterdir())
    assert written == [f"{name}.{ending}" for name in ("arena", "scores") for ending in ("csv", "json", "md", "tex")]


def test_the_bundled_evidence_is_what_the_simulator_makes() -> None:
    rng = np.random.default_rng(DEMO_SEED)
    arena = DEMO_ARENA.simulate(rng, judgments=4000, items=300, judges=24)
    scores = DEMO_SCORES.simulate(rng, items=240)
    for name, columns in (("arena", arena), ("scores", scores)):
        table = open_table(demo.path(f"{name}.csv.gz")).rows(list(columns))
        for column, values in columns.items():
            found = table.columns[column].texts()
            assert (
                found.tolist() == values.tolist()
                if values.dtype == object
                else np.allclose(found.astype(float), values)
            )
    truth = json.loads(demo.path("truth.json").read_text())
    np.testing.assert_allclose(list(truth["arena"].values()), DEMO_ARENA.truth(), atol=1e-6)
    np.testing.assert_allclose(list(truth["scores"].values()), DEMO_SCORES.truth(), atol=1e-6)
