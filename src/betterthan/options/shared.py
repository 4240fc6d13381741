"""What options of several verbs have in common, so that they mean and allow the same everywhere."""

from typing import Any

#: What may be resampled, split or counted as a whole; `group` is a column of scores.
UNITS = ("row", "item", "judge", "ranking", "group", "item+judge")
#: How the unit of dependence is chosen where nobody chooses it.
DEFAULT_UNIT = "ranking, else group, else item, else row"
SCALES = ("worth", "log", "elo", "winrate", "expected")
INTERVALS = ("bootstrap", "analytic", "information", "runs", "none")
CORRECTIONS = ("holm", "benjamini-hochberg", "bonferroni", "none")

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
TOLERANCE_HELP = "Scores: differences up to this are ties."
