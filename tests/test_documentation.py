"""Documentation runs: console blocks print what they show, Python blocks and examples work, docstrings are right."""

import doctest
import importlib
import os
import pkgutil
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

import betterthan

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
MODULES = [module.name for module in pkgutil.walk_packages(betterthan.__path__, "betterthan.")]


def _blocks(kind: str) -> list[tuple[str, str]]:
    found = []
    for page in PAGES:
        found += [
            (page.name, block) for block in re.findall(rf"```{kind}\n(.*?)```", page.read_text("utf-8"), flags=re.S)
        ]
    return found


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """Return a folder that looks like the repository, where commands may write."""
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    return tmp_path


def _run(command: list[str], folder: Path) -> str:
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    done = subprocess.run(
        command, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    )
    assert done.returncode == 0, done.stdout
    return done.stdout


@pytest.mark.parametrize(("page", "block"), _blocks("console"))
def test_console_blocks_print_what_they_show(page: str, block: str, clone: Path) -> None:
    for part in re.split(r"^\$ ", block, flags=re.M)[1:]:
        command, _, expected = part.partition("\n")
        assert _run(shlex.split(command), clone) == expected, command


@pytest.mark.parametrize(("page", "block"), _blocks("python"))
def test_python_blocks_run(page: str, block: str, clone: Path) -> None:
    _run([sys.executable, "-c", block], clone)


@pytest.mark.parametrize("example", sorted((ROOT / "examples").glob("*.py")), ids=lambda path: path.name)
def test_examples_run(example: Path, clone: Path) -> None:
    assert _run([sys.executable, str(example)], clone)


@pytest.mark.parametrize("module", MODULES)
def test_docstrings_are_right(module: str) -> None:
    loaded = importlib.import_module(module)
    names = {name: getattr(betterthan, name) for name in betterthan.__all__} | {"np": importlib.import_module("numpy")}
    failed, _ = doctest.testmod(loaded, extraglobs=names)
    assert failed == 0


def test_the_readme_names_its_two_commands() -> None:
    text = (ROOT / "README.md").read_text("utf-8")
    assert "make demo" in text
    assert "make test" in text
