"""Findings about uncertainty: how much there is to resample, and what that does to intervals."""

from betterthan.findings.kind import Kind

FEW_UNITS = Kind(
    "few-units",
    "The result rests on few units",
    "warning",
    "The result rests on only {units:of {unit}}, so confidence intervals and tests are approximate.",
    "Collect more {unit}s.",
    "Confidence intervals and tests need many independent units (items, judges or judgments). With few units they are "
    "usually too narrow.",
    "Collect more units. With fewer than {exact_tests}, use exact tests only and claim no small differences.",
    {"exact_tests": 20, "intervals": 30, "mentioned": 50},
    "units",
)

FEW_CLUSTERS = Kind(
    "few-clusters",
    "Standard errors rest on few clusters",
    "warning",
    "Standard errors rest on {clusters:of cluster} ({column}) for {terms:of term}, so intervals are wide and "
    "approximate.",
    "Collect more clusters.",
    "Cluster-robust standard errors compare clusters with each other. With few of them they vary a lot, for which "
    "Student's t allows. With fewer clusters than terms, not all terms can be tested at once.",
    "",
    {"clusters_least": 10, "per_term": 1},
    "clusters",
)

OTHER_UNITS = Kind(
    "other-units",
    "Judgments may also be correlated within other units",
    "info",
    "Confidence intervals resample {unit}s. Judgments with the same {others} may be correlated as well.",
    "Compare with the intervals of {option:unit={other}}.",
    "Intervals are too narrow where judgments are correlated within a unit that is not resampled as a whole.",
    "Compare with the intervals of the other units: {option:unit=judge}.",
)

RUNS = Kind(
    "runs",
    "Intervals show the model's own randomness only",
    "warning",
    "Intervals and rank ranges show what the model's random choices change, not what other data would change.",
    "Use {option:ci=bootstrap} for confidence intervals.",
    "Repeated runs on the same data say nothing about the uncertainty of the data.",
)

DEGENERATE_RESAMPLES = Kind(
    "degenerate-resamples",
    "Some bootstrap samples do not determine every strength",
    "warning",
    "In {degenerate:,} of {resamples:,} bootstrap samples some system had only wins, only losses or no comparison.",
    "Collect more comparisons of systems that have few: their intervals are approximate.",
    "In such a sample the system is placed as far out as its record allows.",
    value="degenerate",
)
