"""The same model as a Poisson regression with a nuisance parameter for every class of comparisons, by statsmodels."""

from collections import defaultdict
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
import statsmodels.api as sm
from hypothesis import given
from hypothesis import strategies as st

import betterthan as bt

_GROUPS, _AGES, _LENGTHS = ("g1", "g2", "g3"), (-1.0, 0.5, 2.0), (-1.5, 0.0, 1.0, 2.25)


@dataclass(frozen=True)
class Design:
    """A class of comparisons per row, with its outcomes, and what the model has."""

    rows: tuple[tuple[int, int, str, float, float, tuple[float, float, float]], ...]
    systems: int
    group: bool
    age: bool
    length: bool
    position: bool
    ties: str
    weighted: bool

    @property
    def formula(self) -> str | None:
        """What is known about who judged."""
        return " + ".join(["~ 1", *["group"] * self.group, *["age"] * self.age]) if self.group or self.age else None

    def fit(self) -> bt.LogLinear:
        """Fit it as users do: counted rows, or a row per outcome with a weight."""
        return bt.fit(
            self._evidence(),
            ties=self.ties,
            subject=self.formula,
            contrast="~ length" if self.length else None,
            position=self.position,
            reference=_name(0),
        )

    def _evidence(self) -> dict[str, list[Any]]:
        columns = defaultdict(list)
        for left, right, group, age, length, counts in self.rows:
            known = {"left": _name(left), "right": _name(right), "group": group, "age": age, "length": length}
            lines = (
                [{"outcome": word, "weight": count} for word, count in zip(("a", "tie", "b"), counts, strict=True)]
                if self.weighted
                else [dict(zip(("n_a", "n_tie", "n_b"), counts, strict=True))]
            )
            for line in lines:
                for name, value in {**known, **line}.items():
                    columns[name].append(value)
        return dict(columns)

    def classes(self) -> list[tuple[tuple[Any, ...], np.ndarray]]:
        """Put rows together that the model cannot tell apart."""
        found: dict[tuple[Any, ...], np.ndarray] = defaultdict(lambda: np.zeros(3))
        for left, right, group, age, length, counts in self.rows:
            turned = not self.position and left > right
            pair = (right, left) if turned else (left, right)
            key = (
                *pair,
                group if self.group else "",
                age if self.age else 0.0,
                (-length if turned else length) if self.length else 0.0,
            )
            found[key] += counts[::-1] if turned else counts
        return list(found.items())

    def regression(self, aliased: set[str]) -> tuple[Any, list[str], int]:
        """Return the fitted regression, its terms, and the rank that all terms have."""
        classes = self.classes()
        groups = sorted({key[2] for key, _ in classes})
        terms = [f"{_name(place)}{rest}" for rest in self._crossed(groups) for place in range(1, self.systems)]
        terms += ["length"] * self.length + ["position"] * self.position + ["undecided"] * (self.ties == "davidson")
        outcomes = (0, 2) if self.ties == "drop" else (0, 1, 2)
        y, x = [], []
        for number, (key, counts) in enumerate(classes):
            gap = self._gap(key, groups)
            for outcome in outcomes:
                values = {name: (1 - outcome) / 2 * value for name, value in gap.items()}
                values["undecided"] = float(outcome == 1)
                nuisance = np.zeros(len(classes))
                nuisance[number] = 1.0
                x.append([*nuisance, *(values.get(term, 0.0) for term in terms)])
                y.append(counts[outcome])
        matrix = np.array(x)
        kept = [place for place, term in enumerate(terms) if term not in aliased]
        columns = [*range(len(classes)), *(len(classes) + place for place in kept)]
        fitted = sm.GLM(np.array(y), matrix[:, columns], family=sm.families.Poisson()).fit(maxiter=200, tol=1e-13)
        return fitted, [terms[place] for place in kept], int(np.linalg.matrix_rank(matrix)) - len(classes)

    def _crossed(self, groups: list[str]) -> list[str]:
        return ["", *(f":group[T.{group}]" for group in groups[1:] if self.group), *[":age"] * self.age]

    def _gap(self, key: tuple[Any, ...], groups: list[str]) -> dict[str, float]:
        left, right, group, age, length = key
        of_subject = {"": 1.0, ":age": age, **{f":group[T.{other}]": float(other == group) for other in groups[1:]}}
        strengths = {
            f"{_name(place)}{rest}": sign * value
            for place, sign in ((left, 1), (right, -1))
            for rest, value in of_subject.items()
        }
        return {**strengths, "length": length, "position": 1.0}


def _name(place: int) -> str:
    return f"S{place}"


@st.composite
def designs(draw: st.DrawFn) -> Design:
    """Draw comparisons in which every outcome of every class occurs, so that there is a maximum."""
    systems = draw(st.integers(2, 5))
    weighted = draw(st.booleans())
    count = st.sampled_from((0.5, 1.0, 2.5, 4.0)) if weighted else st.integers(1, 9)
    row = st.tuples(
        st.integers(0, systems - 1),
        st.integers(1, systems - 1),
        st.sampled_from(_GROUPS),
        st.sampled_from(_AGES),
        st.sampled_from(_LENGTHS),
        st.tuples(count, count, count),
    )
    drawn = draw(st.lists(row, min_size=systems, max_size=25))
    # Every system meets the next one, so that all can be compared.
    chain = [
        (place, 1, _GROUPS[place % 3], _AGES[place % 3], _LENGTHS[place % 4], (3, 1, 2)) for place in range(systems - 1)
    ]
    rows = tuple((left, (left + step) % systems, *rest) for left, step, *rest in [*drawn, *chain])
    flags = [draw(st.booleans()) for _ in range(4)]
    return Design(rows, systems, *flags, draw(st.sampled_from(("davidson", "fixed", "drop"))), weighted)


# A saturated model has no degrees of freedom, by which statsmodels divides, and it takes a perfect fit for separation.
@pytest.mark.filterwarnings("ignore:Perfect separation")
@pytest.mark.filterwarnings("ignore:(divide by zero|invalid value):RuntimeWarning:statsmodels")
@given(designs())
def test_a_poisson_regression_with_nuisance_parameters_gives_the_same(design: Design) -> None:
    model = design.fit()
    aliased = {each.term for each in model if each.aliased}
    regression, terms, rank = design.regression(aliased)
    assert rank == len(terms) == model.parameters
    assert {each.term for each in model if not each.aliased and not each.reference} == set(terms)
    estimates, errors = (values[-len(terms) :] for values in (regression.params, regression.bse))
    assert [model[term].estimate for term in terms] == pytest.approx(list(estimates), abs=1e-6)
    if not design.weighted:  # weights are no judgments: errors by them are elsewhere
        assert [model[term].se for term in terms] == pytest.approx(list(errors), abs=1e-6)
    assert model.deviance == pytest.approx(regression.deviance, abs=1e-6)
    assert model.df == regression.df_resid
    assert model.converged
    assert "separation" not in {finding.code for finding in model.findings}


def test_designs_that_are_drawn_have_every_part() -> None:
    drawn: list[Design] = []

    @given(designs())
    def collect(design: Design) -> None:
        drawn.append(design)

    collect()
    for part in ("group", "age", "length", "position", "weighted"):
        assert {getattr(design, part) for design in drawn} == {True, False}
    assert {design.ties for design in drawn} == {"davidson", "fixed", "drop"}
    assert {design.systems for design in drawn} == {2, 3, 4, 5}
