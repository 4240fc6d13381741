"""Readings of tables as rankings: in every ranking, whole numbers from 1."""

import numpy as np

from betterthan.engine import MISSING
from betterthan.readers.hints.candidates import Candidate, Situation
from betterthan.readers.hints.seen_columns import SeenColumn, rows_are_distinct


def candidates(situation: Situation) -> list[Candidate]:
    """Return readings with a row per system and ranking."""
    named = situation.role("system")
    systems = [named] if named is not None else situation.texts
    ranks = [situation.role("rank")] if situation.role("rank") is not None else situation.numbers
    found = []
    for system in systems:
        for ranking in situation.seen:
            if ranking is system or not 1 < ranking.number_of_values < len(ranking.values.codes):
                continue
            for rank in ranks:
                if rank not in {None, ranking, system} and _are_places(ranking, system, rank):
                    changes = {"ranking": ranking.name, "system": system.name, "rank": rank.name}
                    meaning = f"{ranking.name!r} ranks {system.name!r} by {rank.name!r}"
                    found.append(Candidate(changes, meaning))
    return found


def _are_places(ranking: SeenColumn, system: SeenColumn, rank: SeenColumn | None) -> bool:
    """Whether every ranking has each system once, with places from 1 to at most their number."""
    if rank is None or not rank.is_whole or not rank.is_complete or not rows_are_distinct([ranking, system]):
        return False
    codes = ranking.values.codes
    if np.any(codes == MISSING):
        return False
    size = np.bincount(codes)
    best, worst = np.full(len(size), np.inf), np.zeros(len(size))
    np.minimum.at(best, codes, rank.numbers)
    np.maximum.at(worst, codes, rank.numbers)
    there = size > 0
    return bool(np.all(size[there] > 1) and np.all(best[there] == 1) and np.all(worst[there] <= size[there]))
