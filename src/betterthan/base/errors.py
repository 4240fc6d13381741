"""Exceptions: each message is one sentence that says what to do."""

from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from importlib import import_module
from os import PathLike, fspath
from typing import Any

from betterthan.base.escaping import brief, terminal_line

#: Longer names are not compared with each other, to find the nearest.
_COMPARED = 200


class BetterthanError(Exception):
    """The base class of all errors: what is wrong, where, what is allowed, and what to do.

    `calls` are complete commands or calls that were tried and do work, each with its meaning. They are never shortened.

    >>> str(BetterthanError("unknown side 'up'", where="votes.csv, row 3", allowed="left, right", remedy="Correct it."))
    "votes.csv, row 3: unknown side 'up'; allowed: left, right. Correct it."
    """

    def __init__(self, what: str, *, where: str = "", allowed: str = "", remedy: str = "") -> None:
        super().__init__(what)
        self.what = what
        self.where = where
        self.allowed = allowed
        self.remedy = remedy
        self.calls: tuple[tuple[str, str], ...] = ()

    def __str__(self) -> str:
        text = f"{self.where}: {self.what}" if self.where else self.what
        if self.allowed:
            text = f"{text}; allowed: {self.allowed}"
        if self.allowed or self.remedy:
            text = text if text.endswith((".", "?", "!")) else f"{text}."
        lines = [f"{terminal_line(meaning)}:\n  {terminal_line(call)}" for meaning, call in self.calls]
        return "\n".join([brief(f"{text} {self.remedy}".rstrip()), *lines])


class EvidenceError(BetterthanError):
    """The evidence cannot be read or understood."""


class UnclearError(EvidenceError):
    """The evidence does not say which column plays which part: `read` adds the readings that work.

    `choices` are readings between which it cannot decide: options, and what they mean.
    """

    def __init__(self, what: str, *, choices: Sequence[tuple[Mapping[str, Any], str]] = (), **more: str) -> None:
        super().__init__(what, **more)
        self.choices = tuple(choices)


class PlanError(BetterthanError):
    """The options contradict each other or the evidence, or do not exist."""


class ModelError(BetterthanError):
    """The model cannot be fitted to this evidence."""


class MissingExtraError(BetterthanError):
    """An optional part is not installed."""

    def __init__(self, part: str, extra: str, purpose: str) -> None:
        super().__init__(f"{purpose} needs {part}, which is not installed. Run: pip install 'betterthan[{extra}]'")
        self.args = (part, extra, purpose)  # what makes it again after pickling


def optional_library(module: str, extra: str, purpose: str) -> Any:
    """Import a library that is not always installed, or say how to install it."""
    try:
        return import_module(module)
    except ImportError:
        raise MissingExtraError(module.partition(".")[0], extra, purpose) from None


def nearest(name: str, known: Sequence[str]) -> str:
    """Return which name may have been meant, or which there are.

    >>> nearest("yack", ["owl", "yak"])
    "Did you mean 'yak'?"
    """
    return meant(name, known, 0.4) or f"Known: {', '.join(known[:20])}."


def meant(name: str, known: Sequence[str], alike: float = 0.6) -> str:
    """Return a suggestion of the nearest name, or nothing if none is near.

    >>> meant("yack", ["owl", "yak"]), meant("Elo", ["log", "elo"]), meant("elephant", ["owl", "yak"])
    ("Did you mean 'yak'?", "Did you mean 'elo'?", '')
    """
    # Capital letters are the smallest difference. Comparing two names takes the product of their lengths.
    if len(name) > _COMPARED:
        return ""
    folded = {each.casefold(): each for each in reversed(known) if len(each) <= _COMPARED}
    near = get_close_matches(name.casefold(), list(folded)[::-1], n=1, cutoff=alike)
    return f"Did you mean {folded[near[0]]!r}?" if near else ""


def need_text(value: object, what: str) -> None:
    """Refuse what is no text, where a name or a line is needed."""
    if not isinstance(value, str):
        raise PlanError(f"{what} must be a text, got {quoted_value(value)}.")


def need_path(value: object, what: str) -> None:
    """Refuse what names no file, whether one is there or not."""
    if not isinstance(value, (str, PathLike)) or not names_a_file(value):
        raise PlanError(f"{what} must be the path of a file, got {quoted_value(value)}.")


def names_a_file(path: str | PathLike[Any]) -> bool:
    """Whether a file can have this name: no NUL, and no part longer than file systems allow."""
    text = fspath(path)
    return isinstance(text, str) and "\0" not in text and all(len(part) <= 255 for part in text.split("/"))


def quoted_value(value: object) -> str:
    """Return a value as a message quotes it; not every object can be written."""
    try:
        return repr(value)
    except Exception:  # noqa: BLE001 (whatever an object of somebody else raises; whole numbers of 5,000 digits)
        return f"a value of type {type(value).__name__}"
