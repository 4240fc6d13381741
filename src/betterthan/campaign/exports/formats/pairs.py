"""The format of campaigns that compare two outputs at a time."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar

from betterthan.campaign.exports.campaign_format import CampaignFormat
from betterthan.campaign.exports.judgment_export import pair_columns
from betterthan.engine import PlacedFile, Places
from betterthan.evidence import Kind
from betterthan.options import ReadOptions
from betterthan.readers import tool_format


class CampaignPairs(CampaignFormat):
    """Every answer is a judgment."""

    name: ClassVar[str] = "campaign-pairs"
    kind: ClassVar[Kind] = "judgments"
    about: ClassVar[str] = "a campaign of betterthan in which pairs are judged"
    ways = range(2, 3)

    def load(self, files: Sequence[PlacedFile], places: Places, options: ReadOptions) -> tool_format.ToolEvidence:
        """Return the judgments, with the criterion as data set where there are several."""
        del options
        columns = pair_columns(self.rows(files, places))
        if len(set(columns["dataset"])) == 1:
            del columns["dataset"]
        return tool_format.ToolEvidence(
            columns,
            used={role: role for role in ("left", "right", "outcome", "item", "judge", "dataset") if role in columns},
        )

    def example(self, folder: Path) -> Any:
        """Make a campaign of pairs."""
        return self.made(folder, 2)


FORMAT = CampaignPairs()
