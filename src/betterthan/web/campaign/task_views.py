"""Tasks as shown on a page: cards with letters, entered ranks, and missing input."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from html.parser import HTMLParser
from typing import Literal

from betterthan.campaign import MaterialItem, tasks
from betterthan.options import CampaignOptions
from betterthan.web.campaign.task_forms import LETTERS, Filled
from betterthan.web.campaign.translations import Words

#: Characters beyond which a text scrolls within its card, and beyond which a source does.
_LONG_CARD = 900
_LONG_SOURCE = 450
_BREAKS = frozenset({"p", "br", "li", "tr", "pre", "h4", "h5", "h6", "blockquote", "table", "ul", "ol"})


@dataclass(frozen=True)
class TextPart:
    """A text next to the cards: its heading in the catalogue, and safe HTML."""

    kind: Literal["source", "reference", "context"]
    html: str
    long: bool


@dataclass(frozen=True)
class ShownTurn:
    """An earlier turn of the conversation: the speaker, and safe HTML."""

    role: str
    html: str


@dataclass(frozen=True)
class TaskChoice:
    """A group of radio buttons: its name, its legend, and the selected value."""

    name: str
    criterion: str
    question: str
    chosen: str
    lacks: bool


@dataclass(frozen=True)
class TaskCard:
    """An output as shown: its letter, safe HTML, and a group of ranks per criterion."""

    number: int
    letter: str
    html: str
    long: bool
    ranks: tuple[TaskChoice, ...]

    @property
    def lacks(self) -> bool:
        """Whether a rank was requested and not given."""
        return any(choice.lacks for choice in self.ranks)


@dataclass(frozen=True)
class ShownTask:
    """A task as shown on a page; except for training, nothing here depends on the purpose of the task."""

    lease: str
    training: bool
    again: bool
    language: str
    parts: tuple[TextPart, ...]
    turns: tuple[ShownTurn, ...]
    before: tuple[str, ...]
    cards: tuple[TaskCard, ...]
    choices: tuple[TaskChoice, ...]
    values: Mapping[str, Sequence[str]]
    complaint: str
    focus: str

    @property
    def pair(self) -> bool:
        """Whether two cards are compared."""
        return len(self.cards) == 2

    @property
    def beside(self) -> bool:
        """Whether what was given is next to the cards where there is room: a long source would push them down."""
        return self.pair and any(part.long for part in self.parts)


def shown_task(
    task: tasks.Task, options: CampaignOptions, values: Mapping[str, Sequence[str]], given: Filled | None, words: Words
) -> ShownTask:
    """Return a task as it is shown, filled in with `values`; `given` is a form that was refused."""
    lacking = {(each.criterion, each.card) for each in given.lacking} if given is not None else set()
    pair = len(task.cards) == 2
    several = len(options.asked) > 1

    def choice(name: str, criterion: str, question: str, card: int) -> TaskChoice:
        asked = question or (criterion if several else "")
        chosen = (values.get(name) or [""])[0]
        return TaskChoice(name, criterion, asked, chosen, (criterion, card) in lacking)

    def ranks(card: int) -> tuple[TaskChoice, ...]:
        return tuple(choice(f"rank-{name}-{card}", name, asked, card) for name, asked in options.asked)

    cards = tuple(
        TaskCard(number, letter, html, len(html) > _LONG_CARD, () if pair else ranks(number))
        for number, (letter, html) in enumerate(zip(LETTERS, task.cards, strict=False), 1)
    )
    choices = tuple(choice(f"choice-{name}", name, asked, 0) for name, asked in options.asked) if pair else ()
    complaint, focus = _complaint(given, words, pair=pair)
    return ShownTask(
        task.lease,
        task.purpose == "training",
        task.again,
        task.item.language,
        _parts(task.item),
        tuple(ShownTurn(turn.role, turn.html or escape(turn.text)) for turn in task.item.turns),
        tuple(_html(item, "source") for item in task.before),
        cards,
        choices,
        values,
        complaint,
        focus,
    )


def _complaint(given: Filled | None, words: Words, *, pair: bool) -> tuple[str, str]:
    """Return a message on what a form lacks, and the element to focus."""
    if given is None or given.complete:
        return "", ""
    if given.too_long:
        return words["too_long"], "reason"
    if not given.lacking:
        return words["send_again"], ""
    if pair:
        return words["no_choice"], f"choice-{given.lacking[0].criterion}-left"
    letters = sorted({LETTERS[each.card - 1] for each in given.lacking})
    said = words.say("lacks_one" if len(letters) == 1 else "lacks_several", cards=", ".join(letters))
    return said, f"rank-{given.lacking[0].criterion}-{given.lacking[0].card}-1"


def _parts(item: MaterialItem) -> tuple[TextPart, ...]:
    kinds: tuple[Literal["source", "reference", "context"], ...] = ("context", "source", "reference")
    found = [(kind, _html(item, kind)) for kind in kinds]
    return tuple(TextPart(kind, html, len(html) > _LONG_SOURCE) for kind, html in found if html)


def _html(item: MaterialItem, kind: Literal["source", "reference", "context"]) -> str:
    """Return a text of an item as safe HTML, also where none was made at import."""
    return item.html.get(kind) or escape(getattr(item, kind))


class _Plain(HTMLParser):
    """Collects text, with line breaks where blocks end."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[str] = []

    def handle_data(self, data: str) -> None:
        self.parts.append(data)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        del attrs
        if tag == "br":
            self.parts.append("\n")

    def handle_endtag(self, tag: str) -> None:
        if tag in _BREAKS:
            self.parts.append("\n")


def plain(html: str) -> str:
    """Return safe HTML as text, for programs that judge.

    >>> plain("<p>1 &lt; 2<br>so</p><p>on</p>")
    '1 < 2\\nso\\non'
    """
    parser = _Plain()
    parser.feed(html)
    parser.close()
    return "".join(parser.parts).strip()
