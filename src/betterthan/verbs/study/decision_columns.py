"""The columns of decision values and of labels, found by their names."""

import re
from collections.abc import Sequence
from typing import Any

from betterthan.base import EvidenceError
from betterthan.readers import open_table

#: Columns are looked for by their names.
AUTO = "auto"
#: What decision values are called: with the number of a label, with a label, or alone.
_STEMS = "p|prob|proba|probability|decision|decision_value|value|score|confidence|conf"
_NUMBERED = re.compile(rf"({_STEMS})_?(\d+)", re.IGNORECASE)
_LABELLED = re.compile(r"(p|prob|proba|probability)_(?!\d+$)(.+)", re.IGNORECASE)
_ALONE = re.compile(_STEMS, re.IGNORECASE)


def decision_columns(source: Any, labels: str, values: str) -> tuple[str | None, tuple[str, ...]]:
    """Return the column of labels, None where labels follow from decision values, and the columns of these.

    With `auto`, decision values are in columns such as p1, p2, p3 or p_no, p_yes, or in one that is called like p,
    score or decision_value.
    """
    with open_table(source) as table:
        columns = table.columns
    if values != AUTO:
        return labels, tuple(filter(None, values.split("|")))
    found = value_columns(columns)
    if not found:
        raise EvidenceError(
            f"no column is known to hold decision values; its columns are {', '.join(map(repr, columns))}",
            remedy="Name them in the study: values=p_no|p_yes. If systems have none, say values= without a name.",
        )
    return (labels if labels in columns else None), found


def value_columns(columns: Sequence[str]) -> tuple[str, ...]:
    """Return the columns of decision values in the order of labels, none where no name says so.

    >>> value_columns(["item", "p2", "p1", "pred"]), value_columns(["item", "score"]), value_columns(["p_yes", "p_no"])
    (('p1', 'p2'), ('score',), ('p_no', 'p_yes'))
    """
    numbered: dict[str, dict[int, str]] = {}
    for name in columns:
        if match := _NUMBERED.fullmatch(name):
            numbered.setdefault(match[1].lower(), {})[int(match[2])] = name
    for places in numbered.values():
        first = min(places)
        if first <= 1 and sorted(places) == list(range(first, first + len(places))):
            return tuple(places[number] for number in sorted(places))
    labelled = {match[2]: name for name in columns if (match := _LABELLED.fullmatch(name))}
    if labelled:
        return tuple(labelled[label] for label in sorted(labelled))
    alone = [name for name in columns if _ALONE.fullmatch(name)]
    return tuple(alone) if len(alone) == 1 else ()
