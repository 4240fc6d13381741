"""Options of `power`."""

from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass
from typing import ClassVar

from betterthan.base import PlanError
from betterthan.options.compare import GROUPS, Groups
from betterthan.options.fields.declare import option
from betterthan.options.fields.options import Options
from betterthan.options.shared import LEVEL, SEED, TOLERANCE, UNIT


@dataclass(frozen=True)
class PowerOptions(Options):
    """What is to be detected, with which chance, and what is known where there is no evidence yet."""

    verb: ClassVar[str] = "power"

    a: str | None = option(None, "The first system.", line=False)
    b: str | None = option(None, "The second system.", line=False)
    _: KW_ONLY
    difference: float | None = option(None, "Scores: the difference to detect.", unsaid="the observed one")
    win_share: float | None = option(
        None,
        "Judgments: the share of wins among decided judgments to detect.",
        least=0,
        most=1,
        unsaid="the observed one",
        note="55 % of decided judgments is 0.55",
    )
    power: float = option(0.8, "Power: the probability of detecting it.", above=0, below=1, note="80 % is 0.8")
    level: float = option(0.95, "Confidence level of tests and intervals.", **LEVEL)
    costs: Mapping[str, str] | None = option(
        None,
        "Scores with several runs: what an item and one answer cost, for the cheapest plan: 'item=2,answer=0.05'.",
        metavar="COSTS",
    )
    n: int | None = option(
        None,
        "Planned number of items or judgments, instead of the number in the evidence.",
        least=2,
        most=10**12,
        metavar="NUMBER",
    )
    unit: str | None = option(None, "Unit of dependence: what counts as one independent observation.", **UNIT)
    groups: Groups | None = option(None, GROUPS, line=False, signed=False)
    tolerance: float = option(0.0, "Differences up to this count as ties.", **TOLERANCE)
    sd: float | None = option(None, "Without evidence: standard deviation of the differences.", above=0)
    tie_share: float | None = option(
        None, "Without evidence: share of judgments that are ties.", least=0, below=1, unsaid="0", note="30 % is 0.3"
    )
    simulations: int = option(2000, "Number of simulations from the evidence; 0 for none.", least=0, most=10**6)
    seed: int = option(0, "Seed of the simulations.", **SEED)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.difference == 0:
            raise PlanError("difference must not be 0: no number of items detects a difference of 0.")
        if self.win_share == 0.5:
            raise PlanError("win_share must not be 0.5: no number of judgments detects a share of one half.")
        if 0 < self.simulations < 100:
            raise PlanError(f"simulations must be at least 100, or 0 for none, got {self.simulations}.")
