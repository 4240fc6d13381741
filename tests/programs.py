"""Programs of the machine that tests start; one that is missing is a failure that says how to install it."""

import shutil
import subprocess

import pytest


def find_program(name: str, *, part: str) -> str:
    """Return where a program is, or fail with the command that installs its part of the machine."""
    place = shutil.which(name)
    if place is None:
        pytest.fail(f"{name} is not installed. Install it: sh tools/need.sh {part}", pytrace=False)
    return place


def require_latex_packages(*names: str) -> None:
    """Fail where LaTeX has not every one of these packages."""
    finder = find_program("kpsewhich", part="latex")
    missing = [
        name for name in names if subprocess.run([finder, f"{name}.sty"], capture_output=True, check=False).returncode
    ]
    if missing:
        pytest.fail(
            f"LaTeX has no {', '.join(missing)}. Install what is missing: sh tools/need.sh latex", pytrace=False
        )
