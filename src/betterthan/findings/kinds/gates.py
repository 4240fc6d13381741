"""Findings about gates: test sets that are used often, and evaluations that do not repeat."""

from betterthan.findings.kind import Kind

OFTEN_LOOKED_AT = Kind(
    "often-looked-at",
    "The same test set is looked at often",
    "info",
    "This is look {look:,} at the same comparison or test set: the level allows for the number of looks, but not for "
    "versions that are developed until they pass.",
    "Keep other items that nobody develops on, and gate releases by them.",
    "Who changes a system until it passes fits it to the test set, and it then does better there than elsewhere.",
    thresholds={"looks": 20},
    value="look",
)

RERUN_DIFFERS = Kind(
    "rerun-differs",
    "Two runs of the same system differ significantly",
    "warning",
    "Two runs of {old!r} differ by {difference}{metric} ({confidence:percent} confidence interval {interval}), so "
    "the gate does not pass: a difference of two versions may be one of two runs.",
    "Find out what else changed between the runs, such as the sampling, the judge or the hardware.",
    "Intervals allow for the items that were drawn, not for what changes a whole run.",
    "Evaluate several runs of each version, and find out what changes between them.",
)
