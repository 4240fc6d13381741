"""From evidence and two names to a duel."""

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from betterthan.duel.duel import Duel
from betterthan.duel.pairing import Groups, Pairing, pair
from betterthan.errors import PlanError
from betterthan.findings import Finding
from betterthan.findings.evidence import IDENTICAL
from betterthan.findings.resampling import FEW_UNITS
from betterthan.findings.scores import OUTLIERS
from betterthan.findings.ties import MANY_TIES
from betterthan.infer import paired
from betterthan.infer.effects import Effect, effects, odds
from betterthan.infer.equivalence import equivalence
from betterthan.infer.outliers import far
from betterthan.infer.paired import Differences, Test
from betterthan.plan import check_amount, check_level

_FEW = int(FEW_UNITS.thresholds["exact_tests"])


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
    groups: Groups | None = None,
    margin: float | None = None,
    ties: Literal["drop", "split"] = "drop",
    tolerance: float = 0.0,
    level: float = 0.95,
    seed: int = 0,
) -> Duel:
    """Compare two systems on the same instances, or in the judgments between them.

    Without names the evidence must hold two systems. `groups` says which instances hang together (documents, prompts;
    by instance, or in their order), unless the scores were read with a `group` column: tests and intervals then take
    groups as the units. `margin` is the difference up to which systems are practically equal; `ties` of the sign test
    are dropped or split.

    >>> duel = compare({"owl": [3, 5, 4, 6], "yak": [2, 1, 4, 3]}, "owl", "yak")
    >>> duel.effect("mean_difference").value
    2.0
    """
    options = _checked(_Options(level, seed, margin, ties, tolerance))
    pairing = pair(evidence, a, b, groups, tolerance=tolerance)
    return (_scores if pairing.kind == "scores" else _judgments)(pairing, options)


def _checked(options: _Options) -> _Options:
    check_level(options.level)
    check_amount("tolerance", options.tolerance)
    if options.ties not in {"drop", "split"}:
        raise PlanError(f"ties must be drop or split, got {options.ties!r}.")
    if options.margin is not None:
        check_amount("margin", options.margin)
    return options


def _scores(pairing: Pairing, options: _Options) -> Duel:
    differences, (wins, ties, losses) = pairing.differences, pairing.counts
    rng = np.random.default_rng(options.seed)
    tests = [paired.t_test(differences), *_sign(differences, (wins, ties, losses), rng, options)]
    tests += [paired.wilcoxon(differences, rng), paired.wilcoxon(differences, rng, zeros="pratt")]
    tests += [paired.mood(differences, rng), paired.permutation(differences, rng), paired.bootstrap(differences, rng)]
    if differences.binary and not differences.grouped:  # by group it is the sign test
        tests += paired.mcnemar(wins, losses)
    name, reason = _recommend(differences)
    return Duel(
        pairing.a, pairing.b, "scores", len(differences.values), pairing.units, wins, ties, losses,
        effects(differences, options.level, rng), tuple(tests), name, reason,
        equivalence(differences, options.margin, rng), (*pairing.findings, *_doubts(pairing, ties)),
        _facts(pairing, options), options.level, differences,
    )  # fmt: skip


def _judgments(pairing: Pairing, options: _Options) -> Duel:
    differences, (wins, ties, losses) = pairing.differences, pairing.counts
    rng = np.random.default_rng(options.seed)
    tests = _sign(differences, (wins, ties, losses), rng, options)
    superiority = [effect for effect in effects(differences, options.level, rng) if effect.name == "superiority"]
    found: tuple[Effect, ...] = (*superiority, odds(wins, losses, options.level))
    together = f"; those of one {pairing.unit} hang together" if pairing.unit else ""
    return Duel(
        pairing.a, pairing.b, pairing.kind, len(differences.values), pairing.units, wins, ties, losses, found,
        tuple(tests), "sign", f"judgments say who won, not by how much{together}", None,
        (*_doubts(pairing, ties), *pairing.findings), _facts(pairing, options), options.level,
    )  # fmt: skip


def _sign(
    differences: Differences, counts: tuple[int, int, int], rng: np.random.Generator, options: _Options
) -> list[Test]:
    """Return the sign test, by group where instances come in groups."""
    if differences.grouped:
        return [paired.sign_test_by_group(differences, rng)]
    return [paired.sign_test(*counts, split=options.ties == "split")]


def _recommend(differences: Differences) -> tuple[str, str]:
    """Name the test for these differences, and why."""
    values = differences.values
    if differences.binary and not differences.grouped:
        return "mcnemar", "the scores are right or wrong: only instances on which the two differ count"
    if differences.grouped:
        return "permutation", "instances come in groups, whose signs are flipped together; no distribution is assumed"
    if len(values) < _FEW:
        return "permutation", f"with fewer than {_FEW} instances only an exact test can be trusted"
    outliers = float(np.mean(far(values[:, None])))
    if outliers > OUTLIERS.thresholds["many"]:
        return "wilcoxon", f"{100 * outliers:.0f} % of the differences are outliers (1.5 IQR), which move a mean"
    return (
        "t",
        "differences without many outliers: the mean is what one wants to know, and its test is the most powerful",
    )


def _doubts(pairing: Pairing, ties: int) -> list[Finding]:
    differences, findings = pairing.differences, []
    share = ties / len(differences.values)
    if not np.any(differences.values):
        findings.append(IDENTICAL.found(pairs=f"{pairing.a!r} and {pairing.b!r}", number=1))
    elif share > MANY_TIES.thresholds["many"]:
        what = "instances" if pairing.kind == "scores" else "judgments"
        findings.append(MANY_TIES.found(share=share, factor=1 / (1 - share), what=what))
    if pairing.units < _FEW:
        findings.append(FEW_UNITS.found(units=pairing.units, unit="group" if differences.grouped else "comparison"))
    return findings


def _facts(pairing: Pairing, options: _Options) -> dict[str, str]:
    facts = {**pairing.facts, "ties": options.ties, "level": repr(options.level), "seed": str(options.seed)}
    if options.margin is not None:
        facts["margin"] = repr(options.margin)
    if options.tolerance:
        facts["tolerance"] = repr(options.tolerance)
    return facts
