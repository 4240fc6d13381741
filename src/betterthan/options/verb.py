"""A verb as a function: its evidence, then its options as keyword arguments that editors and type checkers know."""

import inspect
from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec, Protocol, TypeVar

_P = ParamSpec("_P")
_O = TypeVar("_O")
_R = TypeVar("_R")
_Found = TypeVar("_Found", covariant=True)


class Verb(Protocol[_P, _Found]):
    """Evidence in, a result out; some verbs can also begin without evidence."""

    __name__: str

    def __call__(self, evidence: Any = ..., *args: _P.args, **options: _P.kwargs) -> _Found:
        """Do the work."""


def takes(options: Callable[_P, _O]) -> Callable[[Callable[[Any, _O], _R]], Verb[_P, _R]]:
    """Turn `work(evidence, options)` into `verb(evidence, **options)`.

    A new option is one field of the options' class: signature, checks and documentation follow.
    """

    def decorate(work: Callable[[Any, _O], _R]) -> Verb[_P, _R]:
        made = inspect.signature(work)
        own = made.parameters["evidence"]

        @wraps(work)
        def verb(evidence: Any = own.default, *args: _P.args, **given: _P.kwargs) -> _R:
            if evidence is inspect.Parameter.empty:
                raise TypeError(f"{work.__name__}() needs evidence: give it first.")
            return work(evidence, _options(options, args, given))

        known = inspect.signature(options).parameters.values()
        verb.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
            [own, *known], return_annotation=made.return_annotation
        )
        return verb

    return decorate


def _options(options: Any, args: tuple[Any, ...], given: dict[str, Any]) -> Any:
    """Make the options, so that an unknown name is refused in a sentence and not by a TypeError."""
    known = inspect.signature(options).parameters.items()
    names = [name for name, each in known if each.kind is inspect.Parameter.POSITIONAL_OR_KEYWORD]
    if len(args) > len(names):
        raise TypeError(f"at most {len(names)} options without a name ({', '.join(names)}), got {len(args)}.")
    return options.of(**dict(zip(names, args, strict=False)), **given)
