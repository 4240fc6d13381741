"""Fixtures that every test may use."""

import gc
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import settings

from tests.programs import find_program, require_latex_packages

# `make test-long` runs the tests of properties with the second profile.
settings.register_profile("repeatable", derandomize=True, deadline=None, max_examples=15)
settings.register_profile("long", derandomize=True, deadline=None, max_examples=150)
settings.load_profile("repeatable")


def _listed(name: str) -> tuple[str, ...]:
    """Return the beginnings of tests' names that a file lists; its comments say how it was made."""
    lines = Path(__file__).with_name(name).read_text(encoding="utf-8").splitlines()
    return tuple(line for line in lines if line and not line.startswith("#"))


#: Tests that `make test-quick` leaves out, and those that `make test` leaves to `make test-long`.
_SLOW, _LONG = _listed("slow.txt"), _listed("long.txt")
#: Quick tests of slow files and folders, and the slow files and folders that have none.
_QUICK = tuple(name.removeprefix("!") for name in _SLOW if name.startswith("!"))
_SLOW_FILES = tuple(name for name in _SLOW if "::" not in name and not any(quick.startswith(name) for quick in _QUICK))
#: Fixtures that start a program of the machine: `make test` installs it, `make test-quick` leaves such tests out.
_PROGRAMS = frozenset({"latex", "chromium", "postgres", "own_postgres"})


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Import no file all of whose tests are left out: what it needs takes a while to load."""
    name = collection_path.relative_to(config.rootpath).as_posix() + "/" * collection_path.is_dir()
    return True if config.option.markexpr.startswith("not slow") and name.startswith(_SLOW_FILES) else None


def pytest_collection_finish() -> None:
    """Look for garbage less often: thousands of tests, which stay until the end, are looked through every time."""
    gc.set_threshold(20_000, 10, 10)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests that everyday work leaves out: those that take long or start other programs."""
    for item in items:
        listed = item.nodeid.startswith(_SLOW) and not item.nodeid.startswith(_QUICK)
        if listed or not _PROGRAMS.isdisjoint(getattr(item, "fixturenames", ())):
            item.add_marker(pytest.mark.slow)
        if item.nodeid.startswith(_LONG):
            item.add_marker(pytest.mark.slow)
            item.add_marker(pytest.mark.long)


@pytest.fixture(scope="session")
def chromium() -> str:
    """Return where Chromium is."""
    return find_program("chromium", part="chromium")


@pytest.fixture
def latex(tmp_path: Path) -> Callable[[str], Path]:
    """Return a function that compiles tables and returns the PDF."""
    program = find_program("pdflatex", part="latex")
    require_latex_packages("fontenc", "inputenc", "textcomp", "booktabs")
    packages = "\\usepackage[T1]{fontenc}\\usepackage[utf8]{inputenc}\\usepackage{textcomp,booktabs}"

    def compiled(body: str) -> Path:
        source = f"\\documentclass{{article}}{packages}\\begin{{document}}\n{body}\\end{{document}}\n"
        (tmp_path / "tables.tex").write_text(source, encoding="utf-8")
        command = [program, "-interaction=nonstopmode", "-halt-on-error", "tables.tex"]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, errors="replace", check=False)
        assert done.returncode == 0, done.stdout[-2000:]
        return tmp_path / "tables.pdf"

    return compiled
