"""From evidence and two names to a duel."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from betterthan.duel.duel import Duel
from betterthan.engine.table import IntArray
from betterthan.errors import EvidenceError, PlanError, nearest
from betterthan.evidence.judgments import Judgments
from betterthan.evidence.outcomes import LEFT, RIGHT, TIE
from betterthan.evidence.rankings import Rankings
from betterthan.evidence.read import as_evidence
from betterthan.evidence.scores import Scores, ScoreTable
from betterthan.findings import Finding
from betterthan.infer import paired
from betterthan.infer.effects import Effect, effects, odds
from betterthan.infer.equivalence import equivalence
from betterthan.infer.paired import Differences, Test
from betterthan.plan import check_amount, check_level

_FEW, _MANY_TIES, _OUTLIERS = 20, 0.3, 0.05


@dataclass(frozen=True)
class _Options:
    level: float
    seed: int
    margin: float | None
    ties: str
    tolerance: float


def compare(
    evidence: Any,
    a: str | None = None,
    b: str | None = None,
    *,
    groups: Mapping[str, str] | Sequence[str] | None = None,
    margin: float | None = None,
    ties: Literal["drop", "split"] = "drop",
    tolerance: float = 0.0,
    level: float = 0.95,
    seed: int = 0,
) -> Duel:
    """Compare two systems on the same instances, or in the judgments between them.

    Without names the evidence must hold two systems. `groups` says which instances hang together (documents, prompts;
    by instance, or in their order): tests and intervals then take groups as the units. `margin` is the difference up to
    which systems are practically equal; `ties` of the sign test are dropped or split.

    >>> duel = compare({"owl": [3, 5, 4, 6], "yak": [2, 1, 4, 3]}, "owl", "yak")
    >>> duel.effect("mean_difference").value
    2.0
    """
    options = _checked(_Options(level, seed, margin, ties, tolerance))
    evidence = as_evidence(evidence)
    if isinstance(evidence, Scores):
        return _scores(_only(evidence), a, b, groups, options)
    if groups is not None:
        raise PlanError("groups are for scores; judgments are grouped by their own item, ranking or judge column.")
    judgments = evidence.to_judgments() if isinstance(evidence, Rankings) else evidence
    return _judgments(judgments, evidence.kind, a, b, options)


def _checked(options: _Options) -> _Options:
    check_level(options.level)
    check_amount("tolerance", options.tolerance)
    if options.ties not in {"drop", "split"}:
        raise PlanError(f"ties must be drop or split, got {options.ties!r}.")
    if options.margin is not None:
        check_amount("margin", options.margin)
    return options


def _only(evidence: Scores) -> ScoreTable:
    if len(evidence.tables) > 1:
        titles = ", ".join(repr(table.title) for table in evidence.tables[:10])
        raise PlanError(
            f"a duel is fought on one metric and data set, and there are {len(evidence.tables)}: {titles}. "
            "Choose one with --where metric=NAME (where={'metric': 'NAME'})."
        )
    return evidence.tables[0]


def _two(systems: Sequence[str], a: str | None, b: str | None) -> tuple[str, str]:
    """Return the two names, refusing what is not there."""
    if a is None and b is None and len(systems) == 2:
        return systems[0], systems[1]
    for name in (a, b):
        if name is None:
            raise PlanError(f"name the two systems to compare; there are: {', '.join(systems[:20])}.")
        if name not in systems:
            raise PlanError(f"no system {name!r} in this evidence. {nearest(name, systems)}")
    if a == b:
        raise PlanError(f"{a!r} cannot be compared with itself. Name two systems.")
    return str(a), str(b)


def _scores(
    table: ScoreTable,
    a: str | None,
    b: str | None,
    groups: Mapping[str, str] | Sequence[str] | None,
    options: _Options,
) -> Duel:
    a, b = _two(table.systems, a, b)
    first, second = (table.values[:, table.systems.index(name)] for name in (a, b))
    both = ~np.isnan(first) & ~np.isnan(second)
    if not np.any(both):
        raise EvidenceError(f"{a!r} and {b!r} were not scored on the same instance anywhere. Check the instances.")
    group = _group_codes(table, groups)
    differences = Differences(first[both], second[both], group[both], options.tolerance)
    values = differences.values
    wins, ties, losses = (int(np.sum(np.sign(values) == sign)) for sign in (1, 0, -1))
    rng = np.random.default_rng(options.seed)
    tests = [paired.t_test(differences), *_sign(differences, (wins, ties, losses), rng, options)]
    tests += [paired.wilcoxon(differences, rng), paired.wilcoxon(differences, rng, zeros="pratt")]
    tests += [paired.mood(differences), paired.permutation(differences, rng), paired.bootstrap(differences, rng)]
    if differences.binary:
        tests += paired.mcnemar(wins, losses)
    name, reason = _recommend(differences)
    findings = [*_unmatched(table, a, b, both), *_doubts(differences, ties)]
    facts = {"evidence": "scores", "compare": f"{a} against {b}", "groups": "given" if differences.grouped else "none"}
    return Duel(
        a, b, "scores", len(values), len(np.unique(differences.group)), wins, ties, losses,
        effects(differences, options.level, rng), tuple(tests), name, reason,
        equivalence(differences, options.margin, rng), tuple(findings), {**facts, **_facts(options)}, options.level,
    )  # fmt: skip


def _judgments(evidence: Judgments, kind: str, a: str | None, b: str | None, options: _Options) -> Duel:
    unit = evidence.units[:1]
    tally = evidence.tally(*unit)
    a, b = _two(tally.systems, a, b)
    one, two = tally.systems.index(a), tally.systems.index(b)
    straight, turned = (tally.left == one) & (tally.right == two), (tally.left == two) & (tally.right == one)
    rows = np.flatnonzero(straight | turned)
    times = np.round(tally.times[rows]).astype(np.int64)
    if times.sum() == 0:
        raise EvidenceError(f"{a!r} and {b!r} were never compared with each other. Rank them instead: betterthan rank.")
    outcome = np.where(straight[rows], tally.outcome[rows], (LEFT + RIGHT) - tally.outcome[rows])
    value = np.repeat(np.select([outcome == LEFT, outcome == TIE], [1.0, 0.5], 0.0), times)
    codes = tally.units[unit[0]].codes[rows] if unit else np.arange(len(rows))
    group = np.repeat(codes, times) if unit else np.arange(len(value))
    differences = Differences(value, 1 - value, group)
    wins, ties, losses = (int(np.sum(value == score)) for score in (1.0, 0.5, 0.0))
    rng = np.random.default_rng(options.seed)
    tests = _sign(differences, (wins, ties, losses), rng, options)
    superiority = [effect for effect in effects(differences, options.level, rng) if effect.name == "superiority"]
    found: tuple[Effect, ...] = (*superiority, odds(wins, losses, options.level))
    findings = _doubts(differences, ties)
    if np.any(tally.weight[rows] != 1.0):
        findings.append(Finding("weights", "info", "weights do not enter a duel: every judgment counts once"))
    reason = "judgments say who won, not by how much" + (f"; those of one {unit[0]} hang together" if unit else "")
    facts = {"evidence": kind, "compare": f"{a} against {b}", "unit": unit[0] if unit else "row"}
    return Duel(
        a, b, kind, len(value), len(np.unique(group)), wins, ties, losses, found, tuple(tests), "sign", reason, None,
        tuple(findings), {**facts, **_facts(options)}, options.level,
    )  # fmt: skip


def _sign(
    differences: Differences, counts: tuple[int, int, int], rng: np.random.Generator, options: _Options
) -> list[Test]:
    """Return the sign test, by group where instances come in groups."""
    if differences.grouped:
        return [paired.sign_test_by_group(differences, rng)]
    return [paired.sign_test(*counts, split=options.ties == "split")]


def _group_codes(table: ScoreTable, groups: Mapping[str, str] | Sequence[str] | None) -> IntArray:
    if groups is None:
        return np.arange(len(table.instances))
    if isinstance(groups, Mapping):
        lacking = [instance for instance in table.instances if instance not in groups]
        if lacking:
            raise EvidenceError(
                f"groups name no group for the instance {lacking[0]!r} ({len(lacking)} such instances)."
            )
        named = [groups[instance] for instance in table.instances]
    else:
        named = list(groups)
    if len(named) != len(table.instances):
        raise EvidenceError(f"groups must have one entry per instance: {len(table.instances)}, got {len(named)}.")
    codes: IntArray = np.unique(np.array(named, dtype=str), return_inverse=True)[1].astype(np.int64)
    return codes


def _recommend(differences: Differences) -> tuple[str, str]:
    """Name the test for these differences, and why."""
    values = differences.values
    if differences.binary and not differences.grouped:
        return "mcnemar", "the scores are right or wrong: only instances on which the two differ count"
    if differences.grouped:
        return "permutation", "instances come in groups, whose signs are flipped together; no distribution is assumed"
    if len(values) < _FEW:
        return "permutation", f"with fewer than {_FEW} instances only an exact test can be trusted"
    low, high = np.quantile(values, [0.25, 0.75])
    reach = 1.5 * (high - low)
    outliers = float(np.mean((values < low - reach) | (values > high + reach)))
    if outliers > _OUTLIERS:
        return "wilcoxon", f"{100 * outliers:.0f} % of the differences are outliers (1.5 IQR), which move a mean"
    return (
        "t",
        "differences without many outliers: the mean is what one wants to know, and its test is the most powerful",
    )


def _unmatched(table: ScoreTable, a: str, b: str, both: NDArray[np.bool_]) -> list[Finding]:
    """Say which instances only one of the two was scored on."""
    findings = []
    for name, other in ((a, b), (b, a)):
        lacks = np.isnan(table.values[:, table.systems.index(name)]) & ~np.isnan(
            table.values[:, table.systems.index(other)]
        )
        if np.any(lacks):
            shown = ", ".join(repr(table.instances[place]) for place in np.flatnonzero(lacks)[:3])
            more = f" and {int(lacks.sum()) - 3:,} more" if lacks.sum() > 3 else ""
            message = f"{name!r} has no score on {shown}{more}: {int(both.sum()):,} instances were matched"
            findings.append(Finding("unmatched", "warning", message, "score the rest"))
    return findings


def _doubts(differences: Differences, ties: int) -> list[Finding]:
    values = differences.values
    findings = []
    if not np.any(values):
        findings.append(Finding("identical", "warning", "the two never differ: the same system, or the same file?"))
    elif ties / len(values) > _MANY_TIES:
        message = f"{100 * ties / len(values):.0f} % of the comparisons are ties: they tell nothing about who is better"
        findings.append(Finding("ties", "info", message, "a finer measure needs fewer instances"))
    units = len(np.unique(differences.group))
    if units < _FEW:
        message = (
            f"only {units} {'groups' if differences.grouped else 'comparisons'}: intervals are probably too narrow"
        )
        findings.append(Finding("few-units", "warning", message, "collect more"))
    return findings


def _facts(options: _Options) -> dict[str, str]:
    facts = {"ties": options.ties, "level": repr(options.level), "seed": str(options.seed)}
    if options.margin is not None:
        facts["margin"] = repr(options.margin)
    if options.tolerance:
        facts["tolerance"] = repr(options.tolerance)
    return facts
