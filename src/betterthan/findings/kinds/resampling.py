"""Findings about uncertainty: few units to resample, and the effect on intervals."""

from betterthan.findings.kind import Kind

FEW_UNITS = Kind(
    "few-units",
    "The result rests on few units",
    "warning",
    "The result rests on only {units:of {unit}}, so confidence intervals and tests are approximate.",
    "Collect more {unit}s.",
    "Intervals and tests allow for few independent units (items, judges or judgments) by being wider, but how wide "
    "they have to be is itself uncertain.",
    "Collect more units; with fewer than {exact_tests}, use exact tests only and claim no small differences.",
    {"exact_tests": 20, "intervals": 30, "mentioned": 50},
    "units",
)

UNEQUAL_UNITS = Kind(
    "unequal-units",
    "A few units have most of the judgments",
    "warning",
    "Some of {units:of {unit}} have far more judgments than others: together they count as about {effective:.1f} of "
    "equal size.",
    "Collect from more {unit}s, or limit how many judgments each of them gives.",
    "Where a few judges or items have most of the judgments, the result depends on these few, so intervals are wide: "
    "they count units by their effective number (Kish 1965).",
    "Collect from more judges or items, or limit how many judgments each of them gives.",
    {"share": 0.5, "effective": 30},
    "effective",
)

FEW_UNITS_OF_SYSTEM = Kind(
    "few-units-of-system",
    "What is known about a system rests on few units",
    "warning",
    "What is known about {systems} rests on only {units:of {unit}}, so {whose} intervals are wide, however many others "
    "there are.",
    "Have more {unit}s compare {it} with the others.",
    "Judges and items that say nothing about a system do not make it better known, so each difference has its own "
    "degrees of freedom.",
    "Have more judges or items compare these systems with the others.",
    {"intervals": 10, "share": 0.5},
    "units",
)

FEW_CLUSTERS = Kind(
    "few-clusters",
    "Standard errors rest on few clusters",
    "warning",
    "Standard errors rest on {clusters:of cluster} ({column}) for {terms:of term}, so intervals are wide and "
    "approximate.",
    "Collect more clusters.",
    "Cluster-robust standard errors compare clusters with each other, and vary a lot where there are few.",
    "",
    {"clusters_least": 10, "per_term": 1, "fixed": 5},
    "clusters",
    background=(
        "Student's t allows for few clusters. With fewer clusters than terms, not all terms can be tested at once. "
        "Fewer than {fixed} items or judges are taken as given."
    ),
)

OTHER_UNITS = Kind(
    "other-units",
    "Judgments may also be correlated within other units",
    "warning",
    "Certainty is by {unit}, but judgments with the same {others} may be correlated as well, and intervals too narrow.",
    "Use {option:unit={other}}, or leave the unit to the data.",
    "Intervals are too narrow, and tests reject too often, where judgments are correlated within a unit that does not "
    "count as a whole.",
    "Leave the unit to the data: items and judges are then allowed for, both where both repeat.",
)

FIXED_UNITS = Kind(
    "fixed-units",
    "A single item or judge is taken as given",
    "warning",
    "Only {units:of {unit}}: intervals and tests are about this one alone and say nothing about other {unit}s.",
    "Collect judgments of more {unit}s.",
    "One judge (or item) says nothing about how much others would differ, so another one may give another ranking.",
    "Ask at least {least} judges, better ten or more.",
    {"least": 2},
    "units",
    background=(
        "From {least} judges on, intervals allow for differences between judges. With fewer than five they are very "
        "wide, because so few judges say little about how much others would differ."
    ),
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

ONE_STEP = Kind(
    "one-step",
    "Bootstrap samples are not refitted",
    "info",
    "In each of the {resamples:of bootstrap sample}, one Newton step from the estimate replaced a full refit, "
    "which would take long with so much evidence.",
    "To refit every sample, use {option:buckets=0}.",
    "With much evidence about every system both give the same intervals, to 2 % of their mean width.",
    value="resamples",
)

LITTLE_KNOWN = Kind(
    "little-known",
    "Some systems have few judgments among very many",
    "warning",
    "{systems} {verb} few judgments, so {whose} confidence interval is approximate: one Newton step makes it too "
    "symmetric.",
    "Collect more judgments of such systems, or refit every bootstrap sample with {option:buckets=0}.",
    "The interval of a system with 25 judgments was up to a fifth too narrow in simulations; others are unaffected.",
    value="number",
)

FEWER_RESAMPLES = Kind(
    "fewer-resamples",
    "Fewer bootstrap samples than usual",
    "info",
    "Confidence intervals rest on {resamples:of bootstrap sample} instead of {usual:,}, because refitting "
    "{systems:of system} takes long.",
    "For more exact interval ends, use {option:resamples=1000}.",
    "The ends of an interval vary more from seed to seed: each by about 5 % of its width with {least} samples.",
    "",
    {"least": 200},
    value="resamples",
)

SAMPLED_COMPARISONS = Kind(
    "sampled-comparisons",
    "The ranking rests on a sample of the comparisons",
    "info",
    "At most {number:of comparison} of every pair {number:was/were} drawn with replacement, and "
    "confidence intervals draw as many again: they do not say how much other items would change.",
    "For intervals that hold for other items, leave out {option:per_pair}.",
    "Comparisons drawn pair by pair are taken as independent, although all pairs share the same items.",
    value="number",
)
