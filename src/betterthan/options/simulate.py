"""Options of a campaign's forecast: the campaign's own, and how simulated judges answer."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from betterthan.base import Progress, silent
from betterthan.options.campaign import CampaignOptions
from betterthan.options.fields.declare import option
from betterthan.options.shared import SEED


@dataclass(frozen=True, kw_only=True)
class SimulateOptions(CampaignOptions):
    """How a campaign is simulated: `holds` are the options that its forecast depends on."""

    verb: ClassVar[str] = "simulate"
    holds: ClassVar[tuple[str, ...]] = (
        "way",
        "policy",
        "budget",
        "overlap",
        "per_pair",
        "per_item",
        "per_judge",
        "level",
        "margin",
        "gold",
        "repeats",
        "training",
        "pay",
        "systems",
        "items",
        "strengths",
        "spread",
        "ties",
        "judges",
        "seconds_per_judgment",
        "runs",
        "seed",
    )

    systems: int = option(2, "Systems that are compared.", least=2, most=1000)
    items: int = option(100, "Items that they are compared on.", least=1, most=10**7)
    strengths: Sequence[float] | None = option(
        None, "Log-strengths of the systems.", least=-20, most=20, unsaid="drawn anew in every run"
    )
    spread: float = option(0.5, "Standard deviation of strengths that are drawn.", least=0, most=20)
    ties: float = option(0.15, "Share of ties between systems that are equally good.", least=0, below=1)
    judges: int = option(10, "Judges who share the work.", least=1, most=10**6)
    seconds_per_judgment: float = option(30.0, "Seconds that a comparison takes.", above=0, most=86_400)
    runs: int = option(30, "How often it is simulated.", least=2, most=100_000)
    seed: int = option(0, "Seed of all runs.", **SEED)
    progress: Progress = option(
        silent,
        "Called with the number of steps done and the total.",
        typed="function of (int, int)",
        line=False,
        signed=False,
    )

    def facts(self) -> dict[str, str]:
        """Return the facts that determine the forecast; texts for judges do not."""
        return {name: text for name, text in super().facts().items() if name in self.holds}
