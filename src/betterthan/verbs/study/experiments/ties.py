"""Ties: how well a pairwise ranking keeps its order as the share of ties increases."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from betterthan.base import registry
from betterthan.datasets import ScoreMatrix, pair_samples
from betterthan.inference import mean_of
from betterthan.present import Column, Picture, Table, pictures
from betterthan.verbs.rank import disagree
from betterthan.verbs.study.agreement import Expected, below
from betterthan.verbs.study.experiments.base import (
    CONFIDENCE_AND_STABILITY,
    Claim,
    Columns,
    Found,
    Means,
    Work,
    register_study,
)
from betterthan.verbs.study.redrawn_comparisons import Redraw
from betterthan.verbs.study.study_ranking import ranks_by

#: What the paper prints for half of the comparisons tied.
_PRINTED = 0.8


@register_study
@dataclass(frozen=True, kw_only=True)
class Ties:
    """Spearman's correlation with the order by the mean while a share of comparisons is turned into ties.

    The share goes from 0 to 1 in `steps` steps. For each, `runs` rankings by Bradley–Terry are made of 12·m·ln m
    comparisons per pair. Judgments and rankings have no mean: their own Bradley–Terry order takes its place.
    """

    steps: int = 100
    runs: int = 1000

    name: ClassVar[str] = "ties"
    about: ClassVar[str] = "How well a pairwise ranking keeps the order while more and more comparisons are tied."
    paper: ClassVar[str] = CONFIDENCE_AND_STABILITY
    place: ClassVar[str] = "Section 7, Figure 1"
    takes: ClassVar[str] = "any evidence"
    needs: ClassVar[bool] = False
    bundled: ClassVar[str] = "scores.csv.gz"
    means: ClassVar[Means | None] = Means(("ties",), (("spearman", "low", "high"),))
    quick: ClassVar[dict[str, Any]] = {"steps": 10, "runs": 50}

    def __post_init__(self) -> None:
        registry.number("steps", self.steps, least=2, most=10_000, whole=True)
        registry.number("runs", self.runs, least=2, most=100_000, whole=True)
        if self.steps % 2:
            raise ValueError(f"steps must be even, so that one half of the comparisons is among them, got {self.steps}")

    def run(self, work: Work) -> Found:
        """Inject ties, rank, and correlate."""
        data = work.only()
        counts = data.pairs(units=False)
        (best,) = ranks_by(("bradley-terry" if data.statistic(ScoreMatrix) is None else "mean",), data)
        amount = pair_samples.sample_size("12mlnm", counts.size)
        shares = [step / self.steps for step in range(self.steps + 1)]
        tasks = [
            Redraw(counts, best, amount, self.runs, (work.options.seed, step), share)
            for step, share in enumerate(shares)
        ]
        found = work.parts.each(_correlated, tasks)
        means = [mean_of(values, work.options.level, (-1.0, 1.0)) for values in found]
        undecided = [float(np.mean(np.isnan(values))) for values in found]
        columns: Columns = {
            "ties": shares,
            "spearman": [each.value for each in means],
            "low": [each.low for each in means],
            "high": [each.high for each in means],
            "undecided": undecided,
            "comparisons": [amount] * len(shares),
        }
        half = means[self.steps // 2]
        late = mean_of(np.subtract(found[-2], found[0]).tolist(), work.options.level)
        claims = (
            Claim.of(
                "The correlation stays strong with half of the comparisons tied",
                f"{_PRINTED:g}",
                half,
                Expected(low=_PRINTED, printed=_PRINTED),
                f"Without added ties the correlation is {means[0].known:.3f}: the order by the mean differs from the "
                "pairwise one, or the systems are nearly equal. The paper's figure is of CEval's five models.",
            ),
            Claim.of(
                f"Many ties cost correlation: {100 * shares[-2]:g} % tied − none",
                "below 0",
                late,
                below(0),
                "These systems are so far apart that few comparisons suffice, or so near that many do not.",
            ),
        )
        rows = [
            [f"{100 * share:g} %", "" if each.value is None else f"{each.value:.3f}", f"{100 * none:.0f} %"]
            for share, each, none in list(zip(shares, means, undecided, strict=True))[:: max(1, self.steps // 10)]
        ]
        heads = [Column("ties added"), Column("Spearman"), Column("runs without any order")]
        return Found(columns, claims, Table(heads, rows, title=f"{amount:,} comparisons per pair"))

    def picture(self, columns: Columns, title: str) -> Picture:
        """Draw the correlation against the share of ties."""
        kept = [place for place, value in enumerate(columns["spearman"]) if value is not None]
        x, value, low, high = ([columns[name][place] for place in kept] for name in ("ties", "spearman", "low", "high"))
        return pictures.panels.draw(
            panel=["share of comparisons turned into ties"] * len(kept),
            x=x,
            series=["bradley-terry"] * len(kept),
            value=value,
            low=low,
            high=high,
            name="Spearman's correlation",
            title=title,
        )


def _correlated(redraw: Redraw) -> list[float]:
    """Return the correlation of every run, NaN where all systems are tied."""
    found = [disagree("whole", redraw.whole, "drawn", ranks).spearman for ranks in redraw.ranks()]
    return [np.nan if value is None else value for value in found]
