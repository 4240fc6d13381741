"""The format of campaigns that rank more than two outputs at a time."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar

from betterthan.campaign.exports.campaign_format import CampaignFormat
from betterthan.campaign.exports.judgment_export import ranking_columns
from betterthan.engine import PlacedFile, Places
from betterthan.evidence import Kind
from betterthan.options import ReadOptions
from betterthan.readers import tool_format


class CampaignRankings(CampaignFormat):
    """Every answer is a ranking."""

    name: ClassVar[str] = "campaign-rankings"
    kind: ClassVar[Kind] = "rankings"
    about: ClassVar[str] = "a campaign of betterthan in which three or more outputs are ranked at once"
    ways = range(3, 6)

    def load(self, files: Sequence[PlacedFile], places: Places, options: ReadOptions) -> tool_format.ToolEvidence:
        """Return the rankings, with the criterion as data set where there are several."""
        del options
        columns = ranking_columns(self.rows(files, places))
        if len(set(columns["dataset"])) == 1:
            del columns["dataset"]
        return tool_format.ToolEvidence(
            columns,
            used={role: role for role in ("ranking", "system", "rank", "item", "judge", "dataset") if role in columns},
        )

    def example(self, folder: Path) -> Any:
        """Make a campaign of rankings."""
        return self.made(folder, 3)


FORMAT = CampaignRankings()
