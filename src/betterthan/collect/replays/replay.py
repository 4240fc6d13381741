"""Replaying a collection: what policies would have cost on evidence that is at hand."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from betterthan.collect.judged import check_margin, counted, judged
from betterthan.collect.policies.base import known_policies, policy_of
from betterthan.collect.replays.compare import outcomes
from betterthan.collect.replays.result import Replay
from betterthan.collect.replays.run import Task, run
from betterthan.collect.replays.world import World
from betterthan.collect.scope import judgments_of, names_of
from betterthan.errors import PlanError
from betterthan.named import split
from betterthan.parallel import each
from betterthan.plan import check_level, check_numbers, check_seed, check_whole
from betterthan.progress import Progress, silent
from betterthan.spelling import option

#: Against this every other policy is measured.
_FIRST = "uniform"
#: How often the ranking is made on the way, and which of those clusters are compared.
_LOOKS, _REACH = 10, (0.25, 0.5)
#: The fewest judgments between two looks of a policy, unless asked for.
_BATCH = 10


def replay(
    evidence: Any,
    policies: str | Sequence[str] = ("unresolved", "information"),
    *,
    runs: int = 100,
    budget: int | None = None,
    batch: int | None = None,
    looks: Sequence[int] | None = None,
    reach: Sequence[int] | None = None,
    shares: Sequence[float] = (0.5, 0.7, 0.9),
    resample: str | None = None,
    resamples: int = 200,
    level: float = 0.95,
    margin: float | None = None,
    seed: int = 0,
    progress: Progress = silent,
) -> Replay:
    """Collect evidence again by policies, drawing real judgments of the chosen pairs, and compare what they cost.

    Every policy is run `runs` times until the `budget` (by default as many judgments as there are), choosing `batch`
    pairs at a time (a thousandth of the budget, at least ten and a quarter of the number of pairs); uniform choice is
    always run beside them, first. The judgments of a pair are drawn with replacement from its real ones. A world with a
    known truth (`studies.worlds.Arena`) can stand for the evidence.

    Measured are the judgments until `shares` of the pairs are settled that the whole evidence settles, by decisions
    that are valid at all looks (see `next_matches` for `level` and `margin`); at each of the `looks` the ranking by
    Bradley–Terry, its clusters and Kendall's tau to that of the whole evidence; and when the number of clusters that
    uniform has at the looks `reach` is reached.

    >>> votes = [("owl", "yak", "a")] * 60 + [("owl", "yak", "b")] * 20 + [("yak", "elk", "a")] * 40
    >>> replay(votes, "unresolved", runs=4, budget=400).outcome("unresolved").settled[0].judgments.value < 400
    True
    """
    check_whole("runs", runs, 2, 100_000)
    check_whole("resamples", resamples, 20, 100_000)
    check_level(level)
    check_margin(margin)
    check_seed(seed)
    names = _policies(policies)
    world, collected = _world(evidence, resample, level, margin)
    budget = collected if budget is None else budget
    if budget is None:
        raise PlanError(
            "a simulated world has no size of its own",
            remedy=f"Say how many judgments to collect with {option('budget')}.",
        )
    check_whole("budget", budget, 10)
    batch = max(_BATCH, budget // 1000, len(world.settled) // 4) if batch is None else batch
    check_whole("batch", batch, 1)
    looks = _looks(looks, budget)
    reach = _among(reach, looks)
    if not isinstance(shares, Sequence) or not all(0 < share <= 1 for share in shares):
        raise PlanError(f"shares of settled pairs must be above 0 and at most 1, got {shares!r}; 90 % is 0.9.")
    tasks = [
        Task(world, name, budget, batch, looks, resamples, level, margin, np.random.SeedSequence([seed, number]))
        for name in names
        for number in range(runs)
    ]
    traces = each(run, tasks, progress)
    compared = outcomes(
        names, [traces[start : start + runs] for start in range(0, len(traces), runs)],
        targets=int(np.sum(world.settled)), shares=shares, looks=looks, reach=reach, level=level, seed=seed,
    )  # fmt: skip
    counts = world.counts
    ranked = [counts.systems[place] for place in np.argsort(-world.strength, kind="stable")]
    met = [(counts.systems[a], counts.systems[b]) for a, b in zip(counts.first, counts.second, strict=True)]
    return Replay(
        compared, tuple(ranked), tuple(met), systems=counts.size, pairs=int(np.sum(world.open_pairs)),
        targets=int(np.sum(world.settled)), runs=runs, budget=budget, batch=batch, level=level, margin=margin,
        unit=counts.units.name, seed=seed, digest=counts.digest(),
    )  # fmt: skip


def _policies(policies: str | Sequence[str]) -> list[str]:
    """Return the policies, the one that all are compared with first, each once."""
    texts = names_of(split(policies) if isinstance(policies, str) else policies, "policies")
    if not texts:
        raise PlanError(f"name at least one policy: {', '.join(known_policies())}.")
    for text in texts:
        policy_of(text)
    return list(dict.fromkeys([_FIRST, *texts]))


def _world(evidence: Any, resample: str | None, level: float, margin: float | None) -> tuple[World, Any]:
    """Return the world, and how many judgments there are."""
    if callable(getattr(type(evidence), "expected", None)):  # of the type: a frame may have a column of that name
        if resample is not None:
            raise PlanError(f"{option('resample')} is for evidence, not for a simulated world", remedy="Leave it out.")
        return World.simulated(evidence.expected()), None
    reduction = judged(evidence, resample, "a replay")
    counts = counted(reduction)
    world = World.of_evidence(counts, level, margin)
    if not np.any(world.settled):
        raise PlanError(
            "the whole evidence settles no pair at this confidence level, so there is nothing to compare",
            remedy=f"Collect more, lower {option('level')}, or set {option('margin')}.",
        )
    return world, round(float(judgments_of(reduction, counts.size).sum()))


def _looks(looks: Sequence[int] | None, budget: int) -> tuple[int, ...]:
    """Return at which numbers of judgments the ranking is made."""
    if looks is None:
        return tuple(dict.fromkeys(max(1, budget * step // _LOOKS) for step in range(1, _LOOKS + 1)))
    check_numbers("looks", looks)
    if not looks:
        raise PlanError(f"looks must name at least one number of judgments, up to {budget:,}; or leave them out.")
    for look in looks:
        check_whole("looks", look, 1, budget)
    return tuple(sorted(set(looks)))


def _among(reach: Sequence[int] | None, looks: tuple[int, ...]) -> tuple[int, ...]:
    """Return at which looks uniform's clusters are the goal."""
    if reach is None:
        return tuple(dict.fromkeys(looks[int(part * (len(looks) - 1))] for part in _REACH))
    check_numbers("reach", reach)
    for at in reach:
        if at not in looks:
            raise PlanError(f"reach must be among the looks {', '.join(map(str, looks))}, got {at!r}.")
    return tuple(dict.fromkeys(reach))
