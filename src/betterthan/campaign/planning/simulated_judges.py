"""Simulated judges, who answer by given strengths, for trying out a campaign."""

from collections.abc import Mapping

import numpy as np

from betterthan.campaign.service.campaign import Campaign
from betterthan.campaign.service.tasks import Answer

#: Answers of one system's output, on the scale of log-odds, from the best system down to the worst.
_STEP = 0.6
#: Two outputs that seem so near count as equal.
_NEAR = 0.4


def judge_all(
    campaign: Campaign, judges: int, *, strengths: Mapping[str, float] | None = None, most: int = 10_000, seed: int = 0
) -> int:
    """Let simulated judges answer until no task is left, and return the number of comparisons."""
    systems = campaign.material.systems
    strength = strengths or {name: -_STEP * place for place, name in enumerate(systems)}
    rng = np.random.default_rng(seed)
    added = [campaign.add_judge(f"simulated judge {place + 1}", kind="program").result() for place in range(judges)]
    at_work, done = [judge.number for judge, _ in added], 0
    while at_work and done < most:
        judge = at_work[done % len(at_work)]
        handed = campaign.hand_out(judge).result()
        if not handed.tasks:
            at_work.remove(judge)
            continue
        task = handed.tasks[0]
        with campaign.writer.lock:
            lease = campaign.writer.state.leases[task.lease]
            check = campaign.dispatcher.check_of(lease)
            worth = (
                [strength[systems[card[0]]] for card in lease.cards]
                if check is None
                else [-3.0 * check.ranks[place] for place in lease.order]
            )
        seems = np.array(worth) + rng.gumbel(size=len(worth))
        answer = Answer({name: _ranks(seems) for name, _ in campaign.options.asked}, seconds=float(rng.gamma(4, 6)))
        campaign.submit(judge, task.lease, f"simulated-{task.lease}", answer).result()
        done += 1
    return done


def _ranks(seems: np.ndarray) -> tuple[int, ...]:
    """Rank what seems best first; the next one is equal where it seems near."""
    order = np.argsort(-seems)
    ranks = np.empty(len(seems), dtype=int)
    rank = 0
    for place, number in enumerate(order):
        if place == 0 or seems[order[place - 1]] - seems[number] > _NEAR:
            rank = place + 1
        ranks[number] = rank
    return tuple(int(each) for each in ranks)
