"""betterthan's models that go through judgments in order, with Numba and without."""

import sys
from functools import lru_cache
from math import log

import numpy as np

import betterthan as bt
from betterthan.models import compiled, skill
from betterthan.models.elo import play
from contestants.centre import centred
from contestants.codes import read_codes


def rank(path: str, model: str, numba: bool) -> dict[str, float]:
    """Rank without intervals; return centred ratings."""
    if not numba:
        sys.modules["numba"] = None  # importing it fails from now on, as if it were not installed
    board = bt.rank(path, model=model, ci="none").board
    rows = sorted(board, key=lambda row: row.system)
    return centred([row.system for row in rows], [row.score for row in rows])


def skill_loop(path: str) -> None:
    """Run TrueSkill's loop for two players alone, with the game defaults."""
    names, columns = _held(path)
    many = 10_000_000
    mean, variance = np.full(len(names), 25.0), np.full(len(names), (25 / 3) ** 2)
    layout = compiled.prepared(many, *columns, mean, variance)
    compiled.quick(skill.play_pairs, many)(*layout, (25 / 6) ** 2, (25 / 300) ** 2, skill.draw_margin(0.1, 25 / 6))


def loop(path: str) -> dict[str, float]:
    """Run Elo's loop alone."""
    names, columns = _held(path)
    # The warm-up on a small file is to compile it as well.
    many = 10_000_000
    *layout, rating = compiled.prepared(many, *columns, np.full(len(names), 1000.0))
    compiled.quick(play, many)(*layout, rating, 20.0, log(10.0) / 400.0)
    return centred(names, rating)


@lru_cache(maxsize=1)
def _held(path: str) -> tuple[list[str], tuple[np.ndarray, ...]]:
    """Read once per process: the repeats, of which the best counts, find the arrays in memory."""
    coded = read_codes(path, ["model_a", "tie", "model_b"])
    outcome = coded.outcome.astype(np.int8)
    return coded.names, (coded.left, coded.right, outcome, np.ones(len(coded.left)))
