"""A verb as a function: its evidence, then its options as keyword arguments that editors and type checkers know."""

import inspect
from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any, ParamSpec, Protocol, TypeVar

_P = ParamSpec("_P")
_O = TypeVar("_O")
_R = TypeVar("_R")
_R_co = TypeVar("_R_co", covariant=True)


class Verb(Protocol[_P, _R_co]):
    """Evidence in, a result out; some verbs can also begin without evidence."""

    __name__: str

    def __call__(self, evidence: Any = ..., *args: _P.args, **options: _P.kwargs) -> _R_co:
        """Do the work."""


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
            return work(evidence, made(options, args, given))

        described(verb, options, [own], inspect.signature(work).return_annotation)
        return verb

    return decorate


def described(verb: Any, options: Any, lead: Sequence[inspect.Parameter] = (), found: Any = None) -> None:
    """Give a verb the signature that people, editors and the documentation see."""
    own = lead or list(inspect.signature(verb).parameters.values())[:2]
    found = inspect.signature(verb).return_annotation if found is None else found
    verb.__signature__ = inspect.Signature(
        [*own, *inspect.signature(options).parameters.values()], return_annotation=found
    )


def made(options: Any, args: tuple[Any, ...], given: dict[str, Any]) -> Any:
    """Make the options, so that an unknown name is refused in a sentence and not by a TypeError."""
    known = inspect.signature(options).parameters.items()
    names = [name for name, each in known if each.kind is inspect.Parameter.POSITIONAL_OR_KEYWORD]
    if len(args) > len(names):
        raise TypeError(f"at most {len(names)} options without a name ({', '.join(names)}), got {len(args)}.")
    return options.of(**dict(zip(names, args, strict=False)), **given)
