"""Findings about the comparison graph: unconnected groups, one-sided records, rare comparisons."""

from betterthan.findings.kind import Kind

ISLANDS = Kind(
    "islands",
    "Some systems were never compared with the rest",
    "warning",
    "{systems:names} {systems:was/were} never compared with the other systems, not even through third systems.",
    "Rank each group separately, or add comparisons that link them.",
    "Nothing links the scores of such groups, so their order says nothing.",
)

NEVER_LOSES = Kind(
    "never-loses",
    "Some systems never lost",
    "warning",
    "{systems:names} never lost, so {systems:its strength has/their strengths have} no upper bound.",
    "Compare {systems:it/them} with stronger systems.",
    "The evidence gives its strength no upper bound.",
    "Compare such systems with stronger ones.",
    background=(
        "Models with a likelihood place such a system by a very weak prior and leave its interval open above;"
        " the other systems are unaffected. Other models report an interval that is too narrow."
    ),
)

SORTED_IN_CIRCLES = Kind(
    "sorted-in-circles",
    "Sorting cannot order some systems",
    "warning",
    "{systems:names} beat each other in circles or equally often, so sorting gives no order of them, and they share "
    "places.",
    "Use a model that weighs all judgments, such as bradley-terry, or collect more judgments of these pairs.",
    "Where a sort puts them depends on where it begins.",
)

NEVER_WINS = Kind(
    "never-wins",
    "Some systems never won",
    "warning",
    "{systems:names} never won, so {systems:its strength has/their strengths have} no lower bound.",
    "Compare {systems:it/them} with weaker systems.",
    "The evidence gives its strength no lower bound.",
    "Compare such systems with weaker ones.",
    background=(
        "Models with a likelihood place such a system by a very weak prior and leave its interval open below;"
        " the other systems are unaffected. Other models report an interval that is too narrow."
    ),
)

ONE_WAY = Kind(
    "one-way",
    "Some systems only won or only lost against the rest",
    "warning",
    "{systems:names} only won or only lost against the rest, so the distance to the rest is not determined.",
    "Compare systems of the two groups more often, or use bradley-terry, which shows the open end.",
    "Strengths of two groups can only be put on one scale if each group won at least once against the other.",
    background="Otherwise a very weak prior, or the number of iterations, decides how far apart they are.",
)

NOTHING_COUNTS = Kind(
    "nothing-counts",
    "Some systems have no comparison that counts for the model",
    "warning",
    "{systems:names} {systems:has/have} no comparison that counts for this model and {systems:is/are} listed last.",
    "Let ties count, or collect more comparisons.",
    "Where ties are dropped, a system that only tied could have any rank.",
)

NEVER_MET = Kind(
    "never-met",
    "Some pairs were never compared directly",
    "info",
    "{missing:,} of {pairs:,} pairs of systems were never compared directly, only through other systems.",
    "",
    "Indirect comparison assumes that one strength per system explains all pairs.",
    "Compare such pairs directly if they matter.",
    value="share",
)

JUDGES_IN_MEAN = Kind(
    "judges-in-mean",
    "Only the mean difference allows for judges",
    "info",
    "The test and the interval of the mean difference allow for items and judges; all other tests and "
    "effects allow for items alone.",
    "",
    "Ratings of the same judges are correlated, so other judges might prefer the other system.",
    "Report the mean difference.",
    background="The mean is a sum over items and judges, so that its error is known for both.",
)

QUESTIONS_DISAGREE = Kind(
    "questions-disagree",
    "One system has the better mean score, the other wins more items",
    "warning",
    "{mean!r} has the better mean score, but {wins!r} wins more items.",
    "Decide which of the two matters: pass {option:question=mean} or {option:question=wins}, and say so.",
    "A few items with large differences can decide a mean, but not how many items a system wins.",
    background=(
        "Peyrard et al. (2021) argue for counting the items that a system wins (sign test, Bradley–Terry); a "
        "mean score answers another question."
    ),
)

RUNS_VARY = Kind(
    "runs-vary",
    "Whole runs differ by more than chance",
    "info",
    "Whole runs differ by more than single answers do: between runs, the difference varies with a standard deviation "
    "of {sd} (95 % confidence interval {low} to {high}).",
    "Evaluate more runs of each system: more items do not make up for them.",
    "Another run may give another difference, however many items there are.",
    "Evaluate more runs; {verb:power} shows whether runs or items help more.",
    background=(
        "The variance between runs is that of an analysis of variance by items and runs. The finding appears where its "
        "95 % confidence interval excludes 0."
    ),
)

LACKING_TASKS = Kind(
    "lacking-tasks",
    "Some systems lack tasks",
    "warning",
    "{systems:names} {systems:lacks/lack} some tasks, and {systems:has/have} no overall score.",
    "Run {systems:it/them} on all tasks, or leave tasks out with {option:weights=TASK=0}.",
    "A mean over fewer tasks is not comparable with one over all.",
    "Run such systems on all tasks, or give the tasks that they lack the weight 0.",
)

TASKS_DIFFER = Kind(
    "tasks-differ",
    "The difference of two systems varies between tasks",
    "info",
    "The difference{metric} varies between tasks by more than chance (I² = {share:percent}, Cochran's Q test "
    "of heterogeneity, p = {p_value}), so other tasks may give another overall difference.",
    "For tasks like these and not these alone, use {option:random=task}.",
    "A mean over these tasks has a narrow interval even if the systems differ in opposite directions on them.",
    "Report every task; if the tasks are a sample of others, use {option:random=task}.",
    {"p": 0.05},
    "share",
    background=(
        "Cochran's Q sums the squared deviations of the tasks' differences from their weighted mean, each divided by "
        "its variance. I² = (Q − df)/Q, at least 0, is the share of their variation that is not chance (Higgins and "
        "Thompson 2002). The finding appears if p is at most {p}."
    ),
)

FEW_COMPARISONS = Kind(
    "few-comparisons",
    "Some systems have few comparisons",
    "warning",
    "{systems:names} {systems:has/have} fewer than {few} comparisons{systems:/ each}.",
    "Collect more of them.",
    "Scores and ranks of such systems are uncertain, and their intervals approximate.",
    "Collect more comparisons of these systems.",
    {"few": 20},
    "least",
)

THIN_GRAPH = Kind(
    "thin-graph",
    "A single pair links two groups of systems",
    "warning",
    "Only the comparisons of {pair} link two groups of systems ({number:of such pair}).",
    "Compare other pairs across the two groups.",
    "All differences between the two groups rest on the judgments of this one pair.",
    value="number",
)

DEPENDS_ON_OTHERS = Kind(
    "depends-on-others",
    "The order of some pairs depends on which other systems take part",
    "info",
    "Leaving out one other system reverses the order of {number:of pair}: without {left_out!r}, {first!r} falls behind "
    "{second!r}.",
    "Claim no order between systems this close.",
    "The order of such a pair is chance or depends on who else is compared.",
    value="number",
)

LEAD_HANGS_ON = Kind(
    "lead-hangs-on",
    "Few units decide which system leads",
    "warning",
    "Without {needed:,} of {units:of {unit}}{which}, {second!r} leads instead of {first!r}{by} (refitted; a smaller "
    "set may exist); the lead is {errors:.1f} standard errors{held}.",
    "Inspect {needed:this {unit}/these {unit}s}, and do not rely on the lead.",
    "Any small lead can be reversed by leaving out a few items or judgments; its standard error says so already.",
    "Inspect these items, judges or judgments, and do not rely on the lead.",
    {"share": 0.005, "number": 3, "errors_of_others": 1.5, "variance": 0.3, "p": 0.01, "mentioned": 0.25},
    "of_all",
    background=(
        "The finding is a warning if few units reverse a lead that exceeds {errors_of_others} standard errors"
        " of the other units: at most {number}, or {share:percent 1} of all. These units must also hold at "
        "least {variance:percent} of its variance, more than the same number of units would by chance (p < "
        "{p}). Otherwise it is a note; it is absent if more than {mentioned:percent} of the units are needed."
        " Units are ordered by their first-order influence on the lead over the rival that needs the fewest"
        " (Broderick et al. 2020), and the model is fitted without them. Another set may be smaller."
    ),
)
