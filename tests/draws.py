"""Draws of strengths as they are, for tests of what is read from them."""

from typing import Any

import numpy as np

from betterthan.uncertainty.draws import Draws


def plain_draws(
    drawn: Any, centre: Any, *, method: str = "bootstrap", units: int = 500, freedom: float = np.inf
) -> Draws:
    """Take strengths (draws × systems) around an estimate, not stretched."""
    drawn, centre = np.asarray(drawn, dtype=float), np.asarray(centre, dtype=float)
    return Draws.plain(drawn, centre, method=method, unit="row", units=units, freedom=freedom)
