"""Row conditions such as `lang=en and turn<=3`, with the same meaning on every engine."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from operator import ge, gt, le, lt
from typing import Any, Literal, cast

from betterthan.base import PlanError, spelling
from betterthan.options import text_values

#: `is` compares names exactly as they are counted, and has no spelling: data sets are distinguished by it.
Operator = Literal["is", "in", "not in", "<", "<=", ">", ">=", "~", "!~"]

ORDER: Mapping[str, Callable[[Any, Any], bool]] = {"<": lt, "<=": le, ">": gt, ">=": ge}
#: Definitions of numbers and dates that hold on every engine, whatever its own functions accept.
NUMBER = r"[ \t]*[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?[ \t]*"
_TIME = r"[0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]{1,9})?)?(?:Z|[+-][0-9]{2}(?::?[0-9]{2})?)?"
MOMENT = rf"[0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}}(?:[ T]{_TIME})?"
#: Beyond this, numbers that differ may be the same floating-point number: they are compared as texts.
EXACT = 2.0**53
#: Words that people write where there is nothing.
ABSENT = ("na", "n/a", "nan", "null", "none", "-", ".")

_OPERATOR = re.compile(r"(?P<in>\s+(?:not\s+)?in\s*\()|(?P<sign><=|>=|!=|==|!~|<|>|~|=)", re.IGNORECASE)
_AND = re.compile(r"\s+and\s+", re.IGNORECASE)
_GRAMMAR = "COLUMN=VALUE, also with !=, <, <=, >, >=, ~ PATTERN or in (A, B), several joined by 'and'"


@dataclass(frozen=True)
class Condition:
    """One column compared with one value or several; equality has its values in a list.

    >>> str(parse_conditions("turn <= 3")[0]), parse_conditions("lang in (en, de)")[0].values
    ('turn<=3', ('en', 'de'))
    """

    column: str
    operator: Operator
    values: tuple[str, ...]

    @property
    def ordering(self) -> bool:
        """Whether it needs ordered values."""
        return self.operator in ORDER

    @property
    def negated(self) -> bool:
        """Whether it negates another condition, so that missing values meet it."""
        return self.operator in {"not in", "!~"}

    def keeps(self, label: str | None) -> bool:
        """Return whether a value meets the condition; None is a missing one."""
        if self.operator == "is":
            return label == self.values[0]
        if self.operator in ORDER:
            return self._ordered(label)
        if self.operator in {"~", "!~"}:
            found = label is not None and re.fullmatch(pattern(self.values[0]), label, re.DOTALL) is not None
        else:
            found = any(_equal("" if label is None else label, value) for value in self.values)
        return found != self.negated

    def _ordered(self, label: str | None) -> bool:
        if label is None or is_absent(label):
            return False
        value, compare = self.values[0], ORDER[self.operator]
        if (wanted := as_number(value)) is not None:
            found = as_number(label)
            return found is not None and compare(found, wanted)
        when = as_moment(label, day=is_day(value))
        return when is not None and compare(when, as_moment(value))

    def comparable(self, label: str) -> bool:
        """Return whether a value that is there can be compared in order with this one."""
        return (
            is_absent(label) or (as_number if as_number(self.values[0]) is not None else as_moment)(label) is not None
        )

    @property
    def needs(self) -> str:
        """A description of the values that the column must hold."""
        return "numbers" if as_number(self.values[0]) is not None else "dates"

    def __str__(self) -> str:
        if self.operator == "is" or (self.operator == "in" and len(self.values) == 1):
            return text_values.condition(self.column, self.values[0])
        if self.operator == "not in" and len(self.values) == 1:
            return text_values.condition(self.column, self.values[0], "!=")
        if self.operator in {"in", "not in"}:
            return (
                f"{text_values.quoted(self.column)} {self.operator} "
                f"({', '.join(text_values.quoted(value) for value in self.values)})"
            )
        return text_values.condition(self.column, self.values[0], self.operator)


#: What rows may be narrowed by: texts, or columns with the value that each must have.
Where = Mapping[str, Any] | Sequence[str] | str


def parse_conditions(where: Where | None) -> tuple[Condition, ...]:
    """Parse the user's text.

    >>> [str(each) for each in parse_conditions({"lang": "en", "turn": 3})]
    ['lang=en', 'turn=3']
    """
    if where is None:
        return ()
    texts = (
        text_values.conditions_of(where) if isinstance(where, Mapping) else [where] if isinstance(where, str) else where
    )
    if not all(isinstance(text, str) for text in texts):
        raise PlanError(f"{spelling.option('where')} must be a text, several texts or a mapping, got {where!r}.")
    return tuple(each for text in texts for each in _parsed(text))


def exactly(labels: Mapping[str, str]) -> tuple[Condition, ...]:
    """Return conditions by which columns have exactly these names."""
    return tuple(Condition(column, "is", (label,)) for column, label in labels.items())


def _parsed(text: str) -> Iterable[Condition]:
    rest = text
    while True:
        condition, rest = _first(rest, text)
        yield condition
        if not rest:
            return
        joined = _AND.match(rest)
        if joined is None:
            raise _refusal(text, f"{rest.strip()!r} follows a complete condition")
        rest = rest[joined.end() :]


def _first(rest: str, text: str) -> tuple[Condition, str]:
    """Take the first condition off a text."""
    column, rest = _column(rest, text)
    found = _OPERATOR.match(rest)
    if found is None or not column:
        lacking = f"there is no operator in {column!r}; quote a value that contains 'and'"
        raise _refusal(text, "there is no column before the operator" if found else lacking)
    rest = rest[found.end() :]
    if found["in"]:
        values, rest = _listed(rest, text)
        return Condition(column, "not in" if "not" in found["in"].lower().split() else "in", values), rest
    value, rest = _value(rest.lstrip(), text)
    sign = found["sign"]
    if sign in ORDER and as_number(value) is None and as_moment(value) is None:
        raise _refusal(text, f"{sign} compares numbers and dates such as 2024-05-01, and {value!r} is neither")
    if sign in {"~", "!~"}:
        try:
            pattern(value)
        except ValueError as error:
            raise _refusal(text, str(error)) from None
    operator = {"=": "in", "==": "in", "!=": "not in"}.get(sign, sign)
    return Condition(column, cast(Operator, operator), (value,)), rest


def _column(rest: str, text: str) -> tuple[str, str]:
    rest = rest.lstrip()
    if rest[:1] in {"'", '"'}:
        name, rest = _quoted(rest, text)
        return name, rest if _OPERATOR.match(rest) else rest.lstrip()
    found = _OPERATOR.search(rest)
    place = found.start() if found else len(rest)
    return rest[:place].strip(), rest[place:]


def _value(rest: str, text: str) -> tuple[str, str]:
    """Take a value: quoted, or everything before the next `and`."""
    if rest[:1] in {"'", '"'}:
        value, rest = _quoted(rest, text)
        return value, rest if rest.strip() else ""
    found = _AND.search(rest)
    place = found.start() if found else len(rest)
    value = rest[:place].strip()
    if not value:
        raise _refusal(text, "there is no value behind the operator; write '' for a missing one")
    if re.search(r"<|>|=|~|\sand$", value, re.IGNORECASE):  # two conditions, or one that continues
        raise _refusal(text, f"quote {value!r}, because it contains an operator or ends in 'and'")
    return value, rest[place:]


def _listed(rest: str, text: str) -> tuple[tuple[str, ...], str]:
    """Take the values of a list up to its closing bracket."""
    values = []
    while True:
        rest = rest.lstrip()
        if rest[:1] in {"'", '"'}:
            value, rest = _quoted(rest, text)
            rest = rest.lstrip()
        else:
            place = next((place for place, sign in enumerate(rest) if sign in ",)"), len(rest))
            value, rest = rest[:place].strip(), rest[place:]
            if not value:
                raise _refusal(text, "a value of the list is empty; write '' for a missing one")
        values.append(value)
        sign, rest = rest[:1], rest[1:]
        if sign == ")":
            return tuple(values), rest if rest.strip() else ""
        if sign != ",":
            raise _refusal(text, "the list is not closed by )")


def _quoted(rest: str, text: str) -> tuple[str, str]:
    """Take a quoted text; a doubled mark stands for the mark itself."""
    mark = rest[0]
    found = re.match(f"{mark}((?:[^{mark}]|{mark}{mark})*){mark}(?!{mark})", rest, re.DOTALL)
    if found is None:
        raise _refusal(text, "a quotation mark is not closed")
    return found[1].replace(mark * 2, mark), rest[found.end() :]


def _refusal(text: str, what: str) -> PlanError:
    return PlanError(f"{spelling.option('where', text)} is not understood: {what}", allowed=_GRAMMAR)


@lru_cache(maxsize=1 << 16)
def as_number(text: str) -> float | None:
    """Return a text as a number, None where it is none."""
    return float(text) if re.fullmatch(NUMBER, text) else None


@lru_cache(maxsize=1 << 16)
def as_moment(text: str, *, day: bool = False) -> datetime | None:
    """Return an ISO date or time, in UTC where it has a zone, or the day it is on; None where it is none."""
    if not re.fullmatch(MOMENT, text):
        return None
    try:
        when = datetime.fromisoformat(re.sub(r"(\.[0-9]{6})[0-9]+", r"\1", text))
    except ValueError:
        return None
    when = when.astimezone(UTC).replace(tzinfo=None) if when.tzinfo else when
    return when.replace(hour=0, minute=0, second=0, microsecond=0) if day else when


def spellings(value: str) -> list[str]:
    """Return the spellings of a value as text in engines: 3 also as 3.0, True also as true."""
    found = [value]
    if value.lstrip("-").isdigit():
        found.append(f"{value}.0")
    if value in {"True", "False"}:
        found.append(value.lower())
    return found


def is_day(text: str) -> bool:
    """Whether this is a date without a time, which means the whole day."""
    return len(text) == len("2024-05-01")


def is_absent(text: str) -> bool:
    """Whether this is a common word for a missing value."""
    return not text.strip() or text.strip().casefold() in ABSENT


def is_truth(text: str) -> bool:
    """Whether this is true or false in any spelling."""
    return text.lower() in {"true", "false"}


def _equal(cell: str, value: str) -> bool:
    if cell == value or (is_truth(value) and cell.lower() == value.lower()):
        return True
    if (wanted := as_number(value)) is not None:
        return abs(wanted) < EXACT and as_number(cell) == wanted
    if (when := as_moment(value)) is not None:
        return as_moment(cell, day=is_day(value)) == when
    return False


@lru_cache(maxsize=256)
def pattern(glob: str) -> str:
    """Turn a pattern (* any characters, ? one, [abc] one of these, [!abc] none of them) into a regular expression.

    Only signs that every engine's regular expressions share are used.
    """
    found, place = [], 0
    while place < len(glob):
        sign = glob[place]
        place += 1
        if sign == "[":
            end = glob.find("]", place + (2 if glob[place : place + 1] == "!" else 1))
            if end < 0:
                raise ValueError(f"the pattern {glob!r} opens [ and never closes it; write [[] for the sign itself")
            inside, place = glob[place:end], end + 1
            opposite, inside = ("^", inside[1:]) if inside.startswith("!") else ("", inside)
            found.append(f"[{opposite}{_set(inside)}]")
        else:
            found.append({"*": ".*", "?": "."}.get(sign) or _plain(sign))
    return re.sub(r"(\.\*)+", ".*", "".join(found))


def _set(inside: str) -> str:
    if (wrong := next((part for part in re.findall(r"(?s).-.", inside) if part[0] > part[2]), None)) is not None:
        raise ValueError(f"the pattern's range {wrong} runs backwards")
    return "".join(sign if sign == "-" else _plain(sign) for sign in inside)


def _plain(sign: str) -> str:
    return sign if sign.isalnum() or sign in "_ " or ord(sign) > 127 else f"\\{sign}"
