"""Findings about scores: missing ones, outliers, kinds of items, and models that disagree."""

from betterthan.findings.kind import Kind

MISSING_SCORES = Kind(
    "missing-scores",
    "Some scores are missing",
    "warning",
    "{share:percent 1} of scores are missing, of {systems:names}; {complete:,} of {items:of item} "
    "{complete:has/have} all scores.",
    "Score the missing items, or use a paired model such as bradley-terry.",
    "Means over different items are not comparable.",
    "",
    {"many": 0.01},
    "share",
)

ADJUSTED_MEANS = Kind(
    "adjusted-means",
    "Means are adjusted for missing scores",
    "info",
    "{share:percent 1} of scores are missing, of {systems:names}; means are those expected over all items.",
    "Score the missing items, or pass {option:model=mean(missing=ignore)} for means over the scores there are.",
    "Plain means over different items are not comparable, because a system may lack the hard ones.",
    value="share",
    background=(
        "The adjusted mean is that of an additive model: every score is the sum of an effect of its item and one of "
        "its system, fitted by least squares."
    ),
)

OUTLIERS = Kind(
    "outliers",
    "How many scores are outliers",
    "warning",
    "{share:percent 1} of scores are outliers (beyond 1.5 IQR of their system){worst}, on {number:of item}{some}.",
    "Inspect them, and report the median, bradley-terry or a ranking without them ({option:exclude=outlying-items}) "
    "as well.",
    "Outliers change means, but hardly medians or pairwise comparisons.",
    "Inspect the outliers, and report the median or bradley-terry as well.",
    {"many": 0.05, "usual": 0.015, "items": 20, "p": 0.01, "distinct_scores": 10},
    "share",
    background="Below the thresholds, it is a note. Fewer items, or scores with fewer different values, have none.",
)

OVER_CONFIDENT = Kind(
    "over-confident",
    "Some systems give extreme scores",
    "warning",
    "{systems:names} {systems:has/have} at least {least:percent} of scores at the ends of the scale, another system "
    "only {other:percent}.",
    "Report the mean, or make all outputs binary first.",
    "Extreme scores win pairwise comparisons by confidence, not by quality (Levtsov and Ustalov 2025).",
    "",
    {"extreme": 0.5, "extreme_of_others": 0.25, "each_end": 0.1, "width_of_an_end": 0.01, "distinct_scores": 20},
    "most",
)

EASY_ITEMS = Kind(
    "easy-items",
    "Some items do not distinguish systems",
    "info",
    "On {share:percent} of items all systems have the same score.",
    "Use harder items or a finer measure.",
    "Items on which all systems are equal say nothing about the ranking.",
    "",
    {"mentioned": 0.05, "many": 0.5},
    "share",
    background="Above the threshold of many, the finding is a warning.",
)

ITEM_TYPES = Kind(
    "item-types",
    "Different systems win on different types of items",
    "warning",
    "{first!r} beats {second!r} on one type of items ({rate:percent}) and loses on the rest; the type can"
    " be told from {told} ({found:,} of {tested:of tested pair} are like this).",
    "Find out which types there are, and report them separately.",
    "The mix of item types then decides which system is best overall.",
    "",
    {"items": 40, "p": 0.01, "variance_explained": 0.85},
    "share",
)

REVERSED_ITEMS = Kind(
    "reversed-items",
    "Better systems do worse on some items",
    "warning",
    "On {items:of item}, better systems do worse than weaker ones: {names:names}.",
    "Check the answer keys of these items.",
    "Such items are often mislabelled, and they count against the best systems.",
    thresholds={"chance": 0.95},
    value="items",
)

PAIRING = Kind(
    "pairing",
    "How much comparing on the same items gains",
    "info",
    "{item:percent} of the variance of scores lies between items, so unpaired comparisons would need "
    "about {factor:.1f} × as many items.",
    "",
    "Paired comparisons remove what makes items hard or easy for all systems.",
    "Compare systems on the same items.",
    thresholds={"items": 3},
    value="correlation",
    background=(
        "Scores of two systems on the same items are correlated; the rest of the variance lies between "
        "systems or is residual."
    ),
)

WEAK_PAIRING = Kind(
    "weak-pairing",
    "Comparing on the same items gains little",
    "warning",
    "Only {item:percent} of the variance of scores lies between items, and the scores of two systems "
    "correlate by only {correlation:.2f}.",
    "Check that the items of all systems are matched.",
    "Items are not harder or easier for all systems, or their order differs between systems.",
    "",
    {"correlation_least": 0.1},
    "correlation",
)

MEAN_HANGS_ON = Kind(
    "mean-hangs-on",
    "Few items decide which system has the highest mean",
    "warning",
    "By the mean, {first!r} leads {second!r} because of {needed:,} of {items:of item}.",
    "Inspect its largest scores: they may be outliers or errors.",
    "A few extreme scores can decide a mean.",
    "",
    {"share": 0.005, "number": 3, "items": 3, "interquartile_ranges": 3},
    "of_all",
)

MECHANISMS_DISAGREE = Kind(
    "mechanisms-disagree",
    "Models order some systems differently",
    "warning",
    "The models {a} and {b} order {contested:,} of {pairs:of pair} differently, {significant:,} of them significantly: "
    "{examples}.",
    "Say which model you report, and why.",
    "Mean, median and pairwise comparison answer different questions, so the question decides the ranking"
    " where they disagree.",
    "Say which model you report, and why.",
    {"p": 0.05, "share_of_outliers": 0.1},
    "share",
    background="The finding is a note where no test confirms the difference.",
)

INDISTINGUISHABLE = Kind(
    "indistinguishable",
    "The systems are too close for a correlation of their true qualities",
    "warning",
    "The scores do not show that systems differ by {pairs}, so correlations of their true qualities are not given.",
    "Score more items, or look at the measures of items.",
    "Noise explains the differences between mean scores, so their observed correlation says little about quality.",
    "",
    {"share": 0.02},
    background=(
        "The variance of the systems' mean scores is compared with that of noise. The finding appears where more than "
        "the threshold of the bootstrap samples leave no difference between systems."
    ),
)

SKEWED_SCORES = Kind(
    "skewed-scores",
    "Scores are skewed and units are few",
    "warning",
    "The scores are skewed, and {units:of {unit}} {units:says/say} too little about how extreme a score can be: "
    "intervals of means may be too short.",
    "Collect more {unit}s, or report the median as well ({option:model=median}).",
    "A mean depends on rare extreme scores, which few items hardly ever contain.",
    "Collect more units, or report the median as well ({option:model=median}).",
    thresholds={"units": 50, "skewness": 0.5, "standard_errors": 1.1},
    value="units",
    background=(
        "Intervals allow for the skewness that the scores of all systems show. Of 5 to 30 lognormal scores, intervals "
        "of 95 % cover the mean in about 92 to 95 % of samples. The finding is by the systems' mean skewness."
    ),
)

OPEN_MEDIANS = Kind(
    "open-medians",
    "Some medians have no confidence interval",
    "info",
    "{units:of {unit}} {units:is/are} too few for a confidence interval of the median of {systems:names}.",
    "Collect more {unit}s, or rank by {option:model=mean}.",
    "The interval ends at observed scores, and all scores of few units can lie on one side of the median.",
    "Collect more units, or rank by {option:model=mean}.",
    value="units",
    background=(
        "Six independent items are enough at the 95 % level. Groups need more, the more their items have in common "
        "and the more their sizes differ."
    ),
)
