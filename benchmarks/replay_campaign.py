"""Run whole campaigns whose judges answer as WMT13's did: every answer is drawn from the real judgments of its pair."""

import json
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

import betterthan as bt
from betterthan.campaign import tasks
from betterthan.campaign.exports.export_files import write_export
from betterthan.campaign.material.material import Material, MaterialItem
from betterthan.campaign.planning.standing import standing_of
from betterthan.campaign.service.campaign import Campaign
from betterthan.options.campaign import CampaignOptions
from betterthan.verbs.collect import collection_state
from betterthan.verbs.collect.judged_evidence import judged_data_set
from betterthan.verbs.collect.replays.replay_world import ReplayWorld

ITEMS, JUDGES, REFRESH, RUNS = 3000, 600, 100, 2
GOALS = (0.5, 0.7, 0.9)
#: Ranks of the two cards by outcome: the first won, a tie, the second won.
RANKS = ((1, 2), (1, 1), (2, 1))


def main(path: str, budget: int) -> None:
    """Print what every policy needed, and how the campaign with a margin ended."""
    _, data = judged_data_set(bt.read(path), "row", "a replay")
    world = ReplayWorld.of_evidence(data.pairs(), 0.95, None)
    told: dict[str, Any] = {"targets": int(world.settled.sum()), "pairs": len(world.settled), "budget": budget}
    told["policies"] = [
        [collect(world, policy, budget, None, seed) for seed in range(RUNS)] for policy in ("uniform", "unresolved")
    ]
    told["closing"] = collect(world, "unresolved", budget, 0.1, 0, to_the_end=True)
    print(json.dumps(told))


def collect(
    world: ReplayWorld, policy: str, budget: int, margin: float | None, seed: int, *, to_the_end: bool = False
) -> dict[str, Any]:
    """Run a campaign until nine in ten of the pairs that can be settled are, or until it ends by itself."""
    systems = world.counts.systems
    outputs = {name: [f"{name} {item}" for item in range(ITEMS)] for name in systems}
    material = Material(tuple(MaterialItem(f"i{item}", "text") for item in range(ITEMS)), systems, outputs, outputs)
    options = CampaignOptions(policy=policy, budget=budget, margin=margin)
    rng = np.random.default_rng([seed, 0])
    reached: dict[str, int] = {}
    wrong: set[tuple[str, str]] = set()
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder) / "wmt.campaign")
        with Campaign.create(path, material, options, rng=np.random.default_rng([seed, 1])) as running:
            judges = [
                running.add_judge(f"judge {number}", kind="program").result()[0].number for number in range(JUDGES)
            ]
            done, stage = 0, "judging"
            while stage == "judging" and (to_the_end or len(reached) < len(GOALS)):
                stage = _judge(running, world, judges[done % JUDGES], rng)
                done += stage == "judging"
                if done % max(REFRESH, done // 50 // REFRESH * REFRESH) == 0:
                    running.chances = standing_of(running)
                    _look(running, world, done, reached, wrong)
            running.chances = standing_of(running)
            _look(running, world, done, reached, wrong)
            states = [pair["state"] for pair in running.chances.pairs]
            exported = Path(folder) / "judgments.csv"
            write_export(running, exported)
        boards = [bt.rank(place, ci="none").board for place in (path, exported)]
        same = [row.score for row in boards[0].rows] == [row.score for row in boards[1].rows]
    return {
        "policy": policy,
        "judgments": done,
        "stage": stage,
        "reached": reached,
        "wrong": len(wrong),
        "same": same,
        "states": {state: states.count(state) for state in sorted(set(states))},
    }


def _judge(running: Campaign, world: ReplayWorld, judge: int, rng: np.random.Generator) -> str:
    handed = running.hand_out(judge).result()
    if not handed.tasks:
        return handed.progress.stage
    task = handed.tasks[0]
    (one,), (two,) = running.writer.state.leases[task.lease].cards
    pair = collection_state.place_of(len(running.material.systems))[one, two]
    outcome = int(world.judge(np.array([pair]), rng)[0])
    ranks = RANKS[outcome] if one < two else RANKS[2 - outcome]
    running.submit(judge, task.lease, f"replay-{task.lease}", tasks.Answer({"overall": ranks})).result()
    return "judging"


def _look(
    running: Campaign, world: ReplayWorld, done: int, reached: dict[str, int], wrong: set[tuple[str, str]]
) -> None:
    settled = 0
    for place, pair in enumerate(running.chances.pairs):
        ahead = int(world.ahead[place])
        settled += bool(pair["state"] != "undecided" and world.settled[place])
        if (pair["state"], ahead) in {("first", -1), ("second", 1), ("first", 0), ("second", 0)}:
            wrong.add((pair["first"], pair["second"]))
    for goal in GOALS:
        if settled >= goal * world.settled.sum():
            reached.setdefault(f"{goal:g}", done)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
