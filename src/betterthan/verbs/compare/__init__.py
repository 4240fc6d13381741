"""Comparisons of two systems in depth, and of all pairs."""

from typing import TYPE_CHECKING

from betterthan.base import lazy_exports

if TYPE_CHECKING:
    from betterthan.verbs.compare.all_pairs_result import AllPairs as AllPairs
    from betterthan.verbs.compare.compare_every_pair import compare_all as compare_all
    from betterthan.verbs.compare.compare_two import compare as compare
    from betterthan.verbs.compare.comparison_plots import joint_numbers as joint_numbers
    from betterthan.verbs.compare.duel import Duel as Duel
    from betterthan.verbs.compare.duel_sentences import TESTS as TESTS
    from betterthan.verbs.compare.pair_means import mean_differences as mean_differences
    from betterthan.verbs.compare.pair_win_rates import win_rate_intervals as win_rate_intervals
    from betterthan.verbs.compare.paired_evidence import Pairing as Pairing
    from betterthan.verbs.compare.paired_evidence import pair_systems as pair_systems
    from betterthan.verbs.compare.pairs_by_model import pairs_of_boards as pairs_of_boards
    from betterthan.verbs.compare.task_comparison import TaskDuels as TaskDuels
    from betterthan.verbs.compare.task_comparison import compare_tasks as compare_tasks

__getattr__, __dir__ = lazy_exports(
    __name__,
    {
        "all_pairs_result": "AllPairs",
        "compare_every_pair": "compare_all",
        "compare_two": "compare",
        "comparison_plots": "joint_numbers",
        "duel": "Duel",
        "duel_sentences": "TESTS",
        "pair_means": "mean_differences",
        "pair_win_rates": "win_rate_intervals",
        "paired_evidence": "Pairing pair_systems",
        "pairs_by_model": "pairs_of_boards",
        "task_comparison": "TaskDuels compare_tasks",
    },
)
