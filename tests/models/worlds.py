"""Evidence of every kind for the battery: drawn at random, and changed in ways that should change nothing."""

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from hypothesis import strategies as st

import betterthan as bt
from tests.arenas import arena

SYSTEMS = ("owl", "yak", "elk", "fox")
RENAMED = dict(zip(SYSTEMS, ("zebra", "ant", "mole", "bat"), strict=True))
_SWAPPED = {"left": "right", "right": "left", "tie": "tie"}


class World(Protocol):
    """One kind of evidence as a list of rows."""

    def rows(self) -> st.SearchStrategy[list[Any]]: ...

    def read(self, rows: list[Any], weights: list[int] | None = None) -> Any: ...

    def renamed(self, rows: list[Any]) -> list[Any]: ...

    def swapped(self, rows: list[Any], which: list[bool]) -> list[Any]: ...

    def fixed(self, seed: int) -> Any: ...


@dataclass(frozen=True)
class JudgedPairs:
    """Rows are (left, right, outcome)."""

    weighted: bool = True

    def rows(self) -> st.SearchStrategy[list[Any]]:
        pair = st.permutations(SYSTEMS).map(lambda names: names[:2])
        entry = st.tuples(pair, st.sampled_from(["left", "tie", "right"]))
        return st.lists(entry.map(lambda drawn: (*drawn[0], drawn[1])), min_size=1, max_size=30)

    def read(self, rows: list[Any], weights: list[int] | None = None) -> Any:
        left, right, outcome = zip(*rows, strict=True)
        columns = {"left": left, "right": right, "outcome": outcome}
        return bt.read_judgments(columns if weights is None else {**columns, "weight": weights})

    def renamed(self, rows: list[Any]) -> list[Any]:
        return [(RENAMED[left], RENAMED[right], outcome) for left, right, outcome in rows]

    def swapped(self, rows: list[Any], which: list[bool]) -> list[Any]:
        return [(b, a, _SWAPPED[o]) if swap else (a, b, o) for (a, b, o), swap in zip(rows, which, strict=True)]

    def fixed(self, seed: int) -> Any:
        return bt.read_judgments(arena(seed))


@dataclass(frozen=True)
class Ranked:
    """Rows are {system: rank}, some systems missing, ties allowed."""

    weighted: bool = True

    def rows(self) -> st.SearchStrategy[list[Any]]:
        one = st.dictionaries(st.sampled_from(SYSTEMS), st.integers(1, 3), min_size=2)
        return st.lists(one, min_size=1, max_size=12)

    def read(self, rows: list[Any], weights: list[int] | None = None) -> Any:
        names = list(dict.fromkeys(name for row in rows for name in row))
        columns = {name: [row.get(name) for row in rows] for name in names}
        columns |= {} if weights is None else {"weight": weights}
        return bt.read_rankings(columns, systems=names)

    def renamed(self, rows: list[Any]) -> list[Any]:
        return [{RENAMED[name]: rank for name, rank in row.items()} for row in rows]

    def swapped(self, rows: list[Any], which: list[bool]) -> list[Any]:
        return [dict(reversed(row.items())) if swap else row for row, swap in zip(rows, which, strict=True)]

    def fixed(self, seed: int) -> Any:
        rng = np.random.default_rng(seed)
        quality = rng.normal(size=(60, 5)) + np.linspace(1, -1, 5)
        return self.read(
            [dict(zip("abcde", np.argsort(np.argsort(-row)) + 1, strict=True)) for row in quality.round(1)]
        )


@dataclass(frozen=True)
class Scored:
    """Rows are {system: score}, some missing."""

    weighted: bool = False

    def rows(self) -> st.SearchStrategy[list[Any]]:
        score = st.none() | st.integers(-3, 3) | st.floats(-5, 5, width=32)
        full = st.fixed_dictionaries(dict.fromkeys(SYSTEMS, st.integers(-3, 3)))
        row = st.fixed_dictionaries(dict.fromkeys(SYSTEMS, score))
        return st.tuples(full, st.lists(row, min_size=1, max_size=12)).map(lambda drawn: [drawn[0], *drawn[1]])

    def read(self, rows: list[Any], weights: list[int] | None = None) -> Any:
        assert weights is None, "scores have no weights"
        names = list(rows[0])
        columns = {name: [row[name] for row in rows] for name in names}
        return bt.read_scores(columns, systems=names, missing_codes=["none"])  # any number is a score here

    def renamed(self, rows: list[Any]) -> list[Any]:
        return [{RENAMED[name]: score for name, score in row.items()} for row in rows]

    def swapped(self, rows: list[Any], which: list[bool]) -> list[Any]:
        return [dict(reversed(row.items())) for row in rows] if which[0] else rows

    def fixed(self, seed: int) -> Any:
        rng = np.random.default_rng(seed)
        scores = rng.normal(size=(60, 5)) + np.linspace(1, -1, 5)
        return self.read([dict(zip("abcde", row, strict=True)) for row in scores.round(1).tolist()])


@dataclass(frozen=True)
class Counted(Scored):
    """Rows are {system: edits}, which are word edits per item of which every one has five words."""

    def rows(self) -> st.SearchStrategy[list[Any]]:
        full = st.fixed_dictionaries(dict.fromkeys(SYSTEMS, st.integers(0, 5)))
        row = st.fixed_dictionaries(dict.fromkeys(SYSTEMS, st.none() | st.integers(0, 5)))
        return st.tuples(full, st.lists(row, min_size=1, max_size=12)).map(lambda drawn: [drawn[0], *drawn[1]])

    def read(self, rows: list[Any], weights: list[int] | None = None) -> Any:
        assert weights is None, "scores have no weights"
        cells = [(str(item), system, edits) for item, row in enumerate(rows) for system, edits in row.items()]
        items, systems, edits = zip(*cells, strict=True)
        size = len(cells)
        return bt.read_scores(
            {
                "item": items,
                "system": systems,
                "metric": ["wer"] * size,
                "direction": ["less is better"] * size,
                "score": [None if each is None else each / 5 for each in edits],
                "parts": [None if each is None else f"{each} 5" for each in edits],
            }
        )

    def fixed(self, seed: int) -> Any:
        rng = np.random.default_rng(seed)
        return self.read([dict(zip("abcde", row, strict=True)) for row in rng.integers(0, 9, (60, 5)).tolist()])


@dataclass(frozen=True)
class Labelled(Scored):
    """Rows are {system: score}; people labelled the items that all systems have."""

    def rows(self) -> st.SearchStrategy[list[Any]]:
        score = st.none() | st.integers(-3, 3) | st.floats(-5, 5, width=32)
        full = st.fixed_dictionaries(dict.fromkeys(SYSTEMS, st.integers(-3, 3)))
        row = st.fixed_dictionaries(dict.fromkeys(SYSTEMS, score))
        drawn = st.tuples(st.lists(full, min_size=3, max_size=8), st.lists(row, min_size=1, max_size=12))
        return drawn.map(lambda parts: [*parts[0], *parts[1]])

    def read(self, rows: list[Any], weights: list[int] | None = None) -> Any:
        assert weights is None, "scores have no weights"
        cells = [
            (str(item), system, score, None if None in row.values() else score / 2 + (sum(row.values()) > 1))
            for item, row in enumerate(rows)
            for system, score in row.items()
        ]
        items, systems, scores, labels = zip(*cells, strict=True)
        columns = {"item": items, "system": systems, "score": scores, "people": labels}
        return bt.read_scores(columns, score=["score"], gold="people", missing_codes=["none"])


@dataclass(frozen=True)
class LabelledPairs(JudgedPairs):
    """Rows are (left, right, outcome, people's outcome or None); people saw every pair both ways."""

    def rows(self) -> st.SearchStrategy[list[Any]]:
        seen = [(a, b, label) for a in SYSTEMS for b in SYSTEMS if a < b for label in ("left", "right")]
        outcomes = st.lists(st.sampled_from(["left", "tie", "right"]), min_size=len(seen), max_size=len(seen))
        labelled = outcomes.map(
            lambda drawn: [(a, b, outcome, label) for (a, b, label), outcome in zip(seen, drawn, strict=True)]
        )
        others = super().rows().map(lambda drawn: [(*row, None) for row in drawn])
        return st.tuples(labelled, others).map(lambda parts: [*parts[0], *parts[1]])

    def read(self, rows: list[Any], weights: list[int] | None = None) -> Any:
        left, right, outcome, people = zip(*rows, strict=True)
        columns = {"left": left, "right": right, "outcome": outcome, "people": people}
        return bt.read_judgments(columns if weights is None else {**columns, "weight": weights}, gold="people")

    def renamed(self, rows: list[Any]) -> list[Any]:
        return [(RENAMED[left], RENAMED[right], *outcomes) for left, right, *outcomes in rows]

    def swapped(self, rows: list[Any], which: list[bool]) -> list[Any]:
        return [
            (b, a, *(o and _SWAPPED[o] for o in outcomes)) if swap else (a, b, *outcomes)
            for (a, b, *outcomes), swap in zip(rows, which, strict=True)
        ]

    def fixed(self, seed: int) -> Any:
        columns = arena(seed)
        people = [label if place % 3 == 0 else None for place, label in enumerate(columns["winner"])]
        return bt.read_judgments({**columns, "people": people}, gold="people")


WORLDS: dict[str, World] = {"judgments": JudgedPairs(), "rankings": Ranked(), "scores": Scored()}
#: Of models that take only some evidence of a kind.
OF_MODEL: dict[str, World] = {
    "corpus": Counted(),
    "corrected-mean": Labelled(),
    "corrected-bradley-terry": LabelledPairs(),
}
