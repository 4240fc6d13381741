"""Formulas: from `~ judge + length` and columns to numbers, by formulaic."""

import ast
import re
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from betterthan.base import FloatArray, MissingExtraError, PlanError
from betterthan.engine import Coded

#: Names that a formula may use in addition to columns.
INTERCEPT = "Intercept"


@dataclass(frozen=True)
class Terms:
    """A matrix with the names of its columns; the intercept, where there is one, comes first."""

    names: tuple[str, ...]
    matrix: FloatArray
    spec: Any = None  # how a formula made it, to do the same with other rows
    levels: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # of the columns that are categories

    def without_intercept(self) -> "Terms":
        """Leave out the column of ones."""
        return self.picked(self.names[1:], self.matrix[:, 1:]) if self.names[:1] == (INTERCEPT,) else self

    def again(self, columns: Mapping[str, Coded | FloatArray], rows: int | None = None) -> "Terms":
        """Evaluate the same formula, with the same categories, for other rows; others than it has seen are refused."""
        frame = _frame({**columns, **self._as_seen(columns)}, _rows(columns) if rows is None else rows)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("error")  # a number that was no category of C() would be taken for the first one
                matrix = self.spec.get_model_matrix(frame)
        except Exception as error:  # noqa: BLE001 (a function within the formula may fail in any way)
            raise PlanError(f"a formula of this model cannot be evaluated for these rows: {_first(error)}") from None
        names = [_named(name) for name in matrix.columns]
        return Terms(self.names, np.asarray(matrix, dtype=np.float64)[:, [names.index(name) for name in self.names]])

    def _as_seen(self, columns: Mapping[str, Coded | FloatArray]) -> dict[str, Coded]:
        """Return categories by the codes that they had where the formula was evaluated first."""
        found = {}
        for name, labels in self.levels.items():
            column = columns[name]
            texts = column.texts() if isinstance(column, Coded) else np.array([f"{value:g}" for value in column])
            place = {label: code for code, label in enumerate(labels)}
            unknown = sorted({str(text) for text in texts} - set(labels))
            if unknown:
                raise PlanError(f"the model has not seen {unknown[0]!r} in column {name!r}", allowed=", ".join(labels))
            found[name] = Coded(np.array([place[str(text)] for text in texts], dtype=np.int64), labels)
        return found

    def picked(self, names: tuple[str, ...], matrix: FloatArray) -> "Terms":
        """Return other rows or columns that the same formula makes."""
        return Terms(names, matrix, self.spec, self.levels)


def variables(formula: str | None) -> tuple[str, ...]:
    """Return the columns that a formula uses."""
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


def without_each(formula: str) -> list[tuple[str, str | None]]:
    """Return every term of a formula that can be left out, and the formula without it; None where nothing is left.

    A term stays as long as an interaction contains it.
    """
    terms = [term for term in _parsed(formula) if term.degree > 0]
    parts = [frozenset(str(factor.expr) for factor in term.factors) for term in terms]
    texts = [":".join(_written(factor) for factor in term.factors) for term in terms]
    if len(terms) == len(list(_parsed(formula))):
        raise PlanError(
            f"terms of {formula!r} cannot be tested without an intercept", remedy="Leave out '0 +' or '- 1'."
        )
    found = []
    for place, (mine, text) in enumerate(zip(parts, texts, strict=True)):
        if any(mine < other for other in parts):
            continue
        rest = texts[:place] + texts[place + 1 :]
        found.append((text.replace("`", ""), f"~ {' + '.join(rest)}" if rest else None))
    return found


def _written(factor: Any) -> str:
    return f"`{factor.expr}`" if factor.eval_method.value == "lookup" else str(factor.expr)


def _quoted(text: str) -> str:
    """Put names with dots in backticks, within functions too; np.log( and contr.sum are what they are in Python."""
    dotted = r"`[^`]*`|'[^']*'|\"[^\"]*\"|(?<![\w.])(?!np\.|contr\.)[^\W\d]\w*(?:\.\w+)+(?![\w.]|\s*\()"
    return re.sub(dotted, lambda found: found[0] if found[0][0] in "`'\"" else f"`{found[0]}`", text)


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
        raise PlanError(f"the formula {formula!r} cannot be evaluated: {_first(error)}") from None
    if not np.all(np.isfinite(values)):
        raise PlanError(f"the formula {formula!r} gives values that are no finite numbers. Check its functions.")
    levels = {
        name: tuple(column.labels[code] for code in np.unique(column.codes))
        for name, column in columns.items()
        if isinstance(column, Coded)
    }
    return Terms(tuple(_named(name) for name in matrix.columns), values, matrix.model_spec, levels)


def _first(error: Exception) -> str:
    """Return the first line of an error."""
    lines = str(error).strip().splitlines()
    return lines[0] if lines else type(error).__name__


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
    """Put columns next to each other."""
    made = next((part for part in parts if part.spec is not None), parts[0])
    return made.picked(
        tuple(name for part in parts for name in part.names), np.concatenate([part.matrix for part in parts], axis=1)
    )


def _parsed(formula: str) -> Any:
    formulaic, _ = _library()
    text = _quoted(formula.strip().removeprefix("~").strip())
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
