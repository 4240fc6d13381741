"""What every policy of choosing pairs saves on WMT13 French–English: replays of its real judgments."""

import json
from pathlib import Path
from typing import Any

from process import child
from report import Target, table, write

WMT13 = Path(__file__).parent.parent.parent / "shared" / "data" / "wmt13-fr-en" / "rankings.csv.gz"
RUNS = 50
AT = (10_000, 25_000, 40_000)


def run() -> None:
    """Replay in a process of its own, and write the page."""
    page(json.loads(child("replay_policies.py", str(WMT13), str(RUNS))))


def page(told: dict[str, Any]) -> None:
    """Write what was found."""
    policies, budget = told["policies"], told["budget"]
    goals = [goal["name"] for goal in (*policies[0]["settled"], *policies[0]["reached"])]
    rows, ratios = [], []
    for one in policies:
        found = [*one["settled"], *one["reached"]]
        rows.append([one["policy"], *(_number(goal["judgments"], budget) for goal in found)])
        ratios.append([one["policy"], *(ratio_of(goal["ratio"]) for goal in found)])
    looks = [
        [
            f"{at:,}",
            one["policy"],
            f"{look['settled']['value']:.2f}",
            mean_of(look["clusters"], 2),
            mean_of(look["misplaced"], 2),
            mean_of(look["kendall"], 3),
        ]
        for at in AT
        for one in policies
        for look in one["looks"]
        if look["judgments"] == at
    ]
    wrong = [
        [one["policy"], f"{100 * one['wrong']['value']:.0f} %", f"{100 * one['wrong']['high']:.0f} %"]
        for one in policies
    ]
    text = [
        f"{told['runs']} runs of each policy until {budget:,} judgments, {told['batch']} chosen at a time; judgments "
        f"of a pair are drawn with replacement from its real ones. {told['targets']} of the {told['pairs']} pairs are "
        "settled by all 99,960 (anytime-valid, Holm). Judgments until a share of these is settled are medians over "
        "runs, those until uniform's mean number of clusters at 10,000 and 25,000 (Bradley–Terry, 200 resamples) are "
        "read from mean curves; 95 % intervals over runs in brackets.\n",
        table(["policy", *goals], rows),
        "\nThe same as shares of what uniform needed:\n",
        table(["policy", *goals], ratios),
        "\nOn the way: share of those pairs settled; clusters; pairs that lie in different clusters the other way "
        "round than in the whole evidence; Kendall's tau to its ranking. Means, intervals in brackets.\n",
        table(["judgments", "policy", "settled", "clusters", "misplaced", "tau"], looks),
        "\nRuns in which any pair was ever separated against the majority of its real judgments, and the upper end of "
        "the 95 % interval:\n",
        table(["policy", "runs", "at most"], wrong),
    ]
    best = next(one for one in policies if one["policy"] == "unresolved")
    targets = []
    for goal in best["settled"]:
        ratio = goal["ratio"]["value"]
        aim = f"unresolved: {goal['name']} with at most half of uniform's judgments"
        targets.append(Target(aim, "–" if ratio is None else f"{ratio:.2f} ×", ratio is not None and ratio <= 0.5))
    targets += [
        Target(
            f"{one['policy']}: wrong separations in at most 5 % of the runs",
            f"{100 * one['wrong']['value']:.0f} %",
            one["wrong"]["value"] <= 0.05,
        )
        for one in policies
    ]
    write("replay", "Choosing pairs: replays on WMT13 French–English", text, targets, ("joblib", "numpy", "scipy"))


def _number(estimate: dict[str, Any], budget: int) -> str:
    value, low, high = (estimate[name] for name in ("value", "low", "high"))
    if value is None:
        return f"more than {budget:,}"
    return f"{value:,.0f} ({low:,.0f} … {f'{high:,.0f}' if high is not None else ''})"


def ratio_of(estimate: dict[str, Any]) -> str:
    """Write a ratio with its interval."""
    value, low, high = (estimate[name] for name in ("value", "low", "high"))
    if value is None:
        return "–"
    return f"{value:.2f} ({low:.2f} … {f'{high:.2f}' if high is not None else ''})"


def mean_of(estimate: dict[str, Any], digits: int) -> str:
    """Write a mean with its interval."""
    value, low, high = (estimate[name] for name in ("value", "low", "high"))
    return "–" if value is None else f"{value:.{digits}f} ({low:.{digits}f} … {high:.{digits}f})"
