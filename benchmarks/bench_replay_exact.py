"""Why choosing pairs costs Kendall's tau on real judgments: the same policies where Bradley–Terry is exact."""

import json

from bench_replay import WMT13, mean_of, ratio_of
from process import child
from report import table, write

RUNS = 50
AT = (10_000, 25_000, 40_000)
_SHOWN = {"clusters": 2, "misplaced": 2, "kendall": 3}


def run() -> None:
    """Replay in a process of its own, and write the page."""
    told = json.loads(child("replay_exact.py", str(WMT13), str(RUNS)))
    looks = [
        [f"{at:,}", one["policy"], *(mean_of(look[name], digits) for name, digits in _SHOWN.items())]
        for at in AT
        for one in told["policies"]
        for look in one["looks"]
        if look["judgments"] == at
    ]
    reached = [[one["policy"], *(ratio_of(goal["ratio"]) for goal in one["reached"])] for one in told["policies"]]
    text = [
        f"{told['runs']} runs of each policy in a world that is exactly Bradley–Terry, with the strengths and share "
        "of ties of WMT13 French–English. Means over runs, 95 % intervals in brackets; tau and misplaced pairs against "
        "the true order. Beside [replay](replay.md), where the judgments are real, it shows what is due to real "
        "preferences not being exactly Bradley–Terry.\n",
        table(["judgments", "policy", "clusters", "misplaced", "tau"], looks),
        "\nJudgments until uniform's number of clusters at 10,000 and at 25,000, as shares of uniform's:\n",
        table(["policy", "at 10,000", "at 25,000"], reached),
    ]
    write("replay-exact", "Choosing pairs where Bradley–Terry is exact", text, [], ("joblib", "numpy", "scipy"))
