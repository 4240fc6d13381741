"""Every option of every verb refuses a wrong value with exit code 2 and one sentence, before any file is read."""

from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any

import click
import pytest

from betterthan.base import escaping, spelling
from betterthan.cli.main import VERBS
from betterthan.cli.shared.click_options import ClickChoice
from betterthan.options.fields.declare import Declared, declared_options
from tests.options.test_wrong_values import every_class, outside

Run = Callable[..., Any]
#: What verbs need beside options; there is no such file, and a wrong option is told first.
ARGUMENTS = {
    "compare": ("nowhere.csv", "a", "b"),
    "gate": ("nowhere.csv", "a", "b"),
    "power": ("nowhere.csv", "a", "b"),
    "plot": ("leaderboard", "nowhere.csv", "-o", "a.svg"),
    "study": ("mechanisms",),
    "explain": (),
    "completion": (),
    "demo": (),
    "open": ("--no-browser",),
    "report": ("nowhere.csv", "-o", "page.html"),
    "convert": ("nowhere.csv", "-o", "out.csv"),
}
#: Verbs whose options come from these declarations alone.
OF_VERB: dict[str, dict[str, Declared]] = {}
for _class in every_class():
    OF_VERB.setdefault(_class.verb, {}).update(declared_options(_class))


def commands() -> Iterator[tuple[tuple[str, ...], click.Command]]:
    for name in VERBS:
        command = import_module(f"betterthan.cli.{name}").command
        if isinstance(command, click.Group):
            for each, below in command.commands.items():
                if not isinstance(below, click.Group):
                    yield (name, each), below
        else:
            yield (name,), command


EVERY = dict(commands())


def wrong(verb: str, option: click.Option) -> list[str]:
    """Return what an option must refuse."""
    assert option.name is not None
    kind = option.type
    known = OF_VERB.get(verb, {}).get(option.name) or OF_VERB["read"].get(option.name)
    found = (
        ["", "x", "nan", "9" * 5000] if isinstance(kind, (click.types.IntParamType, click.types.FloatParamType)) else []
    )
    if isinstance(kind, (click.IntRange, click.FloatRange)):
        found += [str(end + step) for end, step in ((kind.min, -1), (kind.max, 1)) if end is not None]
    elif isinstance(kind, click.Choice):
        found += ["zz", "", "x" * 10**6] if isinstance(kind, ClickChoice) else ["zz"]
    elif known is not None and known.sort in {"whole", "number"}:
        found += [repr(value) for value in outside(known) if isinstance(value, (int, float)) and abs(value) < 1e300]
        found += [] if known.sort == "whole" else ["inf"]
    elif known is not None and known.sort == "text":
        found += ["x" * 10_001]
    return found


@pytest.mark.parametrize("name", EVERY, ids=" ".join)
def test_wrong_values(run: Run, name: tuple[str, ...], tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    needed = ["nowhere"] * sum(isinstance(each, click.Argument) for each in EVERY[name].params)
    required = [each.opts[-1] for each in EVERY[name].params if isinstance(each, click.Option) and each.required]
    needed += [word for each in required for word in (each, "nowhere.jsonl")]
    arguments = ARGUMENTS.get(name[0], needed) if len(name) == 1 else needed
    for option in EVERY[name].params:
        if not isinstance(option, click.Option) or option.is_flag:
            continue
        flags = option.opts
        for value in wrong(name[0], option):
            answer = run(*name, *arguments, flags[0] if len(flags) == 1 else flags[-1], value)
            where = (*name, flags, value[:20], answer.err[:300])
            assert answer.code == 2, where
            assert answer.err.startswith("betterthan: "), where
            named = (*flags, spelling.flag(str(option.name)), "File name too long", "no such file")
            assert any(each.lstrip("-") in answer.err for each in named), where
            assert len(answer.err) <= escaping.LONGEST + 1, where
            assert answer.err.count("\n") <= 3, where
    assert list(tmp_path.iterdir()) == [], "a refusal writes nothing"


def test_nan_is_no_number(run: Run) -> None:
    answer = run("plot", "leaderboard", "nowhere.csv", "-o", "a.png", "--scale", "nan")
    assert (answer.code, answer.err) == (2, "betterthan: Invalid value for '--scale': 'nan' is not a finite number.\n")
