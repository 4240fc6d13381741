"""A program that is missing is said in one sentence, with the command that installs it."""

from pathlib import Path

import pytest

from tests.programs import find_program, require_latex_packages


def _program(folder: Path, name: str, code: str) -> None:
    (folder / name).write_text(f"#!/bin/sh\n{code}\n")
    (folder / name).chmod(0o755)


def test_a_missing_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(pytest.fail.Exception) as failure:
        find_program("pdflatex", part="latex")
    assert str(failure.value) == "pdflatex is not installed. Install it: sh tools/need.sh latex"
    _program(tmp_path, "pdflatex", "exit 0")
    assert find_program("pdflatex", part="latex") == str(tmp_path / "pdflatex")


def test_a_small_latex(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    _program(tmp_path, "kpsewhich", '[ "$1" != booktabs.sty ]')
    require_latex_packages("fontenc", "textcomp")
    with pytest.raises(pytest.fail.Exception) as failure:
        require_latex_packages("fontenc", "booktabs")
    assert str(failure.value) == "LaTeX has no booktabs. Install what is missing: sh tools/need.sh latex"
