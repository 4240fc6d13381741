"""Place bars on separate levels where they would overlap."""

from collections.abc import Sequence


def tiers_of(spans: Sequence[tuple[float, float]], gap: float = 2.0) -> list[int]:
    """Put bars on as few tiers as they need not to touch.

    >>> tiers_of([(0.0, 40.0), (30.0, 60.0), (50.0, 90.0)])
    [0, 1, 0]
    """
    ends: list[float] = []
    tiers = []
    for first, last in spans:
        tier = next((place for place, end in enumerate(ends) if end + gap < first), len(ends))
        ends[tier : tier + 1] = [last]
        tiers.append(tier)
    return tiers
