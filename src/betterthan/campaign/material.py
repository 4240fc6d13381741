"""What is judged: items, and what every system made of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Turn:
    """One turn of a conversation that came before: who spoke, and what was said."""

    role: str
    text: str
    html: str = ""


@dataclass(frozen=True)
class Item:
    """What systems were given: texts as they are, and in `html` source, reference and context as a browser shows them.

    `document` and `position` say where an item stands in a text that is judged in order.
    """

    name: str
    source: str = ""
    reference: str = ""
    context: str = ""
    turns: tuple[Turn, ...] = ()
    document: str = ""
    position: int = 0
    language: str = ""
    html: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Gold:
    """A comparison with a known answer: outputs made for it, as text and as HTML, and the rank that each must get."""

    item: Item
    outputs: tuple[str, ...]
    shown: tuple[str, ...]
    ranks: tuple[int, ...]


@dataclass(frozen=True)
class Material:
    """Items, systems and their outputs: `outputs[system]` is by item, None where a system made nothing of it.

    `shown` are the outputs as HTML that is safe to put into a page (see `rendering`). `training` and `gold` are
    comparisons with known answers: for practice, and as checks.
    """

    items: tuple[Item, ...]
    systems: tuple[str, ...]
    outputs: Mapping[str, Sequence[str | None]]
    shown: Mapping[str, Sequence[str | None]]
    gold: tuple[Gold, ...] = ()
    training: tuple[Gold, ...] = ()


@dataclass(frozen=True)
class Doubt:
    """Something that the organiser should know about the material before judges see it."""

    kind: str  # missing, empty, identical, named, odd
    text: str
    number: int
    examples: tuple[str, ...] = field(default=())
