"""The pattern table: the possible patterns and their counts."""

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from betterthan.base import FloatArray, IntArray
from betterthan.verbs.fit.patterns.pattern_space import Signs

if TYPE_CHECKING:
    from betterthan.verbs.fit.patterns.pattern_model import PatternModel


@dataclass(frozen=True, eq=False)
class PatternTable:
    """The space of patterns, how many were possible, their owners, and how many lack answers.

    `silent` patterns had no answer at all and were left out.
    """

    holds = ("space", "possible", "per", "incomplete", "silent")

    space: str
    possible: int
    per: str
    incomplete: int
    silent: int
    systems: tuple[str, ...]
    signs: Signs
    pairs: tuple[IntArray, IntArray]

    @classmethod
    def of(cls, model: "PatternModel") -> "PatternTable":
        """Describe what a model is fitted to."""
        answers, space = model.answers, model.likelihood.space
        incomplete = int(np.sum(answers.incomplete.codes))
        return cls(
            space.kind, space.size, answers.per, incomplete, answers.silent, answers.systems, space.signs, space.pairs
        )

    def counts(self, model: "PatternModel", coefficients: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return observed and fitted counts (1 × kinds of subjects · patterns), none where answers are missing."""
        likelihood, weight = model.likelihood, model.weight
        if self.incomplete:
            return np.empty((1, 0)), np.empty((1, 0))
        observed, fitted = np.zeros((2, len(likelihood.maps), self.possible))
        for kind in range(len(likelihood.maps)):
            whole, pattern, _ = likelihood.cells.of_kind(kind)
            observed[kind, pattern] = weight[whole]
            fitted[kind] = weight[whole].sum() * likelihood.chance(likelihood.maps[kind] @ coefficients)
        return observed.reshape(1, -1), fitted.reshape(1, -1)

    def word(self, pattern: int) -> str:
        """Return a pattern in words: an order, or the answers pair by pair."""
        signs = self.signs[pattern]
        if self.space.startswith("orders"):
            wins = np.bincount(self.pairs[0], signs, len(self.systems)) - np.bincount(
                self.pairs[1], signs, len(self.systems)
            )
            order = np.lexsort((np.arange(len(wins)), -wins))
            text = str(self.systems[order[0]])
            for before, after in pairwise(order.tolist()):
                text += f" {'>' if wins[before] > wins[after] else '='} {self.systems[after]}"
            return text
        words = {1: ">", 0: "=", -1: "<"}
        sides = zip(self.pairs[0], self.pairs[1], signs, strict=True)
        return ", ".join(f"{self.systems[one]} {words[int(sign)]} {self.systems[two]}" for one, two, sign in sides)

    def __str__(self) -> str:
        parts = [f"One pattern per {self.per}, of {self.possible:,} that are possible ({self.space})"]
        if self.incomplete:
            parts.append(f"{self.incomplete:,} {'lacks' if self.incomplete == 1 else 'lack'} answers")
        if self.silent:
            parts.append(f"{self.silent:,} without any comparison {'is' if self.silent == 1 else 'are'} left out")
        return "; ".join(parts) + "."
