"""Options of `rank`, as given and as resolved for the evidence."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, fields, replace
from typing import Any, ClassVar, Self

from betterthan.base import PlanError, Progress, Signature, quoted_value, registry, silent, spelling
from betterthan.options.fields.declare import option
from betterthan.options.fields.options import Options
from betterthan.options.shared import (
    ANYTIME,
    CLUSTERS,
    HORIZONS,
    INTERVALS,
    LEVEL,
    REPEATED,
    RESAMPLES,
    SCALES,
    SEED,
    TOLERANCE,
    TOLERANCE_HELP,
    UNIT,
)

#: Options of the overall score of several data sets or metrics.
_OF_SUITES = ("overall", "average", "weights")
#: Options that have no effect without intervals.
OF_INTERVALS = ("unit", "buckets", "resamples", "level", "clusters", "horizon")


@dataclass(frozen=True, kw_only=True)
class Plan(Options):
    """The options of `rank` as given; the evidence decides the rest.

    >>> Plan(model=["mean", "elo(k=32)"]).models
    ('mean', 'elo(k=32)')
    """

    verb: ClassVar[str] = "rank"

    model: str | None = option(
        None,
        "One model or several, with options in brackets: 'davidson,elo(k=32)'.",
        metavar="MODELS",
        listed=True,
        unsaid="bradley-terry; for scores mean,median,bradley-terry",
    )
    ties: str | None = option(None, "How ties count: half, drop, or a model of ties.", unsaid="the model's own")
    scale: str | None = option(
        None,
        "Scale of the scores. winrate: mean probability of a win; expected: ties half.",
        choices=SCALES,
        unsaid="elo; for scores winrate",
    )
    ci: str | None = option(
        None,
        "How intervals are computed. runs repeats random choices, redraws judgments, too.",
        choices=INTERVALS,
        unsaid="bootstrap",
    )
    unit: str | None = option(None, "Unit of dependence: what is resampled as a whole.", **UNIT)
    resamples: int | None = option(
        None,
        "Number of bootstrap samples, or of runs.",
        unsaid="1000; runs, redraws: 100",
        **RESAMPLES,
    )
    level: float | None = option(None, "Confidence level.", unsaid="0.95; runs, redraws: 0.96", **LEVEL)
    clusters: str | None = option(
        None,
        "family-wise: all rank ranges hold jointly at the confidence level; wmt: each range alone.",
        choices=CLUSTERS,
        unsaid="family-wise; runs, redraws: wmt",
    )
    horizon: str | None = option(
        None,
        "fixed: for one look at the end; anytime: for any number of looks.",
        choices=HORIZONS,
        unsaid="fixed; for a campaign anytime",
    )
    buckets: int | None = option(
        None,
        "Group many items or judges into that number; 0: none.",
        least=0,
        most=1_000_000,
        metavar="NUMBER",
        unsaid="4096 above 20,000",
    )
    anchor: str | None = option(None, "Fix the log or elo score of one system.", metavar="SYSTEM[=VALUE]")
    reweight: str | None = option(
        None,
        "Judgments: pairs compared often weigh less, 1/max(number, 50) each.",
        choices=("pairs",),
        unsaid="none",
    )
    control: str | None = option(
        None,
        "Judgments: control for length, position, columns or a formula.",
        metavar="COLUMNS",
        listed=True,
    )
    tolerance: float | None = option(None, TOLERANCE_HELP, unsaid="0", **TOLERANCE)
    per_pair: str | None = option(
        None,
        "Comparisons drawn from every pair, or 12mlnm: 12·m·ln m.",
        metavar="NUMBER",
        unsaid="all",
    )
    seed: int | None = option(None, "Seed of all that is random.", unsaid="0", **SEED)
    overall: str | None = option(
        None,
        "Several tasks: overall score by the mean, the mean rank, or none.",
        choices=("mean", "mean-rank", "none"),
        unsaid="mean where they share a range and unit",
    )
    average: str | None = option(
        None,
        "Overall score: tasks count equally (macro) or items.",
        choices=("macro", "micro"),
        unsaid="macro",
    )
    weights: Mapping[str, float] | str | None = option(
        None,
        "Overall score: weights of tasks, or a file of them.",
        metavar="TASK=WEIGHT,…",
        typed="dict of str to float, str or path",
        unsaid="equal",
    )

    data: str | None = option(None, "Digest of the data for which the plan was made.", line=False, signed=False)
    kind: str | None = option(
        None,
        "Kind of evidence for which the plan was made.",
        choices=("judgments", "rankings", "scores"),
        line=False,
        signed=False,
    )
    direction: str | None = option(
        None,
        "Direction of the scores for which the plan was made: less is better for all metrics, or for some.",
        choices=("less", "mixed"),
        line=False,
        signed=False,
    )
    version: str | None = option(
        None, "Version of betterthan that printed the plan's signature.", line=False, signed=False
    )

    def __post_init__(self) -> None:
        for name in ("model", "control"):
            several: Any = getattr(self, name)  # given as a list, they become one text with commas
            if isinstance(several, (list, tuple)) and several and all(isinstance(each, str) for each in several):
                object.__setattr__(self, name, ",".join(each.strip() for each in several))
        if isinstance(self.weights, Mapping):
            from betterthan.options.weights import weights_text  # noqa: PLC0415 (most evidence is one task)

            object.__setattr__(self, "weights", weights_text(self.weights))
        super().__post_init__()
        if self.model is not None and (not self.models or len(set(self.models)) < len(self.models)):
            raise PlanError(f"model must name at least one model, and none twice, got {self.model!r}.")

    @property
    def models(self) -> tuple[str, ...]:
        """The models one by one, each with its options."""
        return registry.split(self.model or "")

    def over(self, other: "Plan | None") -> "Plan":
        """Return this plan, completed by another where it is silent; that may be a signature or a saved plan.

        Parameters
        ----------
        other : Plan, signature or path, optional
            The plan that completes this one.

        Returns
        -------
        Plan
            The completed plan.
        """
        given: Any = other
        if isinstance(given, (str, os.PathLike)):
            other = Plan.load(given)
        elif given is not None and not isinstance(given, Plan):
            raise PlanError(f"plan must be a Plan, a signature or the path of a saved plan, got {quoted_value(given)}.")
        return Plan(
            **{
                each.name: getattr(other, each.name) if other is not None and value is None else value
                for each in fields(Plan)
                for value in [getattr(self, each.name)]
            }
        )

    def check_overall(self) -> None:
        """Refuse options of an overall score that contradict each other."""
        said = [name for name in ("average", "weights") if getattr(self, name) is not None]
        both = ["overall", said[0]] if said and self.overall == "none" else said if len(said) > 1 else []
        if both:
            one, two = (spelling.option(name, getattr(self, name)) for name in both)
            raise PlanError(f"{one} and {two} contradict each other", remedy="Leave one of them out.")

    @property
    def of_suites(self) -> dict[str, str]:
        """The options of an overall score that were given, as texts; weights of a file are read."""
        given = {name: str(getattr(self, name)) for name in _OF_SUITES if getattr(self, name) is not None}
        if self.weights is not None:
            from betterthan.options.weights import weights_text  # noqa: PLC0415

            given["weights"] = weights_text(str(self.weights))
        return given

    @property
    def task_weights(self) -> dict[str, float]:
        """The weights of tasks by their names."""
        from betterthan.options.weights import weight_numbers  # noqa: PLC0415

        return {} if self.weights is None else weight_numbers(str(self.weights))

    def of_one_task(self) -> "Plan":
        """Return the plan of a single task of several."""
        return replace(self, overall=None, average=None, weights=None)

    def need_several(self, tasks: int, *, random: bool) -> None:
        """Refuse options of an overall score where there is one task.

        Parameters
        ----------
        tasks : int
            The number of data sets and metrics.
        random : bool
            Whether tasks are a sample of others.
        """
        said = next((name for name in _OF_SUITES if getattr(self, name) is not None), None)
        if tasks > 1 or (said is None and not random):
            return
        text = spelling.option("random", "task") if said is None else spelling.option(said, getattr(self, said))
        raise PlanError(
            f"{text} is for the overall score of several data sets or metrics, and there is one", remedy="Leave it out."
        )

    def anywhere(self) -> "Plan":
        """Return the plan without the description of the evidence that it was made for."""
        return replace(self, data=None, kind=None, direction=None, version=None)

    @classmethod
    def from_signature(cls, line: str) -> Self:
        """Return the options that a signature prints, with the version that printed it.

        Parameters
        ----------
        line : str
            The signature line of a result.

        Returns
        -------
        Plan
            The plan that repeats the result.
        """
        return replace(super().from_signature(line), version=Signature.parse(line).version)

    @classmethod
    def understood(cls, facts: dict[str, str]) -> dict[str, str]:
        """Return the facts under the names of options.

        Parameters
        ----------
        facts : dict of str to str
            The facts of a signature.

        Returns
        -------
        dict of str to str
            The facts under the names of options.
        """
        if "evidence" in facts:
            facts["kind"] = facts.pop("evidence")
        return super().understood(facts)


@dataclass(frozen=True, kw_only=True)
class StateOptions(Options):
    """What a board is set against: judgments that a file keeps and adds to, an earlier board, and costs."""

    verb: ClassVar[str] = "rank"

    state: str | os.PathLike[str] | None = option(
        None,
        "File of earlier judgments, to which new ones are added.",
        metavar="FILE",
        signed=False,
    )
    before: str | os.PathLike[str] | None = option(
        None,
        "JSON of an earlier board: say what changed.",
        metavar="FILE",
        signed=False,
    )
    again: bool = option(False, "With a state: add known judgments again.", signed=False)
    cost: Mapping[str, float] | str | os.PathLike[str] | None = option(
        None,
        "Costs of systems: show the frontier.",
        metavar="FILE",
        typed="dict of str to float, str or path",
        signed=False,
    )
    same_within: float | None = option(
        None,
        "With costs: a score this close is as good.",
        metavar="NUMBER",
        above=0,
        signed=False,
    )

    def costs(self) -> dict[str, float] | None:
        """Return the costs of systems by their names, None where none are given."""
        if self.cost is None:
            if self.same_within is not None:
                raise PlanError(
                    f"{spelling.option('same_within', f'{self.same_within:g}')} looks for a cheaper system, and there "
                    "are no costs",
                    remedy=f"Name a file of costs with {spelling.option('cost')}.",
                )
            return None
        from betterthan.options.named_numbers import costs_of  # noqa: PLC0415 (few boards have costs)

        return costs_of(self.cost)


@dataclass(frozen=True)
class RankOptions(StateOptions, Plan):
    """A call of `rank`: a plan, an optional plan to start from, a state, and a progress callback."""

    plan: Plan | None = option(
        None,
        "A saved plan to start from; options of the call override it.",
        typed="Plan, signature or path",
        line=False,
        signed=False,
    )
    _: KW_ONLY
    progress: Progress = option(
        silent,
        "Called with the number of steps done and the total.",
        typed="function of (int, int)",
        line=False,
        signed=False,
    )

    def __post_init__(self) -> None:
        given: Any = self.plan
        if isinstance(given, str) and not given.startswith("betterthan ") and not given.endswith(".toml"):
            raise PlanError(  # a model is easily put here by mistake
                f"the second argument is a plan, got {given!r}",
                remedy=f"To choose a model, say {spelling.option('model', given)}.",
            )
        super().__post_init__()

    def asked(self) -> Plan:
        """Return the plan of this call."""
        plan = self.over(self.plan)
        refuse_without_effect(self, plan.ci, OF_INTERVALS)
        plan.check_overall()
        return plan


def refuse_without_effect(said: Plan, ci: str | None, names: Sequence[str]) -> None:
    """Refuse what a call says about intervals that it does not make; what a plan says that it starts from may stay."""
    for name in names:
        value = getattr(said, name)
        if ci == "none" and value is not None:
            raise PlanError(
                f"{spelling.option(name, value)} has no effect with {spelling.option('ci', 'none')}, which "
                "makes no intervals",
                remedy="Leave one of them out.",
            )
    if ci == "information" and said.unit not in {None, "row", "item"}:
        raise PlanError(
            f"{spelling.option('ci', ci)} takes every judgment, or item, as independent, so "
            f"{spelling.option('unit', said.unit)} has no effect",
            remedy=f"Leave one of them out, or use {spelling.option('ci', 'analytic')}.",
        )


@dataclass(frozen=True, kw_only=True)
class Settings:
    """All settings of one leaderboard, fully resolved.

    `ties`, `scale` and `anchor` are None where the model has no such choice or nobody made it.
    """

    verb: ClassVar[str] = "rank"

    model: str
    ties: str | None
    scale: str | None
    ci: str
    unit: str
    resamples: int
    level: float
    clusters: str
    seed: int
    anchor: str | None
    reweight: str | None
    tolerance: float
    per_pair: str | None = None
    buckets: int | None = None
    horizon: str | None = None  # None where nobody asked and the evidence was not watched: fixed
    control: str | None = None

    @property
    def anytime(self) -> bool:
        """Whether decisions hold however often results are read."""
        return self.horizon == ANYTIME

    def facts(self) -> dict[str, str]:
        """Return the choices that decided the result as facts of its signature."""
        said = {"model": self.model, "ties": self.ties, "scale": self.scale, "ci": self.ci}
        facts = {name: value for name, value in said.items() if value is not None}
        if self.ci != "none":
            facts |= {} if self.ci in REPEATED or not self.unit else {"unit": self.unit}
            facts |= {"buckets": str(self.buckets)} if self.buckets is not None else {}
            facts |= {"resamples": str(self.resamples), "level": repr(self.level), "clusters": self.clusters}
            facts |= {"horizon": self.horizon} if self.horizon is not None else {}
        if self.ci != "none" or self.seed:
            facts["seed"] = str(self.seed)
        if self.anchor is not None:
            facts["anchor"] = self.anchor
        if self.reweight is not None:
            facts["reweight"] = self.reweight
        if self.control is not None:
            facts["control"] = self.control
        if self.tolerance:
            facts["tolerance"] = repr(self.tolerance)
        if self.per_pair is not None:
            facts |= {"seed": str(self.seed), "per_pair": self.per_pair}
        return facts

    def plan(self) -> Plan:
        """Return the plan that asks for exactly this."""
        said = {each.name: getattr(self, each.name) for each in fields(self)}
        return Plan(**{**said, "unit": self.unit or None})

    def changed(self, **values: Any) -> Self:
        """Return the same settings but for some."""
        return replace(self, **values)
