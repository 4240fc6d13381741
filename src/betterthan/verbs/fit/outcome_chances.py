"""Predicted probabilities of outcomes for pairs of systems."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from betterthan.base import EvidenceError, FloatArray, IntArray, PlanError, nearest
from betterthan.engine import MISSING, Coded
from betterthan.models import design_matrix, formulas, links
from betterthan.readers import open_table
from betterthan.verbs.fit.design.comparisons import typed
from betterthan.verbs.fit.design.term_names import POSITION, UNDECIDED
from betterthan.verbs.fit.worth_table import OfObjects

Known = Mapping[str, Coded]
_SIDES = ("left", "right")


class Predictor(Protocol):
    """The data of a fitted model that predict outcomes."""

    @property
    def needs(self) -> tuple[str, ...]:
        """The columns that its formulas use."""

    def chances(self, left: IntArray, right: IntArray, known: Known) -> FloatArray:
        """Return the chances that left wins, that it is a tie, and that right wins (3 × rows)."""


@dataclass(frozen=True)
class PairPredictor:
    """Gaps and widths of any comparison, by the formulas of the fit."""

    needs: tuple[str, ...]
    link: links.Link
    offset: float | None
    coefficients: FloatArray
    systems: int
    basis: FloatArray
    subject: formulas.Terms
    grid: OfObjects | None
    contrast: formulas.Terms
    position: formulas.Terms
    width: formulas.Terms

    def chances(self, left: IntArray, right: IntArray, known: Known) -> FloatArray:
        """Return the chances of all outcomes (3 × rows)."""
        rows = len(left)
        gap = [evaluated(self.contrast, known, rows), evaluated(self.position, known, rows, POSITION)]
        if self.grid is not None:
            numbers = as_fitted(self.grid.terms, known)
            gap.insert(0, self.grid.beside(left, numbers) - self.grid.beside(right, numbers))
        width = self._by_system(left, right) if self._of_systems else evaluated(self.width, known, rows, UNDECIDED)
        subject = evaluated(self.subject, known, rows)
        design = design_matrix.PredictorDesign(
            left, right, self.systems, subject, self.basis, np.concatenate(gap, axis=1), width
        )
        gaps, widths = design.apply(np.nan_to_num(self.coefficients))
        return np.stack(self.link.chances(gaps, widths if self.offset is None else self.offset))

    @property
    def _of_systems(self) -> bool:
        return bool(self.width.names) and self.width.spec is None and self.width.names != (UNDECIDED,)

    def _by_system(self, left: IntArray, right: IntArray) -> FloatArray:
        matrix = np.zeros((len(left), self.systems))
        matrix[np.arange(len(left)), left] = matrix[np.arange(len(left)), right] = 1.0
        return matrix


def evaluated(terms: formulas.Terms, known: Known, rows: int, prefix: str = "") -> FloatArray:
    """Evaluate terms for other rows; those that no formula made are one everywhere."""
    if terms.spec is None or not terms.names:
        return np.ones((rows, len(terms.names)))
    names = tuple(_own(name, prefix) for name in terms.names) if prefix else terms.names
    return terms.picked(names, terms.matrix).again(as_fitted(terms, known), rows).matrix


def as_fitted(terms: formulas.Terms, known: Known) -> dict[str, Coded | FloatArray]:
    """Return columns as categories where the formula has them as such, and else as numbers."""
    wanted = {str(name) for name in terms.spec.required_variables} | set(terms.levels)
    found: dict[str, Coded | FloatArray] = {}
    for name, column in known.items():
        found[name] = column if name in terms.levels else typed(column)
        if name in wanted and name not in terms.levels and isinstance(found[name], Coded):
            raise PlanError(f"column {name!r} must hold numbers, as it did when the model was fitted.")
    return found


def _own(name: str, prefix: str) -> str:
    """Return the name that a term has in its formula, without that of the part it belongs to."""
    return "Intercept" if name == prefix else name.removeprefix(f"{prefix}:")


def predicted(predictor: Predictor, systems: tuple[str, ...], rows: Any) -> dict[str, list[Any]]:
    """Return pairs, what is known about each, and the chances of win, tie and loss of the left system."""
    if rows is None:
        if predictor.needs:
            raise PlanError(
                f"predictions of this model need {', '.join(repr(name) for name in predictor.needs)}",
                remedy="Give a table with the columns left, right and these.",
            )
        first, second = np.triu_indices(len(systems), 1)
        known: Known = {}
        sides = (first.astype(np.int64), second.astype(np.int64))
    else:
        sides, known = _read(rows, systems, predictor.needs)
    win, tie, loss = predictor.chances(*sides, known)
    return {
        **{name: [systems[place] for place in side] for name, side in zip(_SIDES, sides, strict=True)},
        **{name: list(column) for name, column in known.items()},
        "win": win.tolist(),
        "tie": tie.tolist(),
        "loss": loss.tolist(),
    }


def _read(rows: Any, systems: tuple[str, ...], needs: tuple[str, ...]) -> tuple[tuple[IntArray, IntArray], Known]:
    """Read who is on which side, and the columns that formulas need."""
    table = open_table(rows)
    lacking = [name for name in (*_SIDES, *needs) if name not in table.columns]
    if lacking:
        raise EvidenceError(
            f"there is no column {lacking[0]!r}",
            where=table.name,
            allowed=", ".join(table.columns),
            remedy=f"Predictions need {', '.join([*_SIDES, *needs])}.",
        )
    found = table.rows([*_SIDES, *needs]).columns
    sides = []
    for side in _SIDES:
        place = {label: systems.index(label) for label in found[side].labels if label in systems}
        strange = [str(text) for text in found[side] if text not in place]
        if strange:
            raise EvidenceError(
                f"{strange[0]!r} is not among the systems of this model",
                where=table.name,
                remedy=nearest(strange[0], systems),
            )
        sides.append(np.array([place[str(text)] for text in found[side]], dtype=np.int64))
    for name in needs:
        if np.any(found[name].codes == MISSING):
            raise EvidenceError(f"column {name!r} lacks a value", where=table.name, remedy="Fill it in.")
    return (sides[0], sides[1]), {name: found[name] for name in needs}
