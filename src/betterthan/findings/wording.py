"""Fill a finding's template: numbers with nouns, percentages, names and options."""

from collections.abc import Iterable, Mapping, Sequence
from string import Formatter
from typing import Any

from betterthan.base import escaping, spelling


def filled(template: str, numbers: Mapping[str, Any]) -> str:
    """Fill a template; in addition to Python's formats it has those of the examples.

    >>> filled("Only {units:of item} {units:has/have} ties ({share:percent}): {who:names}.",
    ...        {"units": 2, "share": 0.19, "who": ("owl", "elk")})
    "Only 2 items have ties (19 %): 'owl', 'elk'."
    >>> filled("Pass {option:unit=judge} or run {verb:next}.", {})
    "Pass unit='judge' or run bt.next_matches(...)."
    """
    return _SENTENCES.vformat(template, (), {"option": _Option(), "verb": _Verb(), **numbers})


class _Sentences(Formatter):
    def format_field(self, value: Any, format_spec: str) -> Any:
        name, _, rest = format_spec.partition(" ")
        if name == "of":
            return counted(value, rest)
        if name == "names":
            return named(value)
        if name == "percent":
            return f"{100 * value:.{rest}f} %" if rest else percent(value)
        if "/" in format_spec and not isinstance(value, _Option | _Verb):
            one, several = format_spec.split("/")
            return one if (len(value) if isinstance(value, tuple) else value) == 1 else several
        return super().format_field(value, format_spec)


class _Option:
    def __format__(self, spec: str) -> str:
        name, equals, value = spec.partition("=")
        return spelling.option(name, _read(value) if equals else None)


class _Verb:
    def __format__(self, spec: str) -> str:
        name, *options = spec.split()
        pairs = (each.partition("=") for each in options)
        return spelling.verb(name, **{option: _read(value) for option, _, value in pairs})


def _read(text: str) -> Any:
    if text == "True":
        return True
    try:
        return float(text) if "." in text else int(text)
    except ValueError:
        return text


_SENTENCES = _Sentences()


def counted(number: float, noun: str) -> str:
    """Write a number with its noun, in the plural where it is not one.

    >>> counted(1, "judge"), counted(1200, "item")
    ('1 judge', '1,200 items')
    """
    return f"{number:,.0f} {noun}{'' if number == 1 else 's'}"


def percent(share: float) -> str:
    """Write a share in per cent, with a decimal place where it is below one per cent.

    >>> percent(0.19), percent(0.004), percent(0.0)
    ('19 %', '0.4 %', '0 %')
    """
    return f"{100 * share:.1f} %" if 0 < share < 0.01 else f"{100 * share:.0f} %"


def named(names: Sequence[str]) -> str:
    """Name things, five of them at most, each as long as it can be read.

    >>> named(["owl", "elk"]), len(named(["x" * 1_000_000]))
    ("'owl', 'elk'", 61)
    """
    return ", ".join(escaping.brief(repr(name), 100) for name in names[:5]) + (
        f" and {len(names) - 5} more" if len(names) > 5 else ""
    )


def marked(names: Sequence[str], which: Iterable[bool]) -> tuple[str, ...]:
    """Return the names that are marked.

    >>> marked(["owl", "yak", "elk"], [True, False, True])
    ('owl', 'elk')
    """
    return tuple(name for name, mark in zip(names, which, strict=True) if mark)


def listed(names: Sequence[str], which: Iterable[bool]) -> str:
    """Name those that are marked, five of them at most.

    >>> listed(["owl", "yak", "elk"], [True, False, True])
    "'owl', 'elk'"
    """
    return named(marked(names, which))
