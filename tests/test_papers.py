"""Every row of docs/papers.md runs, on the bundled examples."""

import re
import shlex
from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest

import betterthan as bt
from tests.cli.conftest import Answer, run

__all__ = ["run"]  # the command line

ROOT = Path(__file__).parents[1]
ROW = re.compile(r"^\| ([ABCD]\d+) \| (.+?) \| (.+?) \| `(.+)` \|$", re.MULTILINE)
ROWS = [
    (name, how.replace("\\|", "|")) for name, _, _, how in ROW.findall((ROOT / "docs/papers.md").read_text("utf-8"))
]


def test_all_144_things_have_a_row() -> None:
    expected = [f"{paper}{number}" for paper, size in zip("ABCD", (42, 37, 32, 33), strict=True)
                for number in range(1, size + 1)]  # fmt: skip
    assert [name for name, _ in ROWS] == expected
    assert len(ROWS) == 144


@pytest.fixture(scope="module")
def done() -> dict[str, str]:
    """What was run before: rows that share a command share its run."""
    return {}


@pytest.mark.parametrize(("name", "how"), ROWS, ids=[name for name, _ in ROWS])
def test_the_command_works(
    name: str, how: str, run: Callable[..., Answer], done: dict[str, str], tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    if how in done:
        return
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    monkeypatch.chdir(tmp_path)
    if how.startswith("betterthan "):
        answer = run(*shlex.split(how)[1:])
        assert answer.code == 0, f"{name}: {answer.err}"
        written = [Path(part) for part in shlex.split(how) if part.endswith((".svg", ".campaign"))]
        assert answer.out.strip() or any(each.exists() for each in written), f"{name} says nothing"
    else:
        assert eval(how, {"bt": bt, "pd": pd, "print": str}) is not None
    done[how] = name
