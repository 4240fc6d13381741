"""Does `rank --factors` find interactions that are not there, and is the best prompt's score covered?"""

import json
from typing import Any

from scipy import stats

from process import child
from report import Target, table, write

#: Data sets per world.
DATA_SETS = 200

Row = dict[str, Any]


def run() -> None:
    """Simulate in a process of its own, and write the page."""
    page(json.loads(child("factor_worlds.py", str(DATA_SETS)).splitlines()[-1]))


def page(rows: list[Row]) -> None:
    """Write every world."""
    lines = [
        [
            row["name"],
            _share(row["interactions"], row["data_sets"]),
            _share(row["pairs"], row["data_sets"]),
            _share(row["covered"], row["best"]) if row["best"] else "–",
            f"{row['seen'] / row['best']:.2f}" if row["best"] else "–",
        ]
        for row in rows
    ]
    text = [
        f"{rows[0]['data_sets']} data sets per world of items × models × prompts, without an interaction and with "
        "equal models; in the last world prompts differ. In per cent, with the Monte-Carlo standard error: "
        "interactions found, data sets in which some pair of models is decided (for prompts like these), and scores "
        "of the best prompt whose 95 % interval covers the truth. *Seen* is the mean score of the best prompt on the "
        "items that chose it, where 0 is true.\n",
        table(["world", "interaction", "any pair", "best covered", "seen"], lines),
    ]
    worst = max(rows, key=lambda row: row["interactions"] / row["data_sets"])
    covering = [row for row in rows if row["best"]]
    least = min(covering, key=lambda row: row["covered"] / row["best"])
    targets = [
        Target(
            "interactions: at most 6 %, beyond Monte-Carlo error",
            _share(worst["interactions"], worst["data_sets"]),
            bool(worst["interactions"] <= stats.binom.ppf(0.975, worst["data_sets"], 0.06)),
        ),
        Target(
            "scores of best prompts: at least 93 % covered, beyond Monte-Carlo error",
            _share(least["covered"], least["best"]),
            bool(least["best"] - least["covered"] <= stats.binom.ppf(0.975, least["best"], 0.07)),
        ),
    ]
    write("factors", "Models and prompts as factors", text, targets, ["numpy", "scipy"])


def _share(count: int, number: int) -> str:
    share = count / number
    return f"{100 * share:.1f} ± {100 * (share * (1 - share) / number) ** 0.5:.1f}"
