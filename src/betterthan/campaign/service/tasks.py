"""Tasks, answers and receipts: what a judge receives and returns."""

from dataclasses import dataclass
from typing import Any, Literal

from betterthan.campaign.material.material import MaterialItem

#: Why there is nothing to judge, or what comes before judging. `finished`: this judge has had their share, or there is
#: nothing left for them; `settled`: every pair is decided; `waiting`: everything left is with other judges now.
Stage = Literal["consent", "questions", "judging", "waiting", "finished", "settled", "paused", "closed"]
#: What a task is for; only judgments are evidence.
Purpose = Literal["judgment", "training", "gold", "repeat"]


@dataclass(frozen=True)
class Task:
    """One comparison as a judge sees it, without the names of systems.

    `lease` is its opaque name, `cards` are safe HTML in the order in which they are shown, `before` the items of the
    same document that came before. `purpose` is for the server alone: a page may tell training, and nothing else.
    """

    lease: str
    item: MaterialItem
    cards: tuple[str, ...]
    purpose: Purpose
    given_at: float
    expires_at: float
    draft: dict[str, Any] | None = None
    again: bool = False  # it was judged before and undone
    before: tuple[MaterialItem, ...] = ()
    said: dict[str, Any] | None = None  # the answer that was just taken back


@dataclass(frozen=True)
class Answer:
    """An answer: for every criterion the rank of every card in the order shown (1 is best, equal is a tie)."""

    ranks: dict[str, tuple[int, ...]]
    both_bad: bool = False
    strength: int | None = None  # 1 slightly, 2 clearly, 3 far better
    reason: str = ""
    tags: tuple[str, ...] = ()
    seconds: float | None = None


@dataclass(frozen=True)
class Receipt:
    """The receipt of an answer: its number in the log, and whether it came after its lease had ended."""

    number: int
    late: bool = False
    repeated: bool = False  # the same answer had come before: nothing new was stored
    right: bool | None = None  # of training alone: was it as expected?
    expected: tuple[int, ...] = ()


@dataclass(frozen=True)
class Progress:
    """The progress of a judge; `done` and `limit` count checks and repeats too. `last` is the task that undo takes
    back.
    """

    stage: Stage
    done: int
    limit: int | None
    can_undo: bool
    consent_version: str = ""
    last: str = ""
