"""Options of `select`."""

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from typing import ClassVar, Literal

from betterthan.base import PlanError, Progress, registry, silent, spelling
from betterthan.options.fields.declare import option
from betterthan.options.fields.options import Options
from betterthan.options.shared import DEFAULT_UNIT, LEVEL, SEED, TOLERANCE, TOLERANCE_HELP

#: What chooses among alternatives.
TuneBy = Literal["log_loss", "accuracy"]


@dataclass(frozen=True)
class SelectOptions(Options):
    """Which models compete, and how the evidence is split."""

    verb: ClassVar[str] = "select"
    #: The number of folds by default.
    FOLDS: ClassVar[int] = 5

    models: Sequence[str] | None = option(
        None,
        "Models separated by commas, options in brackets, alternatives with |: 'davidson,elo(k=16|32)'.",
        metavar="MODELS",
        unsaid="expected-wins, hopkins-may, trueskill(preset=wmt), bradley-terry, davidson; for scores mean, median, "
        "bradley-terry, davidson",
    )
    _: KW_ONLY
    unit: str | None = option(
        None,
        "Unit of dependence: what is never split between training and test.",
        choices=("ranking", "group", "item", "judge", "row"),
        unsaid=DEFAULT_UNIT,
    )
    folds: int | None = option(
        None, "Number of folds: one to test on, one to tune on, the rest to train on.", least=3, most=10**9, unsaid="5"
    )
    repeats: int = option(4, "How often the folds are drawn again.", least=1, most=10**9)
    dev: int | None = option(
        None, "Instead of folds: number of judgments to tune on.", least=1, most=10**9, metavar="NUMBER"
    )
    test: int | None = option(
        None, "Instead of folds: number of judgments to test on.", least=1, most=10**9, metavar="NUMBER"
    )
    sizes: Sequence[int] | None = option(
        None,
        "Learning curve: numbers of judgments to train on, such as 400,800.",
        least=1,
        most=10**9,
        metavar="NUMBERS",
    )
    tune_by: TuneBy = option("log_loss", "Measure that chooses among alternatives.")
    tolerance: float = option(0.0, TOLERANCE_HELP, **TOLERANCE)
    level: float = option(0.95, "Confidence level of intervals and tests.", **LEVEL)
    seed: int = option(0, "Seed of splits and samplers.", **SEED)
    progress: Progress = option(
        silent,
        "Called with the number of steps done and the total.",
        typed="function of (int, int)",
        line=False,
        signed=False,
    )

    def __post_init__(self) -> None:
        if isinstance(self.models, str):  # commas within brackets separate options, not models
            object.__setattr__(self, "models", registry.split(self.models))
        super().__post_init__()
        if (self.dev is None) != (self.test is None):
            raise PlanError(
                f"{spelling.option('dev')} and {spelling.option('test')} go together",
                remedy=f"Give both, or {spelling.option('folds')}.",
            )
        if self.dev is not None and self.folds is not None:
            raise PlanError(
                f"{spelling.option('folds')} and {spelling.option('dev')} with {spelling.option('test')} are "
                "alternatives",
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
