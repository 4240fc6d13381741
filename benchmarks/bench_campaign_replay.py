"""Campaigns whose judges answer as WMT13's did: what the adaptive choice saves, and how such a campaign ends."""

import json
from math import inf, isfinite
from statistics import fmean
from typing import Any

from bench_replay import WMT13
from process import child
from report import Target, table, write

BUDGET = 150_000


def run() -> None:
    """Run the campaigns in a process of their own, and write the page."""
    page(json.loads(child("replay_campaign.py", str(WMT13), str(BUDGET)).splitlines()[-1]))


def page(told: dict[str, Any]) -> None:
    """Write what was found."""
    runs = {each[0]["policy"]: each for each in told["policies"]}
    goals = list(runs["unresolved"][0]["reached"])
    mean = {
        policy: {goal: fmean(each["reached"].get(goal, inf) for each in every) for goal in goals}
        for policy, every in runs.items()
    }
    rows = [
        [policy, *(f"{number:,.0f}" if isfinite(number) else "–" for number in mean[policy].values())]
        for policy in mean
    ]
    ratios = {goal: mean["unresolved"][goal] / mean["uniform"][goal] for goal in goals}
    rows.append(["share", *(f"{ratio:.2f}" for ratio in ratios.values())])
    end = told["closing"]
    text = [
        "Whole campaigns through the same calls that the server makes: 600 judges, 3,000 items, "
        f"{told['pairs']} pairs, a new table of chances after every 100 answers (2 % later on). Every answer is "
        "drawn from the real judgments of its pair in "
        f"WMT13 French–English. {told['targets']} pairs can be settled by all of these. Comparisons until so many of "
        "them were, means of two runs:\n",
        table(["policy", *(f"{float(goal):.0%}" for goal in goals)], rows),
        f"\nWith a margin of 0.1, the campaign ended after {end['judgments']:,} comparisons (stage: {end['stage']}): "
        + ", ".join(f"{number} {state}" for state, number in end["states"].items())
        + ".\n",
    ]
    targets = [
        Target(f"{float(goal):.0%} settled with at most half of uniform's judgments", f"{ratio:.2f} ×", ratio <= 0.5)
        for goal, ratio in ratios.items()
    ]
    every = [end, *(each for some in runs.values() for each in some)]
    wrong, same = sum(each["wrong"] for each in every), all(each["same"] for each in every)
    targets += [
        Target("no pair decided against the whole evidence", str(wrong), wrong == 0),
        Target("the export ranks as the campaign does", str(same), same),
        Target("near-equal pairs are closed by the margin", end["stage"], end["stage"] == "settled"),
    ]
    write("campaign-replay", "Campaigns replayed from WMT13 French–English", text, targets, ("numpy", "scipy"))
