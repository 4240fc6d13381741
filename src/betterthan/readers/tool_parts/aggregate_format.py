"""The base class of formats of aggregates: one value per task, read only where there are no samples."""

from typing import ClassVar

from betterthan.engine import PlacedFile, Places
from betterthan.options import ReadOptions
from betterthan.readers.format import Recognition
from betterthan.readers.tool_parts.tool_format import ToolFormat


class AggregateFormat(ToolFormat):
    """Files with one value per task, which are the items; the format of samples says more."""

    samples: ClassVar[ToolFormat]

    def belongs(self, file: PlacedFile) -> bool:
        """Accept samples too: the user requested aggregates explicitly."""
        return self.samples.claims(file)

    def recognise(self, found: Places, options: ReadOptions) -> Recognition | None:
        """Stand back where there are samples, which say more."""
        return None if any(self.samples.claims(file) for file in found) else super().recognise(found, options)
