"""Tokenise text in any script."""

import re
from collections import Counter
from collections.abc import Sequence
from functools import cache
from unicodedata import category, normalize

#: Scripts written without spaces between words: each of their characters is a token.
_UNSPACED = (
    "\u0e00-\u0eff\u0f00-\u0fff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3100-\u312f\u31a0-\u31ff\u3400-\u4dbf"
    "\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
)
_ARTICLES = re.compile(r"\b(a|an|the)\b")


def words(text: str) -> list[str]:
    """Split a text into lower-case words, and scripts without spaces into characters.

    >>> words("Die Größe, 42!"), words("我爱你")
    (['die', 'größe', '42'], ['我', '爱', '你'])
    """
    return _token().findall(normalize("NFC", text).lower())


@cache
def _token() -> re.Pattern[str]:
    """Return the pattern of a word: letters and digits with their marks, which `\\w` leaves out."""
    marks = "".join(chr(code) for code in range(0x300, 0x1F000) if category(chr(code)).startswith("M"))
    # Some marks are within the scripts without spaces: there they belong to the character before them.
    return re.compile(rf"[{_UNSPACED}][{marks}]*|(?:(?![{_UNSPACED}])[^\W_]|[{marks}])+")


def plain_answer(text: str) -> str:
    """Normalise an answer as SQuAD does: lower case, no punctuation, no English articles, single spaces.

    >>> plain_answer("The  Eiffel Tower!")
    'eiffel tower'
    """
    kept = "".join(character for character in text.lower() if not category(character).startswith(("P", "S")))
    return " ".join(_ARTICLES.sub(" ", kept).split())


def shared(one: Sequence[str], other: Sequence[str]) -> int:
    """Count the tokens that two texts have in common, each as often as both have it."""
    return sum((Counter(one) & Counter(other)).values())


def f_score(match: float, output: float, reference: float) -> float:
    """Return the harmonic mean of precision and recall.

    >>> f_score(1, 2, 1)
    0.6666666666666666
    """
    return 2 * match / (output + reference) if match else 0.0
