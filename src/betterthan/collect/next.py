"""From evidence to what to judge next."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits

from betterthan.collect.advice import collecting
from betterthan.collect.choose import Choice, Chooser, pairs_of
from betterthan.collect.desk import Desk, desk_for
from betterthan.collect.judged import MODEL, check_margin, counted, judged
from betterthan.collect.known import Known, place_of
from betterthan.collect.matches import Forecast, Match, Matches, Pair
from betterthan.collect.outstanding import Asked, read_outstanding
from betterthan.collect.policies.base import policy_of
from betterthan.collect.ratings import Ratings
from betterthan.engine.table import FloatArray
from betterthan.errors import EvidenceError, PlanError, nearest
from betterthan.findings import Finding
from betterthan.infer.sequential import STATES
from betterthan.leaderboard.reduction import Judged
from betterthan.models.trueskill import TrueSkill
from betterthan.plan import check_level, check_whole
from betterthan.reduce.games import Games
from betterthan.reduce.pairs import PairCounts
from betterthan.reduce.units import RowUnits

#: Shares of all pairs for which a forecast is made.
_SHARES = (0.5, 0.9, 1.0)
#: Systems ranked at once: more sets than that would take too long to count; and systems in all, whose pairs are many.
_WIDEST, _MOST = 10, 1_000


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
    chooses = policy_of(policy)
    reduction = None if evidence is None else judged(evidence, resample, "the next comparison")
    asked = [] if outstanding is None else read_outstanding(outstanding)
    counts = _with_systems(None if reduction is None else counted(reduction), systems, asked)
    size = counts.size
    if size > _MOST:
        raise PlanError(
            f"there are {size:,} systems, and pairs are chosen among at most {_MOST:,}. "
            "Leave systems out with --where, or sample pairs at random: among so many nearly all are new."
        )
    if way > size:
        raise PlanError(f"way is {way}, but there are {size} systems. Rank at most {size} at once.")
    with threadpool_limits(1):  # small solves gain nothing from more threads
        known = Known.spread(counts, _rating(reduction, size), level=level, margin=margin, resampled=True, seed=seed)
        pending = _pending(asked, counts)
        room = _room(known, pending, exclude, per_pair)
        desk = desk_for(reduction, counts, asked, items=items, judges=judges, per_item=per_item, per_judge=per_judge)
        chosen = _chosen(Chooser(chooses, known, pending, room, way), desk, n, np.random.default_rng(seed))
        return Matches(
            tuple(_matches(chosen, known, desk, np.random.default_rng([seed, 1]))),
            _pairs(known),
            _forecast(known.needed),
            (*_shortage(len(chosen), n, known, room), *collecting(known, policy)),
            evidence="no judgments yet" if reduction is None else str(reduction.summary(MODEL)),
            policy=policy,
            way=way,
            level=level,
            margin=margin,
            unit="row" if reduction is None else reduction.unit,
            seed=seed,
            digest=counts.digest(),
        )


def _with_systems(counts: PairCounts | None, new: Sequence[str], asked: Sequence[Asked]) -> PairCounts:
    """Add systems that have no judgments yet."""
    old = () if counts is None else counts.systems
    named = [*new, *(name for each in asked for name in each.systems)]
    names = (*old, *(name for name in dict.fromkeys(named) if name not in set(old)))
    if len(names) < 2:
        raise EvidenceError(
            "there must be at least two systems. Give evidence, or name new ones: --add A,B (systems=)."
        )
    if counts is None:
        nothing = np.empty(0, dtype=np.int64)
        units = RowUnits(nothing, np.empty(0), np.empty(0), (3, 0))
        return PairCounts(names, nothing, nothing, np.empty((3, 0)), units)
    return replace(counts, systems=names)


def _rating(reduction: Judged | None, size: int) -> Any:
    """Return the function that gives TrueSkill's beliefs, from judgments in their order where they have one."""

    def rate(preset: Any) -> Ratings:
        if reduction is None:
            return Ratings.start(size, preset, 1)
        unordered = bool(reduction.evidence.counts) or not reduction.evidence.table.ordered
        games: Games = reduction.statistic(Games, TrueSkill(preset=preset, order="average" if unordered else "auto"))
        return Ratings.start(size, preset, len(games.left)).after(games.left, games.right, games.outcome)

    rated: dict[str, Ratings] = {}
    return lambda preset: rated[preset] if preset in rated else rated.setdefault(preset, rate(preset))


def _pending(asked: Sequence[Asked], counts: PairCounts) -> FloatArray:
    """Count what is outstanding, pair by pair."""
    place, code = place_of(counts.size), {name: number for number, name in enumerate(counts.systems)}
    pending = np.zeros(counts.size * (counts.size - 1) // 2)
    for each in asked:
        for a, b in combinations(each.systems, 2):
            pending[place[code[a], code[b]]] += 1
    return pending


def _room(known: Known, pending: FloatArray, exclude: Iterable[str | Sequence[str]], limit: int | None) -> FloatArray:
    """Return how many more judgments every pair may get."""
    counts = known.counts
    met = known.decisions.record.units + pending
    room = np.full(len(met), np.inf) if limit is None else np.maximum(limit - met, 0.0)
    for entry in exclude:
        names = [entry] if isinstance(entry, str) else list(entry)
        for name in names:
            if name not in counts.systems:
                raise PlanError(f"excluded {name!r} is no system here. {nearest(name, counts.systems)}")
        codes = [counts.systems.index(name) for name in names]
        if len(names) == 1:
            room[(counts.first == codes[0]) | (counts.second == codes[0])] = 0.0
        elif len(names) == 2 and names[0] != names[1]:
            room[place_of(counts.size)[codes[0], codes[1]]] = 0.0
        else:
            raise PlanError(f"exclude a system by its name or a pair by two names, got {names}.")
    return room


def _chosen(
    chooser: Chooser, desk: Desk | None, n: int, rng: np.random.Generator
) -> list[tuple[Choice, tuple[int, int, float] | None]]:
    """Choose one comparison after the other, each with its item and judge; fewer where there are no more."""
    chosen: list[tuple[Choice, tuple[int, int, float] | None]] = []
    while len(chosen) < n and (choice := chooser.choose(rng)) is not None:
        given = None
        if desk is not None:
            pairs = pairs_of(choice.systems, chooser.known.counts.size)
            given = desk.assign(pairs, rng)
            if given is None:  # no item or judge is left for this one
                chooser.forbid(choice)
                continue
        chosen.append((choice, given))
    return chosen


def _matches(
    chosen: Sequence[tuple[Choice, tuple[int, int, float] | None]],
    known: Known,
    desk: Desk | None,
    rng: np.random.Generator,
) -> Iterable[Match]:
    """Describe the comparisons; who is shown first is left to chance."""
    record, place = known.decisions.record, place_of(known.counts.size)
    pairs = np.array([place[choice.systems[0], choice.systems[1]] for choice, _ in chosen], dtype=np.int64)
    distinct, of = np.unique(pairs, return_inverse=True)
    low, high = known.decisions.intervals(distinct)
    for number, (choice, given) in enumerate(chosen):
        shown = [int(system) for system in rng.permutation(choice.systems)]
        names = tuple(known.counts.systems[system] for system in shown)
        about: dict[str, Any] = {} if desk is None or given is None else desk.named(*given)
        if len(shown) == 2:
            pair = int(pairs[number])
            ends = float(low[of[number]]), float(high[of[number]])
            share, turned = float(record.share[pair]), shown[0] > shown[1]
            about |= {
                "units": int(record.units[pair]),
                "share": 1 - share if turned else share,
                "low": 1 - ends[1] if turned else ends[0],
                "high": 1 - ends[0] if turned else ends[1],
                "needed": _whole(known.needed[pair]),
            }
        yield Match(names, choice.probability, **about)


def _pairs(known: Known) -> tuple[Pair, ...]:
    """Describe what is known of every pair."""
    counts, decisions, names = known.counts, known.decisions, known.counts.systems
    units, share = decisions.record.units, decisions.record.share
    return tuple(
        Pair(
            names[counts.first[pair]],
            names[counts.second[pair]],
            STATES[decisions.state[pair]],
            int(units[pair]),
            float(share[pair]),
            float(decisions.p[pair]),
            None if known.margin is None else float(decisions.p_equivalent[pair]),
            _whole(known.needed[pair]),
        )
        for pair in range(len(units))
    )


def _forecast(needed: FloatArray) -> tuple[Forecast, ...]:
    """Add up what the pairs need, the quickest first."""
    total = np.cumsum(np.sort(needed))
    return tuple(Forecast(share, _whole(total[int(np.ceil(share * len(total))) - 1])) for share in _SHARES)


def _whole(value: float) -> int | None:
    return int(value) if np.isfinite(value) else None


def _shortage(found: int, wanted: int, known: Known, room: FloatArray) -> tuple[Finding, ...]:
    """Say why there are fewer comparisons than asked for."""
    if found == wanted:
        return ()
    if not np.any(known.decisions.undecided & (room > 0)):
        message = "all pairs that may be judged are settled" if np.any(room > 0) else "no pair may be judged any more"
        return (Finding("nothing-left", "info", message, "stop, or ask for another level, margin or policy"),)
    message = f"only {found} of {wanted} comparisons: limits and exclusions leave no more"
    return (Finding("limits", "warning", message, "raise a limit, or add items or judges"),)
