"""Findings about judges: agreement, consistency, sides, and judges who differ from the rest."""

from betterthan.findings.kind import Kind

POSITION = Kind(
    "position",
    "No effect of the side was found",
    "info",
    "The left side won {share:percent 1} of decided judgments (p = {p:.2g}{effect}).",
    "",
    "If judges preferred a side, systems shown there more often would gain.",
    "Nothing.",
    value="share",
)

POSITION_EFFECT = Kind(
    "position-effect",
    "The side on which a system is shown changes who wins",
    "warning",
    "The left side won {share:percent 1} of decided judgments (p = {p:.2g}{effect}).",
    "Show each pair both ways equally often, or estimate the effect with {verb:fit position=True}.",
    "Systems that are shown on the preferred side more often gain an advantage.",
    "",
    {"p": 0.01},
    "share",
)

STYLE_PREDICTS = Kind(
    "style-predicts",
    "The style of outputs predicts who wins, and the board does not control for it",
    "warning",
    "{names} {number:predicts/predict} the outcome beside the systems ({strongest}: odds × {odds:.2f} per standard "
    "deviation, p = {p:.1g}).",
    "See the board without this advantage: {option:control={features}}.",
    "A system can lead because of the length or the layout of its outputs.",
    "Compare the boards with and without control, and report both.",
    {"p": 0.01, "rows": 20_000},
    "odds",
)

FIXED_SIDES = Kind(
    "fixed-sides",
    "No pair was shown both ways",
    "info",
    "The left side won {share:percent 1} of decided judgments, but no pair was shown both ways.",
    "Show each pair both ways, so that side and system can be separated.",
    "An effect of the side cannot be distinguished from a better system.",
    "",
    {"p": 0.01},
    "share",
    background="The finding is a warning where one side wins significantly more often.",
)

JUDGE_MISSING = Kind(
    "judge-missing",
    "Some rows have no judge or no item",
    "info",
    "Rows without a judge or an item were left out of the analysis of judges.",
    "",
    "Such rows say nothing about agreement.",
    "Fill in judges and items where you can.",
)

NO_OVERLAP = Kind(
    "no-overlap",
    "Agreement between judges is unknown",
    "info",
    "Agreement between judges is unknown: {reason}.",
    "Have some items judged twice.",
    "Without agreement nobody knows whether another judge would decide the same way.",
)

JUDGE_AGREEMENT = Kind(
    "judge-agreement",
    "How far judges agree",
    "info",
    "{share:percent} of judgments of the same {what} are equal, over {items:,} of them; {summary}.",
    "Improve the instructions, and inspect the judges one by one.",
    "Judges who hardly agree beyond chance may not understand the task, or quality may be a matter of taste.",
    "",
    {"little": 0.2},
    "alpha",
    background=(
        "The finding is a warning where the upper end of the interval is below the threshold, and alpha with "
        "both sides of a comparison equally likely is below it too. Alpha and kappas are the usual ones. With"
        " more than two systems they depend on which system of a pair is called first, here by name. "
        "{option:chance=symmetric} gives coefficients that do not, because they take both sides as equally "
        "likely by chance."
    ),
)

JUDGE_INCONSISTENT = Kind(
    "judge-inconsistent",
    "Some judges contradict themselves",
    "warning",
    "Judges repeated {number:of comparison} and decided {consistent:percent} of them the same way each time "
    "({share:percent} of repeats are equal{chance}).",
    "Check whether the task is too hard or unclear.",
    "Judges who do not agree with themselves cannot agree with others.",
    "",
    {"kappa": 0.4, "repeats": 20},
    "inconsistent",
    background="Above the threshold of kappa (Landis and Koch 1977), the finding is a note.",
)

JUDGE_AGAINST_REST = Kind(
    "judge-against-rest",
    "Some judges contradict the common ranking",
    "warning",
    "{number:of judge} ({who:names}) agreed with the common ranking far less often than expected: {worst!r} "
    "{share:.2f} instead of {expected:.2f}.",
    "Read some of these judgments: {pattern} look like this.",
    "Random or reversed judgments make all systems look more alike.",
    "Read some of these judgments: judges who swapped the sides or clicked at random look like this.",
    {"insight": 0.5, "p": 0.01, "judgments": 20, "items": 10, "reversed": 0.45},
    "number",
)

JUDGE_LEFT_BIAS = Kind(
    "judge-left-bias",
    "Some judges prefer a side",
    "warning",
    "{number:of judge} ({who:names}) chose the left side far more or far less often than the other judges: {worst!r} "
    "{share:.2f} instead of {expected:.2f}.",
    "Swap the sides at random, and read some of these judgments.",
    "A judge who chooses a side instead of a system adds noise, or favors systems shown on that side.",
    "",
    {"difference": 0.1, "p": 0.01, "judgments": 20, "items": 10},
    "number",
)

JUDGE_TIES = Kind(
    "judge-ties",
    "Some judges tie unlike the others",
    "info",
    "{number:of judge} ({who:names}) tied far more or far less often than the other judges: {worst!r} {share:.2f} "
    "instead of {expected:.2f}.",
    "Say in the instructions when to choose a tie.",
    "Judges seem to understand ties differently.",
    "",
    {"difference": 0.15, "p": 0.01, "judgments": 20, "items": 10},
    "number",
)

JUDGE_COPIES = Kind(
    "judge-copies",
    "Some judges give the same judgments",
    "warning",
    "Some judges nearly always give the same judgments: {pairs}.",
    "Check whether one copied the other, or both are one person.",
    "Copies are not independent evidence, so confidence intervals are too narrow.",
    thresholds={"agreement": 0.95, "p": 0.01, "judgments": 20},
    value="number",
)

COPIES_NOT_SEARCHED = Kind(
    "copies-not-searched",
    "Not all pairs of judges were searched for copies",
    "info",
    "Too many judges share comparisons to search all pairs of judges for copies.",
    "",
    "Judges who copied each other may have been missed.",
    "Examine a part of the judges alone.",
)

JUDGE_SPEED = Kind(
    "judge-speed",
    "Some judges are very fast",
    "warning",
    "{number:of judge} ({who:names}) judged more than {times:g} times as fast as the median judge: a judgment every "
    "{fastest:.3g} instead of every {median:.3g}.",
    "Read some of these judgments.",
    "Judges who are much faster than the others may not have read what they judged.",
    "",
    {"times": 5, "deviations": 3, "judges": 5, "judgments": 10},
    "number",
)

JUDGE_FEW = Kind(
    "judge-few",
    "Few judges gave most judgments",
    "info",
    "{few:,} of {judges:of judge} gave {share:percent} of judgments.",
    "Compare with the intervals of {option:unit=judge}.",
    "The result may reflect the taste of a few judges.",
    "",
    {"share_of_judgments": 0.5, "judges_most": 5, "one_of": 5},
    "share",
)

SCORE_AGREEMENT = Kind(
    "score-agreement",
    "How far repeated scores agree",
    "info",
    "{targets:of output} {targets:was/were} scored at least twice ({raters:of judge} or runs); {summary}.",
    "Improve the instructions, and report means over several judges or runs.",
    "Scores that differ from judge to judge, or from run to run, say less about an output than their number suggests.",
    "",
    {"poor": 0.5},
    "icc1",
    background=(
        "ICC(1,1) measures absolute agreement of judges who differ from output to output, ICC(2,1) of judges "
        "who scored all outputs. ICC(3,1) and Kendall's W ignore that some judges score higher (Shrout and "
        "Fleiss 1979). The finding is a warning where the upper end of the interval of ICC(2,1) is below the "
        "threshold (poor by Koo and Li 2016)."
    ),
)

RANKING_AGREEMENT = Kind(
    "ranking-agreement",
    "How far rankings agree",
    "info",
    "Kendall's W of {rankings:,.0f} rankings {what} is {w:.2f} (mean Spearman correlation {spearman:.2f}; "
    "{groups:of group} of two or more).",
    "",
    "W is 1 where all rankings are the same, and the mean correlation is 0 by chance, which makes it easier to read.",
    "Where the correlation is near 0, improve the instructions.",
    value="w",
    background="Of m random rankings W is 1/m on average. Groups of rankings count in proportion to their number.",
)

AGREEMENT_UNDEFINED = Kind(
    "agreement-undefined",
    "Some measures of agreement are undefined",
    "warning",
    "{measures}: undefined for these ratings, which have one category only, or too few items rated by all judges.",
    "Add items that belong to other categories, or ratings of the same items by all judges.",
    "Where all ratings are the same, agreement is perfect, but chance explains it as well.",
)

NO_AGREEMENT_INTERVAL = Kind(
    "no-agreement-interval",
    "Some measures of agreement have no interval",
    "warning",
    "{measures}: no interval, because there {reason}.",
    "Add items that two or more judges rated, or round the ratings.",
    "An interval for other items needs two items or more, and a table of all pairs of categories.",
)
