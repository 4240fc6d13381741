"""Tables for papers: LaTeX compiles every one of them, whatever systems are called."""

from collections.abc import Callable
from pathlib import Path

import numpy as np

import betterthan as bt

NAMES = ["a_b", "50 %", "R&D", "x^2", "#1", "~tilde", "$5", "{brace}", "back\\slash", "<less>", "“quoted”", "naïve"]


def test_every_table_compiles(latex: Callable[[str], Path]) -> None:
    rng = np.random.default_rng(0)
    scores = {name: rng.normal(size=40) for name in NAMES}
    one = rng.integers(len(NAMES), size=600)
    two = (one + rng.integers(1, len(NAMES), size=600)) % len(NAMES)
    names = np.array(NAMES, dtype=object)
    votes = {
        "left": names[one],
        "right": names[two],
        "outcome": rng.choice(["left", "right", "tie"], 600),
        "judge": names[rng.integers(3, size=600)],
        "item": rng.integers(50, size=600).astype(str),
    }
    results = [
        bt.rank(scores, resamples=50),
        bt.rank(votes, resamples=50).board,
        bt.rank(votes, ci="none", model="elo").board,
        bt.compare(scores, NAMES[0], NAMES[1]),
        bt.compare_all(scores, "mean"),
        bt.diagnose(votes),
        bt.diagnose(scores),
        bt.power(scores, NAMES[0], NAMES[1]),
        bt.fit(votes, subject="~ judge"),
    ]
    body = "\n\n\\bigskip\n".join("\\begingroup\\tiny " + result.to_latex() + "\\endgroup" for result in results)
    assert latex(body).stat().st_size > 10_000
