"""Pictures of model selection: finished numbers for the pictures that draw them."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from betterthan.base import BetterthanError, spelling
from betterthan.present import Picture, pictures
from betterthan.verbs.select.baselines import BOUND
from betterthan.verbs.select.prediction_scores import MEASURES

if TYPE_CHECKING:
    from betterthan.verbs.select.selection_result import Selection


@dataclass(frozen=True, repr=False)
class SelectionPlots:
    """Pictures of how well models predict."""

    selection: "Selection"

    def learning(self, measure: str = "accuracy", *, title: str = "") -> Picture:
        """Draw a measure against the number of judgments trained on, with the upper bound."""
        if measure not in MEASURES:
            raise BetterthanError(f"there is no measure {measure!r}; there are: {', '.join(MEASURES)}. Choose one.")
        if len(self.selection.sizes) < 2:
            raise BetterthanError(
                "a learning curve needs several training sizes, and there is one",
                remedy=f"Select again with {spelling.option('sizes', [400, 800])}.",
            )
        rows = [row for row in self.selection.rows if row.role == "model"]
        found = [row.measures[measure] for row in rows]
        return pictures.curves.draw(
            series=[row.model for row in rows],
            amount=[row.size for row in rows],
            value=[each.known for each in found],
            low=[each.low or 0.0 for each in found],
            high=[each.high or 0.0 for each in found],
            kind="model",
            name=measure.replace("_", " "),
            unit="training judgment",
            band=f"{100 * self.selection.level:g} % intervals; dashed: upper bound",
            bound=self.selection[BOUND].measures[measure].known,
            logarithmic=True,
            title=title,
        )

    def calibration(self, *, title: str = "") -> Picture:
        """Draw how often outcomes came about against the chances they were given, at the largest size."""
        found = [(model, each) for model in self.selection.models for each in self.selection[model].bins]
        return pictures.calibration.draw(
            models=self.selection.models,
            model=[model for model, _ in found],
            chance=[each.chance for _, each in found],
            observed=[each.observed for _, each in found],
            number=[each.number for _, each in found],
            title=title,
        )
