"""Convert option values to text and back, for signatures, plan files and the command line."""

import json
import re
from collections.abc import Mapping
from typing import Any

from betterthan.base import PlanError, spelling
from betterthan.options.fields.declare import Declared


def written(value: Any) -> str:
    """Write a value into a signature; `read_back` is its inverse.

    >>> written((400, 800)), written(0.95), written(True)
    ('400,800', '0.95', 'yes')
    """
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, (tuple, list)):
        texts = [written(part) for part in value]
        plain = all(isinstance(part, (str, int, float)) for part in value) and parts(",".join(texts)) == texts
        return ",".join(texts) if plain and not texts[0].startswith("[") else json.dumps(value, ensure_ascii=False)
    if isinstance(value, dict):
        return ",".join(f"{name}={part}" for name, part in value.items())
    return value if isinstance(value, str) else repr(value)


def read_back(option: Declared, text: str) -> Any:
    """Read a value as its option declares it."""
    try:
        match option.sort:
            case "flag":
                return {"yes": True, "no": False}[text]
            case "whole":
                return int(text)
            case "number":
                return float(text)
            case "wholes" | "numbers":
                convert = int if option.sort == "wholes" else float
                return tuple(convert(part) for part in parts(text))
            case "texts" | "conditions":
                return tuple(json.loads(text) if text.startswith("[") else parts(text))
            case "any" | "flag or text" | "flag or texts":
                return json.loads(text) if text.startswith("[") else {"yes": True, "no": False}.get(text, text)
            case "pairs":
                return dict(_pair(option.name, part) for part in parts(text))
    except (KeyError, ValueError, RecursionError):
        known = {"flag": "yes or no", "whole": "a whole number", "number": "a number"}
        wanted = known.get(option.sort, "numbers with commas between them")
        raise PlanError(f"{spelling.option(option.name)} must be {wanted}, got {text!r}.") from None
    return text


def parts(text: str) -> list[str]:
    r"""Take a list apart at its commas, but for those that a backslash protects.

    >>> parts(r"owl, yak\, old")
    ['owl', 'yak, old']
    """
    found = (part.strip().replace("\\,", ",") for part in re.split(r"(?<!\\),", text))
    return [part for part in found if part]


def conditions_of(values: Mapping[Any, Any]) -> tuple[str, ...]:
    """Write conditions by which columns have these values, or one of several; None is a missing one.

    >>> conditions_of({"lang": ["en", "de"], "turn": 3, "judge": None})
    ('lang in (en, de)', 'turn=3', "judge=''")
    """
    found = []
    for column, value in values.items():
        if isinstance(value, (list, tuple, set, frozenset)):
            found.append(f"{quoted(str(column))} in ({', '.join(quoted(_plain(each)) for each in value)})")
        else:
            found.append(condition(str(column), _plain(value)))
    return tuple(found)


def _plain(value: Any) -> str:
    return "" if value is None else str(value)


def condition(column: str, value: str, sign: str = "=") -> str:
    """Write a condition on the rows of a table as text.

    >>> condition("turn", "3", "<="), condition("title", "war and peace")
    ('turn<=3', "title='war and peace'")
    """
    return f"{quoted(column)}{sign}{quoted(value)}"


def quoted(text: str) -> str:
    """Put a name or value into quotation marks where a condition could not be split without them."""
    plain = text and text == text.strip() and not re.search(r"[<>=~!'\"(),]|\s(?:and|in|not)\s|\n", f" {text} ", re.I)
    return text if plain else "'" + text.replace("'", "''") + "'"


def _pair(name: str, text: str) -> tuple[str, str]:
    left, equals, right = text.rpartition("=")
    if not equals or not left:
        raise PlanError(f"{spelling.option(name)} takes NAME=VALUE, got {text!r}.")
    return left.strip(), right.strip()
