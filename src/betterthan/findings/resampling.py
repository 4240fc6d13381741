"""Findings about resampling: how much there is to resample, and what that does to intervals."""

from betterthan.findings.kind import Kind

FEW_UNITS = Kind(
    "few-units",
    "The result rests on few units",
    "warning",
    "Only {units:of {unit}} {units:was/were} resampled, so confidence intervals and tests are rough.",
    "Collect more {unit}s.",
    "Intervals and tests are exact only for many independent units (items, judges or judgments). With few of them they "
    "are usually too narrow.",
    "Collect more units. With fewer than {exact_tests}, use exact tests only and claim no small differences.",
    {"exact_tests": 20, "intervals": 30, "rough": 50},
    "units",
)
