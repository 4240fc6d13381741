"""Run a verb on each of several data sets, and average its figures."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar

import numpy as np

from betterthan import __version__
from betterthan.base import PlanError, Signature
from betterthan.datasets import data_sets
from betterthan.findings import counted, merge_findings
from betterthan.inference import Estimate, mean_of
from betterthan.present import Column, Table
from betterthan.results import Result
from betterthan.verbs.rank import board_findings

#: The level of the intervals of means.
_LEVEL = 0.95
#: Figures between 0 and 1.
_SHARES = {"accuracy", "share", "expected share"}


@dataclass(frozen=True)
class MeanFigure:
    """The mean of one figure over all data sets, which count equally, with its interval over data sets."""

    figure: str
    of: str
    mean: Estimate
    values: tuple[float, ...]


@dataclass(frozen=True, kw_only=True, repr=False, eq=False)
class EachDataSet(Result):
    """Results of one verb on several data sets, by title, and the means of the figures that all of them have.

    >>> votes = {"left": ["owl"] * 8, "right": ["yak"] * 8, "winner": [*"aaabaabb"], "dataset": ["x"] * 4 + ["y"] * 4}
    >>> import betterthan as bt
    >>> found = each_data_set(bt.compare_all, bt.read_judgments(votes, dataset="dataset"))
    >>> found["x"].share[0, 1].item(), found.mean("share", "owl against yak").mean.value
    (0.75, 0.625)
    """

    verb: ClassVar[str] = "each"
    schema: ClassVar[str] = "each-data-set/1"
    holds = ("titles", "means", "documents")

    results: Mapping[str, Result]

    def __getitem__(self, title: str) -> Result:
        """Return the result of one data set by its title."""
        return self.results[title]

    @property
    def titles(self) -> tuple[str, ...]:
        """The titles of the data sets."""
        return tuple(self.results)

    @property
    def documents(self) -> Mapping[str, Any]:
        """The document of every data set's result."""
        return {title: result.to_dict() for title, result in self.results.items()}

    @property
    def means(self) -> tuple[MeanFigure, ...]:
        """The means of the figures that all data sets have."""
        first, *others = (result.figures() for result in self.results.values())
        found = []
        for (figure, of), value in first.items():
            values = [value, *(other.get((figure, of)) for other in others)]
            known = tuple(each for each in values if each is not None)
            if len(known) == len(values):
                within = (0.0, 1.0) if figure in _SHARES else (-np.inf, np.inf)
                found.append(MeanFigure(figure, of, mean_of(known, _LEVEL, within), known))
        return tuple(found)

    def mean(self, figure: str, of: str) -> MeanFigure:
        """Return the mean of one figure.

        Parameters
        ----------
        figure : str
            The figure, such as 'accuracy' or 'share'.
        of : str
            What it is a figure of, such as a model or two systems.

        Returns
        -------
        MeanFigure
            The mean with its interval, and the values of the data sets.
        """
        for each in self.means:
            if (each.figure, each.of) == (figure, of):
                return each
        known = ", ".join(dict.fromkeys(each.figure for each in self.means))
        raise PlanError(f"no figure {figure!r} of {of!r} is in all data sets", allowed=known)

    @property
    def signature(self) -> Signature:
        """The line that repeats these results: that of the verb, with the digests of all data sets."""
        first = next(iter(self.results.values()))
        facts = {"verb": first.verb, **first.about, **first.settings.facts(), "data": self.data}
        return Signature(__version__, {name: value for name, value in facts.items() if value})

    @property
    def verdict(self) -> str:
        """What the means are over."""
        if not self.means:
            return f"{counted(len(self.results), 'data set')} have no figure in common."
        return (
            f"Means over {counted(len(self.results), 'data set')}, which count equally. 95 % confidence intervals are "
            "over data sets."
        )

    def columns(self) -> dict[str, list[Any]]:
        """Return every figure of every data set, and below them the means."""
        alone = [
            (title, figure, of, value, None, None)
            for title, result in self.results.items()
            for (figure, of), value in result.figures().items()
        ]
        means = [("mean", each.figure, each.of, each.mean.value, each.mean.low, each.mean.high) for each in self.means]
        names = ("data_set", "figure", "of", "value", "low", "high")
        return {name: list(values) for name, values in zip(names, zip(*alone, *means, strict=True), strict=True)}

    def tables(self) -> list[Table]:
        """Return the means, and the tables of every data set."""
        parts = [
            Table(table.columns, table.rows, table.rules, title=": ".join(filter(None, (title, table.title))))
            for title, result in self.results.items()
            for table in result.tables()
        ]
        return [self._mean_table(), *parts]

    def body(self, width: int | None) -> list[str]:
        """Return the means, and what the verb says about every data set."""
        lines = [self._mean_table().to_text(width), ""]
        for title, result in self.results.items():
            lines += [title, "", *([result.verdict, ""] if result.verdict else []), *result.body(width), ""]
        return lines

    def _mean_table(self) -> Table:
        heads = [
            Column("figure", "left"),
            Column("of", "left", flexible=True),
            Column("mean"),
            Column("interval", "left"),
        ]
        rows = [
            [each.figure, each.of, f"{each.mean.known:.4f}", each.mean.ends(4), *(f"{one:.4f}" for one in each.values)]
            for each in self.means
        ]
        return Table([*heads, *(Column(title) for title in self.titles)], rows, title="Means")


def each_data_set(verb: Callable[[Any], Result], evidence: Any) -> EachDataSet:
    """Run a verb that is about one data set on each of several, and average its figures.

    Parameters
    ----------
    verb : function
        `bt.select`, `bt.compare_all`, `bt.fit`, or another function that takes evidence and returns a result. With
        options of the verb it is a partial function: `functools.partial(bt.fit, ties="drop")`.
    evidence : evidence
        Evidence of several data sets, or anything it can be read from.

    Returns
    -------
    EachDataSet
        The results by the titles of the data sets, and the means of the figures that all of them have.
    """
    sets = data_sets(evidence, takes_labels=True)
    results = {each.title: verb(each) for each in sets}
    findings = merge_findings([(title, result.findings) for title, result in results.items()])
    first = next(iter(results.values()))
    return EachDataSet(
        settings=first.settings,
        data="+".join(dict.fromkeys(result.data for result in results.values())),
        findings=tuple(dict.fromkeys([*board_findings.left_out(sets), *findings])),
        reading=sets.reading,
        results=results,
    )


def run_on_each(verb: Callable[..., Result], evidence: Any, **options: Any) -> Result:
    """Run a verb on the only data set, or on each of several."""
    if len(data_sets(evidence, units=False, takes_labels=True)) > 1:
        return each_data_set(partial(verb, **options), evidence)
    return verb(evidence, **options)
