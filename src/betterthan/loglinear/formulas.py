"""Formulas: from `~ judge + length` and columns to numbers, by formulaic."""

import ast
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from betterthan.arrays import FloatArray
from betterthan.engine.table import Coded
from betterthan.errors import MissingExtraError, PlanError

#: Names that a formula may use beside columns.
INTERCEPT = "Intercept"


@dataclass(frozen=True)
class Terms:
    """A matrix with the names of its columns; the intercept, where there is one, comes first."""

    names: tuple[str, ...]
    matrix: FloatArray
    spec: Any = None  # how a formula made it, to do the same with other rows

    def without_intercept(self) -> "Terms":
        """Leave out the column of ones."""
        return Terms(self.names[1:], self.matrix[:, 1:], self.spec) if self.names[:1] == (INTERCEPT,) else self

    def again(self, columns: Mapping[str, Coded | FloatArray]) -> "Terms":
        """Evaluate the same formula, with the same categories, for other rows."""
        matrix = self.spec.get_model_matrix(_frame(columns, _rows(columns)))
        names = [_named(name) for name in matrix.columns]
        return Terms(self.names, np.asarray(matrix, dtype=np.float64)[:, [names.index(name) for name in self.names]])


def variables(formula: str | None) -> tuple[str, ...]:
    """Return the columns that a formula speaks of."""
    if formula is None:
        return ()
    parsed = _parsed(formula)
    names = set()
    for term in parsed:
        for factor in term.factors:  # functions with a memory, such as scale(), keep their variables to themselves
            plain = factor.eval_method.value == "lookup"
            names |= {str(factor.expr)} if plain else _named_in(str(factor.expr), formula)
    # Of a name with dots, formulaic reports what comes before the first one.
    known = {name.split(".")[0] for name in names}
    return tuple(sorted(names | {str(name) for name in parsed.required_variables if str(name) not in known}))


def _named_in(expression: str, formula: str) -> set[str]:
    """Return the names in an expression that are not those of functions."""
    quoted = set(re.findall(r"`([^`]+)`", expression))
    try:
        tree = ast.parse(re.sub(r"`[^`]+`", "0", expression), mode="eval")
    except SyntaxError:
        if expression.isidentifier() or not re.search(r"[()\[\]]", expression):
            return quoted or {expression}
        raise PlanError(f"the formula {formula!r} cannot be read; one looks like '~ judge + length'.") from None
    called = {id(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
    inner = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    return quoted | {
        node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and id(node) not in called | inner
    }


def evaluate(formula: str, columns: Mapping[str, Coded | FloatArray], rows: int) -> Terms:
    """Evaluate a formula: codes are categories, numbers are numbers; categories leave out their first level."""
    parsed = _parsed(formula)
    try:
        matrix = parsed.get_model_matrix(_frame(columns, rows), context={}, na_action="raise")
        values = np.asarray(matrix, dtype=np.float64)
    except Exception as error:  # noqa: BLE001 (a function within the formula may fail in any way)
        lines = str(error).strip().splitlines()
        what = lines[0] if lines else type(error).__name__
        raise PlanError(f"the formula {formula!r} cannot be evaluated: {what}") from None
    if not np.all(np.isfinite(values)):
        raise PlanError(f"the formula {formula!r} gives values that are no finite numbers. Check its functions.")
    return Terms(tuple(_named(name) for name in matrix.columns), values, matrix.model_spec)


def _named(name: Any) -> str:
    """Return a column's name; whole numbers taken as categories are written without a point."""
    return re.sub(r"\[(T\.)?(-?\d+)\.0\]", r"[\1\2]", str(name))


def _rows(columns: Mapping[str, Coded | FloatArray]) -> int:
    return next(len(column.codes) if isinstance(column, Coded) else len(column) for column in columns.values())


def _frame(columns: Mapping[str, Coded | FloatArray], rows: int) -> Any:
    """Return a data frame; categories that do not occur have no effect that could be estimated, and are left out."""
    _, pandas = _library()
    parts = {}
    for name, column in columns.items():
        if isinstance(column, Coded):
            parts[name] = pandas.Categorical.from_codes(column.codes, column.labels).remove_unused_categories()
        else:
            parts[name] = column
    return pandas.DataFrame(parts, index=range(rows))


def ones(rows: int) -> Terms:
    """Return the intercept alone."""
    return Terms((INTERCEPT,), np.ones((rows, 1)))


def nothing(rows: int) -> Terms:
    """Return no columns at all."""
    return Terms((), np.empty((rows, 0)))


def joined(parts: Sequence[Terms]) -> Terms:
    """Put columns beside each other."""
    return Terms(
        tuple(name for part in parts for name in part.names), np.concatenate([part.matrix for part in parts], axis=1)
    )


def _parsed(formula: str) -> Any:
    formulaic, _ = _library()
    text = formula.strip().removeprefix("~").strip()
    try:
        parsed = formulaic.Formula(f"~ {text}") if text else None
    except (formulaic.errors.FormulaicError, SyntaxError, ValueError):
        raise PlanError(f"the formula {formula!r} cannot be read; one looks like '~ judge + length'.") from None
    if parsed is None or not list(parsed):
        raise PlanError(f"the formula {formula!r} says nothing; one looks like '~ judge + length'.")
    if not hasattr(parsed, "required_variables") or "|" in text:
        raise PlanError(f"the formula {formula!r} has more than one part; one looks like '~ judge + length'.")
    return parsed


def _library() -> tuple[Any, Any]:
    try:
        import formulaic  # noqa: PLC0415 (heavy, and only formulas need it)
        import formulaic.errors  # noqa: PLC0415
        import pandas  # noqa: PLC0415
    except ImportError:
        raise MissingExtraError("formulaic", "stats", "a formula") from None
    return formulaic, pandas
