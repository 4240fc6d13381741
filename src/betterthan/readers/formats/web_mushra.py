"""Results of listening tests with webMUSHRA: a row per listener, trial and stimulus."""

from pathlib import Path
from typing import Any, ClassVar

from betterthan.readers.tool_parts.column_format import ColumnFormat


class WebMushraFormat(ColumnFormat):
    """mushra.csv: stimuli are systems, trials items, and a session is a judge; hidden references are systems too.

    Its columns are those that the service of webMUSHRA writes; it was not tried on the results of a real test.
    """

    name: ClassVar[str] = "webmushra"
    about: ClassVar[str] = "webMUSHRA's mushra.csv: session_uuid, trial_id, rating_stimulus, rating_score per row"
    surest: ClassVar[float] = 0.9
    keys: ClassVar = frozenset({"session_uuid", "trial_id", "rating_stimulus", "rating_score"})
    roles: ClassVar = {"item": "trial_id", "system": "rating_stimulus", "judge": "session_uuid"}
    metrics: ClassVar = ("rating_score",)

    def example(self, folder: Path) -> Any:
        """Return the ratings of two listeners in two trials."""
        del folder
        return {
            "session_test_id": ["test"] * 8,
            "session_uuid": ["ann"] * 4 + ["bob"] * 4,
            "trial_id": ["song", "song", "talk", "talk"] * 2,
            "rating_stimulus": ["owl", "yak"] * 4,
            "rating_score": [80, 60, 90, 50, 70, 65, 85, 40],
            "rating_time": [1000] * 8,
            "rating_comment": [""] * 8,
        }


FORMAT = WebMushraFormat()
