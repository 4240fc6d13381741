"""Findings about the choice of a model by prediction."""

from betterthan.findings.kind import Kind

NO_ORDER = Kind(
    "no-order",
    "A model that needs an order was left out",
    "info",
    "The model {model} was left out, because the judgments have no order.",
    "To include it, name it with order=average.",
    "Models such as Elo need judgments in the order in which they were made.",
)

ABSENT_SYSTEMS = Kind(
    "absent-systems",
    "Some training sets lack a system",
    "info",
    "In {lacking:,} of {splits:of split}, the {size:,} judgments to train on lack some system.",
    "Train on more judgments.",
    "A system that was not seen in training is predicted like an average one.",
    value="lacking",
)

SURPRISED = Kind(
    "surprised",
    "A model thought some judgments impossible",
    "warning",
    "The model {model} gave up to {share:percent} of the judgments of a split a probability below {floor:g}.",
    "Hold out more judgments to tune on.",
    "Such judgments count with that probability, which dominates the log loss.",
    thresholds={"floor": 1e-6},
    value="share",
)

NO_BETTER_THAN_CONSTANT = Kind(
    "no-better-than-constant",
    "No model predicts significantly better than a constant",
    "warning",
    "The model {model} has the lowest log loss, but it does not predict significantly better than a constant.",
    "Collect more judgments.",
    "The constant knows only how frequent ties are, so a model that is not better has learned nothing "
    "about the systems.",
    value="p",
)

WORSE_THAN_FREQUENCIES = Kind(
    "worse-than-frequencies",
    "The frequencies of single pairs predict better than every model",
    "warning",
    "The frequencies of single pairs predict better than every model.",
    "Look at single pairs with {verb:compare_all}, or add covariates with {verb:fit}.",
    "Pairs then differ by more than one strength per system can explain.",
    value="p",
)
