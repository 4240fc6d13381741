"""Findings about planned numbers of items or judgments."""

from betterthan.findings.kind import Kind

OBSERVED = Kind(
    "observed",
    "The plan rests on an observed difference",
    "info",
    "The observed {measure} is uncertain, and so is the number needed{includes}.",
    "Plan for the smallest {measure} that matters to you.",
    "A number planned for the observed difference is too small where the difference is overestimated by chance.",
    "Plan for the smallest difference that matters to you.",
)

NOT_SIMULATED = Kind(
    "not-simulated",
    "The plan was not simulated",
    "info",
    "{why}, so the plan was not simulated.",
    "",
    "Only the formula supports the number needed.",
    "Plan for a difference closer to the observed one.",
    value="value",
)

FORMULA = Kind(
    "formula",
    "Simulation and formula disagree",
    "warning",
    "Simulated from this evidence, the power is {simulated:.2f}; the formula gives {expected:.2f}.",
    "Trust the simulation.",
    "The formula assumes a distribution that this evidence does not have.",
    "",
    {"difference": 0.03, "standard_errors": 3},
    "difference_found",
)

EXTRAPOLATED = Kind(
    "extrapolated",
    "The plan goes far beyond the evidence",
    "info",
    "Simulations draw {planned:,} items from only {available:,}, so chance patterns in these count as real.",
    "Do not rely on the simulated power of wilcoxon and sign.",
    "With that many draws, these tests detect peculiarities of the sample.",
    "",
    {"times": 10},
    "planned",
)
