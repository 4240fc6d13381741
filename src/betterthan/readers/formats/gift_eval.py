"""Results of GIFT-Eval: a row per forecaster and data set, a column per error."""

from pathlib import Path
from typing import Any, ClassVar

from betterthan.readers.tool_parts.column_format import ColumnFormat

_MASE, _CRPS = "eval_metrics/MASE[0.5]", "eval_metrics/mean_weighted_sum_quantile_loss"


class GiftEvalFormat(ColumnFormat):
    """all_results.csv: a data set with its frequency and horizon is an item, and less of every error is better.

    The two errors of the leaderboard are read. Others have the scale of their data set, so that their mean says little.
    """

    name: ClassVar[str] = "gift-eval"
    about: ClassVar[str] = "GIFT-Eval's all_results.csv: dataset, model, eval_metrics/MASE[0.5] … per row"
    keys: ClassVar = frozenset({"dataset", "model", _MASE, _CRPS})
    roles: ClassVar = {"item": "dataset", "system": "model"}
    metrics: ClassVar = (_MASE, _CRPS)
    lower: ClassVar = {_MASE: True, _CRPS: True}

    def example(self, folder: Path) -> Any:
        """Return the errors of two forecasters on two data sets."""
        del folder
        return {
            "dataset": ["solar/H/short", "m4_daily/D/short"] * 2,
            "model": ["owl", "owl", "yak", "yak"],
            "eval_metrics/MSE[mean]": [9.0, 9000.0, 4.0, 8000.0],
            _MASE: [0.5, 1.5, 0.75, 2.0],
            _CRPS: [0.25, 0.5, 0.5, 0.75],
            "domain": ["Energy", "Econ/Fin"] * 2,
        }


FORMAT = GiftEvalFormat()
