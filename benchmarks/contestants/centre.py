"""Strengths of different packages on one scale."""

from collections.abc import Iterable, Sequence

import numpy as np


def centred(names: Iterable[str], log_strength: Sequence[float]) -> dict[str, float]:
    """Return log-strengths by name, shifted to mean zero."""
    values = np.asarray(log_strength, dtype=float)
    return dict(zip(names, (values - values.mean()).tolist(), strict=True))
