"""Options of `replay`."""

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from typing import ClassVar

from betterthan.named import split
from betterthan.options.declare import option
from betterthan.options.options import Options
from betterthan.options.shared import LEVEL, MARGIN, SEED, UNIT
from betterthan.progress import Progress, silent

_NUMBERS = {"least": 1, "metavar": "NUMBERS"}


@dataclass(frozen=True)
class ReplayOptions(Options):
    """Which policies are run, how often and how far, and what is measured on the way."""

    verb: ClassVar[str] = "replay"

    policies: Sequence[str] = option(
        ("unresolved", "information"),
        "One or several with commas, beside uniform; next lists them.",
        unsaid="unresolved,information",
    )  # fmt: skip
    _: KW_ONLY
    runs: int = option(100, "How often each is run.", least=2, most=100_000)
    budget: int | None = option(
        None, "Judgments to collect in a run.", least=10, most=10**9, unsaid="as many as there are"
    )
    batch: int | None = option(
        None, "Judgments chosen at a time.", least=1, most=10**9, unsaid="a thousandth of the budget, or more"
    )
    looks: Sequence[int] | None = option(None, "When the ranking is made, with commas.", unsaid="ten times", **_NUMBERS)
    reach: Sequence[int] | None = option(None, "Looks whose number of clusters is to be reached.", **_NUMBERS)
    shares: Sequence[float] = option(
        (0.5, 0.7, 0.9), "Shares of the pairs to be settled.", above=0, most=1, line=False, note="90 % is 0.9"
    )
    model: str = option("bradley-terry", "Model that makes the ranking.", metavar="MODEL", quiet=True)
    unit: str | None = option(None, "Unit of dependence: what counts once for a pair.", **UNIT)
    resamples: int = option(200, "Resamples behind clusters.", least=20, most=100_000)
    level: float = option(0.95, "Level of decisions and intervals.", **LEVEL)
    margin: float | None = option(None, "Shares (ties half) this near to 0.5 count as equivalent.", **MARGIN)
    seed: int = option(0, "Seed of all runs.", **SEED)
    progress: Progress = option(silent, "Called with (steps done, steps in all).", line=False, signed=False)

    def __post_init__(self) -> None:
        if isinstance(self.policies, str):  # commas within brackets separate options, not policies
            object.__setattr__(self, "policies", split(self.policies))
        super().__post_init__()
