"""Options that several verbs share."""

from typing import Any

#: What may be resampled, split or counted as a whole; `group` is a column of scores.
UNITS = ("row", "item", "judge", "ranking", "group", "item+judge", "item+run")
#: How a sentence names the unit: by …
UNIT_WORDS = {
    "row": "single judgment",
    "item+judge": "item and judge",
    "item+run": "item and run",
    "group": "group of items",
}
#: How the unit of dependence is chosen where nobody chooses it.
DEFAULT_UNIT = "items and judges, or runs, where they repeat, else ranking, group or row"
#: The guarantee of rank ranges and clusters: simultaneous for all systems, or per range as in the WMT shared tasks.
FAMILY_WISE, WMT = CLUSTERS = ("family-wise", "wmt")
SCALES = ("worth", "log", "elo", "winrate", "expected")
INTERVALS = ("bootstrap", "analytic", "information", "runs", "redraws", "none")
#: Intervals from repeated runs: of the same judgments in other random orders, or of judgments resampled.
REPEATED = ("runs", "redraws")
#: How often results may be read: once, at the end, or as often as judgments come in.
ONE_LOOK, ANYTIME = HORIZONS = ("fixed", "anytime")
CORRECTIONS = ("holm", "benjamini-hochberg", "bonferroni", "none")
#: The correction that a leaderboard's decisions about all pairs have: by the largest deviation of all pairs.
JOINT = "joint"

LEVEL: dict[str, Any] = {"least": 0.5, "below": 1, "note": "95 % is 0.95"}
SEED: dict[str, Any] = {"least": 0, "metavar": "NUMBER"}
TOLERANCE: dict[str, Any] = {"least": 0, "quiet": True}
RESAMPLES: dict[str, Any] = {"least": 20, "most": 1_000_000}
UNIT: dict[str, Any] = {"choices": UNITS, "unsaid": DEFAULT_UNIT}
MARGIN: dict[str, Any] = {
    "above": 0,
    "below": 0.5,
    "note": "shares won (ties half) between 0.5 − margin and 0.5 + margin count as equivalent; 0.05 is common",
}
#: What conditions on rows look like.
WHERE = "Keep only rows that meet a condition: =, !=, <, <=, >, >=, ~ PATTERN, in (A, B), joined by 'and'."
TOLERANCE_HELP = "Scores: differences up to this count as ties."
