"""Pictures of replays: finished numbers for the pictures that draw them."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from betterthan.base import BetterthanError
from betterthan.present import Picture, pictures
from betterthan.verbs.collect.replays.replay_run import END

if TYPE_CHECKING:
    from betterthan.verbs.collect.replays.replay_result import Replay


@dataclass(frozen=True, repr=False)
class ReplayPlots:
    """Pictures of policies side by side."""

    replay: "Replay"

    def settled(self, *, title: str = "") -> Picture:
        """Draw the share of pairs settled, of those that can be, against the judgments."""
        return self._curves("settled", "share of pairs settled", title)

    def clusters(self, *, title: str = "") -> Picture:
        """Draw the number of clusters against the judgments."""
        return self._curves("clusters", "clusters", title)

    def kendall(self, *, title: str = "") -> Picture:
        """Draw Kendall's tau to the ranking of the whole evidence against the judgments."""
        return self._curves("kendall", "Kendall's tau", title)

    def meetings(self, policy: str, *, title: str = "") -> Picture:
        """Draw which pairs a policy requested in the first and in the last fifth of its runs, the best first."""
        found = self.replay.outcome(policy)
        lines = [
            (panel, row, column, number)
            for panel, numbers in ((f"first {100 * END:g} %", found.early), (f"last {100 * END:g} %", found.late))
            for pair, number in zip(self.replay.met, numbers, strict=True)
            for row, column in (pair, pair[::-1])
            if number > 0
        ]
        panel, row, column, number = (list(values) for values in zip(*lines, strict=True))
        return pictures.meetings.draw(
            systems=self.replay.ranked,
            panel=panel,
            row=row,
            column=column,
            number=number,
            name="judgments, mean over runs",
            title=title,
        )

    def _curves(self, measure: str, name: str, title: str) -> Picture:
        columns = self.replay.columns()
        kept = [place for place, value in enumerate(columns[measure]) if value is not None]
        if not kept:
            raise BetterthanError(
                "the whole evidence settles no pair, so there is nothing to draw",
                remedy="Draw plot.clusters() or plot.kendall() of a replay.",
            )
        series, amount, value, low, high = (
            [columns[field][place] for place in kept]
            for field in ("policy", "judgments", measure, f"{measure}_low", f"{measure}_high")
        )
        band = f"mean and {100 * self.replay.level:g} % interval of {self.replay.runs} runs"
        return pictures.curves.draw(
            series=series,
            amount=amount,
            value=value,
            low=low,
            high=high,
            name=name,
            kind="policy",
            unit="judgment",
            band=band,
            title=title,
        )
