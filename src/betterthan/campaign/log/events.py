"""The events in a campaign's log."""

import hashlib
import json
import secrets
from dataclasses import dataclass
from typing import Any, Literal

#: What can happen.
EventKind = Literal[
    "created",
    "changed",
    "state",
    "judge",
    "invited",
    "entered",
    "left",
    "revoked",
    "excluded",
    "consented",
    "told",
    "leased",
    "identical",
    "answered",
    "skipped",
    "complained",
    "undone",
]
#: Who asks: a judge by number, or the organiser.
ORGANISER: Literal["organiser"] = "organiser"
Who = int | Literal["organiser"]


@dataclass(frozen=True, slots=True)
class Event:
    """One line of the log: lines are numbered from 1 without gaps, and never change."""

    number: int
    at: float
    kind: EventKind
    body: dict[str, Any]

    def text(self) -> str:
        """Return the body as it is stored."""
        return json.dumps(self.body, ensure_ascii=False, separators=(",", ":"))


@dataclass(frozen=True, slots=True)
class Note:
    """A note stored next to the log, because it may be overwritten or erased: drafts, and identities of judges."""

    kind: Literal["draft", "name", "told", "password"]
    key: str
    value: str | None  # None: forget it


def new_secret() -> str:
    """Return something that nobody guesses: 192 random bits, as text that fits into an address."""
    return secrets.token_urlsafe(24)


def hashed(secret: str) -> str:
    """Return the stored form of a secret. It is random, so that a plain digest cannot be reversed."""
    return hashlib.sha256(secret.encode(errors="surrogatepass")).hexdigest()


def digest(value: Any) -> str:
    """Return a short mark of a value: equal values have equal marks."""
    text = json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:16]
