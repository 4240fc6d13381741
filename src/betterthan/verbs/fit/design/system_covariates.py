"""Covariates of systems: a separate table, and formulas on it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from betterthan.base import EvidenceError, FloatArray, digest_of
from betterthan.engine import MISSING, Coded, conditions
from betterthan.findings import listed
from betterthan.models import formulas
from betterthan.readers import open_table
from betterthan.verbs.fit.design.comparisons import Comparisons, take, typed
from betterthan.verbs.fit.worth_table import OfObjects

_KEYS = {"system", "model", "item", "object"}


@dataclass(frozen=True)
class Objects:
    """Covariates of systems: numbers or categories by name."""

    systems: tuple[str, ...]
    columns: Mapping[str, Coded | FloatArray]

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the covariates."""
        return tuple(self.columns)

    @property
    def digest(self) -> str:
        """A short digest of the table, the same for every order of its rows."""
        order = sorted(range(len(self.systems)), key=lambda place: self.systems[place])
        texts = [column.texts() if isinstance(column, Coded) else column for column in self.columns.values()]
        rows = [(self.systems[place], *(str(column[place]) for column in texts)) for place in order]
        return digest_of([repr((self.names, rows))])


def read_objects(source: Any) -> Objects:
    """Read a table of systems: the column called system, model, item or object names them, else the first."""
    table = open_table(source)
    key = next((name for name in table.columns if name.lower() in _KEYS), table.columns[0])
    rows = table.rows(list(table.columns)).columns
    systems = rows[key].texts().tolist()
    if None in systems or len(set(systems)) < len(systems):
        raise EvidenceError(
            f"{table.name}: column {key!r} must name every system once. Correct or remove the other rows."
        )
    others = [name for name in table.columns if name != key]
    if not others:
        raise EvidenceError(f"{table.name}: the table of systems has no column but their names. Add one.")
    for name in others:
        if np.any(rows[name].codes == MISSING) or any(conditions.is_absent(label) for label in rows[name].labels):
            raise EvidenceError(f"{table.name}: column {name!r} lacks a value. Fill it in, or leave the column out.")
    return Objects(tuple(systems), {name: typed(rows[name]) for name in others})


def known(systems: tuple[str, ...], table: Objects) -> formulas.Terms:
    """Return the covariates of systems, in their order; categories leave out their first level."""
    lacking = [system for system in systems if system not in table.systems]
    if lacking:
        raise EvidenceError(
            f"the table of systems says nothing about {listed(lacking, [True] * len(lacking))}. Add them."
        )
    place = np.array([table.systems.index(system) for system in systems])
    parts = []
    for name, column in table.columns.items():
        if isinstance(column, Coded):
            parts.append(formulas.evaluate("~ value", {"value": column.take(place)}, len(place)).without_intercept())
            parts[-1] = formulas.Terms(
                tuple(name + text.removeprefix("value") for text in parts[-1].names), parts[-1].matrix
            )
        else:
            parts.append(formulas.Terms((name,), column[place][:, None]))
    return formulas.joined(parts)


def on_grid(comparisons: Comparisons, table: Objects, formula: str) -> tuple[formulas.Terms, OfObjects]:
    """Evaluate a formula for the left and for the right system of every comparison, and subtract.

    Also returned is how to evaluate it for any system.
    """
    known(comparisons.systems, table)  # refuses systems about which nothing is known
    place = np.array([table.systems.index(system) for system in comparisons.systems])
    sides = np.concatenate([place[comparisons.left], place[comparisons.right]])
    twice = np.tile(np.arange(len(comparisons.left)), 2)
    names = formulas.variables(formula)
    of_systems = {name: column for name, column in table.columns.items() if name in names}
    columns = {name: take(column, sides) for name, column in of_systems.items()}
    columns |= {name: take(comparisons.columns[name], twice) for name in names if name not in of_systems}
    found = formulas.evaluate(formula, columns, len(sides)).without_intercept()
    left, right = np.split(found.matrix, 2)
    anywhere = OfObjects(found, {name: take(column, place) for name, column in of_systems.items()}, comparisons)
    return formulas.Terms(found.names, left - right), anywhere
