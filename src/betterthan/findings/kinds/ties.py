"""Findings about ties: how many there are, how they were counted, and what they leave open."""

from betterthan.findings.kind import Kind

TIES = Kind(
    "ties",
    "Some comparisons are ties",
    "info",
    "{share:percent} of comparisons are ties, which carry little information about the ranking, so you "
    "need about {factor:.1f} × as many {what} as without ties.",
    "",
    "Only decided comparisons show which of two systems is better.",
    "Nothing, unless there are many.",
    {"mentioned": 0.05},
    "share",
)

MANY_TIES = Kind(
    "many-ties",
    "Many comparisons are ties",
    "warning",
    "{share:percent} of comparisons are ties, which carry little information about the ranking, so you "
    "need about {factor:.1f} × as many {what} as without ties.",
    "Use a finer measure, or model ties with davidson.",
    "Only decided comparisons show which of two systems is better.",
    "",
    {"many": 0.3},
    "share",
)

ALL_TIES = Kind(
    "all-ties",
    "All comparisons are ties",
    "warning",
    "All comparisons are ties, so no system is shown to be better than another.",
    "Use a finer measure or harder items.",
    "Without a decided comparison there is no ranking.",
)

TIE_TREATMENT = Kind(
    "tie-treatment",
    "How ties were counted",
    "info",
    "{share:percent} of judgments are ties and {how}.",
    "",
    "The treatment of ties is a choice and changes scores.",
    "Choose another treatment with {option:ties}.",
    {"mentioned": 0.005},
    "share",
)

TIE_WIDTH = Kind(
    "tie-width",
    "The probability of a tie is not determined",
    "warning",
    "The data do not determine how often {ties} occur, so a weak prior decides.",
    "Collect more comparisons, or use a model that has no probability of ties.",
    "Wins and ties fit one line of systems without contradiction, so very rare and very frequent ties "
    "explain the data equally well.",
)

NO_TIES = Kind(
    "no-ties",
    "There are no ties to model",
    "info",
    "There are no ties, so the model has no tie parameter.",
    "",
    "A tie parameter cannot be estimated without ties.",
    "Nothing.",
)

HALF_TIES = Kind(
    "half-ties",
    "Ties were counted as half a win",
    "info",
    "Ties count as half a win for each side, so deviance and information criteria are approximate.",
    "Use {option:ties=davidson}, which models ties.",
    "Half wins are not counts, and the likelihood of the model assumes counts.",
)
