"""Options of `plot`: each kind of picture takes those that make sense for it."""

from dataclasses import KW_ONLY, dataclass
from typing import Any, ClassVar, Literal

from betterthan.options.declare import declared, option
from betterthan.options.options import Options
from betterthan.options.shared import (
    CORRECTIONS,
    INTERVALS,
    LEVEL,
    RESAMPLES,
    SCALES,
    SEED,
    TOLERANCE,
    TOLERANCE_HELP,
    UNIT,
)
from betterthan.progress import Progress, silent


@dataclass(frozen=True)
class PlotOptions(Options):
    """What a picture shows; what is not said is left to its kind."""

    verb: ClassVar[str] = "plot"

    a: str | None = option(None, "The first of two systems.", line=False)
    b: str | None = option(None, "The second of two systems.", line=False)
    _: KW_ONLY
    model: str | None = option(
        None, "Model; several for bump, agreement, learning.", metavar="MODELS", unsaid="bradley-terry"
    )
    unit: str | None = option(None, "Unit of dependence: what is resampled as a whole.", **UNIT)
    resamples: int | None = option(None, "Number of resamples.", unsaid="1000; growth: 200", **RESAMPLES)
    level: float | None = option(None, "Level of intervals and tests.", unsaid="0.95", **LEVEL)
    seed: int | None = option(None, "Seed of resamples and random orders.", unsaid="0", **SEED)
    tolerance: float | None = option(None, TOLERANCE_HELP, unsaid="0", **TOLERANCE)
    ends: bool | None = option(None, "Meetings: of the first and of the last 20 % of the judgments.")
    by: Literal["model", "pair"] | None = option(None, "Matrix: values of the model, or of each pair alone.")
    title: str | None = option(None, "Title above the picture.", signed=False)
    data_set: str | None = option(None, "One of several data sets, by its title.", line=False)
    ties: str | None = option(None, "Ties of the model, as for rank.", line=False)
    scale: str | None = option(None, "Scale of log-strengths.", choices=SCALES, line=False)
    ci: str | None = option(None, "How intervals are made.", choices=INTERVALS, line=False)
    anchor: str | None = option(None, "Fix one system on the log or elo scale.", line=False)
    test: str | None = option(None, "Matrix: the model's own test, or by covariance.", line=False)
    correction: str | None = option(None, "Matrix: correction for many tests.", choices=CORRECTIONS, line=False)
    progress: Progress = option(silent, "Called with (steps done, steps in all).", line=False, signed=False)

    def said(self) -> dict[str, Any]:
        """Return what was said, without the two systems."""
        names = [name for name in declared(PlotOptions) if name not in {"a", "b", "progress"}]
        return {name: value for name in names if (value := getattr(self, name)) is not None}
