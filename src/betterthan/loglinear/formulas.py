"""Formulas: from `~ judge + length` and columns to numbers, by formulaic."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from betterthan.engine.table import Coded, FloatArray
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
        kept = [place for place, name in enumerate(self.names) if name != INTERCEPT]
        return Terms(tuple(self.names[place] for place in kept), self.matrix[:, kept], self.spec)

    def again(self, columns: Mapping[str, Coded | FloatArray]) -> "Terms":
        """Evaluate the same formula, with the same categories, for other rows."""
        matrix = self.spec.get_model_matrix(_frame({name: columns[name] for name in self.spec.required_variables}))
        names = [str(name) for name in matrix.columns]
        return Terms(self.names, np.asarray(matrix, dtype=np.float64)[:, [names.index(name) for name in self.names]])


def variables(formula: str | None) -> tuple[str, ...]:
    """Return the columns that a formula speaks of."""
    if formula is None:
        return ()
    return tuple(sorted(str(name) for name in _parsed(formula).required_variables))


def evaluate(formula: str, columns: Mapping[str, Coded | FloatArray]) -> Terms:
    """Evaluate a formula: codes are categories, numbers are numbers; categories leave out their first level."""
    parsed = _parsed(formula)
    try:
        matrix = parsed.get_model_matrix(_frame(columns), context={}, na_action="raise")
    except Exception as error:  # noqa: BLE001 (a function within the formula may fail in any way)
        lines = str(error).strip().splitlines()
        what = lines[0] if lines else type(error).__name__
        raise PlanError(f"the formula {formula!r} cannot be evaluated: {what}") from None
    values = np.asarray(matrix, dtype=np.float64)
    if not np.all(np.isfinite(values)):
        raise PlanError(f"the formula {formula!r} gives values that are no finite numbers. Check its functions.")
    return Terms(tuple(str(name) for name in matrix.columns), values, matrix.model_spec)


def _frame(columns: Mapping[str, Coded | FloatArray]) -> Any:
    """Return a data frame; categories that do not occur have no effect that could be estimated, and are left out."""
    _, pandas = _library()
    parts = {}
    for name, column in columns.items():
        if isinstance(column, Coded):
            parts[name] = pandas.Categorical.from_codes(column.codes, column.labels).remove_unused_categories()
        else:  # whole numbers are written without a point where they are taken as categories
            parts[name] = column.astype(np.int64) if np.all(column == np.round(column)) else column
    return pandas.DataFrame(parts)


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
    text = formula.strip()
    text = text if text.startswith("~") else f"~ {text}"
    try:
        parsed = formulaic.Formula(text)
    except formulaic.errors.FormulaicError:
        raise PlanError(f"the formula {formula!r} cannot be read; one looks like '~ judge + length'.") from None
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
