"""From evidence and models to the one that predicts best."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from betterthan.errors import PlanError
from betterthan.evidence.judgments import Judgments
from betterthan.evidence.read import as_evidence
from betterthan.findings import Finding
from betterthan.leaderboard import support
from betterthan.leaderboard.reduction import Judged, Reduction, one_reduction, statistic_for
from betterthan.leaderboard.summary import EvidenceSummary
from betterthan.models.base import Model
from betterthan.parallel import each
from betterthan.plan import Plan, check_numbers
from betterthan.progress import Progress, silent
from betterthan.selection import doubts
from betterthan.selection.candidates import compete
from betterthan.selection.choices import Choices
from betterthan.selection.pieces import cut_up
from betterthan.selection.result import Selection
from betterthan.selection.summary import Summary
from betterthan.selection.trial import Contest, TuneBy
from betterthan.spelling import option

UNITS = ("ranking", "item", "judge", "row")
_ORDERED = "trueskill(preset=wmt)"
_DEFAULTS = {
    "judgments": f"expected-wins,hopkins-may,{_ORDERED},bradley-terry,davidson",
    "rankings": f"expected-wins,hopkins-may,{_ORDERED},bradley-terry,davidson",
    "scores": "mean,median,bradley-terry,davidson",
}


def select(
    evidence: Any,
    models: str | Sequence[str] | None = None,
    *,
    unit: str | None = None,
    folds: int | None = None,
    repeats: int = 4,
    dev: int | None = None,
    test: int | None = None,
    sizes: Sequence[int] | None = None,
    tune_by: TuneBy = "log_loss",
    tolerance: float = 0.0,
    level: float = 0.95,
    seed: int = 0,
    progress: Progress = silent,
) -> Selection:
    """Choose the model that predicts held-out judgments best.

    Evidence is split by `unit` (ranking, item, judge, row; by default as `rank` resamples), so that no unit is in two
    parts: into `folds` (5), `repeats` times, or into `dev` and `test` judgments and the rest. Models are fitted to
    training, tuned on development and measured on test. `sizes` asks for learning curves. An option may list
    alternatives, `elo(k=16|32)`, of which development judgments choose by `tune_by`: log_loss or accuracy.

    >>> votes = [("owl", "yak", "a")] * 30 + [("owl", "yak", "b")] * 10 + [("owl", "elk", "tie")] * 10
    >>> found = select(votes, "davidson,win-rate", repeats=1)
    >>> found.best["accuracy"] in {"davidson", "win-rate"}
    True
    """
    if sizes is not None:
        check_numbers("sizes", sizes)
    choices = Choices(folds, repeats, dev, test, () if sizes is None else tuple(sorted(sizes)), tune_by)
    evidence = as_evidence(evidence)
    if tolerance and evidence.kind != "scores":
        raise PlanError(
            f"{option('tolerance')} is for scores, but this evidence is {evidence.kind}", remedy="Leave it out."
        )
    if unit is not None and unit not in UNITS:
        raise PlanError(f"unit must be one of {', '.join(UNITS)}, got {unit!r}.")
    text, findings = (models, []) if models is not None else _default(evidence)
    plan = Plan(model=text, resample=unit, level=level, seed=seed, tolerance=tolerance)  # type: ignore[arg-type]
    candidates = compete(plan.models, seed)
    competing = [model for candidate in candidates for _, model in candidate.alternatives]
    reduction, left_out = one_reduction(evidence, plan, competing, "the choice of a model")
    summary = _accepted(reduction, competing)
    pieces = cut_up(reduction, reduction.unit, competing)
    splits = choices.splits(pieces, reduction.unit, seed)
    trials = each(Contest(pieces, candidates, choices.sizes or (None,), tune_by), splits, progress)
    found = Summary(tuple(trials), tuple(candidate.text for candidate in candidates), level)
    findings += [*(support.refused(left_out) if left_out else ()), *support.refused(reduction.account(competing[0]))]
    facts = {
        "evidence": evidence.kind, "digest": summary.digest, "models": ",".join(plan.models),
        "unit": reduction.unit, **choices.facts(), "level": repr(level), "seed": str(seed),
        **({"tolerance": repr(tolerance)} if tolerance else {}),
    }  # fmt: skip
    selection = Selection(
        rows=found.rows(), versus=found.versus(), kind=evidence.kind, unit=reduction.unit, units=len(pieces.per_unit),
        judgments=summary.judgments, splits=len(splits), tested=found.tested, level=level, findings=(), facts=facts,
    )  # fmt: skip
    findings += doubts.all_of(found, selection)
    return replace(selection, findings=tuple(findings))


def _default(evidence: Any) -> tuple[str, list[Finding]]:
    """Return the models that compete by default; one that needs an order has no place where there is none."""
    models = _DEFAULTS[evidence.kind]
    if not isinstance(evidence, Judgments) or evidence.ordered:
        return models, []
    return models.replace(f"{_ORDERED},", ""), [doubts.without_order(_ORDERED)]


def _accepted(reduction: Reduction, models: list[Model]) -> EvidenceSummary:
    """Refuse at once what a model cannot rank; return the evidence in numbers."""
    if isinstance(reduction, Judged) and reduction.unit not in {"row", *reduction.evidence.units}:
        have = ", ".join([*reduction.evidence.units, "row"])
        raise PlanError(
            f"there is no {reduction.unit} column to split by",
            where=reduction.evidence.table.name,
            allowed=have,
            remedy=f"Name the column with {option(reduction.unit, 'COLUMN')}.",
        )
    for model in models:
        statistic_for(model, reduction)
    return reduction.summary(models[0])
