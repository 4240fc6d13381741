"""How evidence is split, as it was asked for: folds or amounts, training sizes, and what they need."""

from dataclasses import dataclass

from betterthan.errors import PlanError
from betterthan.plan import check_whole
from betterthan.selection.pieces import Pieces
from betterthan.selection.splits import Split, by_amounts, by_folds
from betterthan.selection.trial import TuneBy
from betterthan.spelling import option

_FOLDS, _FEWEST_FOLDS = 5, 3


@dataclass(frozen=True)
class Choices:
    """How the evidence is split, and what chooses among alternatives."""

    folds: int | None
    repeats: int
    dev: int | None
    test: int | None
    sizes: tuple[int, ...]
    tune_by: TuneBy

    def __post_init__(self) -> None:
        check_whole("repeats", self.repeats, 1)
        if (self.dev is None) != (self.test is None):
            raise PlanError(
                f"{option('dev')} and {option('test')} go together", remedy=f"Give both, or {option('folds')}."
            )
        if self.dev is not None and self.test is not None:
            check_whole("dev", self.dev, 1)
            check_whole("test", self.test, 1)
            check_whole("repeats", self.repeats, 2)
            if self.folds is not None:
                raise PlanError(
                    f"{option('folds')} and {option('dev')} with {option('test')} are alternatives",
                    remedy="Leave one of them out.",
                )
        if self.folds is not None:
            check_whole("folds", self.folds, _FEWEST_FOLDS)
        for size in self.sizes:
            check_whole("sizes", size, 1)
        if len(set(self.sizes)) < len(self.sizes):
            raise PlanError(f"sizes must differ, got {', '.join(map(str, self.sizes))}. Give each once.")
        if self.tune_by not in {"log_loss", "accuracy"}:
            raise PlanError(f"tune_by must be log_loss or accuracy, got {self.tune_by!r}.")

    def splits(self, pieces: Pieces, unit: str, seed: int) -> list[Split]:
        """Deal out the units, and refuse what they do not suffice for."""
        units = len(pieces.per_unit)
        if self.dev is not None and self.test is not None:
            splits = by_amounts(pieces.per_unit, self.dev, self.test, self.repeats, seed)
        else:
            folds = self.folds or _FOLDS
            if units < folds:
                raise PlanError(
                    f"{folds} folds need at least as many {unit}s, and there are {units:,}. Use fewer folds (at least "
                    f"{_FEWEST_FOLDS}), or split by another unit."
                )
            splits = by_folds(units, folds, self.repeats, seed)
        smallest = min(float(pieces.per_unit[split.train].sum()) for split in splits)
        if self.sizes and max(self.sizes) > smallest:
            raise PlanError(
                f"sizes ask for {max(self.sizes):,} judgments to train on, and the smallest split leaves "
                f"{smallest:,.0f} of {pieces.per_unit.sum():,.0f}. Use smaller sizes, or hold fewer judgments out."
            )
        return splits

    def facts(self) -> dict[str, str]:
        """Return how the evidence was split as the signature's facts."""
        held_out = f"{self.repeats}×{self.folds or _FOLDS} folds"
        if self.dev is not None:
            held_out = f"{self.repeats}×(dev {self.dev}, test {self.test})"
        return {"splits": held_out, "sizes": ",".join(map(str, self.sizes)) or "all", "tune_by": self.tune_by}
