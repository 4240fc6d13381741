"""Validation of option values: type, bounds and choices."""

from collections.abc import Callable, Mapping, Sequence
from math import isfinite
from numbers import Integral, Real
from os import PathLike
from typing import Any

from betterthan.base import PlanError, meant, names_a_file, quoted_value, spelling
from betterthan.options.fields.declare import About, Declared
from betterthan.options.fields.text_values import conditions_of, parts

#: Characters of a text: longer ones are no names, titles or formulas, and may take forever to be read.
LONGEST = 10_000


def validated(option: Declared, value: Any) -> Any:
    """Return a value as the option holds it, or refuse it in one sentence."""
    if value is None and option.optional:
        return None
    about, name = option.about, option.name
    for good, must in _PLAIN.get(option.sort, ()):
        if not good(value):
            raise _refusal(name, must, value, about)
    match option.sort:
        case "whole" | "number":
            return _number(name, value, about, whole=option.sort == "whole")
        case "choice":
            if not isinstance(value, str) or value not in about.choices:
                raise _refusal(name, f"must be one of {', '.join(about.choices)}", value, about, about.choices)
        case "texts":
            return _texts(name, value, about, "must be a list of texts, or one text with commas between them")
        case "flag or texts" if not isinstance(value, bool | str):
            return _texts(name, value, about, "must be True, False, or a list of texts")
        case "conditions":
            return _conditions(name, value, about)
        case "groups":
            return _groups(name, value, about)
        case "wholes" | "numbers":
            return _numbers(name, value, about, whole=option.sort == "wholes")
    return value


#: What a value must be that is taken as it is, by the sort of its option.
_PLAIN: Mapping[str, Sequence[tuple[Callable[[Any], bool], str]]] = {
    "flag": [(lambda value: isinstance(value, bool), "must be True or False")],
    "text": [
        (lambda value: isinstance(value, str), "must be a text"),
        (lambda value: len(value) <= LONGEST, f"must be a text of at most {LONGEST:,} characters"),
    ],
    "path": [
        (lambda value: isinstance(value, (str, PathLike)), "must be the path of a file"),
        (names_a_file, "must be a path that a file can have"),
    ],
    "flag or text": [
        (lambda value: isinstance(value, bool | str), "must be True, False or a text"),
        (lambda value: len(str(value)) <= LONGEST, f"must be a text of at most {LONGEST:,} characters"),
    ],
    "pairs": [(lambda value: isinstance(value, Mapping), "must be a mapping of names to values")],
    "function": [(callable, "must be a function")],
}


def _number(name: str, value: Any, about: About, *, whole: bool) -> float:
    good = not isinstance(value, bool) and isinstance(value, Integral if whole else Real) and _finite(value)
    good = good and (about.least is None or value >= about.least) and (about.most is None or value <= about.most)
    good = good and (about.above is None or value > about.above) and (about.below is None or value < about.below)
    if not good:
        raise _refusal(name, f"must be {_range(about, whole=whole)}", value, about)
    return int(value) if whole else float(value)


def _finite(value: Any) -> bool:
    try:
        return isfinite(value)
    except OverflowError:  # a whole number of hundreds of digits
        return False


def _range(about: About, *, whole: bool) -> str:
    """Return which numbers are allowed."""
    noun = (
        "a whole number"
        if whole
        else "a number"
        if about.most is not None or about.below is not None
        else "a finite number"
    )
    if about.least is not None and about.most is not None:
        return f"{noun} from {about.least:,g} to {_shown(about.most)}"
    ends = [
        ("of at least", about.least),
        ("above", about.above),
        ("and below", about.below),
        ("and at most", about.most),
    ]
    return " ".join([noun, *(f"{words} {_shown(end)}" for words, end in ends if end is not None)])


def _shown(number: float) -> str:
    return f"{number:,.0f}" if float(number).is_integer() else f"{number:g}"


def _texts(name: str, value: Any, about: About, must: str) -> tuple[str, ...]:
    """Take texts from a list, or from one text with commas between them."""
    if isinstance(value, str):
        return tuple(parts(value))
    if isinstance(value, bytes) or not isinstance(value, Sequence) or not all(isinstance(part, str) for part in value):
        raise _refusal(name, must, value, about)
    return tuple(value)


def _conditions(name: str, value: Any, about: About) -> tuple[str, ...]:
    """Take conditions on rows from one text, several, or a mapping of columns to values."""
    if isinstance(value, Mapping):
        return conditions_of(value)
    if isinstance(value, str):
        return (value,)
    if not isinstance(value, Sequence) or not all(isinstance(part, str) for part in value):
        must = "must be a text such as 'turn<=3', several texts, or a mapping of columns to values"
        raise _refusal(name, must, value, about)
    return tuple(value)


def _groups(name: str, value: Any, about: About) -> Mapping[str, str] | tuple[str, ...]:
    """Take the group of each item, by item or in their order."""
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, str) or not isinstance(value, Sequence) or not all(isinstance(part, str) for part in value):
        raise _refusal(name, "must be a mapping of items to groups, or a list with one group per item", value, about)
    return tuple(value)


def _numbers(name: str, value: Any, about: About, *, whole: bool) -> tuple[Any, ...]:
    if isinstance(value, (int, float)):  # one number is a list of one
        value = (value,)
    if isinstance(value, str | bytes) or not isinstance(value, Sequence):
        raise _refusal(name, f"must be a list of {'whole ' if whole else ''}numbers", value, about)
    return tuple(_number(name, part, about, whole=whole) for part in value)


def _refusal(name: str, must: str, value: Any, about: About, known: Sequence[str] = ()) -> PlanError:
    note = f"; {about.note}" if about.note else ""
    near = meant(value, known) if isinstance(value, str) else ""
    return PlanError(f"{spelling.option(name)} {must}, got {quoted_value(value)}{note}. {near}".rstrip())
