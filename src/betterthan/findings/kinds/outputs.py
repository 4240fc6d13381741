"""Findings about outputs and their scores."""

from betterthan.findings.kind import Kind

MISSING_OUTPUTS = Kind(
    "missing-outputs",
    "Some outputs are missing",
    "warning",
    "{missing:of output} of {outputs:,} {missing:is/are} missing or empty, of {systems:names}, and {missing:has/have} "
    "no score.",
    "If an empty output is a wrong one, pass {option:empty=score}.",
    "A system that leaves hard items out would otherwise be measured on easier ones.",
    "If an empty output is a wrong one, score it as an empty text.",
    value="missing",
)

UNDEFINED_SCORES = Kind(
    "undefined-scores",
    "Some outputs have no score by a metric",
    "warning",
    "By {metric}, {undefined:of output} {undefined:has/have} no score, of {systems:names}.",
    "Find out why the metric gives none, and score all systems on the same items.",
    "Means over different items are not comparable.",
    value="undefined",
)

CORPUS_NOT_MEAN = Kind(
    "corpus-not-mean",
    "The score of the whole test set is not the mean of the items' scores",
    "info",
    "The {metric} of a whole test set is computed from all items at once; {model} averages over items, where the score "
    "is {item_score}.",
    "Report the model corpus for {metric}, and say which you report.",
    "Corpus BLEU, F1 or an error rate over all words and the mean over items can order systems differently.",
    "Report the model corpus, and say which you report.",
)

UNUSED_REFERENCES = Kind(
    "unused-references",
    "Some references belong to no output",
    "warning",
    "{unused:of reference} of {references:,} {unused:belongs/belong} to items without any output.",
    "Check that outputs and references name their items alike, and that no outputs are missing.",
    "Systems are then scored on part of the test set only.",
    value="unused",
)

REPEATED_OUTPUTS = Kind(
    "repeated-outputs",
    "Some systems have one output on many items",
    "info",
    "{systems:of system} {systems:has/have} one output on many items.",
    "Check that it is not an error message, or a column that is no system.",
    "A campaign would have judges compare the same text again and again.",
    "",
    {"times": 2, "share_of_items": 0.1},
    "systems",
)

LONG_OUTPUTS = Kind(
    "long-outputs",
    "Some outputs are very long",
    "info",
    "{outputs:of output} {outputs:is/are} longer than {characters:,} characters.",
    "Judge shorter outputs, or parts of these.",
    "Judges of a campaign take minutes to read such an output.",
    "",
    {"characters": 10_000},
    "outputs",
)
