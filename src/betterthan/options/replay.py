"""Options of `replay`."""

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from typing import ClassVar

from betterthan.base import Progress, registry, silent
from betterthan.options.fields.declare import option
from betterthan.options.fields.options import Options
from betterthan.options.shared import LEVEL, MARGIN, SEED, UNIT

_NUMBERS = {"least": 1, "metavar": "NUMBERS"}


@dataclass(frozen=True)
class ReplayOptions(Options):
    """Which policies are run, how often and how far, and what is measured on the way."""

    verb: ClassVar[str] = "replay"

    policies: Sequence[str] = option(
        ("unresolved", "information"),
        "One policy or several, separated by commas; uniform is always included.",
        unsaid="unresolved,information",
    )
    _: KW_ONLY
    runs: int = option(100, "Number of runs per policy.", least=2, most=100_000)
    budget: int | None = option(
        None, "Number of judgments to collect in a run.", least=10, most=10**9, unsaid="as many as there are"
    )
    batch: int | None = option(
        None, "Number of judgments chosen at a time.", least=1, most=10**9, unsaid="a thousandth of the budget, or more"
    )
    looks: Sequence[int] | None = option(
        None, "Numbers of judgments at which the ranking is computed.", unsaid="ten times", **_NUMBERS
    )
    reach: Sequence[int] | None = option(
        None, "Looks of uniform choice whose number of clusters the policies must reach.", **_NUMBERS
    )
    shares: Sequence[float] = option(
        (0.5, 0.7, 0.9), "Shares of the pairs to be decided.", above=0, most=1, line=False, note="90 % is 0.9"
    )
    model: str = option("bradley-terry", "Model of the ranking.", metavar="MODEL", quiet=True)
    unit: str | None = option(None, "Unit of dependence: what counts once per pair.", **UNIT)
    resamples: int = option(200, "Number of bootstrap samples for the clusters.", least=20, most=100_000)
    level: float = option(0.95, "Confidence level of decisions and intervals.", **LEVEL)
    margin: float | None = option(
        None, "Pairs whose win rate (ties half) is this close to 0.5 count as equivalent.", **MARGIN
    )
    seed: int = option(0, "Seed of all runs.", **SEED)
    progress: Progress = option(
        silent,
        "Called with the number of steps done and the total.",
        typed="function of (int, int)",
        line=False,
        signed=False,
    )

    def __post_init__(self) -> None:
        if isinstance(self.policies, str):  # commas within brackets separate options, not policies
            object.__setattr__(self, "policies", registry.split(self.policies))
        super().__post_init__()
