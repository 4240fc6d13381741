"""Options of `diagnose`."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

from betterthan.base import Progress, silent
from betterthan.options.fields.declare import option
from betterthan.options.fields.options import Options
from betterthan.options.shared import SEED, TOLERANCE, TOLERANCE_HELP, UNIT

#: Is it clear how good an output is (an error rate), or hard to say (fluency, helpfulness)?
Measure = Literal["clear", "hard"]
#: What judges agree on by chance: as the observed shares of outcomes make it (the usual alpha and kappas), or with both
#: sides of a comparison equally likely.
Chance = Literal["observed", "symmetric"]


@dataclass(frozen=True, kw_only=True)
class DiagnoseOptions(Options):
    """What only people know about the evidence, and how it is resampled."""

    verb: ClassVar[str] = "diagnose"

    measure: Measure | None = option(
        None, "Scores: whether quality is clear or hard to define for this task. It changes the advice."
    )
    unit: str | None = option(None, "Unit of dependence: what is resampled as a whole.", **UNIT)
    tolerance: float = option(0.0, TOLERANCE_HELP, **TOLERANCE)
    chance: Chance = option(
        "observed",
        "Agreement expected by chance: from the observed outcomes, or with both sides equally likely.",
        quiet=True,
    )
    judge_kinds: Sequence[str] | None = option(
        None,
        "Kinds of judges, by patterns of their names ('researcher*,turk*'): agreement within and between them.",
        metavar="PATTERNS",
    )
    seed: int = option(0, "Seed of bootstrap samples and permutations.", **SEED)
    progress: Progress = option(
        silent,
        "Called with the number of steps done and the total.",
        typed="function of (int, int)",
        line=False,
        signed=False,
    )
