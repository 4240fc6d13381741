"""Records of judges: the tasks they hold, the outputs they have seen, and their progress."""

from dataclasses import dataclass, field
from itertools import chain
from typing import Any, Literal

from betterthan.campaign.service.tasks import Purpose

#: The status of a task. `ended`: no one answered in time, and another judge may have it now.
Status = Literal["open", "ended", "answered", "skipped", "undone"]


@dataclass(frozen=True)
class JudgeRecord:
    """A judge without their identity: `name` is a pseudonym such as `judge-3`."""

    number: int
    name: str
    kind: Literal["person", "program"] = "person"
    languages: tuple[str, ...] = ()
    conflicts: tuple[str, ...] = ()
    revoked: bool = False
    excluded: bool = False


@dataclass(slots=True)
class Lease:
    """A task handed out: `cards` are systems in the order shown, several per card where their outputs are identical.

    `check` is the number of the gold or training comparison, `of` the lease that it repeats or that was undone.
    """

    name: str
    judge: int
    purpose: Purpose
    item: int
    cards: tuple[tuple[int, ...], ...]
    given_at: float
    expires_at: float
    chance: float = 1.0
    item_chance: float = 1.0
    version: int = 0
    check: int = -1
    of: str = ""
    order: tuple[int, ...] = ()  # of a check: its outputs in the order shown
    status: Status = "open"
    number: int = 0  # of the line that answered or skipped it
    key: str = ""
    mark: str = ""
    answered_at: float = 0.0
    answer: dict[str, Any] = field(default_factory=dict)
    settings: int = 0  # the line of the log that last changed options before it was handed out
    holds: bool = True  # it takes one of the places that limits leave
    late: bool = False
    counts: bool = False
    systems: tuple[int, ...] = field(init=False)  # all that are compared

    def __post_init__(self) -> None:
        self.systems = tuple(chain.from_iterable(self.cards))


@dataclass(slots=True)
class Person:
    """The state of one judge, computed from the log."""

    judge: JudgeRecord
    consented: str = ""
    told: bool = False
    trained: int = 0
    # What judges see must not tell checks from judgments: all but practice count for their limit and their progress.
    handed: int = 0  # answered or held
    done: int = 0
    answered: int = 0  # judgments alone
    open: dict[str, Lease] = field(default_factory=dict)
    last: list[str] = field(default_factory=list)  # answered leases, the last one at the end
    identical: list[str] = field(default_factory=list)  # ties of identical outputs, which no judge sees
    seen: dict[int, list[int]] = field(default_factory=dict)  # items by pair
    checked: set[int] = field(default_factory=set)
    repeated: set[str] = field(default_factory=set)
    right: int = 0  # of the checks
    wrong: int = 0
    document: Lease | None = None  # the last one of a document that continues
    seconds: list[float] = field(default_factory=list)
