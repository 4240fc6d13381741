"""Do a duel's tests raise false alarms in 5 % of cases, and do its 95 % intervals hold the truth? Simulated pairs."""

import json
from math import sqrt
from typing import Any

from process import child
from report import Target, table, write

MOST, LEAST = 0.06, 0.04
LOW, HIGH = 0.93, 0.97
TESTS = {
    "t": "t",
    "sign": "sign",
    "wilcoxon": "Wilcoxon",
    "wilcoxon-pratt": "Pratt",
    "mood": "Mood",
    "mcnemar": "McNemar",
    "mcnemar-mid-p": "McNemar, mid-p",
    "permutation-mid-p": "permutation, mid-p",
    "mcnemar-corrected": "McNemar, corrected",
    "permutation": "permutation",
    "bootstrap": "bootstrap",
    "tost": "TOST",
}
EFFECTS = {
    "mean_difference": "mean",
    "median_difference": "median",
    "cohens_dz": "d_z",
    "rank_biserial": "rank-biserial",
    "typical_difference": "Hodges–Lehmann",
    "cliffs_delta": "Cliff's δ",
    "superiority": "superiority",
    "odds": "odds",
}
#: Tests that have few possible answers: they cannot reach 5 % exactly, and stay below it.
DISCRETE = {"sign", "mood", "mcnemar", "mcnemar-mid-p", "mcnemar-corrected"}
#: Why something misses its target: by test or effect, and by how the world's name begins.
_NARROW = "percentiles of few resampled units are too narrow, and lean towards the larger effect"
_UNEQUAL = "exact for scores that can be exchanged; here one system's vary more, and the common median is estimated"
REASONS = {
    ("bootstrap", "heavy"): "cautious: outliers make the spread of a resample as wild as its mean",
    ("mood", "30 groups"): _UNEQUAL,
    ("cohens_dz", "heavy"): "differences without a fourth moment: the spread in its denominator hardly settles",
    (
        "odds",
        "right or wrong, n",
    ): "Clopper and Pearson's interval is cautious, as every exact one of few possible answers",
    **{
        (name, begin): _NARROW
        for name in EFFECTS
        if name != "odds"
        for begin in ("normal, n = 20", "30", "right or wrong, 30")
    },
}


def run() -> None:
    """Simulate in a process of its own, and write the tables."""
    told = json.loads(child("simulate_tests.py").splitlines()[-1])
    worlds = told["worlds"]
    alarms = [[world["name"], *(_alarm(world, name) for name in TESTS)] for world in worlds]
    held = [[world["name"], *(_coverage(world, name) for name in EFFECTS)] for world in worlds]
    misses = [
        [TESTS.get(name) or EFFECTS[name], world["name"], measured, _reason(name, world["name"])]
        for name in (*TESTS, *EFFECTS)
        for world in worlds
        if (measured := _missed(world, name))
    ]
    text = [
        f"Two systems on the same instances. False alarms: no difference in truth, share of {told['cheap']:,} data "
        f"sets with p ≤ .05 ({told['drawn']:,} for permutation and bootstrap, of 9,999 draws each); for TOST the true "
        f"difference is the margin. Intervals: a true difference of about half a standard deviation, share of "
        f"{told['intervals']:,} data sets whose 95 % interval holds it, and ↓ ↑ how often it lies below or above. All "
        "in percent, ± the standard error of the simulation.\n",
        "".join(f"- *{world['name']}*: {world['what']}\n" for world in worlds),
        "**Bold** misses the target. In (brackets): not meant for such data, shown all the same:\n",
        "".join(f"- {line}\n" for line in _apart(worlds)),
        "## False alarms at 5 %\n",
        table(["data", *TESTS.values()], alarms),
        "## Coverage of 95 % intervals\n",
        table(["data", *EFFECTS.values()], held),
        "## What misses, and why\n",
        table(["what", "data", "measured", "why"], misses) if misses else "Nothing.\n",
    ]
    targets = [_target(worlds, name) for name in (*TESTS, *EFFECTS)]
    write("tests", "Paired tests and effects: false alarms and coverage", text, targets, ("numpy", "scipy"))


def _share(world: dict[str, Any], name: str) -> tuple[float, float]:
    """Return the share of false alarms, or of intervals that hold the truth, and its standard error."""
    cell = world["cells"][name]
    missed = cell["below"] + cell["above"]
    share = (cell["rejected"] if name in TESTS else cell["tried"] - missed) / cell["tried"]
    return share, sqrt(share * (1 - share) / cell["tried"])


def _held_to_something(world: dict[str, Any], name: str) -> bool:
    return name in world["cells"] and name not in world["apart"] and "*" not in world["apart"]


def _meets(world: dict[str, Any], name: str) -> bool:
    share, _ = _share(world, name)
    if name in EFFECTS:
        return LOW <= share <= HIGH
    return share <= MOST and (share >= LEAST or name in DISCRETE or world["discrete"])


def _missed(world: dict[str, Any], name: str) -> str:
    if not _held_to_something(world, name) or _meets(world, name):
        return ""
    share, error = _share(world, name)
    return f"{100 * share:.1f} % ± {100 * error:.1f} %"


def _alarm(world: dict[str, Any], name: str) -> str:
    if name not in world["cells"]:
        return "–"
    share, error = _share(world, name)
    return _marked(world, name, f"{100 * share:.1f} ± {100 * error:.1f}")


def _coverage(world: dict[str, Any], name: str) -> str:
    cell = world["cells"][name]
    share, error = _share(world, name)
    sides = f"↓{100 * cell['below'] / cell['tried']:.1f} ↑{100 * cell['above'] / cell['tried']:.1f}"
    return f"{_marked(world, name, f'{100 * share:.1f} ± {100 * error:.1f}')} {sides}"


def _marked(world: dict[str, Any], name: str, text: str) -> str:
    if not _held_to_something(world, name):
        return f"({text})"
    return text if _meets(world, name) else f"**{text}**"


def _apart(worlds: list[dict[str, Any]]) -> list[str]:
    """Say once what is not meant for which data."""
    found: dict[tuple[str, str], list[str]] = {}
    for world in worlds:
        for name, why in world["apart"].items():
            if name == "*" or name in world["cells"]:
                found.setdefault((why, world["name"]), []).append({"*": "all", **TESTS, **EFFECTS}[name])
    merged: dict[tuple[str, str], list[str]] = {}
    for (why, world), names in found.items():
        merged.setdefault((why, ", ".join(names)), []).append(world)
    return [f"{names} ({'; '.join(where)}): {why}" for (why, names), where in merged.items()]


def _reason(name: str, world: str) -> str:
    return next((why for (what, begin), why in REASONS.items() if what == name and world.startswith(begin)), "")


def _target(worlds: list[dict[str, Any]], name: str) -> Target:
    """Aim at all data that a test or interval is meant for; name the extremes."""
    held = [world for world in worlds if _held_to_something(world, name)]
    shares = [_share(world, name)[0] for world in held]
    bad = sum(not _meets(world, name) for world in held)
    if name in EFFECTS:
        aim = f"interval of {EFFECTS[name]}: holds the truth in 93–97 %"
    else:
        aim = f"{TESTS[name]}: false alarms in at most 6 %" + (
            "" if name in DISCRETE else "; at least 4 % unless scores are right or wrong"
        )
    span = f"{100 * min(shares):.1f} to {100 * max(shares):.1f} %"
    return Target(aim, f"{span}; {bad} of {len(held)} miss" if bad else span, not bad)
