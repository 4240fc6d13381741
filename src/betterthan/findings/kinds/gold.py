"""Findings about people's labels of what a judge scored."""

from betterthan.findings.kind import Kind

CORRECTED = Kind(
    "corrected",
    "People's labels correct the judge's scores",
    "info",
    "{labels:,} labels by people, of {items:,} items, correct {scores:,} scores of a judge.",
    "Rank without {option:gold} to see what the judge alone says.",
    "A judge that is lenient to some systems puts them too high, however many items it scores; labels of some show by "
    "how much.",
    value="labels",
)

CORRECTED_JUDGMENTS = Kind(
    "corrected-judgments",
    "People's judgments correct the judge's",
    "info",
    "{labels:,} judgments by people correct {judgments:,} by a judge.",
    "Rank without {option:gold} to see what the judge alone says.",
    "A judge that prefers some systems, or long answers, puts these too high; people's judgments of some show by how "
    "much.",
    value="labels",
)

FEW_LABELS = Kind(
    "few-labels",
    "Few labels by people",
    "warning",
    "{systems:names} {systems:has/have} as few as {labels} labels by people: intervals are wide, and depend on how the "
    "judge errs on a few items.",
    "Label at least {enough} items of every system.",
    "The correction is estimated from the labels, of which few may miss the items on which the judge errs.",
    thresholds={"least": 3, "enough": 20},
    value="labels",
)

OTHER_LEADER = Kind(
    "other-leader",
    "The labels change which system ranks first",
    "warning",
    "By the judge alone {judge!r} would rank first; corrected by people's labels it is {corrected!r}.",
    "Report the corrected leaderboard, and say how the judge errs.",
    "The judge prefers a system that people do not prefer as much.",
)

LABELS_SELECTED = Kind(
    "labels-selected",
    "The labelled items are no random sample",
    "warning",
    "The judge scored the labelled items {gap:+.2f} standard deviations higher than all items: they seem not to be a "
    "random sample.",
    "Draw the items at random, or give the probability of each label with {option:propensity}.",
    "The correction assumes that the judge errs on the labelled items as on the others, which it may not where people "
    "chose hard ones.",
    thresholds={"errors": 3.0},
    value="gap",
)

JUDGE_BIASED = Kind(
    "judge-biased",
    "The judge prefers some systems",
    "warning",
    "Against the other systems, the judge puts {how} than people do.",
    "Rank with {option:gold}, which corrects it, and not by the judge alone.",
    "A bias that differs from system to system turns rankings, however many items the judge scores.",
    thresholds={"margin": 0.05},
    value="largest",
)

JUDGE_USELESS = Kind(
    "judge-useless",
    "The judge's scores say nothing about people's",
    "warning",
    "Within systems, the judge's scores are not shown to be correlated with the {labels:,} labels by people.",
    "Use people's labels alone, or another judge.",
    "Scores that are not related to people's labels cannot stand for them, nor make them more precise.",
    value="labels",
)

LABELS_UNUSED = Kind(
    "labels-unused",
    "People's labels are there, and not used",
    "warning",
    "{name!r} looks like labels by people next to {judge!r}: {labels:,} of {scores:,} rows have one.",
    "",
    "A judge that is lenient to some systems puts them too high, and labels of some items show by how much.",
    "Name the labels with {option:gold}, or their judge with {option:gold_judge}.",
    value="labels",
)
