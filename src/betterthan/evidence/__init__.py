"""Evidence: judgments, rankings, scores and outputs, with an account of every row."""

from typing import TYPE_CHECKING

from betterthan.base import lazy_exports

if TYPE_CHECKING:
    from betterthan.evidence import outcomes as outcomes
    from betterthan.evidence.judgments import UNITS as UNITS
    from betterthan.evidence.judgments import Judgments as Judgments
    from betterthan.evidence.judgments import Order as Order
    from betterthan.evidence.metric_parts import MetricPart as MetricPart
    from betterthan.evidence.outcomes import ABSENT as ABSENT
    from betterthan.evidence.outcomes import LEFT as LEFT
    from betterthan.evidence.outcomes import RIGHT as RIGHT
    from betterthan.evidence.outcomes import TIE as TIE
    from betterthan.evidence.outputs import Outputs as Outputs
    from betterthan.evidence.outputs import ReadOutputs as ReadOutputs
    from betterthan.evidence.protocol import Kind as Kind
    from betterthan.evidence.rankings import Rankings as Rankings
    from betterthan.evidence.reading_report import Reading as Reading
    from betterthan.evidence.rows import size_limits as size_limits
    from betterthan.evidence.rows import text_numbers as text_numbers
    from betterthan.evidence.rows.account import Account as Account
    from betterthan.evidence.rows.account import Refusal as Refusal
    from betterthan.evidence.rows.account import check_on_error as check_on_error
    from betterthan.evidence.rows.judgment_rows import COVARIATE as COVARIATE
    from betterthan.evidence.rows.row_checks import Check as Check
    from betterthan.evidence.rows.row_checks import moment_of as moment_of
    from betterthan.evidence.rows.tally import Tally as Tally
    from betterthan.evidence.scores import GoldLabels as GoldLabels
    from betterthan.evidence.scores import Repeats as Repeats
    from betterthan.evidence.scores import Scores as Scores
    from betterthan.evidence.scores import ScoreTable as ScoreTable

__getattr__, __dir__ = lazy_exports(
    __name__,
    {
        "judgments": "Judgments Order UNITS",
        "metric_parts": "MetricPart",
        "outcomes": "* ABSENT LEFT RIGHT TIE",
        "outputs": "Outputs ReadOutputs",
        "protocol": "Kind",
        "rankings": "Rankings",
        "reading_report": "Reading",
        "rows.account": "Account Refusal check_on_error",
        "rows.judgment_rows": "COVARIATE",
        "rows.row_checks": "Check moment_of",
        "rows.size_limits": "*",
        "rows.tally": "Tally",
        "rows.text_numbers": "*",
        "scores": "GoldLabels Repeats ScoreTable Scores",
    },
)
