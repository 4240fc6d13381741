"""Choose the next comparisons, given evidence."""

from typing import Any

import numpy as np

from betterthan.base import PlanError, parallel, spelling
from betterthan.options import NextOptions, takes
from betterthan.verbs.collect.assignment import Desk, desk_for
from betterthan.verbs.collect.collection_scope import (
    excluded,
    judgments_of,
    outstanding_of,
    room_for,
    with_systems,
)
from betterthan.verbs.collect.collection_state import CollectionState, on_all_pairs
from betterthan.verbs.collect.judged_evidence import judged_data_set, order_wanted
from betterthan.verbs.collect.match_tables import Chosen, forecast, match_findings, matches, pairs, shortage, unjudged
from betterthan.verbs.collect.matches_result import Matches
from betterthan.verbs.collect.pair_choice import Chooser, pairs_of
from betterthan.verbs.collect.pending_comparisons import read_outstanding
from betterthan.verbs.collect.policies.base import policy_of
from betterthan.verbs.collect.policy_advice import collecting
from betterthan.verbs.collect.trueskill_beliefs import trueskill_rating
from betterthan.verbs.rank import board_findings as support

#: Systems whose pairs can be counted one by one.
_MOST = 1_000
#: Sets that nobody may judge as a whole, before no more are looked for.
_MISSES = 100


@takes(NextOptions, optional=True)
def next_matches(evidence: Any, options: NextOptions) -> Matches:
    """Choose what to judge next, and say which pairs are settled, at a level that holds however often one looks.

    Policies are uniform, sort, wmt, trueskill-quality, uncertain, information and unresolved, with options in brackets.
    `way` systems are ranked at once. `systems` are new ones, without judgments so far; `exclude` names systems or
    pairs. `outstanding` are comparisons requested and not answered yet, a table as `next` writes it; they count as if
    they were answered. `items` and `judges` are handed out, those in the evidence with "evidence". No pair, item or
    judge gets more than `per_pair`, `per_item` and `per_judge` in all. Pairs whose share (ties half) lies within
    `margin` of one half count as settled too. The same seed gives the same choices.

    >>> chosen = next_matches([("owl", "yak", "a")] * 40 + [("yak", "elk", "tie")] * 3, 2)
    >>> chosen.states["separated"], sorted(chosen[0].systems) == ["owl", "yak"]
    (1, False)
    """
    chooses = policy_of(options.policy)
    sets, data = (None, None) if evidence is None else judged_data_set(evidence, options.unit, "the next comparison")
    if data is not None and chooses.turns:  # rows are read once for both
        data.tally(data.order_of(order_wanted(data)))
    nothing = options.outstanding is None or (
        isinstance(options.outstanding, (list, tuple)) and not options.outstanding
    )
    asked = [] if nothing else read_outstanding(options.outstanding)
    counts = with_systems(None if data is None else data.pairs(), tuple(options.systems), asked)
    size = counts.size
    if size > _MOST:
        raise PlanError(
            f"there are {size:,} systems, but pairs can be chosen among at most {_MOST:,}",
            remedy=f"Leave systems out with {spelling.option('where')}, or choose pairs at random.",
        )
    if options.way > size:
        raise PlanError(f"way is {options.way}, but there are {size} systems. Rank at most {size} at once.")
    with parallel.one_blas_thread():
        known = CollectionState(
            on_all_pairs(counts),
            trueskill_rating(data, size),
            options.level,
            options.margin,
            clustered=True,
            seed=options.seed,
        )
        pending = outstanding_of(asked, counts)
        judgments, unit = judgments_of(data, size), "row" if data is None else data.unit
        room = room_for(counts, excluded(options.exclude, counts), judgments + pending, options.per_pair)
        desk = desk_for(
            data,
            counts,
            asked,
            items=options.items,
            judges=options.judges,
            per_item=options.per_item,
            per_judge=options.per_judge,
        )
        chooser = Chooser(chooses, known, pending, room, options.way)
        chosen = _chosen(chooser, desk, options.n, np.random.default_rng(options.seed))
        refused = [] if sets is None or data is None else [*support.left_out(sets), *support.refused(data.account())]
        return Matches(
            settings=options.changed(unit=unit, outstanding=None, items=None, judges=None),
            data=counts.digest(),
            reading=None if sets is None else sets.reading,
            findings=(
                *refused,
                *shortage(len(chosen), options.n, known, room),
                *unjudged(known),
                *match_findings(known, judgments, unit),
                *([] if data is None else support.not_resampled(unit, data.other_units)),
                *(collecting(known, options.policy) if chosen else ()),
            ),
            matches=tuple(matches(chosen, known, np.random.default_rng([options.seed, 1]))),
            pairs=pairs(known),
            forecast=forecast(known),
            evidence="no judgments yet" if data is None else str(data.summary()),
        )


def _chosen(chooser: Chooser, desk: Desk | None, n: int, rng: np.random.Generator) -> list[Chosen]:
    """Choose one comparison after the other, each with its item and judge; fewer where there are no more."""
    chosen: list[Chosen] = []
    missed = 0  # sets whose pairs have an item and a judge each, but none together
    while len(chosen) < n and missed < _MISSES:
        choice = chooser.choose(rng, None if desk is None else desk.open_pairs(len(chooser.room)))
        if choice is None:
            break
        handed_out = None if desk is None else desk.assign(pairs_of(choice.systems, chooser.known.counts.size), rng)
        if desk is None or handed_out is not None:
            chosen.append(Chosen(choice, {} if desk is None or handed_out is None else desk.named(*handed_out)))
        else:
            chooser.take_back(choice)
            missed += 1
    return chosen
