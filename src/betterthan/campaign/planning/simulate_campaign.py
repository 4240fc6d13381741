"""Simulate a campaign with given strengths to estimate judgments, hours and cost."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from betterthan.base import FloatArray, PlanError, digest_of, nearest, parallel, silent, spelling
from betterthan.campaign.material.material import Material
from betterthan.campaign.planning.simulation_result import CampaignGoal, Simulation
from betterthan.inference import Estimate
from betterthan.options import CampaignOptions, SimulateOptions, declared_options
from betterthan.verbs.collect import ReplayWorld, policy_of, replay_run
from betterthan.worlds import Arena

#: Shares of the pairs whose settling is forecast.
_SHARES = (0.5, 0.7, 0.9, 1.0)
#: Quantiles of what runs needed: from the lucky ones to the unlucky ones.
_QUANTILES = (0.5, 0.1, 0.9)
#: A campaign chooses again after that many judgments; longer ones are simulated in that many steps.
_BATCH, _STEPS = 20, 100


def simulate_from_worlds(
    material: Material | tuple[int, int], options: CampaignOptions | None = None, **given: Any
) -> Simulation:
    """Forecast how many judgments, hours and how much pay a campaign takes until its pairs are settled.

    `material` may be the numbers of systems and items. Judges answer by Bradley–Terry with ties; `strengths` are
    log-strengths in the order of the systems or by name, and are drawn in every run where they are not given. See
    `SimulateOptions` for `spread`, `ties`, `judges`, `seconds_per_judgment`, `runs` and `seed`. Judgments of one pair
    on the same item are taken as independent.

    >>> found = simulate_from_worlds((3, 200), strengths=[1.5, 0.0, -1.5], runs=4)
    >>> found.goal(1.0).judgments.value < found.most
    True
    """
    campaign = CampaignOptions() if options is None else options
    names, room = _room(material, campaign)
    settings = SimulateOptions.of(
        **{name: getattr(campaign, name) for name in declared_options(CampaignOptions)},
        **{
            **given,
            "strengths": _strengths(given.get("strengths"), names),
            "systems": len(names),
            "items": _items(material),
        },
    )
    policy_of(settings.policy)  # what cannot be is refused before anything is simulated
    _evidence(settings)
    most = _most(settings, room)
    batch = max(_BATCH, most // _STEPS)
    tasks = [
        replay_run.ReplayTask(
            _world(settings, names, number),
            settings.policy,
            most,
            batch,
            (),
            0,
            settings.level,
            settings.margin,
            np.random.SeedSequence([settings.seed, number]),
            settings.way,
            room,
        )
        for number in range(settings.runs)
    ]
    traces = parallel.each(replay_run.run, tasks, settings.progress)
    pairs = int(np.sum(room > 0))
    goals = [
        _goal(settings, share, [trace.until(np.ceil(share * pairs - 1e-9)) for trace in traces]) for share in _SHARES
    ]
    used = [float(trace.judgments[-1]) for trace in traces]
    return Simulation(
        settings=settings.changed(progress=silent),
        data=_digest(material),
        pairs=pairs,
        most=most,
        goals=(*goals, _goal(settings, None, _ends(traces, pairs, used))),
        settled=_quantiles([float(trace.settled[-1]) / pairs for trace in traces]),
    )


def _ends(traces: Sequence[replay_run.Trace], pairs: int, used: Sequence[float]) -> list[float]:
    """Return when each run ended: with its last pair settled, or with what there was to judge."""
    return [min(trace.until(pairs), last) for trace, last in zip(traces, used, strict=True)]


def _room(material: Material | tuple[int, int], options: CampaignOptions) -> tuple[tuple[str, ...], FloatArray]:
    """Return the systems, and how many judgments every pair may get: one per item that shows both, times the overlap.

    Outputs that look alike are one card: there is nothing to judge about them.
    """
    if isinstance(material, Material):
        names = material.systems
        first, second = np.triu_indices(len(names), 1)
        shown = [material.shown[name] for name in names]
        items = np.array([_differ(shown[a], shown[b]) for a, b in zip(first, second, strict=True)], dtype=float)
    else:
        systems, number = material
        SimulateOptions(systems=systems, items=number)  # refuses what are no such numbers
        names = tuple(f"system {place}" for place in range(1, systems + 1))
        items = np.full(systems * (systems - 1) // 2, float(number))
    room = items * options.overlap
    room = room if options.per_pair is None else np.minimum(room, options.per_pair)
    if not np.any(room):
        raise PlanError("no two systems have different outputs on an item, so there is nothing to judge.")
    return names, room


def _differ(one: Sequence[str | None], other: Sequence[str | None]) -> int:
    """Count the items on which two systems have outputs that do not look alike."""
    return sum(None not in pair and pair[0] != pair[1] for pair in zip(one, other, strict=True))


def _items(material: Material | tuple[int, int]) -> int:
    return len(material.items) if isinstance(material, Material) else material[1]


def _strengths(given: Any, names: Sequence[str]) -> tuple[float, ...] | None:
    """Return the strengths in the order of the systems."""
    if given is None:
        return None
    if isinstance(given, Mapping):
        for name in given:
            if name not in names:
                raise PlanError(f"there is no system {name!r}", remedy=nearest(str(name), list(names)))
        given = [given[name] for name in names if name in given]
    if len(given) != len(names):
        raise PlanError(
            f"{spelling.option('strengths')} must have one number for each of the {len(names)} systems, got "
            f"{len(given)}."
        )
    return tuple(given)


def _world(settings: SimulateOptions, names: tuple[str, ...], number: int) -> ReplayWorld:
    """Make the world of one run; every pair is to be settled, also those that are too near for it."""
    strengths = settings.strengths
    if strengths is None:
        drawn = np.random.default_rng([settings.seed, number, 1]).normal(0.0, settings.spread, len(names))
        strengths = tuple(drawn.tolist())
    # With this width two equal systems tie as often as was requested (Rao and Kupper 1967).
    width = float(np.log((1 + settings.ties) / (1 - settings.ties)))
    arena = Arena(strengths=tuple(strengths), systems=names, item_spread=0.0, sharpness=(1.0,), tie_width=width)
    world = ReplayWorld.simulated(arena.expected())
    return replace(world, settled=np.ones_like(world.settled))


def _most(settings: SimulateOptions, room: FloatArray) -> int:
    """Return the most comparisons that limits allow."""
    limits = [float(room.sum())]  # where more than two are ranked at once, each comparison takes room of several pairs
    limits += [] if settings.budget is None else [settings.budget]
    limits += [] if settings.per_item is None else [settings.per_item * settings.items]
    limits += [] if settings.per_judge is None else [settings.per_judge * settings.judges * _evidence(settings)]
    most = int(min(limits))
    if most < 1:
        raise PlanError(
            "the limits allow no comparison",
            remedy=f"Raise {spelling.option('per_judge')} or lower {spelling.option('gold')}.",
        )
    return most


def _evidence(settings: SimulateOptions) -> float:
    """Return the share of comparisons that are evidence; the others are checks and repeats."""
    share = 1 - settings.gold - settings.repeats
    if share < 1e-9:
        raise PlanError(
            f"with {spelling.option('gold', settings.gold)} and {spelling.option('repeats', settings.repeats)} "
            "no comparison is evidence",
            remedy="Lower one of them.",
        )
    return share


def _goal(settings: SimulateOptions, share: float | None, needed: Sequence[float]) -> CampaignGoal:
    """Turn the judgments that runs needed into hours and pay, which checks, repeats and training cost as well."""
    judgments = np.array(needed)
    seen = judgments / _evidence(settings) + settings.training * settings.judges
    hours = _quantiles(seen * settings.seconds_per_judgment / 3600)
    per_judge, cost = (_times(hours, factor) for factor in (1 / settings.judges, settings.pay))
    return CampaignGoal(share, float(np.mean(np.isfinite(judgments))), _quantiles(judgments), hours, per_judge, cost)


def _times(estimate: Estimate, factor: float) -> Estimate:
    ends = (estimate.value, estimate.low, estimate.high)
    return Estimate(*(None if end is None else factor * end for end in ends))


def _quantiles(values: Sequence[float] | FloatArray) -> Estimate:
    """Return the median, and the values that a tenth of the runs are below and above; None: never reached."""
    found = np.quantile(np.asarray(values, dtype=float), _QUANTILES, method="inverted_cdf")
    return Estimate(*(float(each) if np.isfinite(each) else None for each in found))


def _digest(material: Material | tuple[int, int]) -> str:
    if not isinstance(material, Material):
        return ""
    texts = [[item.name for item in material.items], {name: list(material.outputs[name]) for name in material.systems}]
    return digest_of([json.dumps(texts)])
