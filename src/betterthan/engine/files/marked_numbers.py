"""Numbers with something around them: bold ones, 79.7 ± 0.3, 4/5, 429 ms, $1.20."""

import re
from collections.abc import Callable, Sequence

from betterthan.engine.conditions import is_absent

_OPEN = r"(?:\*\*|__|\\(?:textbf|underline|mathbf|emph|textit|bf)\s*\{|<(?:b|strong|u|i|em)>)"
_CLOSE = r"(?:\*\*|__|\}|</(?:b|strong|u|i|em)>)"
_NUMBER = r"[+-]?(?:[0-9]+(?:\.[0-9]+)?|\.[0-9]+)"
_SPREAD = rf"(?:\s*(?:±|\+/-|\+-|\\pm)\s*{_NUMBER}\s*%?|\s*\(\s*[±+-]?\s*{_NUMBER}\s*%?\s*\))"
#: A number, perhaps marked as best or significant, and how much it varies.
_MARKED = re.compile(rf"{_OPEN}*\s*(?P<number>{_NUMBER}(?:\s*%)?)\s*{_CLOSE}*{_SPREAD}?\s*{_CLOSE}*\s*[*†‡§]*")
_MATHS = re.compile(r"^\$(.*)\$$")
_FRACTION = re.compile(r"(?P<part>[0-9]+)\s*/\s*(?P<whole>[0-9]+)")
_AMOUNT = re.compile(rf"(?P<before>[$€£])?\s*(?P<number>{_NUMBER})\s*(?P<after>[a-zµμ]+|[$€£])?", re.IGNORECASE)
_CLOCK = re.compile(r"(?:(?P<hours>[0-9]+):)?(?P<minutes>[0-9]+):(?P<seconds>[0-9]{2}(?:\.[0-9]+)?)")
_SPANS = re.compile(
    r"(?:([0-9.]+)\s*h(?:rs?|ours?)?)?\s*(?:([0-9.]+)\s*m(?:ins?|inutes?)?)?\s*(?:([0-9.]+)\s*s(?:ecs?|econds?)?)?",
    re.IGNORECASE,
)
#: Units of time, in seconds.
_SECONDS = {
    **dict.fromkeys(("ns",), 1e-9),
    **dict.fromkeys(("us", "µs", "μs"), 1e-6),
    **dict.fromkeys(("ms", "msec", "msecs", "milliseconds"), 1e-3),
    **dict.fromkeys(("s", "sec", "secs", "second", "seconds"), 1.0),
    **dict.fromkeys(("min", "mins", "minute", "minutes"), 60.0),
    **dict.fromkeys(("h", "hr", "hrs", "hour", "hours"), 3600.0),
}
_CURRENCIES = {"$": "USD", "usd": "USD", "€": "EUR", "eur": "EUR", "£": "GBP", "gbp": "GBP"}


def plain_column(name: str, cells: Sequence[str]) -> tuple[str, list[str]] | None:
    """Return the name and cells of a column with plain numbers, None where they are plain or something else.

    A unit moves into the name, because it shows that less may be better.

    >>> plain_column("score", ["**0.79**", "0.7 ± 0.1"]), plain_column("solved", ["4/5", "2/5"])
    (('score', ['0.79', '0.7']), ('solved', ['0.8', '0.4']))
    >>> plain_column("latency", ["429 ms", "1.2 s"]), plain_column("item", ["12 (a)", "q2"])
    (('latency (s)', ['0.429', '1.2']), None)
    """
    there = [cell.strip() for cell in cells if not is_absent(cell)]
    if not there or all(map(_is_plain, there)):
        return None
    for read in (_unmarked, _share, _amount):
        found = read(there)
        if found is not None:
            unit, number = found
            renamed = f"{name} ({unit})" if unit and f"({unit})" not in name else name
            return renamed, [cell if is_absent(cell) else number(cell.strip()) for cell in cells]
    return None


def _is_plain(cell: str) -> bool:
    return re.fullmatch(rf"{_NUMBER}(e[+-]?[0-9]+)?", cell, re.IGNORECASE) is not None


_Found = tuple[str, Callable[[str], str]] | None


def _unmarked(cells: Sequence[str]) -> _Found:
    found = [_MARKED.fullmatch(_MATHS.sub(r"\1", cell)) for cell in cells]
    texts = [each["number"] for each in found if each]
    if len(texts) < len(cells) or texts == list(cells) or len({text.endswith("%") for text in texts}) > 1:
        return None
    numbers = dict(zip(cells, texts, strict=True))
    return "", lambda cell: numbers[cell]


def _share(cells: Sequence[str]) -> _Found:
    """Read 4/5 as 0.8 where all shares have one denominator: dates have several."""
    found = [_FRACTION.fullmatch(cell) for cell in cells]
    parts = [(int(each["part"]), int(each["whole"])) for each in found if each]
    if len(parts) < len(cells) or len({whole for _, whole in parts}) > 1:
        return None
    if any(part > whole or whole == 0 for part, whole in parts):
        return None
    numbers = {cell: f"{part / whole:.15g}" for cell, (part, whole) in zip(cells, parts, strict=True)}
    return "", lambda cell: numbers[cell]


def _amount(cells: Sequence[str]) -> _Found:
    """Read times and prices, in seconds where several units of time occur."""
    found = [_AMOUNT.fullmatch(cell) for cell in cells]
    units = [(each["before"] or each["after"] or "").casefold() if each else "" for each in found]
    if len(set(units)) == 1 and units[0] in _CURRENCIES:
        amounts = {cell: each["number"] for cell, each in zip(cells, found, strict=True) if each}
        return _CURRENCIES[units[0]], lambda cell: amounts[cell]
    if len(set(units)) == 1 and units[0] in _SECONDS:
        amounts = {cell: each["number"] for cell, each in zip(cells, found, strict=True) if each}
        return units[0], lambda cell: amounts[cell]
    seconds = {cell: _seconds(cell) for cell in cells}
    if any(number is None for number in seconds.values()):
        return None
    return "s", lambda cell: f"{seconds[cell]:.15g}"


def _seconds(cell: str) -> float | None:
    """Return a time such as 1:02:03, 5m 12s or 429 ms in seconds, None for anything else."""
    amount = _AMOUNT.fullmatch(cell)
    if amount and (amount["after"] or "").casefold() in _SECONDS and not amount["before"]:
        return float(amount["number"]) * _SECONDS[amount["after"].casefold()]
    parts = _CLOCK.fullmatch(cell) or (_SPANS.fullmatch(cell) if cell[:1].isdigit() else None)
    if parts is None:
        return None
    hours, minutes, seconds = (float(part or 0) for part in parts.groups())
    return 3600 * hours + 60 * minutes + seconds
