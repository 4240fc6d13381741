"""Build the likelihood of patterns from a data set and options, with named parameters."""

from dataclasses import dataclass, replace

import numpy as np

from betterthan.base import FloatArray, IntArray, PlanError, spelling
from betterthan.engine import Coded
from betterthan.models import formulas
from betterthan.options import FitOptions
from betterthan.verbs.fit.design.likelihood_assembly import Strengths
from betterthan.verbs.fit.design.system_covariates import Objects
from betterthan.verbs.fit.design.term_names import DEPENDENCE, INCOMPLETE, MISSING, UNDECIDED
from betterthan.verbs.fit.patterns.pattern_answers import Answers
from betterthan.verbs.fit.patterns.pattern_likelihood import Likelihood, PatternCells, Questions
from betterthan.verbs.fit.patterns.pattern_space import Space


@dataclass(frozen=True)
class PatternModel:
    """A likelihood whose parameters have names and kinds; `columns` define the kinds of subjects."""

    answers: Answers
    likelihood: Likelihood
    strengths: Strengths
    names: tuple[str, ...]
    kinds: tuple[str, ...]
    columns: dict[str, Coded | FloatArray]
    subjects: FloatArray  # kinds of subjects × columns of the formula

    def with_subjects(self, subjects: FloatArray) -> Likelihood:
        """Return the same likelihood with other subjects, kind by kind."""
        systems, others = len(self.answers.systems), len(self.names) - len(self.strengths.names)
        return replace(self.likelihood, maps=maps_of(subjects, self.strengths.basis, systems, others))

    @property
    def weight(self) -> FloatArray:
        """How much every cell counts."""
        cells = self.likelihood.cells
        return np.bincount(cells.row, self.answers.weight, len(cells)).astype(np.float64)


def pattern_model(
    answers: Answers, table: Objects | None, options: FitOptions, subject: formulas.Terms | None
) -> PatternModel:
    """Put the likelihood together; `subject` replaces what the options say about who judged."""
    space = answers.space
    space.refuse_large()
    columns = dict(answers.columns)
    if subject is None:
        rows = len(answers.weight)
        subject = formulas.evaluate(options.subject, columns, rows) if options.subject else formulas.ones(rows)
    if options.missing != "ignorable":
        _refuse_complete(answers, options)
    if options.missing == "separate":
        columns[INCOMPLETE] = answers.incomplete
        subject = formulas.joined(
            [subject, formulas.Terms((INCOMPLETE,), answers.incomplete.codes[:, None].astype(np.float64))]
        )
    strengths = Strengths.of(answers.systems, subject, table, options)
    _, first, kind = np.unique(subject.matrix, axis=0, return_index=True, return_inverse=True)
    cells = PatternCells.of(answers, kind.ravel().astype(np.int64), space)
    statistics, names, kinds = [space.balance], [*strengths.names], ["strength"] * len(strengths.names)
    if space.kind.endswith("ties") and options.ties == "davidson":
        statistics.append(space.undecided[:, None])
        names.append(UNDECIDED)
        kinds.append("width")
    if options.dependence:
        statistics.append(space.dependence)
        named = [[answers.systems[place] for place in three] for three in space.sharing]
        names += [f"{DEPENDENCE}:{one}>{two},{one}>{three}" for one, two, three in named]
        kinds += ["dependence"] * len(named)
    questions = None
    if options.missing in {"systems", "outcome"}:
        questions, more = _questions(answers, space, by_outcome=options.missing == "outcome")
        names += more
        pairs = answers.shown is None
        of_outcome = "strength" if pairs else "missing"
        kinds += ["missing"] * questions.often.shape[1] + [of_outcome] * questions.outcome.shape[2]
    maps = maps_of(subject.matrix[first], strengths.basis, len(answers.systems), len(names) - len(strengths.names))
    likelihood = Likelihood(space, np.concatenate(statistics, axis=1), cells, maps, questions)
    return PatternModel(answers, likelihood, strengths, tuple(names), tuple(kinds), columns, subject.matrix[first])


def maps_of(subjects: FloatArray, basis: FloatArray, systems: int, others: int) -> FloatArray:
    """Return the map from parameters to statistics, for each kind of subject."""
    size = basis.shape[1]
    maps = np.zeros((len(subjects), systems + others, size + others))
    for place, subject in enumerate(subjects):
        maps[place, :systems, :size] = np.kron(subject, np.eye(systems)) @ basis
    maps[:, systems:, size:] = np.eye(others)
    return maps


def _questions(answers: Answers, space: Space, *, by_outcome: bool) -> tuple[Questions, list[str]]:
    """Return the possible missing answers, with the names of their parameters.

    A pair is missing by both its systems, and strengths may differ where the answer is missing. A system of a ranking
    is missing alone, and by how many others it would have been preferred to.
    """
    systems = answers.systems
    if answers.shown is None:
        first, second = space.pairs
        rows = np.arange(len(first))
        often, sides = np.zeros((2, len(first), len(systems)))
        often[rows, first] = often[rows, second] = 1.0
        sides[rows, first], sides[rows, second] = 0.5, -0.5
        # The last system is the one that the others' effects are compared with, as only differences matter.
        outcome = space.signs[:, :, None].astype(np.float64) * sides[None, :, :-1]
        named = [f"{MISSING}:{system}" for system in systems], [f"{system}:{MISSING}" for system in systems[:-1]]
    else:
        often, outcome = np.eye(len(systems)), space.balance[:, :, None]
        named = [f"{MISSING}:{system}" for system in systems], [f"{MISSING}:wins"]
    if not by_outcome:
        return Questions(often, outcome[:, :, :0]), named[0]
    return Questions(often, outcome), [*named[0], *named[1]]


def _refuse_complete(answers: Answers, options: FitOptions) -> None:
    if not np.any(answers.missing):
        raise PlanError(
            "no answers are missing in these patterns",
            remedy=f"Leave out {spelling.option('missing', options.missing)}.",
        )


def possible(answers: Answers, mask: FloatArray) -> int:
    """Return how many patterns can be distinguished where some answers are missing."""
    space = answers.space
    if answers.shown is None:
        return int((3 if space.kind.endswith("ties") else 2) ** int(np.sum(mask == 0)))
    return Space(int(np.sum(mask == 0)), space.kind, space.levels).size


def blocks(model: PatternModel) -> tuple[FloatArray, IntArray]:
    """Return the distinct combinations of what is missing, and that of every cell."""
    masks, block = np.unique(model.likelihood.cells.missing, axis=0, return_inverse=True)
    return masks, block.ravel().astype(np.int64)
