"""Convert form data to answers and back, keeping incomplete input."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from starlette.datastructures import FormData

from betterthan.campaign import tasks
from betterthan.options import CampaignOptions

#: Characters of a reason, a complaint, or an answer to a question.
MOST_CHARACTERS = 5000
#: Seconds that an answer may take: a page that was open for longer says nothing about it.
MOST_SECONDS = 7 * 86_400
#: Ranks that a choice between two stands for.
CHOICES = {"left": (1, 2), "equal": (1, 1), "right": (2, 1)}
#: Fields that a page writes again, and that are therefore no part of a draft.
_OF_THE_PAGE = frozenset({"csrf", "key", "cards"})
LETTERS = "ABCDE"


@dataclass(frozen=True)
class Lacking:
    """A missing rank: the criterion, and the card's number (0 for a choice between two)."""

    criterion: str
    card: int


@dataclass(frozen=True)
class Filled:
    """A submitted form, with its answer if it is complete."""

    values: Mapping[str, list[str]]
    cards: int
    lacking: tuple[Lacking, ...] = ()
    too_long: bool = False
    ranks: dict[str, tuple[int, ...]] = field(default_factory=dict)

    @property
    def complete(self) -> bool:
        """Whether there is an answer."""
        return not self.lacking and not self.too_long

    def answer(self, options: CampaignOptions) -> tasks.Answer:
        """Return the answer; what the campaign does not ask for is left out."""
        one = self.one
        known = tuple(tag for tag in options.tags if tag in self.values.get("tag", []))
        strength = one("strength") if options.strength and self.cards == 2 else ""
        return tasks.Answer(
            ranks=self.ranks,
            both_bad=options.both_bad and one("both-bad") == "yes",
            strength=int(strength) if strength in {"1", "2", "3"} else None,
            reason=one("reason").strip() if options.reason else "",
            tags=known,
            seconds=_seconds(one("seconds")),
        )

    def one(self, name: str) -> str:
        """Return the value of a field, or nothing."""
        return (self.values.get(name) or [""])[0]


def filled(form: FormData, options: CampaignOptions) -> Filled:
    """Read a form of the judging page."""
    values: dict[str, list[str]] = {}
    for name, value in form.multi_items():
        if isinstance(value, str):
            values.setdefault(_clean(name), []).append(_clean(value))
    count = (values.get("cards") or [""])[0]
    cards = int(count) if count in {"2", "3", "4", "5"} else options.way
    ranks: dict[str, tuple[int, ...]] = {}
    lacking = []
    for criterion, _ in options.asked:
        if cards == 2:
            choice = (values.get(f"choice-{criterion}") or [""])[0]
            if choice in CHOICES:
                ranks[criterion] = CHOICES[choice]
            else:
                lacking.append(Lacking(criterion, 0))
            continue
        given = [(values.get(f"rank-{criterion}-{card}") or [""])[0] for card in range(1, cards + 1)]
        allowed = {str(rank) for rank in range(1, cards + 1)}
        lacking += [Lacking(criterion, card) for card, rank in enumerate(given, 1) if rank not in allowed]
        if all(rank in allowed for rank in given):
            ranks[criterion] = tuple(int(rank) for rank in given)
    too_long = len((values.get("reason") or [""])[0]) > MOST_CHARACTERS
    return Filled(values, cards, tuple(lacking), too_long, ranks)


def draft_of(given: Filled, options: CampaignOptions, *, all_equal: bool = False) -> dict[str, Any]:
    """Return a draft of an unfinished form: its fields, perhaps with all ranks equal."""
    known = {"reason", "tag", "strength", "both-bad", "seconds", "at"}
    fields = {
        name: [value[:MOST_CHARACTERS] for value in values[:100]]
        for name, values in given.values.items()
        if (name in known or name.startswith(("rank-", "choice-"))) and name not in _OF_THE_PAGE
    }
    if all_equal:
        for criterion, _ in options.asked:
            fields |= equal_fields(criterion, given.cards)
    return fields


def equal_fields(criterion: str, cards: int) -> dict[str, list[str]]:
    """Return the fields in which all cards are equal.

    >>> equal_fields("overall", 2)
    {'choice-overall': ['equal']}
    """
    if cards == 2:
        return {f"choice-{criterion}": ["equal"]}
    return {f"rank-{criterion}-{card}": ["1"] for card in range(1, cards + 1)}


def fields_of(said: Mapping[str, Any]) -> dict[str, list[str]]:
    """Return an answer that was taken back as the fields that gave it.

    >>> fields_of({"ranks": {"overall": [2, 1]}, "reason": "shorter"})
    {'choice-overall': ['right'], 'reason': ['shorter']}
    """
    fields: dict[str, list[str]] = {}
    for criterion, given in said.get("ranks", {}).items():
        if len(given) == 2:
            left, right = given
            fields[f"choice-{criterion}"] = ["left" if left < right else "right" if right < left else "equal"]
        else:
            fields |= {f"rank-{criterion}-{card}": [str(rank)] for card, rank in enumerate(given, 1)}
    fields |= {name: [str(said[name])] for name in ("reason", "strength") if name in said}
    fields |= {"tag": list(said["tags"])} if said.get("tags") else {}
    return fields | ({"both-bad": ["yes"]} if said.get("both_bad") else {})


def values_of(draft: Mapping[str, Any] | None) -> dict[str, list[str]]:
    """Return a draft as fields of a form, from the browser or the server.

    >>> values_of({"reason": "odd", "tag": ["a", "b"], "at": 3})
    {'reason': ['odd'], 'tag': ['a', 'b'], 'at': ['3']}
    """
    found = {}
    for name, value in (draft or {}).items():
        several = value if isinstance(value, Sequence) and not isinstance(value, str) else [value]
        found[str(name)] = [str(each) for each in several]
    return found


def text_of(form: FormData, name: str, most: int = MOST_CHARACTERS) -> str:
    """Return a text that a form sent, shortened to the stored length."""
    return _clean(str(form.get(name, ""))).strip()[:most]


def _clean(text: str) -> str:
    """Leave out what no store can keep: NUL, and halves of surrogate pairs."""
    return text.replace("\x00", "").encode("utf-8", "replace").decode("utf-8")


def _seconds(text: str) -> float | None:
    try:
        seconds = float(text)
    except ValueError:
        return None
    return round(seconds, 3) if math.isfinite(seconds) and 0 <= seconds <= MOST_SECONDS else None
