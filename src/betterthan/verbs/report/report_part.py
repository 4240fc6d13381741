"""One data set of a report, with everything that is shown about it."""

from dataclasses import dataclass, replace
from typing import Any, ClassVar

from betterthan.base import Progress, part_of
from betterthan.datasets import AnyDataSet, DataSets, JudgedSet, ScoredSet
from betterthan.findings import Finding, kinds
from betterthan.options import ComparePairsOptions, Measure, Plan
from betterthan.present import Holds
from betterthan.verbs.compare import AllPairs, pairs_of_boards
from betterthan.verbs.diagnose import Section, diagnose
from betterthan.verbs.rank import Leaderboard, Leaderboards, rank


@dataclass(frozen=True)
class ReportPart:
    """One data set: its boards, all pairs and its diagnosis; `hidden` counts findings that are left out.

    `by_model` are the pairs by each of several models, with the test that suits it; none of very many systems.
    """

    holds: ClassVar[Holds] = (("title", "name"), "boards", "pairs", ("pairs_by_model", "by_model"), "diagnosis")

    data: JudgedSet | ScoredSet
    boards: Leaderboards
    pairs: AllPairs
    diagnosis: Section
    by_model: tuple[AllPairs, ...] = ()
    hidden: int = 0

    @property
    def title(self) -> str:
        """Metric and data set."""
        return self.data.title

    @property
    def name(self) -> str | None:
        """Metric and data set, None if there is one without a name."""
        return self.title or None

    @property
    def main(self) -> Leaderboard:
        """The board of the verdict: that of the first model."""
        return self.boards.boards[0]

    @property
    def findings(self) -> tuple[Finding, ...]:
        """The findings about the evidence and the boards, each once, warnings first."""
        every = dict.fromkeys([*self.diagnosis.findings, *self.boards.findings])
        return tuple(sorted(every, key=lambda finding: finding.level != "warning"))


def examine(
    data: AnyDataSet, sets: DataSets, plan: Plan, measure: Measure | None, *, progress: Progress, before: Any = None
) -> ReportPart:
    """Diagnose, rank, and compare all pairs by the decisions of the first board."""
    alone = replace(sets, sets=(data,))
    tolerance, seed = data.tolerance, plan.seed or 0
    found = diagnose(alone, measure=measure, tolerance=tolerance, seed=seed, progress=part_of(progress, 0, 2))
    section = found.sections[0]
    if plan.control is not None:  # what this board controls for needs no such advice
        kept = tuple(each for each in section.findings if each.code != kinds.judges.STYLE_PREDICTS.code)
        section = replace(section, findings=kept)
    boards = rank(alone, plan, tolerance=tolerance, progress=part_of(progress, 1, 2), before=before)
    level = plan.level or boards.boards[0].settings.level
    options = ComparePairsOptions(tolerance=tolerance, level=level, seed=seed)
    pairs, by_model = pairs_of_boards(boards.boards, data, options, sets.reading)
    return ReportPart(data, boards, pairs, section, by_model)
