"""betterthan: turn evaluation evidence into rankings you can defend."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.2.0"

if TYPE_CHECKING:
    from betterthan.agreement.agree import agree
    from betterthan.agreement.result import Agreed
    from betterthan.collect.matches import Matches
    from betterthan.collect.next import next_matches
    from betterthan.collect.replays.replay import replay
    from betterthan.collect.replays.result import Replay
    from betterthan.diagnosis.advice import Advice
    from betterthan.diagnosis.diagnose import advise, diagnose
    from betterthan.diagnosis.diagnosis import Diagnosis
    from betterthan.duel.all_pairs import AllPairs
    from betterthan.duel.compare import compare
    from betterthan.duel.compare_all import compare_all
    from betterthan.duel.duel import Duel
    from betterthan.duel.needs import Power
    from betterthan.duel.power import power
    from betterthan.duel.tasks import TaskDuels, compare_tasks
    from betterthan.errors import BetterthanError, EvidenceError, MissingExtraError, ModelError, PlanError
    from betterthan.evidence.format import formats
    from betterthan.evidence.judgments import Judgments
    from betterthan.evidence.rankings import Rankings
    from betterthan.evidence.read import read, read_judgments, read_rankings, read_scores
    from betterthan.evidence.runs import read_runs
    from betterthan.evidence.scores import Scores
    from betterthan.evidence.state import State
    from betterthan.evidence.state_file import load_state
    from betterthan.findings import Finding
    from betterthan.findings.registry import explain
    from betterthan.infer.disagreement import Disagreement
    from betterthan.leaderboard.board import Leaderboard
    from betterthan.leaderboard.boards import Leaderboards
    from betterthan.leaderboard.rank import rank
    from betterthan.loglinear.anova import Anova, anova
    from betterthan.loglinear.fit import fit
    from betterthan.loglinear.ratio import LikelihoodRatio, lr_test
    from betterthan.loglinear.result import LogLinear
    from betterthan.options.rank import Plan
    from betterthan.plots.plot import plot
    from betterthan.present.pictures.picture import Picture
    from betterthan.reports.report import Report, report
    from betterthan.responses.items import items
    from betterthan.responses.result import Items
    from betterthan.scoring.correlate import correlate
    from betterthan.scoring.correlations import Correlations
    from betterthan.scoring.score import score
    from betterthan.scoring.scored import Scored
    from betterthan.selection.result import Selection
    from betterthan.selection.select import select
    from betterthan.signature import Signature
    from betterthan.studies.result import StudyResult
    from betterthan.studies.study import study

#: Public names and where they live; each is imported when it is first used, so that `import betterthan` is instant.
_HOMES = {
    "Advice": "diagnosis.advice",
    "Agreed": "agreement.result",
    "AllPairs": "duel.all_pairs",
    "Anova": "loglinear.anova",
    "BetterthanError": "errors",
    "Correlations": "scoring.correlations",
    "Diagnosis": "diagnosis.diagnosis",
    "Disagreement": "infer.disagreement",
    "Duel": "duel.duel",
    "EvidenceError": "errors",
    "Finding": "findings",
    "Items": "responses.result",
    "Judgments": "evidence.judgments",
    "Leaderboard": "leaderboard.board",
    "Leaderboards": "leaderboard.boards",
    "LikelihoodRatio": "loglinear.ratio",
    "LogLinear": "loglinear.result",
    "Matches": "collect.matches",
    "MissingExtraError": "errors",
    "ModelError": "errors",
    "Picture": "present.pictures.picture",
    "Plan": "options.rank",
    "PlanError": "errors",
    "Power": "duel.needs",
    "Rankings": "evidence.rankings",
    "Replay": "collect.replays.result",
    "Report": "reports.report",
    "Scored": "scoring.scored",
    "Scores": "evidence.scores",
    "Selection": "selection.result",
    "Signature": "signature",
    "State": "evidence.state",
    "StudyResult": "studies.result",
    "TaskDuels": "duel.tasks",
    "advise": "diagnosis.diagnose",
    "agree": "agreement.agree",
    "anova": "loglinear.anova",
    "compare": "duel.compare",
    "compare_all": "duel.compare_all",
    "compare_tasks": "duel.tasks",
    "correlate": "scoring.correlate",
    "diagnose": "diagnosis.diagnose",
    "explain": "findings.registry",
    "fit": "loglinear.fit",
    "formats": "evidence.format",
    "items": "responses.items",
    "load_state": "evidence.state_file",
    "lr_test": "loglinear.ratio",
    "next_matches": "collect.next",
    "plot": "plots.plot",
    "power": "duel.power",
    "rank": "leaderboard.rank",
    "read": "evidence.read",
    "read_judgments": "evidence.read",
    "read_rankings": "evidence.read",
    "read_runs": "evidence.runs",
    "read_scores": "evidence.read",
    "replay": "collect.replays.replay",
    "report": "reports.report",
    "score": "scoring.score",
    "select": "selection.select",
    "study": "studies.study",
}

__all__ = [
    "Advice",
    "Agreed",
    "AllPairs",
    "Anova",
    "BetterthanError",
    "Correlations",
    "Diagnosis",
    "Disagreement",
    "Duel",
    "EvidenceError",
    "Finding",
    "Items",
    "Judgments",
    "Leaderboard",
    "Leaderboards",
    "LikelihoodRatio",
    "LogLinear",
    "Matches",
    "MissingExtraError",
    "ModelError",
    "Picture",
    "Plan",
    "PlanError",
    "Power",
    "Rankings",
    "Replay",
    "Report",
    "Scored",
    "Scores",
    "Selection",
    "Signature",
    "State",
    "StudyResult",
    "TaskDuels",
    "advise",
    "agree",
    "anova",
    "compare",
    "compare_all",
    "compare_tasks",
    "correlate",
    "diagnose",
    "explain",
    "fit",
    "formats",
    "items",
    "load_state",
    "lr_test",
    "next_matches",
    "plot",
    "power",
    "rank",
    "read",
    "read_judgments",
    "read_rankings",
    "read_runs",
    "read_scores",
    "replay",
    "report",
    "score",
    "select",
    "study",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'betterthan' has no attribute {name!r}")
    value = getattr(import_module(f"betterthan.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOMES])
