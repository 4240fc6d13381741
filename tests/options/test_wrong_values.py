"""Whatever a caller passes as an option, an argument or evidence is understood, or refused in one short sentence."""

import math
from collections.abc import Callable
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import betterthan as bt
import betterthan.options as package
from betterthan.base import escaping
from betterthan.base.signature import Signature
from betterthan.options.fields.declare import Declared, declared_options
from betterthan.options.fields.options import Options

for _module in iter_modules(package.__path__):
    import_module(f"{package.__name__}.{_module.name}")


class Unwritable:
    """An object of somebody else."""

    def __repr__(self) -> str:
        raise RuntimeError("no text")


WRONG: dict[str, Any] = {
    "nan": math.nan,
    "infinity": math.inf,
    "flag": True,
    "bytes": b"x",
    "huge": 10**400,
    "endless": 10**5000,
    "below zero": -1,
    "zero": 0,
    "fraction": 1.5,
    "complex": 1j,
    "object": object(),
    "unwritable": Unwritable(),
    "empty": "",
    "text": "zz",
    "long": "x" * 10**6,
    "nul": "a\0b",
    "lists": [[1]],
    "numbers": [1],
    "mapping": {1: 2},
    "set": {1},
    "array": np.arange(3),
    "nothing": None,
    "none of them": (),
    "function": lambda: 0,
}
VOTES = bt.read([("owl", "yak", "a"), ("yak", "owl", "b"), ("owl", "elk", "a"), ("elk", "yak", "b")] * 5)
SCORES = {"owl": [3.0, 5, 4, 6], "yak": [2.0, 1, 4, 3]}


def every_class(base: type[Any] = Options) -> list[type[Any]]:
    return [
        each
        for kind in base.__subclasses__()
        for each in (kind, *every_class(kind))
        if each.__module__.startswith("betterthan.")
    ]


def said(call: Callable[[], Any]) -> str:
    """Return how a call is refused, in three lines at most; nothing where it is understood."""
    try:
        call()
    except bt.BetterthanError as error:
        text = str(error)
        assert len(text) <= escaping.LONGEST
        assert text.count("\n") < 3
        return text
    return ""


@pytest.mark.parametrize("options", every_class(), ids=lambda options: options.__name__)
def test_every_option_refuses_what_it_is_not(options: type[Any]) -> None:
    for name, option in declared_options(options).items():
        for value in WRONG.values():
            said(lambda: options(**{name: value}))  # noqa: B023 (called at once)
        for value in outside(option):
            refused = said(lambda: options(**{name: value}))  # noqa: B023
            assert refused.startswith(f"{name} must be "), (name, value, refused)


def outside(option: Declared) -> list[Any]:
    """Return what is just outside the bounds of an option, and what no option of its sort takes."""
    about, step = option.about, 1 if option.sort in {"whole", "wholes"} else 1e-9
    several = option.sort in {"wholes", "numbers"}
    if option.sort in {"whole", "number", "wholes", "numbers"}:
        ends = [
            *([about.least - max(step, abs(about.least) * 1e-9)] if about.least is not None else []),
            *([about.above] if about.above is not None else []),
            *([about.most + max(step, abs(about.most) * 1e-9)] if about.most is not None else []),
            *([about.below] if about.below is not None else []),
            math.nan,
            math.inf,
            10**400,
        ]
        return [*((end,) if several else end for end in ends), "1", b"1", None if not option.optional else "x"]
    known: dict[str, list[Any]] = {
        "flag": [0, 1, "yes", math.nan],
        "text": [1, b"x", math.nan, "x" * 10_001],
        "path": [1, b"x", "a\0b", "x" * 300],
        "choice": ["zz", "", 1, math.nan, b"x"],
        "texts": [1, [1], math.nan, {1}, b"x"],
        "pairs": [1, "a=b", [1]],
        "conditions": [1, [1], math.nan],
        "flag or text": [1, math.nan, [1]],
        "flag or texts": [1, math.nan, [1]],
        "function": [1, "x", math.nan],
    }
    return known.get(option.sort, [])


@pytest.mark.parametrize("value", WRONG.values(), ids=WRONG)
def test_arguments_of_functions(value: Any) -> None:
    board = bt.rank(VOTES, ci="none").board
    for call in (
        lambda: bt.compare(SCORES, value, "yak"),
        lambda: bt.compare(SCORES, "owl", value),
        lambda: bt.power(SCORES, value, "yak", simulations=0),
        lambda: bt.explain(value),
        lambda: bt.load_state(value),
        lambda: bt.Plan.load(value),
        lambda: Signature.parse(value),
        lambda: bt.plot(value, VOTES),
        lambda: bt.study(value),
        lambda: bt.lr_test(value, value),
        lambda: bt.anova(value, value),
        lambda: bt.rank(VOTES, value),
        lambda: board[value],
        lambda: bt.score(SCORES, value, ["a"]),
        lambda: bt.score(SCORES, "exact-match", value),
    ):
        said(call)
    for method in (board.to_text, board.render, board.save, lambda value: board.to_text(None, value)):
        if value is not None:
            assert said(lambda: method(value)), method  # noqa: B023


def test_a_width_that_is_none() -> None:
    """`to_text(nan)` never came back."""
    board = bt.rank(VOTES, ci="none").board
    assert said(lambda: board.to_text(math.nan)) == "width must be a whole number of at least 1, got nan."  # type: ignore[arg-type]
    assert said(lambda: board.to_text(0)) == "width must be a whole number of at least 1, got 0."
    assert board.to_text(1)


@pytest.mark.parametrize("value", WRONG.values(), ids=WRONG)
def test_sizes_of_pictures(value: Any) -> None:
    picture = bt.rank(VOTES, ci="none").board.plot.leaderboard()
    for call in (lambda: picture.render(value), lambda: picture.save(value)):
        assert said(call)
    if not (isinstance(value, float) and 0 < value < 20):
        assert said(lambda: picture.render("png", scale=value)).startswith("scale must be a number above 0")
        assert said(lambda: picture.restyled(width=value)).startswith("width must be a number above 0")


NESTED: dict[str, Any] = {
    "lists": pd.DataFrame({"left": [["a"], ["b"]], "right": ["a", "b"], "outcome": ["left", "right"]}),
    "mappings": pd.DataFrame({"owl": [{"x": 1}, {"y": 2}], "yak": [1.0, 2.0]}),
    "objects": pd.DataFrame({"owl": [object(), object()], "yak": [1.0, 2.0]}),
    "arrow lists": pa.table({"left": [["a"], ["b"]], "right": ["a", "b"], "outcome": ["left", "right"]}),
    "arrow structs": pa.table({"owl": [{"x": 1}, {"x": 2}], "yak": [1.0, 2.0]}),
    "complex": pd.DataFrame({"owl": [1j, 2j], "yak": [1, 2]}),
    "no columns": pd.DataFrame(),
    "two of a name": pd.DataFrame([[1, 2], [3, 4]], columns=["a", "a"]),
}


@pytest.mark.parametrize("evidence", [*NESTED.values(), *WRONG.values()], ids=[*NESTED, *WRONG])
def test_what_is_no_evidence(evidence: Any) -> None:
    for verb in (bt.rank, bt.diagnose, bt.compare_all, bt.agree, bt.fit):
        assert said(lambda: verb(evidence)), verb  # type: ignore[operator]  # noqa: B023
