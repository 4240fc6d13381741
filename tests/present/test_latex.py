"""Tables for papers: LaTeX compiles every one of them, whatever systems are called."""

import os
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

import betterthan as bt

NAMES = ["a_b", "50 %", "R&D", "x^2", "#1", "~tilde", "$5", "{brace}", "back\\slash", "<less>", "“quoted”", "naïve"]
_HEAD = "\\documentclass{article}\\usepackage[T1]{fontenc}\\usepackage[utf8]{inputenc}\\usepackage{textcomp,booktabs}\\begin{document}\n"


@pytest.fixture(scope="module")
def pdflatex() -> str:
    found = shutil.which("pdflatex")
    if found is None:
        if os.environ.get("CI"):
            pytest.fail("LaTeX must be there in CI: tools/need.sh latex installs it")
        pytest.skip("pdflatex is not installed")
    return found


def test_every_table_compiles(pdflatex: str, tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    scores = {name: rng.normal(size=40) for name in NAMES}
    one = rng.integers(len(NAMES), size=600)
    two = (one + rng.integers(1, len(NAMES), size=600)) % len(NAMES)
    names = np.array(NAMES, dtype=object)
    votes = {"left": names[one], "right": names[two], "outcome": rng.choice(["left", "right", "tie"], 600),
             "judge": names[rng.integers(3, size=600)], "item": rng.integers(50, size=600).astype(str)}  # fmt: skip
    results = [
        bt.rank(scores, resamples=50).board, bt.rank(votes, resamples=50).board, bt.rank(votes, ci="none", model="elo").board,
        bt.compare(scores, NAMES[0], NAMES[1]), bt.compare_all(scores, "mean"), bt.diagnose(votes), bt.diagnose(scores),
        bt.power(scores, NAMES[0], NAMES[1]), bt.fit(votes, subject="~ judge"),
    ]  # fmt: skip
    body = "\n\n\\bigskip\n".join("\\begingroup\\tiny " + result.to_latex() + "\\endgroup" for result in results)
    (tmp_path / "tables.tex").write_text(_HEAD + body + "\\end{document}\n", encoding="utf-8")
    done = subprocess.run(
        [pdflatex, "-interaction=nonstopmode", "-halt-on-error", "tables.tex"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-2000:]
    assert (tmp_path / "tables.pdf").stat().st_size > 10_000
