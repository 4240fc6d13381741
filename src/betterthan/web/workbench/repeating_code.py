"""Code that reproduces what a page shows, in Python and on the command line."""

import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from betterthan.base import BetterthanError, spelling
from betterthan.options import Options, PlotOptions, declared_options, text_values
from betterthan.verbs.plot import plot_kinds
from betterthan.web.workbench.form_values import GROUPS, Said, several_models
from betterthan.web.workbench.request_queue import RequestTurn
from betterthan.web.workbench.session import WorkbenchSession


@dataclass(frozen=True)
class Step:
    """One verb: its name in both languages, its systems, its options, and what it writes."""

    result: str
    function: str
    command: tuple[str, ...]
    options: Mapping[str, Any]
    of: type[Options]
    kind: str = ""  # of a picture
    systems: tuple[str, ...] = ()
    output: str = ""
    of_evidence: bool = True


@dataclass(frozen=True)
class Code:
    """The same steps in Python and as commands."""

    python: str
    commands: str


@dataclass(frozen=True)
class _Source:
    files: Sequence[str]
    options: Mapping[str, Any] = field(default_factory=dict)


def code_of(session: WorkbenchSession, said: Said, turn: RequestTurn) -> Code:
    """Write code for everything that the page shows; what this evidence has not is left out."""
    files = [session.files[key] for key in said.files]
    # Uploads are copies: the reader has the file under its name.
    source = _Source([file.name if file.uploaded else file.path for file in files], said.of_verb("read"))
    steps = list(_steps(session, said, turn))
    return Code(session.files.plain(_python(source, steps)), session.files.plain(_commands(source, steps)))


def _steps(session: WorkbenchSession, said: Said, turn: RequestTurn) -> Iterator[Step]:
    yield Step("boards", "rank", ("rank",), said.of_verb("rank"), GROUPS["rank"])
    try:
        pairs = session.pair_choices(said, turn)
        several = session.opened(said).by_task
    except BetterthanError:  # said where the board is shown
        return
    if len(session.opened(said).sets) == 1:
        function = "compare_models" if several_models(pairs) else "compare_all"
        yield Step("pairs", function, spelling.command(function), pairs, GROUPS["pairs"])
    if said.a and said.b:
        function = "compare_tasks" if several else "compare"
        duel = said.of_verb("duel")
        yield Step("duel", function, ("compare",), duel, GROUPS["duel"], systems=(said.a, said.b))
    yield Step("diagnosis", "diagnose", ("diagnose",), said.of_verb("diagnose"), GROUPS["diagnose"])
    kind = plot_kinds.kind_of(said.kind)
    if not kind.of_two or (said.a and said.b):
        names = (said.a, said.b) if kind.of_two else ()
        choices = session.picture_choices(said)
        yield Step(
            "picture",
            "plot",
            ("plot", said.kind),
            choices,
            PlotOptions,
            said.kind,
            names,
            f"{said.kind}.svg",
            kind.of_evidence,
        )
    yield Step("page", "report", ("report",), said.of_verb("report"), GROUPS["report"], output="report.html")


def _python(source: _Source, steps: Sequence[Step]) -> str:
    place = repr(source.files[0]) if len(source.files) == 1 else repr(list(source.files))
    lines = ["import betterthan as bt", "", f"evidence = bt.read({_arguments([place], source.options)})"]
    for step in steps:
        first = [repr(step.kind)] if step.kind else []
        lead = [*first, *(["evidence"] if step.of_evidence else []), *map(repr, step.systems)]
        if step.function == "report":
            lead.append(repr(step.output))
        lines.append(f"{step.result} = bt.{step.function}({_arguments(lead, step.options)})")
        if step.kind:
            lines.append(f"{step.result}.save({step.output!r})")
    return "\n".join(lines) + "\n"


def _arguments(lead: Sequence[str], options: Mapping[str, Any]) -> str:
    return ", ".join([*lead, *(f"{name}={value!r}" for name, value in options.items())])


def _commands(source: _Source, steps: Sequence[Step]) -> str:
    return "".join(f"{_command(source, step)}\n" for step in steps)


def _command(source: _Source, step: Step) -> str:
    name = "betterthan " + " ".join(step.command)
    hidden = [each for each in step.options if not declared_options(step.of)[each].about.line]
    if hidden:
        return f"# {name} has no {', '.join(map(spelling.flag, hidden))}: use the Python code."
    if step.systems and len(source.files) > 1:
        return f"# {name} takes two systems of one file, and there are {len(source.files)}: use the Python code."
    words = list(_words(step.options, step.of))
    positional = list(step.systems)
    if step.of_evidence:
        words += _words(source.options, GROUPS["read"])
        positional = [*source.files, *positional]
    if step.output:
        words += ["-o", step.output]
    if any(word.startswith("-") for word in positional):  # names, not options
        return shlex.join(["betterthan", *step.command, *words, "--", *positional])
    return shlex.join(["betterthan", *step.command, *positional, *words])


def _words(options: Mapping[str, Any], of: type[Options]) -> Iterator[str]:
    """Write options as words of a command."""
    for name, value in options.items():
        if value is True:
            yield spelling.flag(name)
            continue
        for each in value if declared_options(of)[name].about.repeated else [value]:
            text = text_values.written(each)
            yield from [f"{spelling.flag(name)}={text}"] if text.startswith("-") else [spelling.flag(name), text]
