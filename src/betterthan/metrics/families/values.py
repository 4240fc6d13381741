"""Parse numbers and labels from outputs and references."""

from collections.abc import Sequence
from math import isfinite

from betterthan.engine import labels
from betterthan.metrics.base import WrongOutputError

_YES = ("1", "true", "yes", "pass", "passed", "correct", "positive", "c")
_NO = ("0", "false", "no", "fail", "failed", "incorrect", "wrong", "negative", "i")


def number_of(text: str, what: str = "output") -> float:
    """Read a finite number.

    >>> number_of(" 3.5 ")
    3.5
    """
    try:
        value = float(text)
    except ValueError:
        value = float("nan")
    if not isfinite(value):
        raise WrongOutputError(0, f"the {what} {_shown(text)} is not a finite number", "This metric compares numbers.")
    return value


def label(text: str) -> str:
    """Return a label without white space at its ends; whole numbers are written alike.

    >>> label(" 3.0 "), label("positive")
    ('3', 'positive')
    """
    text = text.strip()
    try:
        value = float(text)
    except ValueError:
        return text
    return labels.label_of(value) or text


def one_reference(references: Sequence[str]) -> str:
    """Return the only reference of an item."""
    if len(set(references)) > 1:
        raise WrongOutputError(
            0, f"there are {len(references)} references", "This metric compares with one truth: name one column."
        )
    return references[0]


def right(text: str) -> bool:
    """Read whether a sample is right.

    >>> right("passed"), right("0")
    (True, False)
    """
    word = label(text).casefold()
    if word not in _YES and word not in _NO:
        raise WrongOutputError(
            0,
            f"{_shown(text)} says neither right nor wrong",
            f"Right is one of {', '.join(_YES)}; wrong {', '.join(_NO)}.",
        )
    return word in _YES


def is_positive(text: str, positive: str) -> bool:
    """Read a truth of two values; `positive` names the one that is sought, empty where the words say it."""
    if positive:
        return label(text) == label(positive)
    return right(text)


def _shown(text: str) -> str:
    return repr(text if len(text) <= 40 else text[:37] + "…")
