"""Units of a row each, with a number: statistics of which some rows say more than others count what each says."""

import numpy as np

from betterthan.datasets.units.units import RowWeights


def numbered_units(name: str, rows: int) -> RowWeights:
    """Return a unit per row, of which statistics say what it holds of every system."""
    return RowWeights(name, (np.arange(rows),), (rows,), rows)
