"""Names of metrics, and whether less of each is better.

Words around a name, such as the split in `test_wer` or the system in `owl_mae`, need no entries in the tables.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Literal

from betterthan.readers.columns.name_tables import (
    AROUND,
    CHANGES,
    ERROR_LIKE,
    LESS,
    MORE,
    OF_ANYTHING,
    TURNING,
    UNDESIRABLE,
    UNMISTAKABLE,
    WITH_CONTEXT,
)
from betterthan.readers.columns.roles import normal

#: Whether less or more of a metric is better.
Direction = Literal["less", "more"]

#: Names may say it themselves.
_STATED: dict[str, Direction] = {"↓": "less", "↑": "more", "lower_is_better": "less", "higher_is_better": "more"}
#: Metrics with versions in their names.
_FAMILIES = ("metricx", "metric_x")
_PARAMETERS = re.compile(r"\[[^\]]*\]|\([^)]*\)|\{[^}]*\}|[@,=<>].*$")
#: Units of times and prices.
_UNIT = re.compile(r"[(\[]\s*([nuµμm]?s|m?secs?|seconds|min|minutes|h|hours|usd|eur|gbp|[$€£])\s*[)\]]", re.IGNORECASE)
#: A number in milliseconds is a time, whatever it is called: score_ms. Seconds may stand for other things (s).
_TIMES = frozenset({"ns", "us", "ms", "sec", "secs", "seconds", "msec", "usec", "millis", "minutes", "hours"})
_TIME_UNIT = re.compile(r"\s*[(\[]\s*([nuµμm]?s|m?secs?|seconds|min|minutes|h|hours)\s*[)\]]\s*$", re.IGNORECASE)
#: A minus sign before a name, and syllables that make a word its opposite.
_MINUS = re.compile(r"\s*(1\s*)?[-−–]\s*(?=[^\W\d])")
_NOT = re.compile(r"(un|in|im|ir|dis|non)(?=\w{4})")


@lru_cache(maxsize=1 << 12)
def known_direction(metric: str) -> Direction | None:
    """Return whether less or more of a metric is better, None if its name is not known.

    >>> known_direction("WER"), known_direction("x/MAE[0.5]"), known_direction("val_accuracy"), known_direction("glow")
    ('less', 'less', 'more', None)
    """
    if (said := _said(metric)) is not None:
        return said
    found = ((_core(name), _part(name)) for name in _names(metric))
    known = ((part, part != core and part in WITH_CONTEXT) for core, part in found if part)
    direction = next((_direction(part) for part, needs_context in known if not needs_context), None)
    return None if direction == "more" and _is_timed(metric) else direction


def is_error_like(metric: str) -> bool:
    """Return whether an unknown name sounds like an error or a cost.

    >>> is_error_like("docking_error_free"), is_error_like("glow")
    (True, False)
    """
    words = normal(metric).split("_")
    return known_direction(metric) is None and not (ERROR_LIKE | WITH_CONTEXT).isdisjoint(words)


@lru_cache(maxsize=1 << 12)
def is_ambiguous(metric: str) -> bool:
    """Return whether the direction of an unknown name must be given: it sounds undesirable, or turned.

    >>> is_ambiguous("accuracy_drop"), is_ambiguous("time_saved"), is_ambiguous("unfaithfulness"), is_ambiguous("glow")
    (True, True, True, False)
    """
    if known_direction(metric) is not None:
        return False
    words = normal(metric).split("_")
    plain = [word for word in words if not _turns(words, word)]
    turned = len(plain) < len(words) or _MINUS.match(metric) is not None
    return (
        _is_timed(metric)
        or not (ERROR_LIKE | WITH_CONTEXT | UNDESIRABLE | CHANGES).isdisjoint(words)
        or any(_turns(words, word) for word in words if word == "drop")
        or any(_is_negated(word) for word in words)
        or (turned and ("rate" in words or any(_direction(word) is not None for word in [*plain, "_".join(plain)])))
        or _contradicts(words)
    )


def _is_timed(metric: str) -> bool:
    """Whether a name ends with a unit of time or price, so that it is no score."""
    words = normal(metric).split("_")
    return _UNIT.search(metric) is not None or (len(words) > 1 and words[-1] in _TIMES and "per" not in words)


def is_metric(name: str) -> bool:
    """Return whether a column is called like a metric, with nothing but its split or unit around it.

    >>> is_metric("test_wer"), is_metric("owl_wer")
    (True, False)
    """
    return _said(name) is not None or any(_direction(_core(each)) is not None for each in _names(name))


def without_time_unit(name: str) -> str:
    """Return the name of a column of times without its unit.

    >>> without_time_unit("owl (ms)"), without_time_unit("owl")
    ('owl', 'owl')
    """
    return _TIME_UNIT.sub("", name)


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
    if _MINUS.match(metric):
        return []
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
    """Return the longest known metric at the end of a name, else at its beginning; empty without any.

    It is empty, too, where words next to the metric may turn its direction.
    """
    if _direction(_core(name)) is not None:
        return _core(name)
    words = name.split("_")
    if any(_turns(words, word) for word in words):
        return ""
    if "per" in words[1:]:
        words = words[: words.index("per")]
        if _direction(_core("_".join(words))) is not None:
            return _core("_".join(words))
    sizes = range(len(words) - 1, 0, -1)
    parts = [(_core("_".join(words[-size:])), words[:-size]) for size in sizes]
    parts += [(_core("_".join(words[:size])), words[size:]) for size in sizes]
    for part, others in parts:
        if _direction(part) is not None:
            return "" if part not in OF_ANYTHING and _contradicts([part, *others]) else part
    return ""


def _turns(words: Sequence[str], word: str) -> bool:
    """Whether a word may turn the direction of a metric; DROP is also a benchmark, and stands before its metric."""
    if word == "drop":
        before = words[: words.index(word)]
        beside = len(words) > 1 and (words[-1] == "drop" or not {"in", "of", "rate"}.isdisjoint(words))
        return beside or any(_direction(each) is not None for each in before)
    return word in TURNING or word in CHANGES or (word == "1" and words[0] == "1")


def _is_negated(word: str) -> bool:
    """Whether a word is the opposite of a metric, such as inaccuracy."""
    found = _NOT.match(word)
    return found is not None and _direction(word[found.end() :]) is not None


def _contradicts(words: Sequence[str]) -> bool:
    """Whether the words name metrics of both directions, or something undesirable and more of it: bias score."""
    named = {_direction(word) for word in words if word in UNMISTAKABLE}
    return "more" in named and ("less" in named or not UNDESIRABLE.isdisjoint(words))
