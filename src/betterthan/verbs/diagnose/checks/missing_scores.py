"""Missing scores: systems are then compared on different items."""

from betterthan.evidence import ScoreTable
from betterthan.findings import Finding
from betterthan.models import missing_scores
from betterthan.verbs.diagnose.examined_data import ExaminedData, of_scores

#: Where its findings stand among those of other checks.
PLACE = 20


@of_scores
def check(_: ExaminedData, table: ScoreTable) -> list[Finding]:
    """Return which systems lack scores, and on how many items all have one."""
    return [*missing_scores(table.values, table.systems)]
