"""All pairs of systems by several models: a matrix and a test per model, side by side."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any, ClassVar

import numpy as np

from betterthan.base import PlanError, spelling
from betterthan.datasets import DataSet, data_sets
from betterthan.evidence import Reading
from betterthan.findings import counted, merge_findings
from betterthan.options import ComparePairsOptions, takes
from betterthan.present import Column, Table, chance, wrapped
from betterthan.results import Result
from betterthan.verbs.compare.all_pairs_result import AllPairs
from betterthan.verbs.compare.compare_every_pair import compare_all, pairs_of
from betterthan.verbs.compare.own_pair_tests import untested
from betterthan.verbs.rank import Leaderboard

#: p-values of the pairs of more systems are in CSV and JSON only.
_MOST_SHOWN = 8

#: Matrices of more systems by several models would be most of a page.
_MOST_BY_MODEL = 30


@dataclass(frozen=True, kw_only=True, repr=False, eq=False)
class PairsByModel(Result):
    """One comparison of all pairs per model, in the order in which they were given; find one by its model.

    >>> import betterthan as bt
    >>> found = bt.compare_models({"owl": [3, 5, 4, 6.5], "yak": [2, 1, 4, 3]}, ["mean", "median", "elo"])
    >>> found.models, [found[model].test_name for model in found.models]
    (('mean', 'median', 'elo'), ['paired t-test', "Mood's median test", 'sign test'])
    """

    verb: ClassVar[str] = "compare-all"
    schema: ClassVar[str] = "pairs-by-model/1"
    holds = ("models", ("pairs", "by_model"))

    settings: ComparePairsOptions
    by_model: tuple[AllPairs, ...]

    @property
    def models(self) -> tuple[str, ...]:
        """The models with their options."""
        return tuple(pairs.model for pairs in self.by_model)

    def figures(self) -> dict[tuple[str, str], float | None]:
        """Return the figures of every model's pairs."""
        return {
            (figure, f"{of}, {pairs.model}"): value
            for pairs in self.by_model
            for (figure, of), value in pairs.figures().items()
        }

    def __iter__(self) -> Iterator[AllPairs]:
        return iter(self.by_model)

    def __len__(self) -> int:
        return len(self.by_model)

    def __getitem__(self, model: str) -> AllPairs:
        """Return the pairs of a model, which is named with or without its options."""
        exact = [pairs for pairs in self.by_model if pairs.model == model]
        found = exact or [pairs for pairs in self.by_model if pairs.model.partition("(")[0] == model]
        if len(found) == 1:
            return found[0]
        raise KeyError(f"{len(found) or 'no'} models are called {model!r}; there are: {', '.join(self.models)}")

    def columns(self) -> dict[str, list[Any]]:
        """Return one row per model and pair, the model's better system first."""
        parts = [pairs.columns() for pairs in self.by_model]
        return {
            "model": [pairs.model for pairs, part in zip(self.by_model, parts, strict=True) for _ in part["a"]],
            **{name: [value for part in parts for value in part[name]] for name in parts[0]},
            "test": [pairs.test_name for pairs, part in zip(self.by_model, parts, strict=True) for _ in part["a"]],
        }

    def tables(self) -> list[Table]:
        """Return every model's matrix under the model's name, and the p-values of all pairs."""
        return [*(replace(pairs.table(), title=pairs.model) for pairs in self.by_model), self.p_table()]

    def p_table(self, most: int | None = None) -> Table:
        """Return every pair's corrected p-value by each model, under the name of the model and its test.

        Parameters
        ----------
        most : int, optional
            Number of systems to show, the best by the first model; by default all.

        Returns
        -------
        Table
            The table.
        """
        systems = self.by_model[0].systems[:most]
        columns = [Column(f"{pairs.model}: {pairs.test_name}") for pairs in self.by_model]
        rows = []
        for a, b in combinations(systems, 2):
            rows.append([f"{a} – {b}", *(_shown_p(pairs, a, b) for pairs in self.by_model)])
        title = f"p-values, {self.by_model[0].corrected}"
        return Table([Column("pair", "left", flexible=True), *columns], rows, title=title)

    @property
    def verdict(self) -> str:
        """How many pairs differ significantly by each model, and where models contradict each other."""
        size = len(self.by_model[0].systems)
        each = ", ".join(f"{pairs.separated():,} by {pairs.model} ({pairs.test_name})" for pairs in self.by_model)
        found = self.contradictions()
        if not found:
            against = "No pair is decided one way by one model and the other way by another."
        else:
            shown = "; ".join(f"{a} is better than {b} by {one}, worse by {two}" for a, b, one, two in found[:3])
            against = f"{counted(len(found), 'contradiction')} between models: {shown}."
        return f"Of {counted(size * (size - 1) // 2, 'pair')}, significantly different: {each}. {against}"

    def contradictions(self) -> list[tuple[str, str, str, str]]:
        """Return what two models decide in opposite ways, as (better, worse, by this model, not by that one)."""
        found = []
        for one, two in combinations(self.by_model, 2):
            order = [two.systems.index(system) for system in one.systems]
            against = one.better & two.better.T[np.ix_(order, order)]
            for first, second in zip(*np.nonzero(against), strict=True):
                found.append((one.systems[first], one.systems[second], one.model, two.model))
        return found

    def body(self, width: int | None) -> list[str]:
        """Return every model's matrix under its name and test, the p-values of the best systems, and omnibus tests."""
        lines = []
        for pairs in self.by_model:
            lines += [wrapped(f"{pairs.model}: {pairs.verdict}", width), "", *pairs.matrix_lines(width), ""]
        table = self.p_table(_MOST_SHOWN)
        lines += [f"{table.title[0].upper()}{table.title[1:]}", "", table.to_text(width), ""]
        return [*lines, *self.by_model[0].omnibus_lines(width)]

    def brief(self, width: int | None) -> str:
        """Return every model's whole matrix."""
        return "\n\n".join(f"{pairs.model}\n{pairs.brief(width)}" for pairs in self.by_model)


def _shown_p(pairs: AllPairs, a: str, b: str) -> str:
    """Return the corrected p-value of a pair, a dash where the two never met."""
    at = pairs.systems.index(a), pairs.systems.index(b)
    return "–" if np.isnan(pairs.p[at]) else chance(float(pairs.p_adjusted[at]))


@takes(ComparePairsOptions)
def compare_models(evidence: Any, options: ComparePairsOptions) -> PairsByModel:
    """Compare every pair of systems by several models, each with the test that suits it.

    By default each pair is tested by its own scores or record. That is a paired t-test for the mean, Mood's median test
    for the median, and the sign test for models of wins. Models such as Bradley–Terry, Elo and TrueSkill also show the
    share that they expect of every pair. `by="model"` decides as each model's leaderboard does.

    >>> votes = [("owl", "yak", "a")] * 9 + [("owl", "yak", "b")]
    >>> found = compare_models(votes, "bradley-terry,elo")
    >>> [round(float(pairs.p[0, 1]), 4) for pairs in found]
    [0.0215, 0.0215]
    """
    if not options.models:
        raise PlanError(
            "the models are missing", remedy=f"Name them, such as {spelling.option('model', 'mean,bradley-terry,elo')}."
        )
    if len(set(options.models)) < len(options.models):
        raise PlanError(f"each model must be named once, got {options.model}.")
    sets = data_sets(evidence, unit=options.unit, tolerance=options.tolerance, takes_labels=True)
    by = options.by or "pair"
    found = tuple(compare_all(sets, **vars(options.changed(model=model, by=by))) for model in options.models)
    return PairsByModel(
        settings=options.changed(by=by),
        data=found[0].data,
        reading=sets.reading,
        findings=tuple(merge_findings([(pairs.model, pairs.findings) for pairs in found])),
        by_model=found,
    )


def pairs_of_boards(
    boards: Sequence[Leaderboard], data: DataSet, options: ComparePairsOptions, reading: Reading | None
) -> tuple[AllPairs, tuple[AllPairs, ...]]:
    """Compare all pairs by the first board's decisions, and by each of several boards with the model's own test.

    The second part is empty for one board and for very many systems, and leaves out models that cannot test a pair.
    """
    main = pairs_of(boards[0], data, options, reading)
    if len(boards) == 1 or len(main.systems) > _MOST_BY_MODEL:
        return main, ()
    tested = [board for board in boards if not untested(board.model)]
    return main, tuple(pairs_of(board, data, options.changed(by="pair")) for board in tested)
