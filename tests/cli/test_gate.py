"""`betterthan gate`: exit codes, files and what other tools take of it."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest
import yaml

from tests.cli.conftest import Answer

Run = Callable[..., Answer]
ROOT = Path(__file__).parents[2]
RUNS = "examples/runs/new.csv", "examples/runs/old.csv"


@pytest.mark.parametrize(
    ("files", "asked", "code", "word"),
    [
        (RUNS, ("--not-worse-than", "0.02"), 0, "Pass: new is not worse than old by more than 0.02 on correct,"),
        (RUNS[::-1], ("--not-worse-than", "0.02"), 1, "Fail: old is worse than new by more than 0.02 on correct,"),
        (RUNS[::-1], ("--not-worse-than", "0.07"), 4, "Inconclusive: 400 items cannot tell whether old is worse than"),
        (RUNS, ("--better-by", "0"), 0, "Pass: new is better than old on correct, for items like these."),
        (RUNS, ("--better-by", "5%"), 4, "Inconclusive: 400 items cannot tell whether new is better than old by more"),
    ],
)
def test_exit_codes(run: Run, files: tuple[str, str], asked: tuple[str, ...], code: int, word: str) -> None:
    answer = run("gate", *files, "--score", "correct", *asked)
    assert (answer.code, answer.err) == (code, "")
    assert answer.out.startswith(word)


def test_without_a_margin_nothing_is_decided_and_the_one_that_is_suggested_works(run: Run) -> None:
    answer = run("gate", *RUNS, "--score", "correct")
    assert (answer.code, answer.out) == (2, "")
    found = re.search(r"--not-worse-than \S+$", answer.err.strip())
    assert found is not None
    assert run("gate", *RUNS, "--score", "correct", *found[0].split()).code == 0


def test_everything_in_one_command(run: Run, tmp_path: Path) -> None:
    rows = [f"q{item},{'de' if item % 2 else 'en'},{{}},{{}}" for item in range(120)]
    for name, drop, slow in (("new", 0, 1.0), ("old", 0, 1.02), ("again", 1, 1.02)):
        lines = [
            row.format(int((item + drop) % 6 != 0), round(slow * (100 + item % 7), 2)) for item, row in enumerate(rows)
        ]
        (tmp_path / f"{name}.csv").write_text("\n".join(["item,lang,correct,latency_ms", *lines]))
    new, old, again = (tmp_path / f"{name}.csv" for name in ("new", "old", "again"))
    asked = ["--score", "correct", "--guard", "latency_ms=+5%", "--slices", "lang", "--not-worse-than", "0.1"]
    more = ["--rerun", again, "--flips", "3", "--junit", tmp_path / "junit.xml", "--summary", tmp_path / "summary.md"]
    answer = run("gate", new, old, *asked, *more, "--format", "json")
    document = json.loads(answer.out)
    assert (answer.code, document["decision"]) == (0, "pass")
    titles = [(check["metric"], check["part"], check["decision"]) for check in document["checks"]]
    assert titles == [(metric, part, "pass") for metric in ("correct", "latency_ms") for part in ("", "de", "en")]
    assert document["reruns"][0]["difference"]["value"] == 0
    suite = ElementTree.parse(tmp_path / "junit.xml").getroot()
    assert (suite.get("tests"), suite.get("failures")) == ("7", "0")
    assert (tmp_path / "summary.md").read_text().startswith("**Pass: new keeps every margin in all 6 checks")


def test_several_old_versions_in_files_of_their_own(run: Run, tmp_path: Path) -> None:
    for name, share in (("new", 5), ("old", 5), ("older", 2)):
        rows = "".join(f"q{item},{int(item % share != 0)}\n" for item in range(200))
        (tmp_path / f"{name}.csv").write_text(f"item,correct\n{rows}")
    files = [tmp_path / f"{name}.csv" for name in ("new", "old", "older")]
    document = json.loads(run("gate", *files, "--score", "correct", "--not-worse-than", "0.1", "--format", "json").out)
    assert [(check["old"], check["decision"]) for check in document["checks"]] == [("old", "pass"), ("older", "pass")]
    turned = run("gate", *files[::-1], "--score", "correct", "--not-worse-than", "0.1")
    assert (turned.code, turned.out[:5]) == (1, "Fail:")


@pytest.mark.parametrize("verb", ["rank", "compare"])
def test_options_of_an_exit_code_lead_to_the_gate(run: Run, verb: str) -> None:
    answer = run(verb, *RUNS, "--fail-if-worse")
    assert answer.code == 2
    assert answer.err.strip().endswith(
        f"betterthan {verb} has no option --fail-if-worse. A result becomes an exit code by a gate: "
        "betterthan gate NEW OLD --not-worse-than MARGIN"
    )


def test_wrong_input_is_no_decision(run: Run, tmp_path: Path) -> None:
    (tmp_path / "empty.csv").write_text("item,correct\n")
    for arguments in (
        ("gate", "examples/runs/new.csv", tmp_path / "missing.csv", "--not-worse-than", "1"),
        ("gate", "examples/runs/new.csv", tmp_path / "empty.csv", "--not-worse-than", "1"),
        ("gate", *RUNS, "--not-worse-than", "nan"),
        ("gate", *RUNS, "--score", "correct", "--not-worse-than", "0.1", "--summary", tmp_path / "no" / "folder.md"),
    ):
        answer = run(*arguments)
        assert (answer.code, answer.out) == (2, "")
        assert answer.err.startswith("betterthan: ")


@pytest.mark.parametrize(
    ("files", "margin", "inconclusive", "code", "decision"),
    [
        (RUNS, "0.02", "fail", 0, "pass"),
        (RUNS[::-1], "0.02", "fail", 1, "fail"),
        (RUNS[::-1], "0.07", "fail", 4, "inconclusive"),
        (RUNS[::-1], "0.07", "pass", 0, "inconclusive"),
        (RUNS, "two", "fail", 2, None),
    ],
)
def test_the_steps_of_the_action(
    tmp_path: Path, files: tuple[str, str], margin: str, inconclusive: str, code: int, decision: str | None
) -> None:
    """Run the script of the composite action as the runner does: bash -e, inputs and files in the environment."""
    action = yaml.safe_load((ROOT / "action.yml").read_text())
    (script,) = (step["run"] for step in action["runs"]["steps"] if step.get("id") == "gate")
    given = {
        "new": files[0],
        "old": files[1],
        "not-worse-than": margin,
        "options": "--score correct",
        "inconclusive": inconclusive,
    }
    step = next(step for step in action["runs"]["steps"] if step.get("id") == "gate")
    named = {name: re.fullmatch(r"\$\{\{ inputs\.(\S+) \}\}", value) for name, value in step["env"].items()}
    inputs = {name: given[found[1]] for name, found in named.items() if found}
    assert {found[1] for found in named.values() if found} <= action["inputs"].keys()
    summary, output = tmp_path / "summary.md", tmp_path / "output"
    path = os.pathsep.join([os.path.dirname(sys.executable), os.environ["PATH"]])
    runner = {"PATH": path, "GITHUB_STEP_SUMMARY": str(summary), "GITHUB_OUTPUT": str(output), **inputs}
    bash = shutil.which("bash")
    assert bash is not None
    done = subprocess.run(
        [bash, "--noprofile", "--norc", "-eo", "pipefail", "-c", script],
        cwd=ROOT,
        env=runner,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == code, done.stderr
    assert (output.read_text() if output.exists() else None) == (decision and f"decision={decision}\n")
    if decision is not None:
        assert summary.read_text().lower().startswith(f"**{decision}: ")


_TESTS = """
import pytest

def test_pass(betterthan_gate):
    assert betterthan_gate({new!r}, {old!r}, score="correct", not_worse_than=0.02).decision == "pass"

def test_fail(betterthan_gate):
    betterthan_gate({old!r}, {new!r}, score="correct", not_worse_than=0.02)

def test_open(betterthan_gate):
    betterthan_gate({old!r}, {new!r}, score="correct", not_worse_than=0.07)

def test_skipped(betterthan_gate):
    betterthan_gate({old!r}, {new!r}, score="correct", not_worse_than=0.07, inconclusive="skip")
"""


def test_the_fixture_of_pytest(tmp_path: Path) -> None:
    """A run of pytest of its own finds the fixture by the entry point."""
    new, old = (str(ROOT / name) for name in RUNS)
    (tmp_path / "test_gates.py").write_text(_TESTS.format(new=new, old=old))
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_gates.py"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert "2 failed, 1 passed, 1 skipped" in done.stdout
    assert "Fail: old is worse than new by more than 0.02 on correct" in done.stdout
    assert "Traceback" not in done.stdout
