"""Analysis of deviance: tests of nested models, and of every term of one model."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from betterthan.base import PlanError
from betterthan.present import Column, Table, chance
from betterthan.results import pandas_frame
from betterthan.verbs.fit.likelihood_ratio import LikelihoodRatio, lr_test

if TYPE_CHECKING:
    from betterthan.verbs.fit.fitted_model import LogLinear


@dataclass(frozen=True)
class Nested:
    """A model in a sequence, and its test against the previous one: None for the first."""

    model: str
    parameters: int
    log_likelihood: float
    deviance: float
    test: LikelihoodRatio | None


@dataclass(frozen=True, repr=False)
class Anova:
    """Nested models, the smallest first; `tests` compare each with the one before it."""

    rows: tuple[Nested, ...]

    @property
    def tests(self) -> tuple[LikelihoodRatio, ...]:
        """The tests, one fewer than models."""
        return tuple(row.test for row in self.rows if row.test is not None)

    def __iter__(self) -> Iterator[Nested]:
        return iter(self.rows)

    def columns(self) -> dict[str, list[Any]]:
        """Return the table as columns; the first model has no test."""
        parts = ("name", "statistic", "df", "df_residual", "p")
        return {
            **{
                name: [getattr(row, name) for row in self.rows]
                for name in ("model", "parameters", "log_likelihood", "deviance")
            },
            **{
                "test" if part == "name" else part: [row.test and getattr(row.test, part) for row in self.rows]
                for part in parts
            },
        }

    def to_pandas(self) -> Any:
        """Return the table as a pandas data frame."""
        return pandas_frame(self.columns())

    def table(self) -> Table:
        """Return the finished table."""
        columns = [
            Column("model", "left", flexible=True),
            Column("parameters"),
            Column("log-likelihood", optional=2),
            Column("deviance", optional=1),
            *TEST_COLUMNS,
        ]
        return Table(
            columns,
            [
                [
                    row.model,
                    str(row.parameters),
                    f"{row.log_likelihood:.4f}",
                    f"{row.deviance:.4f}",
                    *(tested(row.test) if row.test else [""] * len(TEST_COLUMNS)),
                ]
                for row in self.rows
            ],
        )

    def __str__(self) -> str:
        return self.table().to_text()

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        return self.table().to_html()


TEST_COLUMNS = (Column("statistic"), Column("df"), Column("p"), Column("test", "left", optional=3))


def tested(test: LikelihoodRatio) -> list[str]:
    """Return a test as cells of a table."""
    if test.statistic is None or test.p is None:
        return ["", str(test.df), "", "too few clusters"]
    second = f" / {test.df_residual:.1f}" if test.df_residual is not None else ""
    return [f"{test.statistic:.4f}", f"{test.df}{second}", chance(test.p), test.name]


def anova(*models: "LogLinear") -> Anova:
    """Test each of several nested models against the one before it, the smallest first.

    Parameters
    ----------
    *models : LogLinear
        Two or more models, fitted to the same judgments.

    Returns
    -------
    Anova
        One test per step.

    Examples
    --------
    >>> import betterthan as bt
    >>> votes = 40 * [("owl", "yak", "a")] + 20 * [("owl", "yak", "b"), ("yak", "owl", "a"), ("yak", "owl", "b")]
    >>> table = bt.anova(bt.fit(votes), bt.fit(votes, position=True))
    >>> [row.parameters for row in table], table.tests[0].df
    ([1, 2], 1)
    """
    if len(models) < 2:
        raise PlanError(
            "anova compares two or more models",
            remedy="Pass them one by one, the smallest first. To test the terms of one model, fit it with anova=True.",
        )
    tests = [None, *(lr_test(small, large) for small, large in pairwise(models))]
    names = _names(models)
    return Anova(
        tuple(
            Nested(name, model.parameters, model.log_likelihood, model.deviance, test)
            for name, model, test in zip(names, models, tests, strict=True)
        )
    )


def _names(models: tuple["LogLinear", ...]) -> list[str]:
    """Name models by the options in which they differ."""
    facts = [model.settings.facts() for model in models]
    every = list(dict.fromkeys(name for each in facts for name in each))
    differing = [name for name in every if len({each.get(name) for each in facts}) > 1]
    texts = [", ".join(f"{name}: {each[name]}" for name in differing if name in each) for each in facts]
    return [f"{place}. {text}".rstrip(". ") for place, text in enumerate(texts, start=1)]
