"""Accuracies of VLMEvalKit: MODEL_BENCHMARK_acc.csv with a column per category, a file per model."""

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar, Literal

import numpy as np

from betterthan.base import EvidenceError, spelling
from betterthan.engine import FILE, FileTable, MemoryTable, Table
from betterthan.evidence import Kind, Reading, Scores
from betterthan.options import ReadOptions
from betterthan.readers.columns.direction import Directions
from betterthan.readers.columns.plausible_scores import plausible
from betterthan.readers.columns.roles import Columns, normal
from betterthan.readers.columns.wide_tables import read_numbers
from betterthan.readers.format import Recognition
from betterthan.readers.formats.scores_long import read_entries

_ROLES = {role: role for role in ("item", "system", "metric")}
_KEYS = {"split", "overall"}
_ENDING = "_acc"


class VlmAccuraciesFormat:
    """One row per split, the column Overall, and a column per category: every file is a system, categories are items.

    Its columns are those that the source of VLMEvalKit writes for questions with choices; no real file was tried.
    """

    name: ClassVar[str] = "vlm-eval-kit-averages"
    kind: ClassVar[Kind] = "scores"
    about: ClassVar[str] = "VLMEvalKit's MODEL_BENCHMARK_acc.csv: an accuracy per category, a file per system"
    takes: ClassVar[Literal["table"]] = "table"
    uses: ClassVar[frozenset[str]] = frozenset({"lower_is_better"})
    surest: ClassVar[float] = 0.9

    def recognise(self, found: Table, options: ReadOptions) -> Recognition | None:
        """Look for several files of accuracies with their two first columns."""
        if options.system or options.systems or options.item or options.score or not _fits(found):
            return None
        return Recognition(self.surest, "files MODEL_BENCHMARK_acc.csv with columns split and Overall")

    def read(self, found: Table, options: ReadOptions) -> Scores:
        """Read every category of a split as an item."""
        if not isinstance(found, FileTable) or not _fits(found):
            raise EvidenceError(
                "there are no files MODEL_BENCHMARK_acc.csv with columns split and Overall; its columns are "
                f"{Columns.of(found, options).listed()}",
                where=found.name,
                remedy=f"Leave out {spelling.option('format')}.",
            )
        split = next(name for name in found.columns if normal(name) == "split")
        categories = [name for name in found.columns if normal(name) not in _KEYS]
        rows = found.rows([split, FILE], categories)
        numbers, _ = read_numbers(found, rows, categories)
        called = system_names([file.name for file in found.opened.files])
        splits, files = rows.columns[split].texts(), [called[name] for name in rows.columns[FILE].texts()]
        long = MemoryTable.of(
            {
                "item": np.repeat(np.array(categories, dtype=object), len(files)),
                "system": files * len(categories),
                "metric": [f"accuracy {name or ''}".strip() for name in splits] * len(categories),
                "score": np.concatenate([numbers[name].values for name in categories]),
            },
            found.name,
        )
        scores = read_entries(long, _ROLES, ["score"], options, Directions(options.lower_is_better), self.name)
        told = {"items": tuple(categories), "system": "the file's name", "metric": split}
        findings = scores.reading.findings if scores.reading else ()
        return plausible(replace(scores, reading=Reading.of(self.name, told, found.columns, findings)), options)

    def example(self, folder: Path) -> Any:
        """Write the accuracies of two models in three categories."""
        paths = []
        for model, shares in (("owl", "0.8,0.7,0.9,0.8"), ("yak", "0.6,0.5,0.7,0.6")):
            paths.append(folder / f"{model}_MMBench_acc.csv")
            paths[-1].write_text(f"split,Overall,AR,CP,LR\ndev,{shares}\n")
        return [str(path) for path in paths]


def _fits(found: Table) -> bool:
    if not isinstance(found, FileTable) or len(found.opened.files) < 2:
        return False
    stems = [os.path.basename(file.name).partition(".")[0] for file in found.opened.files]
    names = {normal(name) for name in found.columns}
    return len(names) > len(_KEYS) + 1 and names >= _KEYS and all(stem.endswith(_ENDING) for stem in stems)


def system_names(files: Sequence[str]) -> dict[str, str]:
    """Return what is left of the names of files without the benchmark that they share.

    >>> system_names(["a/owl_7b_MMBench_acc.csv", "b/yak_MMBench_acc.csv"])
    {'a/owl_7b_MMBench_acc.csv': 'owl_7b', 'b/yak_MMBench_acc.csv': 'yak'}
    """
    parts = [os.path.basename(name).partition(".")[0].split("_") for name in files]
    shared = 0
    while all(len(each) > shared + 1 and each[-shared - 1] == parts[0][-shared - 1] for each in parts):
        shared += 1
    names = ["_".join(each[: len(each) - shared]) for each in parts]
    return dict(zip(files, names if len(set(names)) == len(names) else files, strict=True))


FORMAT = VlmAccuraciesFormat()
