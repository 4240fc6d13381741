"""betterthan: turn evaluation evidence into rankings you can defend."""

from betterthan.base import PROVIDED, ProvidedFormats, lazy_exports

__version__ = "0.2.0"

# Campaigns are evidence too: verbs open their SQLite files like any other file.
PROVIDED.append(ProvidedFormats("betterthan.campaign.exports.formats", b"SQLite format 3\0"))

TYPE_CHECKING = False  # as in `typing`, which takes longer to import than all else
if TYPE_CHECKING:
    from betterthan.base.errors import BetterthanError, EvidenceError, MissingExtraError, ModelError, PlanError
    from betterthan.base.signature import Signature
    from betterthan.evidence.judgments import Judgments
    from betterthan.evidence.rankings import Rankings
    from betterthan.evidence.scores import Scores
    from betterthan.findings import Finding
    from betterthan.findings.registry import explain
    from betterthan.options.rank import Plan
    from betterthan.present.pictures.picture import Picture
    from betterthan.readers.format import formats
    from betterthan.readers.read_evidence import read, read_judgments, read_rankings, read_scores
    from betterthan.readers.runs.run_files import read_runs
    from betterthan.state.growing_state import State
    from betterthan.state.state_file import load_state
    from betterthan.verbs.agree.agree_ratings import agree
    from betterthan.verbs.agree.agreement_result import Agreed
    from betterthan.verbs.collect.matches_result import Matches
    from betterthan.verbs.collect.next_comparisons import next_matches
    from betterthan.verbs.collect.replays.replay_policies import replay
    from betterthan.verbs.collect.replays.replay_result import Replay
    from betterthan.verbs.compare.all_pairs_result import AllPairs
    from betterthan.verbs.compare.compare_every_pair import compare_all
    from betterthan.verbs.compare.compare_two import compare
    from betterthan.verbs.compare.duel import Duel
    from betterthan.verbs.compare.pairs_by_model import PairsByModel, compare_models
    from betterthan.verbs.compare.task_comparison import TaskDuels, compare_tasks
    from betterthan.verbs.correlate.correlate_metrics import correlate
    from betterthan.verbs.correlate.correlations_result import Correlations
    from betterthan.verbs.diagnose.diagnose_evidence import advise, diagnose
    from betterthan.verbs.diagnose.diagnosis_result import Diagnosis
    from betterthan.verbs.diagnose.model_advice import Advice
    from betterthan.verbs.each.each_data_set import EachDataSet, each_data_set
    from betterthan.verbs.fit.anova_table import Anova, anova
    from betterthan.verbs.fit.fit_model import fit
    from betterthan.verbs.fit.fitted_model import LogLinear
    from betterthan.verbs.fit.likelihood_ratio import LikelihoodRatio, lr_test
    from betterthan.verbs.gate.gate_result import Gate
    from betterthan.verbs.gate.gate_versions import gate
    from betterthan.verbs.items.adaptive_item import NextItem, next_item
    from betterthan.verbs.items.analyse_items import items
    from betterthan.verbs.items.items_result import Items
    from betterthan.verbs.items.short_form import ShortForm, short_form
    from betterthan.verbs.plot.plot_kinds import plot
    from betterthan.verbs.power.plan_sample_size import power
    from betterthan.verbs.power.power_result import Power
    from betterthan.verbs.rank.factor_boards import FactorBoards, rank_factors
    from betterthan.verbs.rank.leaderboard import Leaderboard
    from betterthan.verbs.rank.leaderboards import Leaderboards
    from betterthan.verbs.rank.model_disagreement import Disagreement
    from betterthan.verbs.rank.rank_evidence import rank
    from betterthan.verbs.report.build_report import Report, report
    from betterthan.verbs.score.score_outputs import score
    from betterthan.verbs.score.scored_result import Scored
    from betterthan.verbs.select.select_model import select
    from betterthan.verbs.select.selection_result import Selection
    from betterthan.verbs.study.run_study import study
    from betterthan.verbs.study.study_result import StudyResult

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
    "EachDataSet",
    "EvidenceError",
    "FactorBoards",
    "Finding",
    "Gate",
    "Items",
    "Judgments",
    "Leaderboard",
    "Leaderboards",
    "LikelihoodRatio",
    "LogLinear",
    "Matches",
    "MissingExtraError",
    "ModelError",
    "NextItem",
    "PairsByModel",
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
    "ShortForm",
    "Signature",
    "State",
    "StudyResult",
    "TaskDuels",
    "advise",
    "agree",
    "anova",
    "compare",
    "compare_all",
    "compare_models",
    "compare_tasks",
    "correlate",
    "diagnose",
    "each_data_set",
    "explain",
    "fit",
    "formats",
    "gate",
    "items",
    "load_state",
    "lr_test",
    "next_item",
    "next_matches",
    "plot",
    "power",
    "rank",
    "rank_factors",
    "read",
    "read_judgments",
    "read_rankings",
    "read_runs",
    "read_scores",
    "replay",
    "report",
    "score",
    "select",
    "short_form",
    "study",
]

__getattr__, __dir__ = lazy_exports(
    __name__,
    {
        "base.errors": "BetterthanError EvidenceError MissingExtraError ModelError PlanError",
        "base.signature": "Signature",
        "evidence.judgments": "Judgments",
        "evidence.rankings": "Rankings",
        "evidence.scores": "Scores",
        "findings": "Finding",
        "findings.registry": "explain",
        "options.rank": "Plan",
        "present.pictures.picture": "Picture",
        "readers.format": "formats",
        "readers.read_evidence": "read read_judgments read_rankings read_scores",
        "readers.runs.run_files": "read_runs",
        "state.growing_state": "State",
        "state.state_file": "load_state",
        "verbs.agree.agree_ratings": "agree",
        "verbs.agree.agreement_result": "Agreed",
        "verbs.collect.matches_result": "Matches",
        "verbs.collect.next_comparisons": "next_matches",
        "verbs.collect.replays.replay_policies": "replay",
        "verbs.collect.replays.replay_result": "Replay",
        "verbs.compare.all_pairs_result": "AllPairs",
        "verbs.compare.compare_every_pair": "compare_all",
        "verbs.compare.compare_two": "compare",
        "verbs.compare.duel": "Duel",
        "verbs.compare.pairs_by_model": "PairsByModel compare_models",
        "verbs.compare.task_comparison": "TaskDuels compare_tasks",
        "verbs.correlate.correlate_metrics": "correlate",
        "verbs.correlate.correlations_result": "Correlations",
        "verbs.diagnose.diagnose_evidence": "advise diagnose",
        "verbs.diagnose.diagnosis_result": "Diagnosis",
        "verbs.diagnose.model_advice": "Advice",
        "verbs.each.each_data_set": "EachDataSet each_data_set",
        "verbs.fit.anova_table": "Anova anova",
        "verbs.fit.fit_model": "fit",
        "verbs.fit.fitted_model": "LogLinear",
        "verbs.fit.likelihood_ratio": "LikelihoodRatio lr_test",
        "verbs.gate.gate_result": "Gate",
        "verbs.gate.gate_versions": "gate",
        "verbs.items.adaptive_item": "NextItem next_item",
        "verbs.items.analyse_items": "items",
        "verbs.items.items_result": "Items",
        "verbs.items.short_form": "ShortForm short_form",
        "verbs.plot.plot_kinds": "plot",
        "verbs.power.plan_sample_size": "power",
        "verbs.power.power_result": "Power",
        "verbs.rank.factor_boards": "FactorBoards rank_factors",
        "verbs.rank.leaderboard": "Leaderboard",
        "verbs.rank.leaderboards": "Leaderboards",
        "verbs.rank.model_disagreement": "Disagreement",
        "verbs.rank.rank_evidence": "rank",
        "verbs.report.build_report": "Report report",
        "verbs.score.score_outputs": "score",
        "verbs.score.scored_result": "Scored",
        "verbs.select.select_model": "select",
        "verbs.select.selection_result": "Selection",
        "verbs.study.run_study": "study",
        "verbs.study.study_result": "StudyResult",
    },
)
