"""Fixtures that every test may use."""

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("repeatable", derandomize=True, deadline=None, max_examples=60)
settings.load_profile("repeatable")

#: Tests that `make test-quick` leaves out, one beginning of a test's name per line; the comments there say how it was made.
_SLOW = tuple(
    line
    for line in Path(__file__).with_name("slow.txt").read_text(encoding="utf-8").splitlines()
    if line and not line.startswith("#")
)
_SHARED = Path(__file__).parent.parent.parent / "shared" / "data"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests that take long, so that everyday work can leave them out."""
    for item in items:
        if item.nodeid.startswith(_SLOW):
            item.add_marker(pytest.mark.slow)


@pytest.fixture(scope="session")
def shared() -> Path:
    """Return the folder of real evaluation data, which is not ours to ship."""
    if not _SHARED.is_dir():
        if os.environ.get("CI"):
            pytest.fail(f"the shared data must be there in CI: {_SHARED}")
        pytest.skip("real evaluation data is not at ../shared/data")
    return _SHARED


@pytest.fixture
def latex(tmp_path: Path) -> Callable[[str], Path]:
    """Return a function that compiles tables and returns the PDF; LaTeX must be there in CI."""
    program = shutil.which("pdflatex")
    if program is None:
        if os.environ.get("CI"):
            pytest.fail("LaTeX must be there in CI: tools/need.sh latex installs it")
        pytest.skip("pdflatex is not installed")
    packages = "\\usepackage[T1]{fontenc}\\usepackage[utf8]{inputenc}\\usepackage{textcomp,booktabs}"

    def compiled(body: str) -> Path:
        source = f"\\documentclass{{article}}{packages}\\begin{{document}}\n{body}\\end{{document}}\n"
        (tmp_path / "tables.tex").write_text(source, encoding="utf-8")
        command = [program, "-interaction=nonstopmode", "-halt-on-error", "tables.tex"]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, errors="replace", check=False)
        assert done.returncode == 0, done.stdout[-2000:]
        return tmp_path / "tables.pdf"

    return compiled
