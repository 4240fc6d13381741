"""Findings about fitted models: convergence, terms without an estimate, lack of fit, dependence on order."""

from betterthan.findings.kind import Kind

CONTROL_NOT_IDENTIFIED = Kind(
    "control-not-identified",
    "An effect that was to be controlled for cannot be estimated",
    "warning",
    "The board does not control for {name}: {why}.",
    "Leave it out, or collect judgments in which the outputs of two systems differ in it.",
    "What is the same in all judgments of a pair cannot be told from the difference of the two systems.",
    "Leave it out, or collect judgments in which it varies.",
)

NOT_CONVERGED = Kind(
    "not-converged",
    "The model did not converge",
    "warning",
    "The {model} model did not converge in {where}, so its estimates are approximate.",
    "Raise its limit, or use another model.",
    "The iteration was stopped before the estimates settled.",
    "Raise the limit of iterations, look for terms that grow without bound, or use bradley-terry or davidson.",
)

ALIASED = Kind(
    "aliased",
    "Some coefficients cannot be estimated",
    "warning",
    "{terms:names} {terms:is/are} determined by other terms and {terms:was/were} left out.",
    "Remove such terms from the formula.",
    "Terms that are linear combinations of others have no effect of their own (perfect collinearity).",
)

SEPARATION = Kind(
    "separation",
    "Some coefficients grow without bound",
    "warning",
    "{terms:names} {terms:has/have} no finite estimate, because some outcomes never occurred.",
    "Ignore estimates and standard errors of {terms:this term/these terms}, or collect more data.",
    "The likelihood grows with the coefficient without end (complete separation).",
    "Ignore estimates and standard errors of these terms, or collect more data.",
)

UNSTABLE_CLASSES = Kind(
    "unstable-classes",
    "Latent classes may not be the best ones",
    "warning",
    "Of {starts:of random start}, {reached:,} reached the highest log-likelihood of {classes:of latent class}.",
    "Raise {option:starts} until several starts agree, or use fewer classes.",
    "The likelihood of latent classes has several maxima; the highest one is known only where several starts find it.",
    thresholds={"reached_least": 2},
    value="reached",
)

FIT = Kind(
    "fit",
    "One strength per system explains the pairs",
    "info",
    "Bradley–Terry fits {pairs:of pair}: misfit {misfit:.4g}, expected by chance {expected:.4g} (p = {p:.2g}).",
    "",
    "A ranking summarizes the data well if one strength per system explains all pairs.",
    "Nothing.",
    value="p",
)

LACK_OF_FIT = Kind(
    "lack-of-fit",
    "One strength per system does not explain all pairs",
    "warning",
    "Bradley–Terry does not fit {pairs:of pair} (misfit {misfit:.4g}, expected by chance {expected:.4g}, "
    "p = {p:.2g}): {first!r} wins {share:percent} against {second!r}, the model expects "
    "{predicted:percent}.",
    "Look at single pairs with {verb:compare_all}.",
    "A ranking hides that some systems do better or worse against particular opponents.",
    "",
    {"p": 0.05, "difference": 0.03, "units": 20, "judgments_of_a_pair": 10},
    "p",
)

INTRANSITIVE = Kind(
    "intransitive",
    "Some systems beat each other in a cycle",
    "warning",
    "Found {cycles:of cycle} of three systems that beat each other in turn; about {by_chance:.1f} would occur by "
    "chance (p = {p:.2g}{example}).",
    "Report the pairs as well: no ranking can show cycles.",
    "If A beats B, B beats C and C beats A, every ranking contradicts one of the three results.",
    "Report the pairs as well: no ranking can show cycles.",
    {"p": 0.05, "units": 20, "judgments_of_a_pair": 10},
    "cycles",
    background="Above the threshold of p, the finding is a note: chance explains the cycles.",
)

ZERO_CENTRALITY = Kind(
    "zero-centrality",
    "Some systems have the centrality 0",
    "warning",
    "Systems that never beat a member of the strongest group, directly or through others, have the centrality 0.",
    "Use bradley-terry or win-rate.",
    "Eigenvector centrality needs wins in both directions between all systems.",
)

NO_CYCLE = Kind(
    "no-cycle",
    "There is no principal eigenvector",
    "warning",
    "No two systems beat each other in turn, directly or through others, so there is no principal eigenvector.",
    "Use bradley-terry or win-rate.",
    "Eigenvector centrality needs wins in both directions between systems.",
)

NOT_EXACT = Kind(
    "not-exact",
    "The ranking with the fewest violated judgments was searched for",
    "warning",
    "More than {limit} systems beat each other in cycles, so the ranking was found by local search, and "
    "another ranking may violate fewer judgments.",
    "Leave systems out, or rank by bradley-terry.",
    "The number of rankings grows faster than any computer can try.",
    value="limit",
    background="Moving any single system would violate more judgments.",
)

SEVERAL_ORDERS = Kind(
    "several-orders",
    "Several rankings violate equally few judgments",
    "info",
    "Several rankings violate equally few judgments ({share:percent} of those with a winner); places are averages over "
    "all of them.",
    "Report bradley-terry beside it, which also uses how clearly pairs were won.",
    "Which of these rankings is right cannot be told from the number of violated judgments.",
    value="share",
)

ORDER = Kind(
    "order",
    "Judgments were sorted by a time column",
    "info",
    "Judgments were taken in the order of the column {column!r}.",
    "To use the order of the file, pass order=file to the model.",
    "Ratings of models such as Elo depend on the order of the judgments.",
)

ORDER_DEPENDENCE = Kind(
    "order-dependence",
    "The ranking depends on the order of the judgments",
    "warning",
    "With {model}, {changing:,} of {pairs:,} pairs of systems change places when the judgments are "
    "shuffled ({orders:of random order}; standard deviation of a rating {sd:.3g}).",
    "Use order=average, or a model that ignores the order, such as bradley-terry.",
    "If systems do not change over time, the order of the judgments carries no information and such changes are noise.",
    value="share",
)
