"""Weights of tasks as text, as names and numbers, or in a file."""

import json
from collections.abc import Mapping
from pathlib import Path

from betterthan.base import PlanError, spelling
from betterthan.options.fields import text_values


def weights_text(given: Mapping[str, float] | str) -> str:
    """Return weights as one text, which a signature can hold; a file is read."""
    numbers = {str(name): _number(name, value) for name, value in given.items()} if isinstance(given, Mapping) else None
    numbers = weight_numbers(str(given)) if numbers is None else numbers
    plain = {name: f"{value:g}" if float(f"{value:g}") == value else repr(value) for name, value in numbers.items()}
    if any(sign in name for name in plain for sign in ",=\\{"):
        return json.dumps(numbers, ensure_ascii=False)
    return ",".join(f"{name}={value}" for name, value in plain.items())


def weight_numbers(given: str) -> dict[str, float]:
    """Read weights from a text, or from a file of names and weights (JSON, or CSV with a heading or without)."""
    if given.lstrip().startswith("{"):
        return _from_json(given, "weights")
    if "=" in given and not Path(given).exists():
        pairs = [part.rpartition("=") for part in text_values.parts(given)]
        return {name.strip(): _number(name, value) for name, _, value in pairs}
    if not Path(given).is_file():
        raise PlanError(
            f"{spelling.option('weights', given)} is neither a list of weights nor a file",
            remedy="Write task=2,other=1, or name a file with the columns task and weight.",
        )
    text = Path(given).read_text(encoding="utf-8-sig")
    return _from_json(text, given) if text.lstrip().startswith("{") else _from_csv(text, given)


def _from_json(text: str, source: str) -> dict[str, float]:
    try:
        found = json.loads(text)
    except ValueError:
        raise PlanError(f"{source} is no JSON object of names and weights.") from None
    if not isinstance(found, dict):
        raise PlanError(f"{source} is no JSON object of names and weights.")
    return {name: _number(name, value) for name, value in found.items()}


def _from_csv(text: str, source: str) -> dict[str, float]:
    import csv  # noqa: PLC0415 (few have weights in a file)

    lines = text.splitlines()
    delimiter = "\t" if lines and "\t" in lines[0] else ","
    rows = [row for row in csv.reader(lines, delimiter=delimiter) if any(cell.strip() for cell in row)]
    if rows and len(rows[0]) == 2 and not _is_number(rows[0][1]):
        rows = rows[1:]
    if not rows or any(len(row) != 2 for row in rows):
        raise PlanError(
            f"{source} has no two columns of names and weights", remedy="Write one task and its weight per line."
        )
    names = [row[0].strip() for row in rows]
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise PlanError(f"{source} has two weights of {twice!r}", remedy="Leave one of them out.")
    return {name: _number(name, row[1]) for name, row in zip(names, rows, strict=True)}


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _number(name: str, value: object) -> float:
    """Return a weight, refusing what is none."""
    known = isinstance(value, (int, float, str)) and not isinstance(value, bool) and _is_number(str(value))
    weight = float(str(value)) if known else -1.0
    if not 0 <= weight < float("inf"):
        raise PlanError(f"the weight of {name!r} must be a number of 0 or more, got {value!r}.")
    return weight
