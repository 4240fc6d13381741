"""Names of metrics, and whether less of each is better.

Words around a name, such as the split in `test_wer` or the system in `owl_mae`, need no entries in the tables.
"""

import re
from functools import lru_cache
from typing import Literal

from betterthan.readers.columns.name_tables import AROUND, ERROR_LIKE, LESS, MORE, OPPOSITE
from betterthan.readers.columns.roles import normal

#: Whether less or more of a metric is better.
Direction = Literal["less", "more"]

#: Names may say it themselves.
_STATED: dict[str, Direction] = {"↓": "less", "↑": "more", "lower_is_better": "less", "higher_is_better": "more"}
#: Metrics with versions in their names.
_FAMILIES = ("metricx", "metric_x")
_PARAMETERS = re.compile(r"\[[^\]]*\]|\([^)]*\)|\{[^}]*\}|[@,=<>].*$")


@lru_cache(maxsize=1 << 12)
def known_direction(metric: str) -> Direction | None:
    """Return whether less or more of a metric is better, None if its name is not known.

    >>> known_direction("WER"), known_direction("x/MAE[0.5]"), known_direction("val_accuracy"), known_direction("glow")
    ('less', 'less', 'more', None)
    """
    if (said := _said(metric)) is not None:
        return said
    return next((_direction(part) for name in _names(metric) if (part := _part(name))), None)


def is_error_like(metric: str) -> bool:
    """Return whether an unknown name sounds like an error or a cost, so that its direction must be given.

    >>> is_error_like("docking_error_free"), is_error_like("glow")
    (True, False)
    """
    return known_direction(metric) is None and bool(set(normal(metric).split("_")) & ERROR_LIKE)


def is_metric(name: str) -> bool:
    """Return whether a column is called like a metric, with nothing but its split or unit around it.

    >>> is_metric("test_wer"), is_metric("owl_wer")
    (True, False)
    """
    return _said(name) is not None or any(_direction(_core(each)) is not None for each in _names(name))


@lru_cache(maxsize=1 << 12)
def metric_with_name(column: str) -> str:
    """Return the metric that a column is called after in addition to something else, such as wer in owl_wer.

    >>> metric_with_name("owl_wer"), metric_with_name("ppl_yak"), metric_with_name("test_wer")
    ('wer', 'ppl', '')
    """
    return "" if is_metric(column) else _part(normal(column))


def _said(metric: str) -> Direction | None:
    """Return the direction that the name itself states, such as FID ↓."""
    folded = normal(metric)
    return next((way for sign, way in _STATED.items() if sign in metric or sign in folded), None)


def _names(metric: str) -> list[str]:
    """Return the forms of a name: whole, without parameters, and after its last slash or dot."""
    plain = _PARAMETERS.sub("", metric)
    last = re.split(r"[/|:]|\.(?=[A-Za-z])", plain)[-1]
    return list(dict.fromkeys(filter(None, (normal(each) for each in (metric, plain, last)))))


def _direction(name: str) -> Direction | None:
    return "less" if name in LESS or name.startswith(_FAMILIES) else "more" if name in MORE else None


def _core(name: str) -> str:
    """Return a name without the words around it, as long as what is left is not known."""
    words = name.split("_")
    while len(words) > 1 and _direction("_".join(words)) is None:
        if words[-1] in AROUND or words[-1].isdigit():
            words = words[:-1]
        elif words[0] in AROUND:
            words = words[1:]
        else:
            break
    return "_".join(words)


def _part(name: str) -> str:
    """Return the longest known metric at the end of a name, else at its beginning; empty without any."""
    words = name.split("_")
    if _direction(_core(name)) is not None:
        return _core(name)
    if OPPOSITE & set(words):
        return ""
    sizes = range(len(words) - 1, 0, -1)
    parts = [_core("_".join(words[-size:])) for size in sizes] + [_core("_".join(words[:size])) for size in sizes]
    return next((part for part in parts if _direction(part) is not None), "")
