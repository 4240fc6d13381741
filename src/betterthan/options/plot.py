"""Options of `plot`: each kind of picture takes those that make sense for it."""

import os
from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass
from typing import Any, ClassVar, Literal

from betterthan.base import Progress, silent
from betterthan.options.fields.declare import declared_options, option
from betterthan.options.fields.options import Arguments, Options
from betterthan.options.shared import (
    CORRECTIONS,
    INTERVALS,
    JOINT,
    LEVEL,
    RESAMPLES,
    SCALES,
    SEED,
    TOLERANCE,
    TOLERANCE_HELP,
    UNIT,
)


@dataclass(frozen=True)
class PlotOptions(Options):
    """What a picture shows; what is not said is left to its kind."""

    verb: ClassVar[str] = "plot"
    arguments: ClassVar[Arguments] = {
        "kind": ("str", "Kind of picture, such as 'ranks' or 'matrix'."),
        **Options.arguments,
    }

    a: str | None = option(None, "First system, for pictures of two.", line=False)
    b: str | None = option(None, "Second system, for pictures of two.", line=False)
    _: KW_ONLY
    model: str | None = option(
        None, "Model; growth, bump, agreement and learning take several.", metavar="MODELS", unsaid="bradley-terry"
    )
    unit: str | None = option(None, "Unit of dependence: what is resampled as a whole.", **UNIT)
    resamples: int | None = option(None, "Number of bootstrap samples.", unsaid="1000; growth: 200", **RESAMPLES)
    level: float | None = option(None, "Confidence level of intervals and tests.", unsaid="0.95", **LEVEL)
    seed: int | None = option(None, "Seed of bootstrap samples and random orders.", unsaid="0", **SEED)
    tolerance: float | None = option(None, TOLERANCE_HELP, unsaid="0", **TOLERANCE)
    control: str | None = option(
        None,
        "Judgments: control for length, headers, position and the like, as in rank.",
        metavar="COLUMNS",
        listed=True,
        unsaid="none",
    )
    cost: Mapping[str, float] | str | os.PathLike[str] | None = option(
        None,
        "Frontier: costs of systems, as in rank.",
        metavar="FILE",
        typed="dict of str to float, str or path",
        signed=False,
    )
    ends: bool | None = option(None, "Meetings: show the first and the last 20 % of the judgments.")
    by: Literal["model", "pair"] | None = option(None, "Matrix: values from the model, or from each pair alone.")
    title: str | None = option(None, "Title above the picture.", signed=False)
    data_set: str | None = option(None, "Title of the data set, if there are several.", line=False)
    ties: str | None = option(None, "How the model treats ties, as in rank.", line=False)
    scale: str | None = option(None, "Scale of the scores, as in rank.", choices=SCALES, line=False)
    ci: str | None = option(None, "How confidence intervals are computed, as in rank.", choices=INTERVALS, line=False)
    anchor: str | None = option(None, "Fix the score of one system on the log or elo scale.", line=False)
    test: str | None = option(
        None, "Matrix: the test that suits the model (auto), or a Wald test of its strengths (model).", line=False
    )
    correction: str | None = option(
        None, "Matrix: correction for multiple tests.", choices=(JOINT, *CORRECTIONS), line=False
    )
    progress: Progress = option(
        silent,
        "Called with the number of steps done and the total.",
        typed="function of (int, int)",
        line=False,
        signed=False,
    )

    def said(self) -> dict[str, Any]:
        """Return the given options, without the two systems."""
        names = [name for name in declared_options(PlotOptions) if name not in {"a", "b", "progress"}]
        return {name: value for name in names if (value := getattr(self, name)) is not None}
