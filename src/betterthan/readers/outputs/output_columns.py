"""Find the columns of items, systems, outputs and references."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from betterthan.base import EvidenceError, spelling
from betterthan.options import ScoreOptions
from betterthan.readers.columns.roles import Columns, normal

#: Names of columns of outputs and references, most telling first.
OUTPUTS = (
    "output",
    "prediction",
    "pred",
    "predicted",
    "hypothesis",
    "hyp",
    "translation",
    "generation",
    "gen_text",
    "response",
    "answer",
    "completion",
    "system_output",
    "model_output",
    "decision_value",
    "samples",
)
REFERENCES = (
    "references",
    "reference",
    "ref",
    "gold",
    "truth",
    "ground_truth",
    "target",
    "expected",
    "expected_output",
    "qrels",
    "relevant",
)


@dataclass(frozen=True)
class OutputLayout:
    """The columns of a table of outputs; a wide one has `systems`, a long one an output column and perhaps a system."""

    roles: Mapping[str, str]
    systems: tuple[str, ...]
    references: tuple[str, ...]


def layout_of(columns: Columns, options: ScoreOptions, references: Sequence[str], *, whole: bool) -> OutputLayout:
    """Find out which column plays which part; `references` were named, `whole`: none need be among these columns."""
    named = {
        role: columns.given(name)
        for role in ("item", "system", "outputs", "dataset", "group", "repeat")
        if (name := getattr(options, role)) is not None
    }
    systems = tuple(columns.given(name) for name in options.systems or ())
    against = tuple(columns.given(name) for name in references)
    _refuse_twice(columns, [*named.values(), *systems, *against])
    taken = {*named.values(), *systems, *against}
    for role in ("item", "system", "dataset", "repeat"):
        found = columns.role(role)
        if role not in named and found is not None and found not in taken:
            named[role] = found
            taken.add(found)
    if systems:
        return OutputLayout(
            _without_system(columns, named, options), systems, against or _guessed(columns, taken, whole)
        )
    if "outputs" not in named:
        named["outputs"] = _output_column(columns, taken)
        taken.add(named["outputs"])
    if "system" in named and "item" not in named:  # rows of several systems say nothing about which go together
        raise EvidenceError(
            f"no column is known to hold items; its columns are {columns.listed()}",
            where=columns.where,
            remedy=f"Name it with {spelling.option('item')}.",
        )
    return OutputLayout(named, (), against or _guessed(columns, taken, whole))


def _refuse_twice(columns: Columns, names: Sequence[str]) -> None:
    """Refuse a column that was named for two parts: an output would be its own reference."""
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise EvidenceError(f"the column {twice!r} was named twice", where=columns.where, remedy="Name it once.")


def _output_column(columns: Columns, taken: set[str]) -> str:
    found = _by_name(columns, OUTPUTS, taken)
    if found is None:
        raise EvidenceError(
            f"no column is known to hold outputs; its columns are {columns.listed()}",
            where=columns.where,
            remedy=f"Name it with {spelling.option('outputs')}, or one column per system with "
            f"{spelling.option('systems')}.",
        )
    return found


def _without_system(columns: Columns, named: dict[str, str], options: ScoreOptions) -> dict[str, str]:
    for role in ("system", "outputs"):
        if getattr(options, role) is not None:
            raise EvidenceError(
                f"{spelling.option(role)} is for tables with one output per row, {spelling.option('systems')} "
                "for one column per system",
                where=columns.where,
                remedy="Leave one of them out.",
            )
    return {role: name for role, name in named.items() if role not in {"system", "outputs"}}


def _guessed(columns: Columns, taken: set[str], whole: bool) -> tuple[str, ...]:
    """Return a column of references that was not named; none where references are in another file."""
    found = None if whole else _by_name(columns, REFERENCES, taken)
    return () if found is None else (found,)


def reference_columns(columns: Columns, options: ScoreOptions) -> tuple[dict[str, str], str]:
    """Return the columns of a table of references: items, perhaps data sets, and the references."""
    roles = {}
    for role in ("item", "dataset"):
        given = getattr(options, role)
        found = given if given in columns.names else columns.role(role)
        if found is not None:
            roles[role] = found
    others = [name for name in columns.names if name not in roles.values()]
    found = _by_name(columns, REFERENCES, set(roles.values())) or (others[0] if len(others) == 1 else None)
    if found is None:
        raise EvidenceError(
            f"no column is known to hold references; its columns are {columns.listed()}",
            where=columns.where,
            remedy="Call it reference.",
        )
    return roles, found


def _by_name(columns: Columns, names: Sequence[str], taken: set[str]) -> str | None:
    known = {normal(name): name for name in reversed(columns.names) if name not in taken}
    return next((known[normal(name)] for name in names if normal(name) in known), None)
