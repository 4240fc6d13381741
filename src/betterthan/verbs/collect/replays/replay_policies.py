"""Replay a collection: the cost of each policy on existing evidence."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from betterthan.base import PlanError, parallel, silent, spelling
from betterthan.datasets import DataSets, RowUnits, ScoredUnits, data_sets
from betterthan.findings import counted
from betterthan.models import BradleyTerry
from betterthan.options import ReplayOptions, takes
from betterthan.verbs.collect.collection_scope import judgments_of
from betterthan.verbs.collect.policies.base import known_policies, policy_of
from betterthan.verbs.collect.replays.policy_outcomes import outcomes
from betterthan.verbs.collect.replays.replay_ranking import ranking_model, strengths_of
from betterthan.verbs.collect.replays.replay_result import Replay, findings_of
from betterthan.verbs.collect.replays.replay_run import ReplayTask, run
from betterthan.verbs.collect.replays.replay_world import ReplayWorld
from betterthan.verbs.rank import board_findings as support
from betterthan.worlds import simulated as worlds

#: Against this every other policy is measured.
_FIRST = "uniform"
#: How often the ranking is made on the way, and which of those clusters are compared.
_LOOKS, _REACH = 10, (0.25, 0.5)
#: The fewest judgments between two looks of a policy, unless requested.
_BATCH = 10


@takes(ReplayOptions)
def replay(evidence: Any, options: ReplayOptions) -> Replay:
    """Collect evidence again by policies, drawing real judgments of the chosen pairs, and compare what they cost.

    Every policy is run `runs` times until the `budget`, by default as many judgments as there are. It chooses `batch`
    pairs at a time: a thousandth of the budget, at least ten and a quarter of the number of pairs. Uniform choice is
    always run first. The judgments of a pair are drawn with replacement from its real ones. A world with a
    known truth (`worlds.Arena`) can stand for the evidence.

    A replay counts the judgments until `shares` of the pairs are settled that the whole evidence settles. Decisions
    are valid at all looks; see `next_matches` for `level` and `margin`. At each of the `looks` it measures the ranking
    by `model`, its clusters, and Kendall's tau to the ranking of the whole evidence. It also counts the judgments until
    a policy has as many clusters as uniform choice has at the looks `reach`. Comparisons of scores are drawn as
    judgments are.

    >>> votes = [("owl", "yak", "a")] * 60 + [("owl", "yak", "b")] * 20 + [("yak", "elk", "a")] * 40
    >>> replay(votes, "unresolved", runs=4, budget=400).outcome("unresolved").settled[0].judgments.value < 400
    True
    """
    names = _policies(options.policies)
    world, collected, unit, sets = _world(evidence, options)
    refused = [] if sets is None else [*support.left_out(sets), *support.refused(sets.sets[0].account())]
    budget = collected if options.budget is None else options.budget
    if budget is None:
        raise PlanError(
            "a simulated world has no size of its own",
            remedy=f"Say how many judgments to collect with {spelling.option('budget')}.",
        )
    if budget < _BATCH:
        raise PlanError(
            f"there are only {counted(budget, 'judgment')} to replay, and a run collects at least {_BATCH}",
            remedy=f"Say how many to draw with {spelling.option('budget', 100)}.",
        )
    batch = max(_BATCH, budget // 1000, len(world.settled) // 4) if options.batch is None else options.batch
    looks = _looks(options.looks, budget)
    reach = _among(options.reach, looks)
    tasks = [
        ReplayTask(
            world,
            name,
            budget,
            batch,
            looks,
            options.resamples,
            options.level,
            options.margin,
            np.random.SeedSequence([options.seed, number]),
            model=options.model,
        )
        for name in names
        for number in range(options.runs)
    ]
    traces = parallel.each(run, tasks, options.progress)
    runs = options.runs
    compared = outcomes(
        names,
        [traces[start : start + runs] for start in range(0, len(traces), runs)],
        targets=int(np.sum(world.settled)),
        shares=options.shares,
        looks=looks,
        reach=reach,
        level=options.level,
        seed=options.seed,
    )
    counts = world.counts
    ranked = [counts.systems[place] for place in np.argsort(-world.strength, kind="stable")]
    met = [(counts.systems[a], counts.systems[b]) for a, b in zip(counts.first, counts.second, strict=True)]
    return Replay(
        settings=options.changed(
            policies=names,
            budget=budget,
            batch=batch,
            looks=looks,
            reach=reach,
            unit=unit,
            progress=silent,
        ),
        data=counts.digest(),
        findings=(*refused, *findings_of(compared, options.level)),
        outcomes=compared,
        reading=None if sets is None else sets.reading,
        ranked=tuple(ranked),
        met=tuple(met),
        systems=counts.size,
        pairs=int(np.sum(world.open_pairs)),
        targets=int(np.sum(world.settled)),
    )


def _policies(policies: Sequence[str]) -> tuple[str, ...]:
    """Return the policies, the one that all are compared with first, each once."""
    if not policies:
        raise PlanError(f"name at least one policy: {', '.join(known_policies())}.")
    for text in policies:
        policy_of(text)
    return tuple(dict.fromkeys([_FIRST, *policies]))


def _world(evidence: Any, options: ReplayOptions) -> tuple[ReplayWorld, int | None, str, DataSets | None]:
    """Return the world, how many judgments there are, what counts once for a pair, and the evidence if there is any."""
    model = ranking_model(options.model, options.seed)
    if isinstance(evidence, worlds.World):
        if options.unit is not None:
            raise PlanError(
                f"{spelling.option('unit')} is for evidence, not for a simulated world", remedy="Leave it out."
            )
        world = ReplayWorld.simulated(evidence.expected())
        return world, None, world.counts.units.name, None
    sets = data_sets(evidence, unit=options.unit)
    data = sets.only("a replay").by_one_unit(options.unit, "a replay")
    counts = data.pairs()
    unit = counts.units.name
    if isinstance(counts.units, ScoredUnits):  # an item compares every pair once, as a judgment does
        shape = counts.outcomes.shape
        cells, times = np.arange(counts.outcomes.size), counts.outcomes.ravel()
        counts = replace(counts, units=RowUnits.of(cells, np.ones(len(cells)), times, shape))
    world = ReplayWorld.of_evidence(counts, options.level, options.margin)
    if model.name != BradleyTerry.name:
        world = replace(world, strength=strengths_of(model, data, counts.systems))
    return world, round(float(judgments_of(data, counts.size).sum())), unit, sets


def _looks(looks: Sequence[int] | None, budget: int) -> tuple[int, ...]:
    """Return at which numbers of judgments the ranking is made."""
    if looks is None:
        return tuple(dict.fromkeys(max(1, budget * step // _LOOKS) for step in range(1, _LOOKS + 1)))
    if not looks:
        raise PlanError(f"looks must name at least one number of judgments, up to {budget:,}; or leave them out.")
    if max(looks) > budget:
        raise PlanError(f"looks must be whole numbers up to the budget of {budget:,}, got {max(looks):,}.")
    return tuple(sorted(set(looks)))


def _among(reach: Sequence[int] | None, looks: tuple[int, ...]) -> tuple[int, ...]:
    """Return at which looks uniform's clusters are the goal."""
    if reach is None:
        return tuple(dict.fromkeys(looks[int(part * (len(looks) - 1))] for part in _REACH))
    for at in reach:
        if at not in looks:
            raise PlanError(f"reach must be among the looks {', '.join(map(str, looks))}, got {at!r}.")
    return tuple(dict.fromkeys(reach))
