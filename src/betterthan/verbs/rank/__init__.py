"""Leaderboards: ranks, scores, confidence intervals and clusters of systems."""

from typing import TYPE_CHECKING

from betterthan.base import lazy_exports

if TYPE_CHECKING:
    from betterthan.verbs.rank import board_columns as board_columns
    from betterthan.verbs.rank import board_findings as board_findings
    from betterthan.verbs.rank import board_verdict as board_verdict
    from betterthan.verbs.rank import corrected_intervals as corrected_intervals
    from betterthan.verbs.rank import model_statistic as model_statistic
    from betterthan.verbs.rank import settings as settings
    from betterthan.verbs.rank.board_changes import Changes as Changes
    from betterthan.verbs.rank.board_columns import BoardRow as BoardRow
    from betterthan.verbs.rank.board_control import Control as Control
    from betterthan.verbs.rank.board_plots import rank_numbers as rank_numbers
    from betterthan.verbs.rank.leaderboard import Leaderboard as Leaderboard
    from betterthan.verbs.rank.leaderboards import Leaderboards as Leaderboards
    from betterthan.verbs.rank.model_disagreement import Disagreement as Disagreement
    from betterthan.verbs.rank.model_disagreement import disagree as disagree
    from betterthan.verbs.rank.rank_evidence import board_of as board_of
    from betterthan.verbs.rank.rank_evidence import leaderboard_of as leaderboard_of
    from betterthan.verbs.rank.rank_evidence import rank as rank
    from betterthan.verbs.rank.score_intervals import pair_tests as pair_tests

__getattr__, __dir__ = lazy_exports(
    __name__,
    {
        "board_changes": "Changes",
        "board_columns": "* BoardRow",
        "board_control": "Control",
        "board_findings": "*",
        "board_plots": "rank_numbers",
        "board_verdict": "*",
        "corrected_intervals": "*",
        "leaderboard": "Leaderboard",
        "leaderboards": "Leaderboards",
        "model_disagreement": "Disagreement disagree",
        "model_statistic": "*",
        "rank_evidence": "board_of leaderboard_of rank",
        "score_intervals": "pair_tests",
        "settings": "*",
    },
)
