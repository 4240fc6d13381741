"""One data set reduced to the statistics that models ask for: each is made once, from one pass over the rows."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from betterthan.errors import EvidenceError, ModelError, PlanError
from betterthan.evidence.account import Account
from betterthan.evidence.judgments import Judgments, Order, Tally
from betterthan.evidence.rankings import Rankings
from betterthan.evidence.scores import Scores, ScoreTable
from betterthan.leaderboard.summary import EvidenceSummary
from betterthan.models.base import Model
from betterthan.plan import Plan
from betterthan.reduce.games import Games, line_up
from betterthan.reduce.orders import Orders, keep_orders
from betterthan.reduce.pairs import PairCounts, count_pairs, count_scores, totals
from betterthan.reduce.scores import ScoreMatrix, keep_scores


@dataclass(frozen=True)
class Judged:
    """Judgments, or rankings, of which judgments are made where a model wants pairs."""

    evidence: Judgments
    plan: Plan
    models: Sequence[Model]
    rankings: Rankings | None = None
    title: str = ""

    @property
    def kind(self) -> str:
        """What people brought."""
        return "rankings" if self.rankings else "judgments"

    @property
    def unit(self) -> str:
        """What is resampled as a whole."""
        return self.plan.resample or next(iter(self.evidence.units), "row")

    @property
    def other_units(self) -> tuple[str, ...]:
        """What might have been resampled instead."""
        return tuple(other for other in self.evidence.units if other not in self.unit.split("+") and other != "ranking")

    @cached_property
    def by(self) -> tuple[str, ...]:
        """The columns that keep units apart."""
        if self.unit == "row" or self.plan.ci in {"none", "runs"}:
            return ()
        by = tuple(self.unit.split("+"))
        # Units of one judgment each are the judgments themselves, and those need no table of units.
        roles = self.evidence.roles
        single = len(by) == 1 and by[0] in roles and not self.evidence.counts and "weight" not in roles
        return () if single and self.evidence.one_each(by[0]) else by

    def account(self, model: Model) -> Account:
        """What became of the rows, for this model."""
        return self.rankings.account if self.rankings else self.tally(model).account

    def order(self, model: Model) -> Order | None:
        """Return the order in which a model takes judgments, None for one that does not mind or tries many."""
        wanted: Any = getattr(model, "order", "average")
        if wanted == "time" and self.rankings:
            raise EvidenceError("rankings have no time column to order by. Use order=file, the order of the rankings.")
        if wanted == "auto":
            return "time" if "time" in self.evidence.roles else "file"
        return None if wanted == "average" else wanted

    def tally(self, model: Model) -> Tally:
        """Return the judgments that a model is fitted to, in the order that it needs.

        One that needs none shares those in the order of the file, if another model needs them: rows are read once.
        """
        orders = {self.order(each) for each in self.models if Games in each.consumes}
        shared: Order | None = "file" if "file" in orders else None
        return self.evidence.tally(
            *self.by, order=self.order(model) or (shared if Games not in model.consumes else None)
        )

    def pairs(self, model: Model) -> PairCounts:
        """Return the pair counts, which every board shows and most models consume."""
        counted: dict[int, PairCounts] = self.__dict__.setdefault("_counted", {})
        tally = self.tally(model)
        if id(tally) not in counted:
            counted[id(tally)] = count_pairs(tally, self.by)
        return counted[id(tally)]

    def statistic(self, kind: type, model: Model) -> Any:
        """Return the statistic of a kind for a model, None where this evidence has none."""
        if kind is PairCounts:
            return self.pairs(model)
        if kind is Orders and self.rankings:
            self.order(model)  # refuses one that rankings do not have
            if self.unit == "row" and self.plan.ci not in {"none", "runs"}:
                raise PlanError(f"{model.name} takes rankings whole: the unit must be ranking, item or judge, not row.")
            return keep_orders(self.rankings, self.by or ("ranking",))
        if kind is Games:
            return line_up(self.tally(model), self.by, in_order=self.order(model) is not None)
        return None

    def conversion(self, statistic: Any, model: Model) -> str:
        """Say how what people brought became the statistic."""
        if self.rankings is None:
            as_rankings = isinstance(statistic, PairCounts) and Orders in model.consumes
            return "judgments→rankings" if as_rankings else self.evidence.conversion
        to_pairs = "" if isinstance(statistic, Orders) else "rankings→pairs"
        return "; ".join(filter(None, [self.rankings.conversion, to_pairs]))

    def summary(self, model: Model) -> EvidenceSummary:
        """Return the evidence in numbers, as this model sees it."""
        pairs, account = self.pairs(model), self.account(model)
        decided, tied = totals(pairs.outcomes)
        return EvidenceSummary(
            kind=self.kind,
            rows=account.read,
            refused=account.refused,
            systems=pairs.size,
            judgments=float(self.tally(model).times.sum()),
            wins=decided,
            ties=tied,
            digest=pairs.digest(),
            units=self.evidence.unit_sizes,
        )


@dataclass(frozen=True)
class Scored:
    """Scores of one metric on one data set."""

    table: ScoreTable
    plan: Plan
    read: Account

    kind = "scores"
    unit = "item"
    other_units = ()

    def __post_init__(self) -> None:
        if self.plan.resample not in {None, "item"}:
            raise PlanError(
                f"scores are resampled by item (the instance), got {self.plan.resample!r}. "
                "Convert them to judgments for other units."
            )

    @property
    def title(self) -> str:
        """Metric and data set."""
        return self.table.title

    def account(self, model: Model) -> Account:
        """What became of the rows, whatever the model."""
        del model
        return self.read

    @cached_property
    def _pairs(self) -> PairCounts:
        return count_scores(self.table, self.plan.tolerance)

    def pairs(self, model: Model) -> PairCounts:
        """Return the pair counts, which every board shows and most models consume."""
        del model
        return self._pairs

    def statistic(self, kind: type, model: Model) -> Any:
        """Return the statistic of a kind for a model, None where this evidence has none."""
        if kind is ScoreMatrix:
            return keep_scores(self.table)
        if kind is PairCounts:
            return self._pairs
        if kind is Games:
            if getattr(model, "order", "") == "time":
                raise EvidenceError("scores have no time column to order by. Use order=file, the order of instances.")
            tally = self.table.to_judgments(self.plan.tolerance).tally("item", order="file")
            return line_up(tally, ("item",), in_order=self.order(model) is not None)
        return None

    def order(self, model: Model) -> Order | None:
        """Return the order of instances."""
        return "file" if getattr(model, "order", "average") != "average" else None

    def conversion(self, statistic: Any, model: Model) -> str:
        """Say how what people brought became the statistic."""
        del model
        if isinstance(statistic, ScoreMatrix):
            return ""
        return f"scores→pairs(tolerance={self.plan.tolerance:g})" if self.plan.tolerance else "scores→pairs"

    def summary(self, model: Model) -> EvidenceSummary:
        """Return the evidence in numbers, the same for every model."""
        del model
        decided, tied = totals(self._pairs.outcomes)
        return EvidenceSummary(
            kind="scores",
            rows=self.read.read,
            refused=self.read.refused,
            systems=self._pairs.size,
            judgments=decided + tied,
            wins=decided,
            ties=tied,
            digest=keep_scores(self.table).digest(),
            units={"item": len(self.table.instances)},
        )


Reduction = Judged | Scored


def reductions(evidence: Any, plan: Plan, models: Sequence[Model]) -> tuple[list[Reduction], Account | None]:
    """Return every data set of the evidence, and what became of rows that belong to none."""
    if isinstance(evidence, Scores):
        return [Scored(table, plan, evidence.account) for table in evidence.tables], None
    if isinstance(evidence, Rankings):
        return [Judged(evidence.to_judgments(), plan, models, evidence)], None
    parts, left_out = evidence.parts()
    return [Judged(part, plan, models, title=title) for title, part in parts], left_out


def one_reduction(evidence: Any, plan: Plan, models: Sequence[Model], what: str) -> tuple[Reduction, Account | None]:
    """Return the only data set of the evidence, and rows that belong to none; `what` is of one, and refuses several."""
    parts, left_out = reductions(evidence, plan, models)
    if len(parts) > 1:
        column = evidence.roles["dataset"] if isinstance(evidence, Judgments) else "metric"
        raise PlanError(several([part.title for part in parts], what, column))
    return parts[0], left_out


def several(titles: Sequence[str], what: str, column: str = "metric") -> str:
    """Say that there are several data sets, and by which column to choose one."""
    shown = ", ".join(repr(title) for title in titles[:10])
    return (
        f"{what} is of one metric and data set, and there are {len(titles)}: {shown}. "
        f"Choose one with --where {column}=NAME (where={{'{column}': 'NAME'}})."
    )


def statistic_for(model: Model, reduction: Reduction) -> tuple[Any, EvidenceSummary]:
    """Return the statistic that a model is fitted to, and the summary that says what was converted on the way."""
    if reduction.kind not in model.accepts:
        raise ModelError(_refusal(model, reduction.kind))
    for kind in model.consumes:
        statistic = reduction.statistic(kind, model)
        if statistic is not None:
            summary = replace(reduction.summary(model), conversion=reduction.conversion(statistic, model))
            if isinstance(statistic, Games) and reduction.order(model) is not None:
                summary = replace(summary, digest=statistic.digest())
            return statistic, summary
    raise ModelError(_refusal(model, reduction.kind))


def _refusal(model: Model, kind: str) -> str:
    """Say what the model ranks, and what to do: convert, or take another model."""
    convertible = {"scores": ("rankings", "judgments"), "rankings": ("judgments",), "judgments": ()}
    ways = [other for other in convertible[kind] if other in model.accepts]
    remedy = f"Convert it first: betterthan convert FILE --to {ways[0]} -o {ways[0]}.csv. Or use" if ways else "Use"
    return (
        f"{model.name} ranks {' or '.join(model.accepts)}, but this evidence is {kind}. {remedy} a model for {kind}, "
        "such as bradley-terry or win-rate; betterthan rank --models lists them."
    )
