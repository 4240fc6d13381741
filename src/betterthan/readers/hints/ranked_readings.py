"""Readings of tables as rankings: in every ranking, whole numbers from 1."""

import numpy as np

from betterthan.engine import MISSING
from betterthan.readers.columns.wide_tables import says_more
from betterthan.readers.hints.candidates import Candidate, Situation
from betterthan.readers.hints.seen_columns import SeenColumn, rows_are_distinct


def candidates(situation: Situation) -> list[Candidate]:
    """Return readings with a row per system and ranking."""
    named = situation.role("system")
    size = len(situation.seen[0].values.codes)
    systems = [named] if named is not None else [each for each in situation.texts if 2 * each.number_of_values <= size]
    named_rank = situation.role("rank")
    likely = [column for column in situation.numbers if not says_more(column.name)]
    likely = likely if named_rank is None else [named_rank]
    ranks = [column for column in likely if column.is_whole and column.is_complete and np.min(column.numbers) == 1]
    found = []
    for system in systems:
        for ranking in situation.seen:
            if ranking is system or not 1 < ranking.number_of_values < len(ranking.values.codes):
                continue
            if not ranks or not rows_are_distinct([ranking, system]):
                continue
            for rank in ranks:
                if rank not in {ranking, system} and _are_places(ranking, rank):
                    changes = {"ranking": ranking.name, "system": system.name, "rank": rank.name}
                    meaning = f"{ranking.name!r} ranks {system.name!r} by {rank.name!r}"
                    found.append(Candidate(changes, meaning))
    return found


def _are_places(ranking: SeenColumn, rank: SeenColumn) -> bool:
    """Whether every ranking has places from 1 to at most the number of its systems, most of them for one system."""
    codes = ranking.values.codes
    if np.any(codes == MISSING):
        return False
    size = np.bincount(codes)
    best, worst = np.full(len(size), np.inf), np.zeros(len(size))
    np.minimum.at(best, codes, rank.numbers)
    np.maximum.at(worst, codes, rank.numbers)
    there = size > 0
    places = np.unique(codes * (int(rank.numbers.max()) + 1) + rank.numbers.astype(np.int64))
    if 2 * len(places) < len(codes):
        return False
    return bool(np.all(size[there] > 1) and np.all(best[there] == 1) and np.all(worst[there] <= size[there]))
