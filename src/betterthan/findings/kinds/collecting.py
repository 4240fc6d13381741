"""Findings about collecting judgments: which policy to use, what is left to judge, what cannot be settled."""

from betterthan.findings.kind import Kind

POLICY = Kind(
    "policy",
    "What is known about the policy",
    "info",
    "In simulations on WMT13 data, {policy} {result}.",
    "To measure it on your own judgments, use {verb:replay}.",
    "Policies differ in what they save: some settle pairs sooner, others rank all systems better.",
)

UNIFORM = Kind(
    "uniform",
    "Choosing pairs may bias the ranking",
    "info",
    "One strength per system does not explain all pairs, so a ranking depends on which pairs are judged.",
    "For one ranking of all systems, use {option:policy=uniform}.",
    "A policy that prefers some pairs changes what the strengths are an average of.",
    "",
    {"p": 0.01, "judgments_of_a_pair": 10},
    "p",
)

ANY_LOOK = Kind(
    "any-look",
    "Rank ranges hold however often you look",
    "info",
    "Rank ranges and clusters hold however often you look while judgments come in; intervals of scores hold for one "
    "look, and allow for pairs that earlier judgments chose.",
    "If the number of judgments was fixed in advance and nobody looked before, use {option:horizon=fixed}.",
    "Tests for a fixed number of judgments find differences by chance if they are repeated while judgments come in.",
)

ADAPTIVE_CHOICE = Kind(
    "adaptive-choice",
    "Scores may be too far apart, because earlier judgments decided which pairs came next",
    "warning",
    "Where earlier judgments decide which pairs come next, scores are too far apart: shrinkage brings these "
    "{share:percent} closer together, and intervals include the shrunken scores.",
    "For scores without this bias, collect with the policy uniform.",
    "A policy that asks about close pairs stops asking about systems that were lucky or unlucky at first, so these "
    "errors of chance remain.",
    "",
    {"share": 0.1},
    "share",
    background=(
        "Scores stay maximum-likelihood estimates. Each interval is extended to hold the interval of the posterior in "
        "which systems are normal around their mean, with a flat prior on the standard deviation. The finding appears "
        "where that brings scores closer together by {share:percent} or more."
    ),
)

UNEQUAL_CHANCES = Kind(
    "unequal-chances",
    "Pairs were chosen with unequal chances",
    "info",
    "Judgments are weighted by the chance with which a comparison was chosen, which does not make intervals wide "
    "enough if earlier judgments decided that chance.",
    "If earlier judgments decided which pairs came next, use {option:horizon=anytime}.",
    "A policy that asks about close pairs puts scores too far apart, and weights correct that only in part.",
)

NOTHING_LEFT = Kind(
    "nothing-left",
    "No pair may be judged any more",
    "warning",
    "No pair may be judged any more.",
    "Raise the limits, or exclude less.",
    "Limits and exclusions rule out every comparison.",
)

ALL_SETTLED = Kind(
    "all-settled",
    "All pairs are settled",
    "info",
    "All pairs that may be judged are settled.",
    "Stop, or ask for another {option:level}, {option:margin} or {option:policy}.",
    "More judgments of these pairs would not change a decision.",
)

LIMITS = Kind(
    "limits",
    "Limits leave fewer comparisons than requested",
    "warning",
    "Limits and exclusions leave only {found:,} of {wanted:of requested comparison}.",
    "Raise a limit, or add items or judges.",
    "Items, judges or pairs have reached their limits.",
    value="found",
)

JUDGED_AGAIN = Kind(
    "judged-again",
    "Some pairs were judged more than once on the same unit",
    "info",
    "{number:of pair} {number:has/have} several judgments of the same {unit}; their mean counts once.",
    "Check that no {unit} was judged again because of its outcome.",
    "Decisions hold only if the outcome did not decide which comparisons were repeated.",
    "Check that nothing was judged again because of its outcome.",
    value="number",
)

ALIKE = Kind(
    "alike",
    "Some pairs are too similar to be separated",
    "info",
    "{number:of pair} {number:is/are} so similar that no realistic number of judgments would separate them.",
    "To settle nearly equal pairs, use {option:margin=0.05}.",
    "The closer two systems are, the more judgments it takes to distinguish them.",
    value="number",
)

UNJUDGED = Kind(
    "unjudged",
    "Some systems have no judgments",
    "info",
    "{systems:names} {systems:has/have} no judgments so far.",
    "Check the spelling if {systems:it is/they are} not new.",
    "A misspelled name looks like a new system.",
    "Check the spelling of systems that are not new.",
)

WRONG_SEPARATIONS = Kind(
    "wrong-separations",
    "A policy separated pairs in the wrong direction too often",
    "warning",
    "{policy} separated some pair in the wrong direction in {share:percent} of runs.",
    "Check whether judgments depend on what was seen before.",
    "Wrong decisions should be rarer than 1 minus the confidence level.",
    value="share",
)

NOTHING_SETTLED = Kind(
    "nothing-settled",
    "No pair can be settled",
    "warning",
    "No pair can be settled at confidence level {wanted:g}, so policies are compared by clusters and rankings alone.",
    "Collect more, lower {option:level}, or set {option:margin}.",
    "A replay counts the judgments until those pairs are settled that the whole evidence settles, and there are none.",
)

SAVINGS = Kind(
    "savings",
    "What a policy saves",
    "info",
    "The policy {policy} {result}.",
    "",
    "A policy is worth its effort only if it needs clearly fewer judgments.",
    "Choose the policy that saves most for your goal.",
)
