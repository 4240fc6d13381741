"""Numbers by name, such as weights of tasks and costs of systems: as text, or in a file."""

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from numbers import Real
from pathlib import Path
from typing import Any

from betterthan.base import PlanError, quoted_value, spelling
from betterthan.options.fields import text_values


@dataclass(frozen=True)
class Words:
    """How sentences call numbers: the option, one number, what it belongs to, and an example."""

    option: str
    number: str
    of: str
    example: str

    @property
    def plural(self) -> str:
        """The numbers."""
        return f"{self.number}s"


#: How sentences call costs.
COSTS = Words("cost", "cost", "system", "owl=3,yak=0.5")


def costs_of(given: Any) -> dict[str, float]:
    """Return costs of systems by their names, from a mapping, a text or a file."""
    if isinstance(given, Mapping):
        found = {str(name): number_of(name, value, COSTS) for name, value in given.items()}
    elif isinstance(given, (str, os.PathLike)):
        found = numbers_of(os.fspath(given), COSTS)
    else:
        raise PlanError(f"cost must be a mapping of systems to numbers, a text or a path, got {quoted_value(given)}.")
    if not found:
        raise PlanError("there are no costs", remedy="Give the cost of at least one system.")
    return found


def numbers_of(given: str, words: Words) -> dict[str, float]:
    """Read numbers from a text, or from a file (JSON, TOML, or CSV with a heading or without)."""
    if given.lstrip().startswith("{"):
        return _from_json(given, words.option, words)
    if _is_file(given):
        return _from_file(given, words)
    if "=" in given:
        pairs = [part.rpartition("=") for part in text_values.parts(given)]
        return _named([(name.strip(), value) for name, _, value in pairs], words.option, words)
    raise PlanError(
        f"{spelling.option(words.option, given)} is neither a list of {words.plural} nor a file",
        remedy=f"Write {words.example}, or name a file with the columns {words.of} and {words.number}.",
    )


def number_of(name: str, value: Any, words: Words) -> float:
    """Return a number, refusing what is none, is negative or has no bound."""
    known = not isinstance(value, bool) and isinstance(value, (Real, str)) and _is_number(str(value))
    number = float(str(value)) if known else -1.0
    if not 0 <= number < float("inf"):
        raise PlanError(f"the {words.number} of {name!r} must be a number of 0 or more, got {value!r}.")
    return number


def _from_file(given: str, words: Words) -> dict[str, float]:
    try:
        text = Path(given).read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise PlanError(f"{given} cannot be read: {error}.") from None
    if text.lstrip().startswith("{"):
        return _from_json(text, given, words)
    return _from_toml(text, given, words) if given.lower().endswith(".toml") else _from_csv(text, given, words)


def _from_json(text: str, source: str, words: Words) -> dict[str, float]:
    try:
        found = json.loads(text, object_pairs_hook=list)  # a name may stand twice
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, list) or not all(isinstance(each, tuple) for each in found):
        raise PlanError(f"{source} is no JSON object of names and {words.plural}.")
    return _named(found, source, words)


def _from_toml(text: str, source: str, words: Words) -> dict[str, float]:
    import tomllib  # noqa: PLC0415 (few have numbers in a file)

    try:
        found = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise PlanError(f"{source} is no TOML of names and {words.plural}: {error}.") from None
    return _named(list(found.items()), source, words)


def _from_csv(text: str, source: str, words: Words) -> dict[str, float]:
    import csv  # noqa: PLC0415 (few have numbers in a file)

    lines = text.splitlines()
    delimiter = "\t" if lines and "\t" in lines[0] else ","
    rows = [row for row in csv.reader(lines, delimiter=delimiter) if any(cell.strip() for cell in row)]
    if rows and len(rows[0]) == 2 and not _is_number(rows[0][1]):
        rows = rows[1:]
    if not rows or any(len(row) != 2 for row in rows):
        raise PlanError(
            f"{source} has no two columns of names and {words.plural}",
            remedy=f"Write one {words.of} and its {words.number} per line.",
        )
    return _named([(row[0].strip(), row[1]) for row in rows], source, words)


def _named(pairs: list[tuple[str, Any]], source: str, words: Words) -> dict[str, float]:
    """Return numbers by their names, refusing a name that stands twice."""
    names = [name for name, _ in pairs]
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise PlanError(f"{source} has two {words.plural} of {twice!r}", remedy="Leave one of them out.")
    return {name: number_of(name, value, words) for name, value in pairs}


def _is_file(given: str) -> bool:
    try:
        return Path(given).is_file()
    except (OSError, ValueError):
        return False


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
