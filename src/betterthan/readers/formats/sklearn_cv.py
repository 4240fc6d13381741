"""Results of scikit-learn's searches: cv_results_, a row per setting and a column per split."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar, Literal

import numpy as np

from betterthan.base import EvidenceError, spelling
from betterthan.engine import MemoryTable, Table
from betterthan.evidence import Kind, Scores
from betterthan.options import ReadOptions
from betterthan.readers.columns.direction import Directions
from betterthan.readers.columns.roles import Columns
from betterthan.readers.columns.wide_tables import read_numbers
from betterthan.readers.format import Recognition
from betterthan.readers.formats.scores_long import read_entries

_SPLIT = re.compile(r"split(?P<split>\d+)_test_(?P<metric>.+)")


class SklearnCvFormat:
    """What `GridSearchCV` and its kin leave in cv_results_: settings are systems, splits items; more is better."""

    name: ClassVar[str] = "sklearn-cv"
    kind: ClassVar[Kind] = "scores"
    about: ClassVar[str] = "scikit-learn's cv_results_: params, split0_test_score, split1_test_score … per setting"
    takes: ClassVar[Literal["table"]] = "table"
    uses: ClassVar[frozenset[str]] = frozenset({"score", "lower_is_better"})
    surest: ClassVar[float] = 1.0

    def recognise(self, found: Table, options: ReadOptions) -> Recognition | None:
        """Look for settings and splits."""
        if not _settings(found) or not _splits(found) or options.system or options.systems or options.item:
            return None
        return Recognition(1.0, "columns params and split0_test_…")

    def read(self, found: Table, options: ReadOptions) -> Scores:
        """Read every split of every metric; scorers are made so that more is better."""
        settings, splits = _settings(found), _splits(found)
        if not settings or not splits:
            raise EvidenceError(
                "there are no columns params and split0_test_score; its columns are "
                f"{Columns(found.columns, '').listed()}",
                where=found.name,
                remedy=f"Leave out {spelling.option('format')}.",
            )
        if options.score:
            known = {metric for _, metric in splits.values()}
            if unknown := [name for name in options.score if name not in known]:
                raise EvidenceError(
                    f"there is no metric {unknown[0]!r}", where=found.name, allowed=", ".join(sorted(known))
                )
            splits = {name: split for name, split in splits.items() if split[1] in options.score}
        rows = found.rows(settings, list(splits))
        numbers, _ = read_numbers(found, rows, list(splits))
        names = _names({name: rows.columns[name].texts() for name in settings})
        size, table = len(splits), len(rows.times)
        columns = {
            "system": np.repeat(names, size),
            "item": np.tile([f"split {split}" for split, _ in splits.values()], table),
            "metric": np.tile([metric for _, metric in splits.values()], table),
            "score": np.stack([numbers[name].values for name in splits], axis=1).ravel(),
        }
        directions = Directions(options.lower_is_better, {("", metric): False for _, metric in splits.values()})
        roles = {role: role for role in ("system", "item", "metric")}
        long = MemoryTable.of(columns, found.name)
        return read_entries(long, roles, ["score"], options, directions, self.name)

    def example(self, folder: Path) -> Any:
        """Return two settings with three splits."""
        del folder
        return {
            "mean_fit_time": [0.5, 0.25],
            "param_C": [1, 10],
            "params": ["{'C': 1}", "{'C': 10}"],
            "split0_test_score": [0.5, 0.75],
            "split1_test_score": [0.625, 0.75],
            "split2_test_score": [0.75, 0.875],
            "mean_test_score": [0.625, 0.7916667],
            "rank_test_score": [2, 1],
        }


def _settings(table: Table) -> list[str]:
    """Return the columns of the parameters, or the one of whole settings, which holds dictionaries in memory."""
    parameters = [name for name in table.columns if name.startswith("param_")]
    return parameters or [name for name in table.columns if name == "params"]


def _splits(table: Table) -> dict[str, tuple[str, str]]:
    found = {name: match for name in table.columns if (match := _SPLIT.fullmatch(name))}
    return {name: (match["split"], match["metric"]) for name, match in found.items()}


def _names(settings: Mapping[str, Any]) -> list[str]:
    """Name the setting of every row; random search may try one more than once."""
    if "params" in settings:
        names = [str(text) for text in settings["params"]]
    else:
        labels = [name.removeprefix("param_") for name in settings]
        names = [
            ", ".join(f"{label}={text}" for label, text in zip(labels, row, strict=True) if text is not None)
            for row in zip(*settings.values(), strict=True)
        ]
    first = {name: place for place, name in reversed([*enumerate(names)])}
    return [name if first[name] == place else f"{name} (row {place + 1})" for place, name in enumerate(names)]


FORMAT = SklearnCvFormat()
