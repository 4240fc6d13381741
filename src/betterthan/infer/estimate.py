"""A number with its interval."""

from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True)
class Estimate:
    """A value and the ends of its interval; what is open, or cannot be said, is None."""

    value: float | None
    low: float | None
    high: float | None

    @property
    def known(self) -> float:
        """The value, where there is one."""
        if self.value is None:
            raise ValueError("this estimate has no value")
        return self.value

    def to_dict(self) -> dict[str, Any]:
        """Return plain JSON values."""
        return asdict(self)
