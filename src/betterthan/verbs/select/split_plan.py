"""Plan the splits: folds or fixed sizes, refused where there are too few units."""

from betterthan.base import PlanError
from betterthan.options import SelectOptions
from betterthan.verbs.select.divisible_evidence import Pieces
from betterthan.verbs.select.unit_splits import Split, by_amounts, by_folds

_FEWEST_FOLDS = 3


def deal(options: SelectOptions, pieces: Pieces, unit: str) -> list[Split]:
    """Split the evidence over and over, no unit being in two parts."""
    units = len(pieces.per_unit)
    if options.dev is not None and options.test is not None:
        splits = by_amounts(pieces.per_unit, options.dev, options.test, options.repeats, options.seed)
    else:
        folds = options.folds or options.FOLDS
        if units < folds:
            raise PlanError(
                f"{folds} folds need at least as many {unit}s, and there are {units:,}. Use fewer folds (at least "
                f"{_FEWEST_FOLDS}), or split by another unit."
            )
        splits = by_folds(units, folds, options.repeats, options.seed)
    smallest = min(float(pieces.per_unit[split.train].sum()) for split in splits)
    if options.sizes and max(options.sizes) > smallest:
        raise PlanError(
            f"sizes ask for {max(options.sizes):,} judgments to train on, and the smallest split leaves "
            f"{smallest:,.0f} of {pieces.per_unit.sum():,.0f}. Use smaller sizes, or hold fewer judgments out."
        )
    return splits
