"""An effect: an estimated paired difference with its interval."""

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Effect:
    """An effect and its interval; undefined values are None."""

    name: str
    value: float | None
    low: float | None
    high: float | None

    def to_dict(self) -> dict[str, Any]:
        """Return plain JSON values."""
        return asdict(self)


def effect_of(name: str, value: float, low: float, high: float) -> Effect:
    """Return an effect whose infinite ends are open.

    An interval without any width says that the sample does not vary, not that nothing is uncertain: it is left out.
    """
    return Effect(name, _plain(value), *((None, None) if low == high else (_plain(low), _plain(high))))


def _plain(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None
