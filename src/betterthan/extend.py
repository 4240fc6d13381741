"""The plug-in interface: protocols to implement, base classes, and the types they use.

A package offers what it adds by entry points, one group per kind; docs/contributing/stability.md lists the groups.
"""

from typing import TYPE_CHECKING

from betterthan.base import lazy_exports

if TYPE_CHECKING:
    from betterthan.base.arrays import BoolArray as BoolArray
    from betterthan.base.arrays import FloatArray as FloatArray
    from betterthan.base.arrays import IntArray as IntArray
    from betterthan.datasets.statistics.games import Games as Games
    from betterthan.datasets.statistics.item_parts import ItemParts as ItemParts
    from betterthan.datasets.statistics.orders import Orders as Orders
    from betterthan.datasets.statistics.pair_counts import PairCounts as PairCounts
    from betterthan.datasets.statistics.score_matrix import ScoreMatrix as ScoreMatrix
    from betterthan.engine.files.placed_files import PlacedFile as PlacedFile
    from betterthan.engine.files.placed_files import Places as Places
    from betterthan.findings.finding import Finding as Finding
    from betterthan.findings.kind import Kind as Kind
    from betterthan.metrics.base import ByItem as ByItem
    from betterthan.metrics.base import FromSums as FromSums
    from betterthan.metrics.base import Measured as Measured
    from betterthan.metrics.base import Metric as Metric
    from betterthan.metrics.base import WrongOutputError as WrongOutputError
    from betterthan.metrics.base import register_metric as register_metric
    from betterthan.models.base import Fit as Fit
    from betterthan.models.base import Model as Model
    from betterthan.models.base import ModelBase as ModelBase
    from betterthan.models.base import register_model as register_model
    from betterthan.models.direct.counts import FromCounts as FromCounts
    from betterthan.models.direct.scores import FromScores as FromScores
    from betterthan.models.refitting import Refitting as Refitting
    from betterthan.options.read import ReadOptions as ReadOptions
    from betterthan.readers.format import Format as Format
    from betterthan.readers.format import Recognition as Recognition
    from betterthan.readers.tool_parts.tool_format import ToolEvidence as ToolEvidence
    from betterthan.readers.tool_parts.tool_format import ToolFormat as ToolFormat
    from betterthan.verbs.collect.collection_state import CollectionState as CollectionState
    from betterthan.verbs.collect.policies.base import Policy as Policy
    from betterthan.verbs.collect.policies.base import register_policy as register_policy
    from betterthan.verbs.diagnose.diagnose_evidence import Check as Check
    from betterthan.verbs.diagnose.examined_data import ExaminedData as ExaminedData
    from betterthan.verbs.rank.board_columns import FRAME as FRAME
    from betterthan.verbs.rank.board_columns import PAGE as PAGE
    from betterthan.verbs.rank.board_columns import TEXT as TEXT
    from betterthan.verbs.rank.board_columns import BoardColumn as BoardColumn
    from betterthan.verbs.study.experiments.base import Found as Found
    from betterthan.verbs.study.experiments.base import Study as Study
    from betterthan.verbs.study.experiments.base import Work as Work
    from betterthan.verbs.study.experiments.base import register_study as register_study

__all__ = [
    "FRAME",
    "PAGE",
    "TEXT",
    "BoardColumn",
    "BoolArray",
    "ByItem",
    "Check",
    "CollectionState",
    "ExaminedData",
    "Finding",
    "Fit",
    "FloatArray",
    "Format",
    "Found",
    "FromCounts",
    "FromScores",
    "FromSums",
    "Games",
    "IntArray",
    "ItemParts",
    "Kind",
    "Measured",
    "Metric",
    "Model",
    "ModelBase",
    "Orders",
    "PairCounts",
    "PlacedFile",
    "Places",
    "Policy",
    "ReadOptions",
    "Recognition",
    "Refitting",
    "ScoreMatrix",
    "Study",
    "ToolEvidence",
    "ToolFormat",
    "Work",
    "WrongOutputError",
    "register_metric",
    "register_model",
    "register_policy",
    "register_study",
]

__getattr__, __dir__ = lazy_exports(
    __name__,
    {
        "base.arrays": "BoolArray FloatArray IntArray",
        "datasets.statistics.games": "Games",
        "datasets.statistics.item_parts": "ItemParts",
        "datasets.statistics.orders": "Orders",
        "datasets.statistics.pair_counts": "PairCounts",
        "datasets.statistics.score_matrix": "ScoreMatrix",
        "engine.files.placed_files": "PlacedFile Places",
        "findings.finding": "Finding",
        "findings.kind": "Kind",
        "metrics.base": "ByItem FromSums Measured Metric WrongOutputError register_metric",
        "models.base": "Fit Model ModelBase register_model",
        "models.direct.counts": "FromCounts",
        "models.direct.scores": "FromScores",
        "models.refitting": "Refitting",
        "options.read": "ReadOptions",
        "readers.format": "Format Recognition",
        "readers.tool_parts.tool_format": "ToolEvidence ToolFormat",
        "verbs.collect.collection_state": "CollectionState",
        "verbs.collect.policies.base": "Policy register_policy",
        "verbs.diagnose.diagnose_evidence": "Check",
        "verbs.diagnose.examined_data": "ExaminedData",
        "verbs.rank.board_columns": "BoardColumn FRAME PAGE TEXT",
        "verbs.study.experiments.base": "Found Study Work register_study",
    },
    "betterthan",
)
