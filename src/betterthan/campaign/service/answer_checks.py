"""Validate answers before they are stored."""

from betterthan.campaign.campaign_errors import CampaignError
from betterthan.campaign.service.tasks import Answer
from betterthan.options import CampaignOptions

#: Characters of a reason, a complaint, an answer about oneself.
LONGEST = 10_000
_SECONDS = 7 * 86_400


def check_answer(answer: Answer, options: CampaignOptions, cards: int) -> None:
    """Refuse an answer that does not rank every card by every criterion, or says what was not asked."""
    wanted = [name for name, _ in options.asked]
    if sorted(answer.ranks) != sorted(wanted):
        raise CampaignError(f"the answer must rank by {', '.join(wanted)}, got {', '.join(answer.ranks) or 'nothing'}")
    for name, ranks in answer.ranks.items():
        if len(ranks) != cards:
            raise CampaignError(f"{name}: there are {cards} outputs, but {len(ranks)} ranks")
        if not all(type(rank) is int and 1 <= rank <= cards for rank in ranks):
            raise CampaignError(f"{name}: a rank is a number from 1 (best) to {cards}")
    if answer.both_bad and not options.both_bad:
        raise CampaignError("this campaign does not ask whether all outputs are bad")
    if answer.strength is not None and not options.strength:
        raise CampaignError("this campaign does not ask for the strength of a preference")
    if answer.strength not in (None, 1, 2, 3):
        raise CampaignError("the strength of a preference is 1, 2 or 3")
    if answer.reason and not options.reason:
        raise CampaignError("this campaign does not ask for reasons")
    check_text(answer.reason)
    if unknown := set(answer.tags) - set(options.tags):
        raise CampaignError(f"there is no tag {sorted(unknown)[0]!r}", allowed=", ".join(options.tags) or "none")
    if answer.seconds is not None and not 0 <= answer.seconds <= _SECONDS:
        raise CampaignError("seconds must be from 0 to 604,800")


def check_text(text: str, longest: int = LONGEST) -> None:
    """Refuse a text that is too long to be meant, or cannot be saved."""
    if len(text) > longest:
        raise CampaignError(f"a text has at most {longest:,} characters, got {len(text):,}")
    if "\x00" in text or any("\ud800" <= sign <= "\udfff" for sign in text):
        raise CampaignError("a text has a character that cannot be saved (NUL, or half of a surrogate pair)")
