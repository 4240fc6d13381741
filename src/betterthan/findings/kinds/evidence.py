"""Findings about the evidence: rows left out, names, duplicates, systems that never differ."""

from betterthan.findings.kind import Kind

REFUSED_ROWS = Kind(
    "refused-rows",
    "Some rows were left out",
    "warning",
    "{refused:,} of {read:,} rows {refused:was/were} left out: {reasons}.",
    "Check that leaving them out does not bias the result.",
    "The result rests on the other rows, and is biased if rows are missing for a reason, such as one "
    "system failing more often.",
    "Correct the rows, or check that leaving them out does not bias the result.",
    value="refused",
)

NAMES_ALIKE = Kind(
    "names-alike",
    "Some names differ only in case or spaces",
    "warning",
    "Some names differ only in case or spaces: {names}.",
    "If they are the same system, spell them the same way.",
    "Every spelling is ranked as a system of its own, so the judgments of one system may be split.",
)

NAMES_LOOK_THE_SAME = Kind(
    "names-look-the-same",
    "Some names look the same but differ in invisible ways",
    "warning",
    "Some names look the same, but are made of different characters: {names}.",
    "If they are the same system, write its name with the same characters.",
    "Every spelling is ranked as a system of its own, so the judgments of one system may be split.",
    background="An accent can be part of its letter or a character of its own, and some characters take no space.",
)

DUPLICATES = Kind(
    "duplicates",
    "Some judgments occur more than once",
    "info",
    "{surplus:of judgment} ({share:percent 1}) {surplus:repeats/repeat} another one: same item, judge, systems, sides "
    "and outcome.",
    "Remove them if they were recorded twice.",
    "Every copy counts as a judgment of its own, which makes confidence intervals too narrow.",
    "Remove the copies if they were recorded twice.",
    {"many": 0.01},
    "share",
    background="Above the threshold, the finding is a warning.",
)

IDENTICAL = Kind(
    "identical",
    "Some systems never differ",
    "warning",
    "{pairs} never differ.",
    "Check whether they are the same system or the same file.",
    "Two systems with equal results everywhere are usually one system that was entered twice.",
    "",
    {"judgments": 20, "items": 2},
    "number",
)

NEAR_IDENTICAL = Kind(
    "near-identical",
    "Some systems are nearly always tied",
    "info",
    "{pairs} tie in {tied:percent} of their comparisons or more.",
    "If they are variants of one system, consider ranking only one of them.",
    "Variants of one system share ranks and push other systems down.",
    "",
    {"tied": 0.95, "comparisons": 20, "usual_ties": 0.5},
    "number",
)

UNMATCHED = Kind(
    "unmatched",
    "Some items were scored for one of the two systems only",
    "warning",
    "{system!r} has no score on {lacking}; {matched:of item} {matched:was/were} compared.",
    "Score the missing items.",
    "Only items with both scores are compared, so the result is biased if the missing ones are harder.",
    value="matched",
)

EFFECTIVE_SAMPLE = Kind(
    "effective-sample",
    "Judgments have different weights",
    "info",
    "Judgments have different weights: {judgments:,.0f} of them tell as much as {effective:,.0f} with equal weights "
    "(effective sample size).",
    "",
    "A weight says how much a judgment counts, not how many there are: the more weights differ, the wider"
    " the intervals.",
    "Clip extreme weights, or collect more judgments of what weighs much.",
    value="effective",
)

CHECK_SKIPPED = Kind(
    "check-skipped",
    "A check was skipped because the evidence is large",
    "info",
    "{check} was not checked: that takes at most {most:of {what}}, and there are {number:,}.",
    "Check a part of the evidence with {option:where=COLUMN=VALUE}.",
    "The check would take too long, so its absence among the findings says nothing.",
    thresholds={
        "systems_in_cycles": 500,
        "systems_left_out_in_turn": 150,
        "systems_in_a_lead": 1_000,
        "systems_by_type_of_item": 200,
        "systems_by_model": 300,
        "ordered_comparisons": 2_000_000,
    },
)

CHECK_SAMPLED = Kind(
    "check-sampled",
    "A check used a part of the evidence",
    "info",
    "{check} was checked on the last {used:,} of {number:,} judgments.",
    "",
    "The check takes judgments one by one, which is slow for all of them.",
    "Check the rest with a condition on rows if the order of judgments matters to you.",
    thresholds={"judgments": 20_000},
)
