"""Corrected Bradley–Terry: strengths by people's outcomes, with a machine's judgments of all pairs."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from betterthan.base import FloatArray, IntArray, ModelError, spelling
from betterthan.datasets import GoldJudgments
from betterthan.findings import Finding, kinds, marked
from betterthan.models.base import Fit, ModelBase, draw_normal, register_model
from betterthan.models.direct.rectified_scores import RectifiedScores, sandwich
from betterthan.models.likelihood.links import Logistic
from betterthan.models.refitting import Refitting

_LINK = Logistic()


@register_model
@dataclass(frozen=True, kw_only=True)
class CorrectedBradleyTerry(ModelBase):
    """Bradley–Terry strengths by people's judgments, of which a machine has made all and people some.

    Assumes that the judgments that people made as well are a random sample of all; nothing about the machine. Consumes
    judgments with labels (`gold`). Ties count half. The score is the worth e^a, up to a factor. It has no
    likelihood.

    Angelopoulos, Duchi & Zrnic (2023), PPI++: efficient prediction-powered inference.
    """

    name: ClassVar[str] = "corrected-bradley-terry"
    score: ClassVar[str] = "worth"
    logarithmic: ClassVar[bool] = True

    accepts = ("judgments",)
    consumes = (GoldJudgments,)

    def fit(self, judgments: GoldJudgments) -> Fit:
        """Solve the rectified score equation."""
        lacking = marked(judgments.systems, judgments.labels < kinds.gold.FEW_LABELS.thresholds["least"])
        if lacking:
            raise ModelError(
                f"{lacking[0]!r} has {judgments.labels[judgments.systems.index(lacking[0])]} judgments by people, too "
                "few to correct those of a judge",
                remedy=f"Label more judgments, or leave it out with {spelling.option('exclude', lacking[0])}.",
            )
        found = RectifiedScores.of(judgments)
        strength, steps = found.solved
        if np.any(np.isnan(strength)):
            raise ModelError(
                "people's judgments do not bound every strength: some system always won, or always lost",
                remedy=f"Label more judgments, or leave out {spelling.option('gold')}.",
            )
        return Fit.plain(
            judgments.systems,
            strength,
            iterations=steps,
            findings=_findings(judgments, found, strength),
        )

    def refitter(self, fit: Fit, judgments: GoldJudgments) -> Refitting:
        """Return what refuses resamples: their labelled judgments may not bound the strengths."""
        return _NotRefitted(fit, judgments)

    def draw(
        self, fit: Fit, judgments: GoldJudgments, *, clustered: bool, draws: int, rng: np.random.Generator
    ) -> FloatArray:
        """Draw from the normal distribution of the estimate, by the sandwich over units."""
        covariance = self.covariance(fit, judgments, clustered=clustered)
        return fit.strength[:, None] + draw_normal(covariance, draws, rng)

    def covariance(self, fit: Fit, judgments: GoldJudgments, *, clustered: bool) -> FloatArray:
        """Return the sandwich over units, each with all its judgments, by both parts of the equation."""
        del clustered
        found = RectifiedScores.of(judgments)
        return sandwich(found, found.slope, fit.strength, judgments.units)

    def chances(self, fit: Fit, a: IntArray, b: IntArray) -> FloatArray:
        """Return the chances that the gaps give."""
        return np.stack(_LINK.chances(fit.strength[a] - fit.strength[b], 0.0))


class _NotRefitted(Refitting):
    """Refuses resamples."""

    def __call__(self, resampled: FloatArray, rng: np.random.Generator) -> tuple[FloatArray, int]:
        """Refuse."""
        raise ModelError(
            f"intervals of {CorrectedBradleyTerry.name} are analytic",
            remedy=f"Use {spelling.option('ci', 'analytic')}, or leave it out.",
        )


def _findings(judgments: GoldJudgments, found: RectifiedScores, strength: FloatArray) -> tuple[Finding, ...]:
    """Say how many labels there are, and warn where they are few or change the leader."""
    labels, number = int(np.sum(judgments.labelled)), len(judgments.labelled)
    findings = [kinds.gold.CORRECTED_JUDGMENTS.found(labels=labels, judgments=number)]
    few = judgments.labels < kinds.gold.FEW_LABELS.thresholds["enough"]
    if np.any(few):
        systems = marked(judgments.systems, few)
        findings.append(kinds.gold.FEW_LABELS.found(systems=systems, labels=int(judgments.labels.min())))
    by_judge = found.by_judge
    if not np.any(np.isnan(by_judge)):
        best, usual = (judgments.systems[int(np.argmax(each))] for each in (strength, by_judge))
        if best != usual:
            findings.append(kinds.gold.OTHER_LEADER.found(judge=usual, corrected=best))
    return tuple(findings)
