"""Options of `rank`: what is asked, and what is settled once the evidence is known."""

import os
from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass, fields, replace
from typing import Any, ClassVar, Self

from betterthan.errors import PlanError, quoted_value
from betterthan.named import split
from betterthan.options.declare import option
from betterthan.options.options import Options
from betterthan.options.shared import (
    CLUSTERS,
    INTERVALS,
    LEVEL,
    REPEATED,
    RESAMPLES,
    SCALES,
    SEED,
    TOLERANCE,
    TOLERANCE_HELP,
    UNIT,
    WMT,
)
from betterthan.progress import Progress, silent
from betterthan.signature import Signature
from betterthan.spelling import option as spelled

#: Facts that only signatures of other verbs had in version 0.1.
_OTHERS = {
    "compare": "compare",
    "diagnose": "diagnose",
    "next": "next",
    "splits": "select",
    "replay": "replay",
    "power": "power",
}


#: Options that have no effect without intervals.
OF_INTERVALS = ("unit", "buckets", "resamples", "level", "clusters")


@dataclass(frozen=True, kw_only=True)
class Plan(Options):
    """What to compute and how, as far as it was said; the evidence decides the rest.

    >>> Plan(model=["mean", "elo(k=32)"]).models
    ('mean', 'elo(k=32)')
    """

    verb: ClassVar[str] = "rank"

    model: str | None = option(
        None,
        "One or several with commas, options in brackets: 'bradley-terry(ties=drop),elo(k=32)'.",
        metavar="MODELS", unsaid="bradley-terry; for scores mean,median,bradley-terry",
    )  # fmt: skip
    ties: str | None = option(None, "half, drop, davidson, rao-kupper; threshold (thurstone).", unsaid="the model's")
    scale: str | None = option(
        None, "Scale of log-strengths; winrate: mean chance to win, expected: with half of that to tie.",
        choices=SCALES, unsaid="elo; for scores winrate",
    )  # fmt: skip
    ci: str | None = option(
        None, "How intervals are made; runs: a model's random choices made again; redraws: judgments drawn again too.",
        choices=INTERVALS, unsaid="bootstrap",
    )  # fmt: skip
    unit: str | None = option(None, "Unit of dependence: what is resampled as a whole.", **UNIT)
    resamples: int | None = option(
        None,
        "Number of resamples, or of runs.",
        unsaid="1000, fewer where refits take long; runs, redraws: 100",
        **RESAMPLES,
    )
    level: float | None = option(
        None, "Level of intervals and rank ranges.", unsaid="0.95; runs, redraws: 0.96", **LEVEL
    )
    clusters: str | None = option(
        None, "What rank ranges and clusters promise: all together at the level, or each range as in WMT.",
        choices=CLUSTERS, unsaid="family-wise; runs, redraws: wmt",
    )  # fmt: skip
    buckets: int | None = option(
        None, "Buckets that share many items or judges; 0: none, all are resampled one by one.",
        least=0, most=1_000_000, metavar="NUMBER", unsaid="4096 where there are over 20,000",
    )  # fmt: skip
    anchor: str | None = option(None, "Fix one system on the log or elo scale.", metavar="SYSTEM[=VALUE]")
    reweight: str | None = option(
        None, "Judgments: pairs that met often weigh less, 1/max(number, 50) each.", choices=("pairs",), unsaid="none"
    )
    tolerance: float | None = option(None, TOLERANCE_HELP, unsaid="0", **TOLERANCE)
    per_pair: str | None = option(
        None, "Comparisons drawn of every pair: a number, or 12mlnm (12·m·ln m of m systems).", metavar="NUMBER",
        unsaid="all",
    )  # fmt: skip
    seed: int | None = option(None, "Seed of resamples, random orders and samplers.", unsaid="0", **SEED)

    data: str | None = option(None, "Digest of the data that a plan was made for.", line=False, signed=False)
    kind: str | None = option(
        None, "Kind of evidence that a plan was made for.", choices=("judgments", "rankings", "scores"), line=False,
        signed=False,
    )  # fmt: skip
    direction: str | None = option(
        None, "Scores that a plan was made for: less is better, or of some metrics only.", choices=("less", "mixed"),
        line=False, signed=False,
    )  # fmt: skip
    version: str | None = option(None, "Version that printed the signature of a plan.", line=False, signed=False)

    def __post_init__(self) -> None:
        several: Any = self.model  # given as a list, they become one text with commas
        if isinstance(several, (list, tuple)) and several and all(isinstance(name, str) for name in several):
            object.__setattr__(self, "model", ",".join(name.strip() for name in several))
        super().__post_init__()
        if self.model is not None and (not self.models or len(set(self.models)) < len(self.models)):
            raise PlanError(f"model must name at least one model, and none twice, got {self.model!r}.")

    @property
    def models(self) -> tuple[str, ...]:
        """The models one by one, each with its options."""
        return split(self.model or "")

    def over(self, other: "Plan | None") -> "Plan":
        """Return this plan, completed by another where it is silent; that may be a signature or a saved plan."""
        given: Any = other
        if isinstance(given, (str, os.PathLike)):
            other = Plan.load(given)
        elif given is not None and not isinstance(given, Plan):
            raise PlanError(f"plan must be a Plan, a signature or the path of a saved plan, got {quoted_value(given)}.")
        return Plan(**{
            each.name: getattr(other, each.name) if other is not None and value is None else value
            for each in fields(Plan) for value in [getattr(self, each.name)]
        })  # fmt: skip

    def anywhere(self) -> "Plan":
        """Return the plan without what is said of the evidence that it was made for."""
        return replace(self, data=None, kind=None, direction=None, version=None)

    @classmethod
    def from_signature(cls, line: str) -> Self:
        """Return the options that a signature prints, with the version that printed it."""
        return replace(super().from_signature(line), version=Signature.parse(line).version)

    @classmethod
    def understood(cls, facts: dict[str, str]) -> dict[str, str]:
        """Translate a signature of version 0.1, which named unit and number of resamples in one fact."""
        if "evidence" in facts:
            facts["kind"] = facts.pop("evidence")
        if "verb" in facts:
            return facts
        other = next((verb for fact, verb in _OTHERS.items() if fact in facts), None)
        if other is not None or "model" not in facts:
            whose = "another verb" if other is None else repr(other)
            raise PlanError(f"this is a signature of {whose}, not of 'rank'. Paste one that rank printed.")
        unit, _, number = facts.pop("resample", "").partition("×")
        clusters = "" if facts.get("ci") == "none" else WMT  # the only ones there were
        said = {"unit": unit, "resamples": facts.pop("runs", number), "clusters": clusters}
        return {"verb": "rank", **facts, **{name: text for name, text in said.items() if text not in {"", "auto"}}}


@dataclass(frozen=True, kw_only=True)
class StateOptions(Options):
    """Judgments that are kept in a file and added to, such as those of a weekly leaderboard."""

    verb: ClassVar[str] = "rank"

    state: str | os.PathLike[str] | None = option(
        None, "Add the judgments to those in this file, rank all of them, and keep them there.",
        metavar="FILE", signed=False,
    )  # fmt: skip
    again: bool = option(False, "With a state: add judgments that were added already.", signed=False)


@dataclass(frozen=True)
class RankOptions(StateOptions, Plan):
    """A call of `rank`: a plan, perhaps another one that it starts from, a state, and who hears of progress."""

    plan: Plan | None = option(None, "A saved plan to start from.", line=False, signed=False)
    _: KW_ONLY
    progress: Progress = option(silent, "Called with (steps done, steps in all).", line=False, signed=False)

    def __post_init__(self) -> None:
        given: Any = self.plan
        if isinstance(given, str) and not given.startswith("betterthan ") and not given.endswith(".toml"):
            raise PlanError(  # a model is easily put here by mistake
                f"the second argument is a plan, got {given!r}",
                remedy=f"To choose a model, say {spelled('model', given)}.",
            )
        super().__post_init__()

    def asked(self) -> Plan:
        """Return the plan of this call."""
        plan = self.over(self.plan)
        refuse_without_effect(self, plan.ci, OF_INTERVALS)
        return plan


def refuse_without_effect(said: Plan, ci: str | None, names: Sequence[str]) -> None:
    """Refuse what a call says of intervals that it does not make; what a plan says that it starts from may stay."""
    for name in names:
        value = getattr(said, name)
        if ci == "none" and value is not None:
            raise PlanError(
                f"{spelled(name, value)} has no effect with {spelled('ci', 'none')}, which makes no intervals",
                remedy="Leave one of them out.",
            )
    if ci == "information" and said.unit not in {None, "row", "item"}:
        raise PlanError(
            f"{spelled('ci', ci)} takes every judgment, or item, as independent, so "
            f"{spelled('unit', said.unit)} has no effect",
            remedy=f"Leave one of them out, or use {spelled('ci', 'analytic')}.",
        )


@dataclass(frozen=True, kw_only=True)
class Settings:
    """Every choice behind one leaderboard: nothing is left open.

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

    def facts(self) -> dict[str, str]:
        """Return the choices that decided the result as facts of its signature."""
        said = {"model": self.model, "ties": self.ties, "scale": self.scale, "ci": self.ci}
        facts = {name: value for name, value in said.items() if value is not None}
        if self.ci != "none":
            facts |= {} if self.ci in REPEATED or not self.unit else {"unit": self.unit}
            facts |= {"buckets": str(self.buckets)} if self.buckets is not None else {}
            facts |= {"resamples": str(self.resamples), "level": repr(self.level), "clusters": self.clusters}
        if self.ci != "none" or self.seed:
            facts["seed"] = str(self.seed)
        if self.anchor is not None:
            facts["anchor"] = self.anchor
        if self.reweight is not None:
            facts["reweight"] = self.reweight
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
