"""From evidence to what to judge next."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits

from betterthan.collect.advice import collecting
from betterthan.collect.choose import Chooser, pairs_of
from betterthan.collect.describe import Chosen, doubts, forecast, matches, pairs, shortage, unjudged
from betterthan.collect.desk import Desk, desk_for
from betterthan.collect.judged import MODEL, check_margin, counted, judged
from betterthan.collect.known import Known, on_all_pairs
from betterthan.collect.matches import Matches
from betterthan.collect.outstanding import read_outstanding
from betterthan.collect.policies.base import policy_of
from betterthan.collect.ratings import rating
from betterthan.collect.scope import excluded, judgments_of, names_of, outstanding_of, room_for, with_systems
from betterthan.errors import PlanError
from betterthan.plan import check_level, check_seed, check_whole
from betterthan.spelling import option

#: Systems ranked at once: more sets than that would take too long to count; and systems in all, whose pairs are many.
_WIDEST, _MOST = 10, 1_000
#: Sets that nobody may judge as a whole, before no more are looked for.
_MISSES = 100


def next_matches(
    evidence: Any = None,
    n: int = 10,
    *,
    policy: str = "unresolved",
    way: int = 2,
    systems: Sequence[str] = (),
    exclude: Iterable[str | Sequence[str]] = (),
    outstanding: Any = None,
    items: Sequence[str] | str | None = None,
    judges: Sequence[str] | str | None = None,
    per_pair: int | None = None,
    per_item: int | None = None,
    per_judge: int | None = None,
    resample: str | None = None,
    level: float = 0.95,
    margin: float | None = None,
    seed: int = 0,
) -> Matches:
    """Choose what to judge next, and say which pairs are settled, at a level that holds however often one looks.

    Policies are uniform, wmt, trueskill-quality, uncertain, information and unresolved, with options in brackets. `way`
    systems are ranked at once. `systems` are new ones, without judgments so far; `exclude` names systems or pairs;
    `outstanding` are comparisons asked for and not answered yet (a table as `next` writes it), which count as if they
    had come. `items` and `judges` are handed out, those in the evidence with "evidence"; no pair, item or judge gets
    more than `per_pair`, `per_item` and `per_judge` in all. Pairs whose share (ties half) lies within `margin` of one
    half count as settled too. The same seed gives the same choices.

    >>> chosen = next_matches([("owl", "yak", "a")] * 40 + [("yak", "elk", "tie")] * 3, 2)
    >>> chosen.states["separated"], sorted(chosen[0].systems) == ["owl", "yak"]
    (1, False)
    """
    check_whole("n", n, 0, 100_000)
    check_whole("way", way, 2, _WIDEST)
    for name, limit in (("per_pair", per_pair), ("per_item", per_item), ("per_judge", per_judge)):
        if limit is not None:
            check_whole(name, limit, 1)
    check_level(level)
    check_margin(margin)
    check_seed(seed)
    chooses = policy_of(policy)
    reduction = None if evidence is None else judged(evidence, resample, "the next comparison", in_order=chooses.turns)
    asked = [] if outstanding is None or outstanding == [] else read_outstanding(outstanding)
    counts = with_systems(None if reduction is None else counted(reduction), names_of(systems, "systems"), asked)
    size = counts.size
    if size > _MOST:
        raise PlanError(
            f"there are {size:,} systems, but pairs can be chosen among at most {_MOST:,}",
            remedy=f"Leave systems out with {option('where')}, or choose pairs at random.",
        )
    if way > size:
        raise PlanError(f"way is {way}, but there are {size} systems. Rank at most {size} at once.")
    with threadpool_limits(1):  # small solves gain nothing from more threads
        known = Known(on_all_pairs(counts), rating(reduction, size), level, margin, clustered=True, seed=seed)
        pending = outstanding_of(asked, counts)
        judgments = judgments_of(reduction, size)
        room = room_for(counts, excluded(exclude, counts), judgments + pending, per_pair)
        desk = desk_for(reduction, counts, asked, items=items, judges=judges, per_item=per_item, per_judge=per_judge)
        chosen = _chosen(Chooser(chooses, known, pending, room, way), desk, n, np.random.default_rng(seed))
        return Matches(
            tuple(matches(chosen, known, np.random.default_rng([seed, 1]))),
            pairs(known),
            forecast(known),
            (
                *shortage(len(chosen), n, known, room),
                *unjudged(known),
                *doubts(known, judgments, "row" if reduction is None else reduction.unit),
                *(collecting(known, policy) if chosen else ()),
            ),
            evidence="no judgments yet" if reduction is None else str(reduction.summary(MODEL)),
            policy=policy,
            way=way,
            level=level,
            margin=margin,
            unit="row" if reduction is None else reduction.unit,
            seed=seed,
            digest=counts.digest(),
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
