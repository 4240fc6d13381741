"""Pictures of a diagnosis: finished numbers for the pictures that draw them."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from betterthan.base import BetterthanError, spelling
from betterthan.present import Picture, pictures

if TYPE_CHECKING:
    from betterthan.verbs.diagnose.diagnosis_result import Diagnosis


@dataclass(frozen=True, repr=False)
class DiagnosisPlots:
    """Pictures of a diagnosis."""

    diagnosis: "Diagnosis"

    def judges(self, *, data_set: str | None = None, title: str = "") -> Picture:
        """Draw how often judges follow the common order; `data_set` chooses one of several by its title."""
        sections = [each for each in self.diagnosis.sections if data_set is None or each.title == data_set]
        if len(sections) != 1:
            titles = ", ".join(repr(section.title) for section in self.diagnosis.sections[:10])
            raise BetterthanError(f"judges are drawn for one data set; there are: {titles}. Choose one with data_set=.")
        report = sections[0].judges
        if report is None:
            raise BetterthanError(
                "there are no judges in this evidence",
                remedy=f"Name their column with {spelling.option('judge')}.",
            )
        return pictures.judges.draw(
            judge=[judge.name for judge in report.judges],
            judgments=[judge.judgments for judge in report.judges],
            follows=[judge.follows for judge in report.judges],
            expected=[judge.expected for judge in report.judges],
            findings=[", ".join(code.removeprefix("judge-") for code in judge.doubts) for judge in report.judges],
            title=title,
        )
