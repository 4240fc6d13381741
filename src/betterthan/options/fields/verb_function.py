"""Build a verb's function: evidence first, then the options as typed keyword arguments."""

import inspect
from collections.abc import Callable, Sequence
from functools import cache, wraps
from typing import Any, ParamSpec, Protocol, TypeVar

from betterthan.base import PlanError
from betterthan.options.fields.declare import declared_options
from betterthan.options.fields.parameter_docs import documented

_P = ParamSpec("_P")
_O = TypeVar("_O")
_R = TypeVar("_R")
_R_co = TypeVar("_R_co", covariant=True)


class Verb(Protocol[_P, _R_co]):
    """Evidence in, a result out; some verbs can also begin without evidence."""

    __name__: str

    def __call__(self, evidence: Any = ..., *args: _P.args, **options: _P.kwargs) -> _R_co:
        """Run the verb."""


def takes(options: Callable[_P, _O], *, optional: bool = False) -> Callable[[Callable[[Any, _O], _R]], Verb[_P, _R]]:
    """Turn `work(evidence, options)` into `verb(evidence, **options)`; `optional`: evidence may be left out.

    A new option is one field of the options' class: signature, checks and documentation follow.
    """

    def decorate(work: Callable[[Any, _O], _R]) -> Verb[_P, _R]:
        own = inspect.signature(work).parameters["evidence"]
        own = own.replace(default=None if optional else inspect.Parameter.empty)

        @wraps(work)
        def verb(evidence: Any = own.default, *args: _P.args, **given: _P.kwargs) -> _R:
            if evidence is inspect.Parameter.empty:
                raise TypeError(f"{work.__name__}() needs evidence: give it first.")
            return work(_with_reading(options, evidence, given), _make_options(options, args, given))

        _describe(verb, options, [own], inspect.signature(work).return_annotation)
        return verb

    return decorate


class NamedVerb(Protocol[_P, _R_co]):
    """The name of a kind of work in, and evidence where it needs any; a result out."""

    __name__: str

    def __call__(self, name: str, evidence: Any = ..., /, *args: _P.args, **options: _P.kwargs) -> _R_co:
        """Run the verb."""


def takes_name(options: Callable[_P, _O]) -> Callable[[Callable[[str, Any, _O], _R]], NamedVerb[_P, _R]]:
    """Turn `work(name, evidence, options)` into `verb(name, evidence, **options)`; evidence may be left out."""

    def decorate(work: Callable[[str, Any, _O], _R]) -> NamedVerb[_P, _R]:
        @wraps(work)
        def verb(name: str, evidence: Any = None, /, *args: _P.args, **given: _P.kwargs) -> _R:
            return work(name, _with_reading(options, evidence, given), _make_options(options, args, given))

        own = inspect.signature(work)
        name, evidence, _ = (each.replace(kind=inspect.Parameter.POSITIONAL_ONLY) for each in own.parameters.values())
        _describe(verb, options, [name, evidence.replace(default=None)], own.return_annotation)
        return verb

    return decorate


def _describe(verb: Any, options: Any, lead: Sequence[inspect.Parameter], found: Any) -> None:
    """Give a verb the signature and the docstring that people, editors and the documentation see."""
    verb.__signature__ = inspect.Signature(
        [*lead, *inspect.signature(options).parameters.values()], return_annotation=found
    )
    verb.__qualname__ = verb.__name__  # a function of its module, so that it can be pickled
    verb.__doc__ = documented(verb.__doc__, verb.__signature__.parameters.values(), options, found)


def _with_reading(options: Any, evidence: Any, given: dict[str, Any]) -> Any:
    """Take the options of reading out of those of a verb, and return the evidence together with them."""
    if not options.reads or "evidence" not in options.arguments:
        return evidence
    own = declared_options(options)
    if not (others := [name for name in given if name not in own]):
        return evidence
    from betterthan.options.read import (  # noqa: PLC0415 (options of reading are options, too)
        DescribedEvidence,
        ReadOptions,
    )

    reading = {name: given.pop(name) for name in others if name in declared_options(ReadOptions)}
    if reading and evidence is None:
        raise PlanError(f"{next(iter(reading))} says how evidence is read, and none was given.")
    return DescribedEvidence(evidence, ReadOptions.of(**reading)) if reading else evidence


def _make_options(options: Any, args: tuple[Any, ...], given: dict[str, Any]) -> Any:
    """Make the options, so that an unknown name is refused in a sentence and not by a TypeError."""
    names = _names_by_place(options)
    if len(args) > len(names):
        raise TypeError(f"at most {len(names)} options without a name ({', '.join(names)}), got {len(args)}.")
    return options.of(**dict(zip(names, args, strict=False)), **given)


@cache
def _names_by_place(options: Any) -> tuple[str, ...]:
    """Return the options that may be given without a name, in their order."""
    known = inspect.signature(options).parameters.items()
    return tuple(name for name, each in known if each.kind is inspect.Parameter.POSITIONAL_OR_KEYWORD)
