"""One data set with its statistics: the starting point of every verb."""

from typing import TYPE_CHECKING

from betterthan.base import lazy_exports

if TYPE_CHECKING:
    from betterthan.datasets.data_set import DataSet as DataSet
    from betterthan.datasets.data_sets_of import AnyDataSet as AnyDataSet
    from betterthan.datasets.data_sets_of import DataSets as DataSets
    from betterthan.datasets.data_sets_of import data_sets as data_sets
    from betterthan.datasets.evidence_summary import EvidenceSummary as EvidenceSummary
    from betterthan.datasets.evidence_summary import counted_noun as counted_noun
    from betterthan.datasets.evidence_summary import direction_of as direction_of
    from betterthan.datasets.judged_data import JudgedSet as JudgedSet
    from betterthan.datasets.ranked_data import RankedSet as RankedSet
    from betterthan.datasets.scope import scope_of_tasks as scope_of_tasks
    from betterthan.datasets.scored_data import ScoredSet as ScoredSet
    from betterthan.datasets.statistics import controlled_judgments as controlled_judgments
    from betterthan.datasets.statistics import pair_samples as pair_samples
    from betterthan.datasets.statistics import sparse_matrices as sparse_matrices
    from betterthan.datasets.statistics.games import Games as Games
    from betterthan.datasets.statistics.games import Places as Places
    from betterthan.datasets.statistics.gold_judgments import GoldJudgments as GoldJudgments
    from betterthan.datasets.statistics.gold_matrix import GoldMatrix as GoldMatrix
    from betterthan.datasets.statistics.item_parts import ItemParts as ItemParts
    from betterthan.datasets.statistics.orders import Orders as Orders
    from betterthan.datasets.statistics.pair_counts import PairCounts as PairCounts
    from betterthan.datasets.statistics.score_matrix import RatingMatrix as RatingMatrix
    from betterthan.datasets.statistics.score_matrix import ScoreMatrix as ScoreMatrix
    from betterthan.datasets.statistics.sorted_columns import SortedColumns as SortedColumns
    from betterthan.datasets.units import cluster_robust as cluster_robust
    from betterthan.datasets.units import crossed_variance as crossed_variance
    from betterthan.datasets.units import effective_units as effective_units
    from betterthan.datasets.units import unit_draws as unit_draws
    from betterthan.datasets.units.gradient_sums import by_gradients as by_gradients
    from betterthan.datasets.units.units import GroupedUnits as GroupedUnits
    from betterthan.datasets.units.units import RowUnits as RowUnits
    from betterthan.datasets.units.units import RowWeights as RowWeights
    from betterthan.datasets.units.units import ScoredUnits as ScoredUnits
    from betterthan.datasets.units.units import Term as Term
    from betterthan.datasets.units.units import Units as Units
    from betterthan.datasets.units.units import one_by_one as one_by_one

__getattr__, __dir__ = lazy_exports(
    __name__,
    {
        "data_set": "DataSet",
        "data_sets_of": "AnyDataSet DataSets data_sets",
        "evidence_summary": "EvidenceSummary counted_noun direction_of",
        "judged_data": "JudgedSet",
        "ranked_data": "RankedSet",
        "scope": "scope_of_tasks",
        "scored_data": "ScoredSet",
        "statistics.controlled_judgments": "*",
        "statistics.games": "Games Places",
        "statistics.gold_judgments": "GoldJudgments",
        "statistics.gold_matrix": "GoldMatrix",
        "statistics.item_parts": "ItemParts",
        "statistics.orders": "Orders",
        "statistics.pair_counts": "PairCounts",
        "statistics.pair_samples": "*",
        "statistics.score_matrix": "RatingMatrix ScoreMatrix",
        "statistics.sorted_columns": "SortedColumns",
        "statistics.sparse_matrices": "*",
        "units.cluster_robust": "*",
        "units.crossed_variance": "*",
        "units.effective_units": "*",
        "units.gradient_sums": "by_gradients",
        "units.unit_draws": "*",
        "units.units": "GroupedUnits RowUnits RowWeights ScoredUnits Term Units one_by_one",
    },
)
