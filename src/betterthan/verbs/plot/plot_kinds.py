"""Registry of the kinds of pictures."""

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from betterthan.base import PlanError, nearest, need_text, spelling
from betterthan.datasets import data_sets
from betterthan.options import PlotOptions, takes_name
from betterthan.present import Picture, altair
from betterthan.verbs.compare import compare, compare_all
from betterthan.verbs.diagnose import diagnose
from betterthan.verbs.plot.decision_chart import decision_chart
from betterthan.verbs.plot.graph import graph
from betterthan.verbs.plot.growth import growth
from betterthan.verbs.plot.history import history
from betterthan.verbs.plot.learning import calibration, learning
from betterthan.verbs.plot.loss_curves import loss_curves
from betterthan.verbs.plot.meetings import meetings
from betterthan.verbs.plot.plot_data import one_board
from betterthan.verbs.plot.settled import settled
from betterthan.verbs.rank import Leaderboards, rank

#: What is set next to each other where judgments came in; for scores it is what `rank` does anyway.
_MECHANISMS = dict.fromkeys(("judgments", "rankings"), "bradley-terry,expected-wins,win-rate,elo,trueskill")


def _leaderboard(evidence: Any, *, title: str = "", **choices: Any) -> Picture:
    return one_board(evidence, **choices).plot.leaderboard(title=title)


def _frontier(evidence: Any, *, cost: Any = None, title: str = "", **choices: Any) -> Picture:
    if cost is None:
        raise PlanError("frontier is a picture of scores against costs", remedy=f"Add {spelling.option('cost')} FILE.")
    return one_board(evidence, cost=cost, **choices).plot.frontier(title=title)


def _ranks(evidence: Any, *, title: str = "", **choices: Any) -> Picture:
    return one_board(evidence, **choices).plot.ranks(title=title)


def _boards(evidence: Any, model: str | None, tolerance: float, seed: int) -> Leaderboards:
    sets = data_sets(evidence, tolerance=tolerance)
    wanted = model or _MECHANISMS.get(sets.kind)
    return rank(sets, model=wanted, ci="none", tolerance=tolerance, seed=seed)


def _bump(
    evidence: Any,
    *,
    model: str | None = None,
    tolerance: float = 0.0,
    seed: int = 0,
    data_set: str | None = None,
    title: str = "",
) -> Picture:
    return _boards(evidence, model, tolerance, seed).plot.bump(data_set=data_set, title=title)


def _agreement(
    evidence: Any,
    *,
    model: str | None = None,
    tolerance: float = 0.0,
    seed: int = 0,
    data_set: str | None = None,
    title: str = "",
) -> Picture:
    return _boards(evidence, model, tolerance, seed).plot.agreement(data_set=data_set, title=title)


def _joint(evidence: Any, *names: str, tolerance: float = 0.0, title: str = "") -> Picture:
    return compare(evidence, *names, tolerance=tolerance).plot.joint(title=title)


def _differences(evidence: Any, *names: str, tolerance: float = 0.0, title: str = "") -> Picture:
    return compare(evidence, *names, tolerance=tolerance).plot.differences(title=title)


def _matrix(evidence: Any, *, model: str = "bradley-terry", title: str = "", **choices: Any) -> Picture:
    return compare_all(data_sets(evidence), model, **choices).plot.matrix(title=title)


def _critical_difference(evidence: Any, *, tolerance: float = 0.0, level: float = 0.95, title: str = "") -> Picture:
    return compare_all(data_sets(evidence), tolerance=tolerance, level=level).plot.critical_difference(title=title)


def _judges(evidence: Any, *, data_set: str | None = None, title: str = "") -> Picture:
    return diagnose(evidence).plot.judges(data_set=data_set, title=title)


_OF_RANK = (
    "model",
    "ties",
    "scale",
    "ci",
    "unit",
    "resamples",
    "level",
    "seed",
    "anchor",
    "control",
    "tolerance",
    "progress",
)
_OF_PAIRS = ("ties", "test", "by", "correction", "control", "unit", "tolerance", "level", "seed")


@dataclass(frozen=True)
class PictureKind:
    """One kind of picture: its drawing function, its description, and its options."""

    draw: Callable[..., Picture]
    about: str
    passed_on: tuple[str, ...] = ()

    @property
    def options(self) -> tuple[str, ...]:
        """The choices that can be made."""
        return (*self._named(inspect.Parameter.KEYWORD_ONLY), *self.passed_on)

    @property
    def of_evidence(self) -> bool:
        """Whether it is a picture of evidence, or of a model alone."""
        return bool(self._named(inspect.Parameter.POSITIONAL_OR_KEYWORD))

    @property
    def of_two(self) -> bool:
        """Whether it is a picture of two systems."""
        return bool(self._named(inspect.Parameter.VAR_POSITIONAL))

    def _named(self, kind: Any) -> tuple[str, ...]:
        return tuple(name for name, each in inspect.signature(self.draw).parameters.items() if each.kind is kind)


#: Every kind of picture, the most wanted first.
KINDS = {
    "leaderboard": PictureKind(_leaderboard, "Scores with intervals, and lines between clusters.", _OF_RANK),
    "ranks": PictureKind(_ranks, "Ranks over resamples as boxes, and lines between clusters.", _OF_RANK),
    "frontier": PictureKind(_frontier, "Scores against costs, and the frontier as a step line.", _OF_RANK),
    "matrix": PictureKind(_matrix, "All pairs: chances or differences, and which differ significantly.", _OF_PAIRS),
    "joint": PictureKind(_joint, "Two systems' scores on the same items, with their distributions."),
    "differences": PictureKind(_differences, "Paired differences of two systems' scores, ties apart."),
    "critical-difference": PictureKind(
        _critical_difference, "Average ranks, and bars over systems that do not differ significantly (scores)."
    ),
    "bump": PictureKind(_bump, "Places of the systems under several models."),
    "agreement": PictureKind(_agreement, "Kendall's tau of any two models."),
    "growth": PictureKind(growth, "Number of clusters against the amount of evidence."),
    "learning": PictureKind(learning, "Accuracy of models on held-out judgments against the amount of training."),
    "calibration": PictureKind(calibration, "How often outcomes came about against the chances that models gave them."),
    "settled": PictureKind(
        settled, "Pairs settled against judgments, if the next ones are chosen by policies (judgments)."
    ),
    "meetings": PictureKind(meetings, "Who met whom, and how often; at the beginning and at the end, if wanted."),
    "graph": PictureKind(graph, "The comparison graph: who was compared with whom."),
    "history": PictureKind(history, "Elo's ratings over the judgments."),
    "loss-curves": PictureKind(
        loss_curves, "How far surprising outcomes move TrueSkill and Hopkins–May; needs no evidence."
    ),
    "decision-chart": PictureKind(
        decision_chart, "When to report global scores, and when pairwise comparisons; needs no evidence."
    ),
    "judges": PictureKind(_judges, "How often judges follow the common order, and what is expected of them."),
}


def kind_of(name: str) -> PictureKind:
    """Return a kind of picture by its name."""
    need_text(name, "the kind of a picture")
    if name not in KINDS:
        raise PlanError(f"unknown kind of picture {name!r}. {nearest(name, tuple(KINDS))}")
    return KINDS[name]


@takes_name(PlotOptions)
def plot(kind: str, evidence: Any, options: PlotOptions) -> Picture:
    """Draw a picture of evidence, by the name of its kind; `a` and `b` are the two systems of some kinds.

    Options are those of the kind, such as title, model, resamples, level, seed, tolerance, where they make sense.

    >>> picture = plot("differences", {"owl": [3, 5, 4, 6], "yak": [2, 1, 4, 3]}, "owl", "yak")
    >>> sum(picture.columns["items"])
    4
    """
    chosen, said = kind_of(kind), options.said()
    check_evidence(kind, given=evidence is not None)
    for name in said:
        if name not in chosen.options:
            known = ", ".join(option for option in chosen.options if option != "progress")
            raise PlanError(f"{kind} has no option {name!r}; it has: {known}. Leave it out.")
    names = [name for name in (options.a, options.b) if name is not None]
    if names and not chosen.of_two:
        named = ", ".join(repr(name) for name in names)
        raise PlanError(f"{kind} is a picture of all systems, but {named} were named. Leave them out.")
    if len(names) == 1:
        raise PlanError(f"{kind} is a picture of two systems, but 1 was named. Name two.")
    altair()  # says at once what is not installed
    if "progress" in chosen.options:
        said["progress"] = options.progress
    return chosen.draw(*([evidence] if chosen.of_evidence else []), *names, **said)


def check_evidence(kind: str, *, given: bool) -> None:
    """Refuse a picture of evidence without any, and evidence where it shows nothing."""
    if kind_of(kind).of_evidence and not given:
        raise PlanError(f"{kind} is a picture of evidence", remedy="Give a file, or several.")
    if given and not kind_of(kind).of_evidence:
        raise PlanError(f"{kind} is a picture of models, not of evidence", remedy="Leave the file out.")
