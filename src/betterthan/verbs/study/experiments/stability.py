"""Stability: how many comparisons per pair a ranking needs before it stops changing."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from betterthan.base import registry
from betterthan.datasets import pair_samples
from betterthan.inference import Estimate, mean_of
from betterthan.present import Column, Picture, Table, pictures
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

_RULE = "12mlnm"
_FEWEST = 10
#: A curve has ended where no more than this share of systems change their rank beyond those at its end.
_SETTLED = 0.05


@register_study
@dataclass(frozen=True, kw_only=True)
class Stability:
    """Systems that change their rank when only a number of comparisons of every pair is drawn.

    From 10 to `most` comparisons in steps of `step`, and at 12·m·ln m for m systems, `runs` rankings by Bradley–Terry
    are compared with that of the whole evidence. The curve counts as ended where no more than 5 % of the systems change
    their rank in addition to those at its end. Comparisons are drawn with replacement from those that there are.
    """

    most: int = 1000
    step: int = 10
    runs: int = 100

    name: ClassVar[str] = "stability"
    about: ClassVar[str] = "How many comparisons per pair a ranking needs before it stops changing."
    paper: ClassVar[str] = CONFIDENCE_AND_STABILITY
    place: ClassVar[str] = "Section 7, Figure 2"
    takes: ClassVar[str] = "any evidence"
    needs: ClassVar[bool] = False
    bundled: ClassVar[str] = "scores.csv.gz"
    means: ClassVar[Means | None] = Means(("comparisons",), (("changed", "low", "high"),))
    quick: ClassVar[dict[str, Any]] = {"step": 330, "runs": 50}

    def __post_init__(self) -> None:
        registry.number("most", self.most, least=2 * _FEWEST, most=1_000_000, whole=True)
        registry.number("step", self.step, least=1, most=1_000_000, whole=True)
        registry.number("runs", self.runs, least=2, most=100_000, whole=True)

    def run(self, work: Work) -> Found:
        """Draw and rank, and count the systems at another rank."""
        data = work.only()
        counts = data.pairs(units=False)
        (best,) = ranks_by(("bradley-terry",), data)
        line = pair_samples.sample_size(_RULE, counts.size)
        amounts = sorted({*range(_FEWEST, self.most + 1, self.step), self.most, line})
        tasks = [Redraw(counts, best, at, self.runs, (work.options.seed, at)) for at in amounts]
        level = work.options.level
        changed = dict(zip(amounts, work.parts.each(_changed, tasks), strict=True))
        means = {at: mean_of(values, level, (0.0, float(counts.size))) for at, values in changed.items()}
        columns = {
            "comparisons": amounts,
            "changed": [means[at].value for at in amounts],
            "low": [means[at].low for at in amounts],
            "high": [means[at].high for at in amounts],
            "line": [line] * len(amounts),
            "systems": [counts.size] * len(amounts),
        }
        fall = mean_of(np.subtract(changed[self.most], changed[_FEWEST]).tolist(), level)
        left = Estimate(None, None, None)
        if line < self.most:
            more = np.subtract(changed[line], changed[self.most]) / counts.size
            left = mean_of(more.tolist(), level, (-1.0, 1.0))
        claims = (
            Claim.of(
                f"More comparisons, fewer changes: {self.most:,} − {_FEWEST} per pair",
                "fewer",
                fall,
                below(0),
                "The ranking does not change with 10 comparisons already, or never settles.",
            ),
            Claim.of(
                f"12·m·ln m comparisons per pair are enough: share of systems that change there − at {self.most:,}",
                "stable from there on",
                left,
                Expected(high=_SETTLED),
                f"12·m·ln m is {line:,}. "
                + (
                    "Systems that are nearly equal change places at that number still."
                    if line < self.most
                    else "The curve ends before it; use a larger number of comparisons (most)."
                ),
            ),
        )
        rows = [
            [f"{at:,}", f"{means[at].known:.2f}", "12·m·ln m" if at == line else ""]
            for at in dict.fromkeys([_FEWEST, *amounts[:: max(1, len(amounts) // 8)], line, max(amounts)])
        ]
        shown = Table(
            [Column("comparisons per pair"), Column("changed"), Column("", "left")],
            sorted(rows, key=lambda row: int(row[0].replace(",", ""))),
            title=f"Systems at another rank than in the whole evidence, of {counts.size}",
        )
        return Found(columns, claims, shown)

    def picture(self, columns: Columns, title: str) -> Picture:
        """Draw changes against comparisons, with a line at 12·m·ln m."""
        size = len(columns["comparisons"])
        return pictures.panels.draw(
            panel=["comparisons per pair (dashed: 12·m·ln m)"] * size,
            x=columns["comparisons"],
            series=["bradley-terry"] * size,
            value=columns["changed"],
            low=columns["low"],
            high=columns["high"],
            name="systems at another rank",
            mark=columns["line"][0],
            title=title,
        )


def _changed(redraw: Redraw) -> list[float]:
    return [float(np.sum(ranks != redraw.whole)) for ranks in redraw.ranks()]
