"""Options of `select`."""

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from typing import ClassVar, Literal

from betterthan.errors import PlanError
from betterthan.named import split
from betterthan.options.declare import option
from betterthan.options.options import Options
from betterthan.options.shared import DEFAULT_UNIT, LEVEL, SEED, TOLERANCE, TOLERANCE_HELP
from betterthan.progress import Progress, silent
from betterthan.spelling import option as spelled

#: What chooses among alternatives.
TuneBy = Literal["log_loss", "accuracy"]
FOLDS = 5


@dataclass(frozen=True)
class SelectOptions(Options):
    """Which models compete, and how the evidence is split."""

    verb: ClassVar[str] = "select"

    models: Sequence[str] | None = option(
        None, "Several with commas, options in brackets, alternatives with |: 'davidson,elo(k=16|32)'.",
        metavar="MODELS",
        unsaid="expected-wins, hopkins-may, trueskill(preset=wmt), bradley-terry, davidson; for scores mean, median, "
        "bradley-terry, davidson",
    )  # fmt: skip
    _: KW_ONLY
    unit: str | None = option(
        None, "Unit of dependence: what is never split.", choices=("ranking", "group", "item", "judge", "row"),
        unsaid=DEFAULT_UNIT,
    )  # fmt: skip
    folds: int | None = option(None, "Parts, of which one is tested and one tuned on.", least=3, most=10**9, unsaid="5")
    repeats: int = option(4, "How often units are dealt out anew.", least=1, most=10**9)
    dev: int | None = option(None, "Instead of folds: judgments to tune on.", least=1, most=10**9, metavar="NUMBER")
    test: int | None = option(None, "Instead of folds: judgments to test on.", least=1, most=10**9, metavar="NUMBER")
    sizes: Sequence[int] | None = option(
        None, "Learning curve: judgments to train on, 400,800.", least=1, most=10**9, metavar="NUMBERS"
    )
    tune_by: TuneBy = option("log_loss", "What chooses among alternatives.")
    tolerance: float = option(0.0, TOLERANCE_HELP, **TOLERANCE)
    level: float = option(0.95, "Level of intervals and tests.", **LEVEL)
    seed: int = option(0, "Seed of splits and samplers.", **SEED)
    progress: Progress = option(silent, "Called with (steps done, steps in all).", line=False, signed=False)

    def __post_init__(self) -> None:
        if isinstance(self.models, str):  # commas within brackets separate options, not models
            object.__setattr__(self, "models", split(self.models))
        super().__post_init__()
        if (self.dev is None) != (self.test is None):
            raise PlanError(
                f"{spelled('dev')} and {spelled('test')} go together", remedy=f"Give both, or {spelled('folds')}."
            )
        if self.dev is not None and self.folds is not None:
            raise PlanError(
                f"{spelled('folds')} and {spelled('dev')} with {spelled('test')} are alternatives",
                remedy="Leave one of them out.",
            )
        if self.dev is not None and self.repeats < 2:
            raise PlanError("repeats must be at least 2 where dev and test are given: one split has no interval.")
        if self.sizes is not None:
            if len(set(self.sizes)) < len(self.sizes):
                raise PlanError(f"sizes must differ, got {', '.join(map(str, self.sizes))}. Give each once.")
            object.__setattr__(self, "sizes", tuple(sorted(self.sizes)))
        if self.models is not None and (not self.models or len(set(self.models)) < len(self.models)):
            raise PlanError(f"models must name at least one model, and none twice, got {','.join(self.models)!r}.")
