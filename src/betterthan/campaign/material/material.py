"""Items and the outputs of every system for them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True)
class ConversationTurn:
    """One earlier turn of a conversation: the speaker and the text."""

    role: str
    text: str
    html: str = ""


@dataclass(frozen=True)
class MaterialItem:
    """The input of systems: plain texts, and in `html` source, reference and context as safe HTML.

    `document` and `position` say where an item is in a text that is judged in order.
    """

    name: str
    source: str = ""
    reference: str = ""
    context: str = ""
    turns: tuple[ConversationTurn, ...] = ()
    document: str = ""
    position: int = 0
    language: str = ""
    html: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Gold:
    """A comparison with a known answer: outputs made for it, as text and as HTML, and the rank that each must get."""

    item: MaterialItem
    outputs: tuple[str, ...]
    shown: tuple[str, ...]
    ranks: tuple[int, ...]


@dataclass(frozen=True)
class Material:
    """Items, systems and their outputs: `outputs[system]` is by item, None for a missing output.

    `shown` are the outputs as HTML that is safe to put into a page (see `rendering`). `training` and `gold` are
    comparisons with known answers: for practice, and as checks.
    """

    items: tuple[MaterialItem, ...]
    systems: tuple[str, ...]
    outputs: Mapping[str, Sequence[str | None]]
    shown: Mapping[str, Sequence[str | None]]
    gold: tuple[Gold, ...] = ()
    training: tuple[Gold, ...] = ()

    def __str__(self) -> str:
        outputs = sum(text is not None for texts in self.outputs.values() for text in texts)
        return f"{len(self.items):,} items · {len(self.systems)} systems · {outputs:,} outputs"


@dataclass(frozen=True)
class MaterialFinding:
    """A finding about the material, for the organiser to read before judges start."""

    kind: str  # missing, empty, identical, named, odd
    text: str
    number: int
    examples: tuple[str, ...] = field(default=())

    def __str__(self) -> str:
        more = " …" if self.number > 3 else ""
        return self.text + (f" ({', '.join(self.examples[:3])}{more})" if self.examples else "")
