"""Every parameter of everything public is documented, by hand or from the declared options."""

import inspect
import pickle
import re
from collections.abc import Iterator
from typing import Any

import pytest

import betterthan
from betterthan.options import declared_options, takes
from betterthan.options.items import ItemsOptions
from betterthan.options.rank import RankOptions

VERBS = [name for name in betterthan.__all__ if inspect.isfunction(getattr(betterthan, name))]


def _public() -> Iterator[tuple[str, Any, list[str]]]:
    """Return every public function and method with its docstrings: its own, and those of what it overrides."""
    for name in betterthan.__all__:
        thing = getattr(betterthan, name)
        if not inspect.isclass(thing):
            yield name, thing, [thing.__doc__ or ""]
            continue
        ours = [each for each in thing.__mro__ if each.__module__.startswith("betterthan")]
        for member in sorted({member for each in ours for member in vars(each) if not member.startswith("_")}):
            found = [each for each in (vars(base).get(member) for base in ours) if each is not None]
            functions = [getattr(each, "__func__", each) for each in found]
            if functions and inspect.isfunction(functions[0]):
                yield f"{name}.{member}", functions[0], [each.__doc__ or "" for each in functions]


def _is_documented(parameter: str, docstring: str) -> bool:
    _, _, sections = inspect.cleandoc(docstring).partition("Parameters\n----------\n")
    return bool(re.search(rf"^\*{{0,2}}{parameter} : .+\n    \S", sections, flags=re.M))


def test_every_public_parameter_is_documented() -> None:
    lacking = [
        f"{name}({parameter})"
        for name, function, docstrings in _public()
        for parameter in inspect.signature(function).parameters
        if parameter not in {"self", "cls"} and not any(_is_documented(parameter, each) for each in docstrings)
    ]
    assert lacking == []


@pytest.mark.parametrize("name", VERBS)
def test_a_public_function_says_what_it_returns(name: str) -> None:
    documented = inspect.getdoc(getattr(betterthan, name)) or ""
    assert "\nReturns\n-------\n" in documented
    summary = documented.partition("\n\n")[0]
    assert summary.endswith(".")
    assert "\n" not in summary


@pytest.mark.parametrize("name", VERBS)
def test_a_public_function_stays_a_function(name: str) -> None:
    function = getattr(betterthan, name)
    assert function.__name__ == name
    assert pickle.loads(pickle.dumps(function)) is function


def test_parameters_follow_from_the_declared_options() -> None:
    documented = betterthan.rank.__doc__ or ""
    assert (
        "level : float, optional\n    Confidence level. At least 0.5 and below 1. Default: 0.95; runs, redraws: 0.96.\n"
    ) in documented
    names = re.findall(r"^(\w+) : ", documented.partition("Returns")[0], flags=re.M)
    assert names == list(inspect.signature(betterthan.rank).parameters)
    assert set(names) == {"evidence", *declared_options(RankOptions)}


def test_a_verb_without_a_docstring_has_its_parameters() -> None:
    @takes(ItemsOptions)
    def work(evidence: Any, options: ItemsOptions) -> int:
        return len(evidence)

    assert (work.__doc__ or "").strip().startswith("Parameters\n----------\nevidence : ")
