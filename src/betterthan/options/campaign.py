"""Options of a campaign: the question, the choice of comparisons, and the stopping rule."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from betterthan.options.fields.declare import option
from betterthan.options.fields.options import Arguments, Options
from betterthan.options.shared import LEVEL, MARGIN, UNIT


@dataclass(frozen=True, kw_only=True)
class CampaignOptions(Options):
    """The settings of a campaign: the question, the judges, the number of judgments and the end."""

    verb: ClassVar[str] = "campaign"
    arguments: ClassVar[Arguments] = {}  # nothing is read as evidence
    #: Languages of the interface.
    LANGUAGES: ClassVar[tuple[str, ...]] = ("en", "de", "fr", "es", "ja")

    title: str = option("", "Name of the campaign, as judges see it.", metavar="TEXT")
    way: int = option(2, "Number of outputs that are ranked at once.", least=2, most=5)
    criteria: Sequence[str] = option(
        ("overall",), "Criteria, in order, each with an optional question: 'fluency: Which reads better?'."
    )
    reason: bool = option(False, "Ask for a reason (optional for judges).")
    tags: Sequence[str] = option((), "Tags that a judge may tick.")
    both_bad: bool = option(False, "Let judges say that all outputs are bad.")
    strength: bool = option(False, "Ask how clear the preference is (pairs only).")
    policy: str = option("unresolved", "How pairs are chosen, options in brackets: 'unresolved(explore=0.2)'.")
    budget: int | None = option(None, "Maximum number of comparisons in all.", least=1, most=10**9)
    overlap: int = option(1, "Number of judges who see the same pair on the same item.", least=1, most=1000)
    per_pair: int | None = option(None, "Maximum number of judgments per pair.", least=1, most=10**9)
    per_item: int | None = option(None, "Maximum number of comparisons per item.", least=1, most=10**9)
    per_judge: int | None = option(None, "Maximum number of comparisons per judge.", least=1, most=10**9)
    unit: str | None = option(
        None, "Unit of dependence: what counts once for a pair. `item`: for these judges alone.", **UNIT
    )
    level: float = option(0.95, "Confidence level, jointly for all separations and for all equivalences.", **LEVEL)
    margin: float | None = option(
        None, "Pairs whose win rate (ties half) is this close to 0.5 count as equivalent.", **MARGIN
    )
    gold: float = option(0.0, "Share of tasks that are checks with a known answer.", least=0, most=0.5)
    repeats: float = option(0.0, "Share of tasks that repeat a judge's own earlier task.", least=0, most=0.5)
    breaks: int = option(0, "Suggest a break after this many comparisons; 0: never.", least=0, most=10_000)
    training: int = option(0, "Number of practice comparisons before a judge begins.", least=0, most=100)
    documents: bool = option(False, "Show the items of a document one after the other, with what came before.")
    instructions: str = option("", "What judges are told to do, in Markdown.", line=False)
    consent: str = option("", "What judges agree to before they begin, in Markdown.", line=False)
    consent_version: str = option("1", "Version of the consent text.", line=False)
    questions: Sequence[str] = option((), "Questions that judges answer about themselves, once.")
    language: str = option("en", "Language of the interface where a judge's is not known.", choices=LANGUAGES)
    lease: float = option(
        30.0, "Minutes after which an unanswered task goes to another judge.", least=0.01, most=10_000
    )
    pay: float = option(0.0, "Pay per hour, for cost forecasts.", least=0, most=100_000)

    @property
    def asked(self) -> tuple[tuple[str, str], ...]:
        """The criteria with their questions."""
        parts = (text.partition(":") for text in self.criteria)
        return tuple((name.strip(), question.strip()) for name, _, question in parts)
