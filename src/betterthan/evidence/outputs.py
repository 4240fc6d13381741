"""Outputs of several systems on the same items, with the references of every item."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from betterthan.base import digest_of
from betterthan.evidence.reading_report import Reading
from betterthan.evidence.rows.account import Account


@dataclass(frozen=True)
class Outputs:
    """Outputs of one data set: `cells[item][system]` holds the samples of a system on an item, none where it has no
    output.

    Without references, metrics compare with nothing. `groups` are those of the items, where a column names them.
    """

    title: str
    items: tuple[str, ...]
    systems: tuple[str, ...]
    cells: Sequence[Sequence[tuple[str, ...]]]
    references: Sequence[tuple[str, ...]]
    groups: tuple[str, ...] | None = None

    @cached_property
    def several(self) -> bool:
        """Whether there are several samples of a system on an item."""
        return any(len(samples) > 1 for row in self.cells for samples in row)

    @property
    def lacking(self) -> int:
        """How many outputs are missing."""
        return sum(not samples for row in self.cells for samples in row)


@dataclass(frozen=True)
class ReadOutputs:
    """The data sets of the outputs, the row account, and how the files were read."""

    sets: tuple[Outputs, ...]
    account: Account
    name: str
    reading: Reading

    @cached_property
    def digest(self) -> str:
        """A short digest of outputs and references that no order of rows, systems or items changes."""
        lines = sorted(
            json.dumps([each.title, item, system, samples, references], ensure_ascii=True)
            for each in self.sets
            for item, row, references in zip(each.items, each.cells, each.references, strict=True)
            for system, samples in zip(each.systems, row, strict=True)
        )
        return digest_of(lines, separator="\n")
