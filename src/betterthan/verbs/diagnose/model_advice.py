"""Advice on the model to report, by the decision chart of Levtsov and Ustalov (2025)."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from betterthan.base import spelling
from betterthan.findings import Finding, counted, percent
from betterthan.options import Measure
from betterthan.present import wrapped

#: More ties than this leave pairwise comparisons too little to go by.
_TOO_MANY_TIES = 0.5
#: More ties than this are worth a model of their own.
_TIES_TO_MODEL = 0.1
#: Findings that scores vary widely.
_WIDE = ("outliers", "mechanisms-disagree", "item-types")
#: Fewer items or judgments than this allow no advice.
_TOO_FEW = 5


@dataclass(frozen=True)
class Advice:
    """A model to report, or none, with reasons, what else to report, and what would change the advice.

    Reasons are sentences, `beside` and `changes` parts of one; `collect` says how to choose further judgments (scores
    are not chosen pair by pair). `views` are sentences that say what the literature recommends where it disagrees, and
    which question each recommendation answers.
    """

    mechanism: str | None
    reasons: tuple[str, ...]
    beside: tuple[str, ...]
    changes: tuple[str, ...]
    collect: str | None = None
    views: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return plain JSON values."""
        return asdict(self)

    @property
    def head(self) -> str:
        """The advice in a few words."""
        return f"Report {self.mechanism}." if self.mechanism else "Report no single ranking."

    def to_text(self, width: int | None = None) -> str:
        """Return the advice as a few sentences.

        Parameters
        ----------
        width : int, optional
            Width in characters; by default lines are not wrapped.

        Returns
        -------
        str
            The text.
        """
        lines = [" ".join([self.head, *self.reasons])]
        lines += [f"Also report {'; '.join(self.beside)}."] if self.beside else []
        lines += [f"This advice would change {'; or '.join(self.changes)}."] if self.changes else []
        lines += [" ".join(self.views)] if self.views else []
        lines += [self.collect] if self.collect else []
        return "\n".join(wrapped(line, width) for line in lines)

    __str__ = to_text


def advise_from(findings: Sequence[Finding], kind: str, measure: Measure | None, equal: Sequence[str] = ()) -> Advice:
    """Follow the chart with what was found; `equal` are the best systems where they have the same mean score."""
    every: dict[str, Finding] = {}
    for finding in findings:  # of several with one code, the gravest
        known = every.get(finding.code)
        if known is None or (finding.level, finding.value or 0.0) > (known.level, known.value or 0.0):
            every[finding.code] = finding
    found = {code: finding for code, finding in every.items() if finding.level == "warning"}
    if "islands" in found:
        why = "Some systems were never compared with the rest, not even through third systems."
        return Advice(None, (why,), (), ("if you compared them",))
    if "all-ties" in found:
        why = "All comparisons are ties, so no system is shown to be better than another."
        return Advice(None, (why,), (), ("with a finer measure or harder items",))
    few = every.get("few-units")
    if few is not None and (few.value or 0) < _TOO_FEW:
        why = f"The result rests on only {counted(few.value or 0, few.numbers['unit'])}."
        return Advice(None, (why,), (), ("with more evidence",))
    if kind == "scores":
        advice = _scores(found, every, measure, equal)
        contested = _contested(findings)
        applies = _which_applies(found, _ties(every), measure, equal, contested)
        return replace(advice, views=(*_VIEWS, *contested, applies))
    return _judgments(found, every)


def _scores(
    found: dict[str, Finding], every: dict[str, Finding], measure: Measure | None, equal: Sequence[str]
) -> Advice:
    beside = _also_report(found)
    ties = _ties(every)
    differ = "mechanisms-disagree" in found
    wide = [_because(code, found[code]) for code in _WIDE if code in found]
    if "over-confident" in found:
        share = percent(found["over-confident"].value or 0.0)
        why = f"For some systems up to {share} of scores are extreme, which wins pairwise comparisons by confidence."
        return Advice("mean", (why,), beside, ("if all outputs were made binary first",))
    if ties > _TOO_MANY_TIES:
        why = f"{percent(ties)} of pairwise comparisons are ties, which say nothing about the ranking."
        hard = "Pairwise comparison suits quality that is hard to define, but not where so large a share are ties."
        because = (why, hard) if measure == "hard" else (why,)
        return Advice("mean", because, beside, ("with a finer measure that gives fewer ties",))
    if equal:
        why = (
            f"The means of {', '.join(equal)} are equal, so they do not order these systems; who wins more items does."
        )
        return Advice("bradley-terry", (why, *wide), ("that the means are equal", *beside), ("with more items",))
    if measure == "hard":
        why = "Quality is hard to define here, and saying which of two outputs is better is easier than scoring them."
        return Advice("bradley-terry", (why, *wide), beside, ("if some systems gave extreme scores",))
    if measure == "clear":
        also_ranking = ("the ranking by bradley-terry, because the two differ",) if differ else ()
        look = ("what the outliers are, because they change means",) if "outliers" in found else ()
        changes = ("if quality were hard to define",)
        return Advice("mean", ("The measure is clear.",), (*also_ranking, *look, *beside), changes)
    if wide:
        turns = ["if the outliers are errors and you remove them"] if "outliers" in found else []
        turns += ["if rare but large errors matter most (then report the mean: pairwise comparison hardly shows them)"]
        other = ("the mean, because the two differ",) if differ else ()
        return Advice("bradley-terry", tuple(wide), (*other, *beside), tuple(turns))
    reasons = ("Scores are consistent: averages and pairwise comparison agree up to chance.",)
    turns = [
        f"if quality is hard to define ({spelling.option('measure', 'hard')})",
        "if scores varied widely or had many outliers",
    ]
    return Advice("mean", reasons, beside, tuple(turns))


#: The recommendations of two papers for scores, and their questions.
_VIEWS = (
    "The literature recommends two different analyses of scores, for different questions.",
    "Which system is better on more items? Peyrard et al. (2021) recommend bradley-terry with the sign test.",
    "Which system has the higher score on average, so that large differences count more? Levtsov and Ustalov (2025) "
    "recommend the mean where the measure is clear.",
)


def _contested(findings: Sequence[Finding]) -> list[str]:
    """Return how many pairs the two recommended models order differently."""
    return [
        f"Here the two order {finding.numbers['contested']:,} of {counted(finding.numbers['pairs'], 'pair')} "
        "differently."
        for finding in findings
        if finding.code == "mechanisms-disagree"
        and (finding.numbers["a"], finding.numbers["b"]) == ("mean", "bradley-terry")
    ]


def _which_applies(
    found: dict[str, Finding],
    ties: float,
    measure: Measure | None,
    equal: Sequence[str],
    contested: Sequence[str],
) -> str:
    """Return whose recommendation applies to this evidence, and why."""
    levtsov, peyrard = "Here Levtsov and Ustalov's applies", "Here Peyrard et al.'s applies"
    if "over-confident" in found:
        return f"{levtsov}: extreme scores win items by confidence, not by quality."
    if ties > _TOO_MANY_TIES:
        return f"{levtsov}: most comparisons are ties, which say nothing about who wins more items."
    if equal:
        return f"{peyrard}: the best means are equal, and the items won are not affected by that."
    if measure == "hard":
        return f"{peyrard}, and Levtsov and Ustalov agree: quality is hard to define, which favours comparisons."
    if measure == "clear":
        return f"{levtsov}, because you say that the measure is clear."
    if any(code in found for code in _WIDE):
        return f"{peyrard}, and Levtsov and Ustalov agree: scores vary so widely that few items decide the mean."
    if contested:
        return (
            "Here your question decides: outliers and types of items do not favour either, and where the two orders "
            "differ, chance explains it."
        )
    return "Here both apply: the mean and bradley-terry give the same order."


def _judgments(found: dict[str, Finding], every: dict[str, Finding]) -> Advice:
    reasons = ["It puts all systems on one scale, whichever pairs were judged."]
    ties = _ties(every)
    tied = (
        (f"chances of ties by davidson, because {percent(ties)} of judgments are ties",)
        if ties > _TIES_TO_MODEL
        else ()
    )
    changes = []
    if "order-dependence" in every and every["order-dependence"].value:
        reasons.append("Ratings by elo and trueskill would depend on the order of the judgments.")
        changes.append("if systems change over time (then use elo with a time column)")
    if "lack-of-fit" in found:
        pairs = spelling.verb("compare_all")
        changes.append(f"if single pairs matter most (then use {pairs}: one strength per system does not explain all)")
    few = (f"confidence intervals by judge ({spelling.option('unit', 'judge')})",) if "judge-few" in every else ()
    beside = (*_also_report(found), *few, *tied)
    return Advice("bradley-terry", tuple(reasons), beside, tuple(changes), _collect(found))


def _collect(found: dict[str, Finding]) -> str:
    """Describe how to choose further judgments, and when all pairs alike are the better choice."""
    advice = (
        f"To settle specific pairs, use {spelling.verb('next')}: it skips pairs that are already decided. For "
        "one ranking of "
        f"all systems, judge all pairs equally often ({spelling.option('policy', 'uniform')})"
    )
    if "lack-of-fit" in found:
        return f"{advice}, because one strength per system does not explain all pairs here."
    return f"{advice}."


def _because(code: str, finding: Finding) -> str:
    share = f"{100 * (finding.value or 0.0):.1f} %"
    return {
        "outliers": f"{share} of scores are outliers, which change means.",
        "mechanisms-disagree": f"Models order {share} of pairs differently, beyond chance.",
        "item-types": f"Types of items reverse the order of {share} of tested pairs.",
    }[code]


def _also_report(found: dict[str, Finding]) -> tuple[str, ...]:
    """Return further advice, from the findings that call for it."""
    notes = {
        "item-types": "the ranking for each type of items",
        "lack-of-fit": f"the results of all pairs ({spelling.verb('compare_all')})",
        "intransitive": "the results of all pairs, because there are cycles",
        "position-effect": "the effect of the side shown",
        "judge-against-rest": "the ranking without the judges who contradict the rest",
        "few-units": "how few units the result rests on",
        "lead-hangs-on": "that few units decide which system leads",
        "duplicates": "the ranking without repeated judgments",
        "identical": "which systems are identical",
        "missing-scores": "that systems were scored on different items",
        "never-wins": "which systems never won",
        "never-loses": "which systems never lost",
    }
    texts = [text for code, text in notes.items() if code in found]
    if "lack-of-fit" in found and "intransitive" in found:
        texts.remove(notes["lack-of-fit"])
    return tuple(texts)


def _ties(every: dict[str, Finding]) -> float:
    """Return the share of ties; few are no finding."""
    return next((every[code].value or 0.0 for code in ("many-ties", "ties") if code in every), 0.0)
