"""From evidence and two names to a duel."""

from typing import Any

import numpy as np

from betterthan.duel.duel import Duel
from betterthan.duel.pairing import Pairing, pair
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
from betterthan.options.compare import CompareOptions
from betterthan.options.verb import takes

_FEW = int(FEW_UNITS.thresholds["exact_tests"])


@takes(CompareOptions)
def compare(evidence: Any, options: CompareOptions) -> Duel:
    """Compare two systems on the same instances, or in the judgments between them.

    Without names the evidence must hold two systems. `groups` says which instances hang together (documents, prompts;
    by instance, or in their order), unless the scores were read with a `group` column: tests and intervals then take
    groups as the units. `margin` is the difference up to which systems are practically equal; `ties` of the sign test
    are dropped or split.

    >>> duel = compare({"owl": [3, 5, 4, 6], "yak": [2, 1, 4, 3]}, "owl", "yak")
    >>> duel.effect("mean_difference").value
    2.0
    """
    pairing = pair(evidence, options.a, options.b, options.groups, tolerance=options.tolerance)
    return (_scores if pairing.kind == "scores" else _judgments)(pairing, options)


def _scores(pairing: Pairing, options: CompareOptions) -> Duel:
    differences, (wins, ties, losses) = pairing.differences, pairing.counts
    rng = np.random.default_rng(options.seed)
    tests = [paired.t_test(differences), *_sign(differences, (wins, ties, losses), rng, options)]
    tests += [paired.wilcoxon(differences, rng), paired.wilcoxon(differences, rng, zeros="pratt")]
    tests += [paired.mood(differences, rng), paired.permutation(differences, rng), paired.bootstrap(differences, rng)]
    if differences.binary and not differences.grouped:  # by group it is the sign test
        tests += paired.mcnemar(wins, losses)
    name, reason = _recommend(differences)
    return _duel(
        pairing, options, effects=effects(differences, options.level, rng), tests=tuple(tests), recommended=name,
        reason=reason, equivalence=equivalence(differences, options.margin, rng),
        findings=(*pairing.findings, *_doubts(pairing, ties)), differences=differences,
    )  # fmt: skip


def _judgments(pairing: Pairing, options: CompareOptions) -> Duel:
    differences, (wins, ties, losses) = pairing.differences, pairing.counts
    rng = np.random.default_rng(options.seed)
    tests = _sign(differences, (wins, ties, losses), rng, options)
    superiority = [effect for effect in effects(differences, options.level, rng) if effect.name == "superiority"]
    found: tuple[Effect, ...] = (*superiority, odds(wins, losses, options.level))
    together = f"; those of one {pairing.unit} hang together" if pairing.unit != "row" else ""
    return _duel(
        pairing, options, effects=found, tests=tuple(tests), recommended="sign",
        reason=f"judgments say who won, not by how much{together}", equivalence=None,
        findings=(*_doubts(pairing, ties), *pairing.findings),
    )  # fmt: skip


def _duel(pairing: Pairing, options: CompareOptions, **found: Any) -> Duel:
    """Make the result: what was compared, under which options, and what was found."""
    wins, ties, losses = pairing.counts
    return Duel(
        settings=options.changed(a=pairing.a, b=pairing.b, groups=None), data=pairing.data, pairing=pairing.facts,
        a=pairing.a, b=pairing.b, kind=pairing.kind, n=len(pairing.differences.values), units=pairing.units, wins=wins,
        ties=ties, losses=losses, **found,
    )  # fmt: skip


def _sign(
    differences: Differences, counts: tuple[int, int, int], rng: np.random.Generator, options: CompareOptions
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
