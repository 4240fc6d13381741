"""Build patterns from a data set: the answers of one judge, ranking or row of ratings to all pairs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from betterthan.base import EvidenceError, FloatArray, IntArray, PlanError, spelling
from betterthan.datasets import AnyDataSet, RankedSet, ScoredSet
from betterthan.engine import Coded
from betterthan.evidence import COVARIATE, LEFT, TIE, Account, Judgments, Rankings, ScoreTable, Tally
from betterthan.readers import Columns, with_columns
from betterthan.verbs.fit.design.comparisons import column_called, typed
from betterthan.verbs.fit.design.unit_columns import covariates_of
from betterthan.verbs.fit.patterns.pattern_space import UNANSWERED, Signs, Space

#: What answers may belong together by, the first under which no pair is answered twice.
_TOGETHER = (("ranking",), ("judge",), ("item", "judge"), ("item",))


@dataclass(frozen=True)
class Answers:
    """Patterns × pairs, coded as in `Space`; `about` and `columns` hold covariates of each pattern.

    `per` names what a pattern is of. `shown` are the systems that a pattern is about, where systems and not pairs may
    be missing: rankings and ratings. `levels` is how many places their scale has. Patterns without any answer are
    left out, and `silent` is their number.
    """

    systems: tuple[str, ...]
    signs: Signs
    weight: FloatArray
    about: Mapping[str, Coded]
    columns: Mapping[str, Coded | FloatArray]
    account: Account
    name: str
    per: str
    levels: int
    shown: FloatArray | None = None
    silent: int = 0
    data: str = ""  # the digest of the data set

    @property
    def space(self) -> Space:
        """The patterns that could have been: with ties where there are some."""
        tied, size = bool(np.any(self.signs == 0)), len(self.systems)
        if self.shown is None:
            return Space(size, "pairs with ties" if tied else "pairs")
        return Space(size, "orders with ties", min(self.levels, size)) if tied else Space(size, "orders")

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the patterns: those of their owners if known, else numbers."""
        parts = [self.about[unit].texts().tolist() for unit in self.per.split("+") if unit in self.about]
        named = tuple(" ".join(texts) for texts in zip(*parts, strict=True))
        return (
            named if len(set(named)) == len(self.weight) else tuple(f"{1 + place}" for place in range(len(self.weight)))
        )

    @property
    def incomplete(self) -> Coded:
        """Which patterns lack an answer."""
        return Coded(np.any(self.signs == UNANSWERED, axis=1).astype(np.int64), ("no", "yes"))

    @property
    def missing(self) -> FloatArray:
        """The missing parts of each pattern: systems of rankings and ratings, else pairs (patterns × either)."""
        return (self.signs == UNANSWERED).astype(np.float64) if self.shown is None else 1.0 - self.shown

    def heard(self) -> "Answers":
        """Leave out patterns without any answer."""
        kept = np.flatnonzero(np.any(self.signs != UNANSWERED, axis=1))
        if not len(kept):
            raise EvidenceError("no pattern has an answer", where=self.name, remedy="Check the columns chosen.")
        columns = {
            name: column.take(kept) if isinstance(column, Coded) else column[kept]
            for name, column in self.columns.items()
        }
        return replace(
            self,
            signs=self.signs[kept],
            weight=self.weight[kept],
            columns=columns,
            about={name: column.take(kept) for name, column in self.about.items()},
            shown=None if self.shown is None else self.shown[kept],
            silent=len(self.signs) - len(kept),
        )


def answers_of(data: AnyDataSet, subject: Sequence[str], units: Sequence[str]) -> Answers:
    """Put the answers of a data set together, with the columns that a formula and the errors need."""
    if isinstance(data, RankedSet):
        found = _of_rankings(data.rankings, subject)
    elif isinstance(data, ScoredSet):
        found = _of_scores(data.scores, data.account(), data.name, subject, units)
    else:
        found = _of_judgments(data.judgments, subject, units)
    return replace(found.heard(), data=data.digest)


def _of_rankings(evidence: Rankings, subject: Sequence[str]) -> Answers:
    ranks, last = np.full((len(evidence.weight), len(evidence.systems)), np.nan), -np.inf
    ranks[evidence.ranking, evidence.system] = -evidence.rank
    more = () if evidence.table is None else evidence.table.columns
    columns = covariates_of(evidence.about, evidence.covariates, subject, more, evidence.name)
    return Answers(
        evidence.systems,
        _signs(ranks),
        evidence.weight,
        {**evidence.covariates, **evidence.about},
        columns,
        evidence.account,
        evidence.name,
        "ranking",
        len(evidence.systems),
        (ranks > last).astype(np.float64),
    )


def _of_scores(table: ScoreTable, account: Account, name: str, subject: Sequence[str], units: Sequence[str]) -> Answers:
    values, about, per = table.values, {"item": Coded(np.arange(len(table.items)), table.items)}, "item"
    source = table.source
    if table.repeats is not None and table.repeats.judge is not None:
        repeats, judge = table.repeats, table.repeats.judge
        rows, place = np.unique(repeats.item * len(judge.labels) + judge.codes, return_inverse=True)
        if len(np.unique(place.ravel() * len(table.systems) + repeats.system)) < len(repeats.system):
            raise EvidenceError(
                "a judge scored a system more than once on an item, so its ratings are no single pattern",
                where=name,
                remedy="Keep one of these scores.",
            )
        values = np.full((len(rows), len(table.systems)), np.nan)
        values[place.ravel(), repeats.system] = repeats.value
        item, code = np.divmod(rows, len(judge.labels))
        about = {"item": about["item"].take(item), "judge": Coded(code, judge.labels)}
        source = None if repeats.row is None or source is None else source.regrouped(repeats.row, place.ravel())
        per = "item+judge" if table.repeats.crossed else "judge"
    if table.groups is not None:
        about["group"] = table.groups.take(about["item"].codes)
    number, further = len(values), dict[str, Coded]()
    for each in dict.fromkeys([*subject, *units]):
        if each not in about and source is not None and source.has(each):
            column = source.each(each, number)
            if column is None:
                raise _differing(each, per)
            further[each] = column
    columns = covariates_of(about, further, subject, () if source is None else source.columns, name)
    return Answers(
        table.systems,
        _signs(values),
        np.ones(number),
        {**further, **about},
        columns,
        account,
        name,
        per,
        _levels(values),
        (~np.isnan(values)).astype(np.float64),
    )


def _levels(values: FloatArray) -> int:
    """Return how many values a scale has: from the lowest to the highest where all are whole numbers."""
    seen = np.unique(values[~np.isnan(values)])
    whole = bool(np.all(seen == np.round(seen)))
    return int(seen[-1] - seen[0]) + 1 if whole and len(seen) else len(seen)


def _signs(values: FloatArray) -> Signs:
    """Compare all pairs: the higher value is preferred."""
    first, second = np.triu_indices(values.shape[1], 1)
    with np.errstate(invalid="ignore"):  # two systems below all others are not compared
        gap = values[:, first] - values[:, second]
    return np.where(np.isnan(gap), UNANSWERED, np.sign(gap)).astype(np.int8)


def _of_judgments(judgments: Judgments, subject: Sequence[str], units: Sequence[str]) -> Answers:
    every = list(dict.fromkeys([*subject, *units]))
    table = with_columns(judgments.table, [name for name in every if name not in judgments.roles])
    judgments = judgments if table is judgments.table else replace(judgments, table=table)
    names = Columns(judgments.table.columns, judgments.table.name)
    column_of = {name: column_called(judgments, names, name) for name in every}
    roles = {**judgments.roles, **{COVARIATE + column: column for column in column_of.values()}}
    known = [unit for unit in ("ranking", "judge", "item") if unit in judgments.roles]
    tally = (
        replace(judgments, roles=roles, unanswered="skip")
        .tally(*known, *sorted({COVARIATE + column for column in column_of.values()}))
        .sided()
    )
    if tally.part is not None or np.any(tally.weight != tally.weight[0]):
        raise EvidenceError(
            "a pattern model takes judgments that all count the same, each for one side or for a tie",
            where=judgments.name,
            remedy=f"Use {spelling.option('model', 'bradley-terry')}.",
        )
    together, codes, number = _together(tally, known, judgments.name)
    size = len(tally.systems)
    signs = np.full((number, size * (size - 1) // 2), UNANSWERED, dtype=np.int8)
    column = tally.left * (2 * size - tally.left - 1) // 2 + tally.right - tally.left - 1
    signs[codes, column] = np.where(tally.outcome == TIE, 0, np.where(tally.outcome == LEFT, 1, -1))
    first = np.unique(codes, return_index=True)[1]
    units_of = {
        name: tally.units[COVARIATE + column_of[name] if name in column_of else name]
        for name in dict.fromkeys([*units, *together])
    }
    about = {name: _constant(units, codes, first) for name, units in units_of.items()}
    ids = {judgments.roles[role] for role in known}
    columns: dict[str, Coded | FloatArray] = {}
    for name in subject:
        found = _constant(tally.units[COVARIATE + column_of[name]], codes, first)
        if found is None:
            raise _differing(name, "+".join(together))
        columns[name] = found if column_of[name] in ids else typed(found)
    return Answers(
        tally.systems,
        signs,
        np.full(number, tally.weight[0]),
        {name: column for name, column in about.items() if column is not None},
        columns,
        tally.account,
        judgments.name,
        "+".join(together),
        3,
    )


def _differing(name: str, per: str) -> PlanError:
    return PlanError(
        f"the column {name!r} differs within the answers of one {per}, so it is no covariate of patterns",
        remedy="Use a column that is the same for all of them.",
    )


def _together(tally: Tally, known: Sequence[str], name: str) -> tuple[tuple[str, ...], IntArray, int]:
    """Return the column that defines patterns, the pattern of every judgment, and the number of patterns."""
    pair = tally.left * len(tally.systems) + tally.right
    for units in _TOGETHER:
        if not set(units) <= set(known):
            continue
        codes, number = tally.units[units[0]].compact
        for unit in units[1:]:
            more, levels = tally.units[unit].compact
            found, codes = np.unique(codes * levels + more, return_inverse=True)
            codes, number = codes.ravel(), len(found)
        _, place = np.unique(codes * len(tally.systems) ** 2 + pair, return_inverse=True)
        if np.all(np.bincount(place.ravel(), tally.times) <= 1):
            return units, codes, number
    have = ", ".join(known) or "none"
    raise EvidenceError(
        f"a pattern is what one judge answered about all pairs, each once, but no column identifies such patterns "
        f"(columns here: {have})",
        where=name,
        remedy=f"Name it with {spelling.option('judge')}, or use {spelling.option('model', 'bradley-terry')}.",
    )


def _constant(column: Coded, codes: IntArray, first: IntArray) -> Coded | None:
    """Return a column by pattern, None where it differs within one."""
    value = column.codes[first]
    return column.take(first) if np.array_equal(value[codes], column.codes) else None
