"""Which mechanism to report, why, and what would change that: the chart of Levtsov and Ustalov (2025), carried out."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from betterthan.findings import Finding
from betterthan.options.diagnose import Measure
from betterthan.present.table import wrapped

#: More ties than this leave pairwise comparisons too little to go by.
_TOO_MANY_TIES = 0.5
#: Fewer instances or judgments than this allow no advice.
_TOO_FEW = 5


@dataclass(frozen=True)
class Advice:
    """A mechanism to report, or none, with reasons, what to report beside it, and what would change the advice.

    `collect` says how to choose further judgments; scores are not chosen pair by pair.
    """

    mechanism: str | None
    reasons: tuple[str, ...]
    beside: tuple[str, ...]
    changes: tuple[str, ...]
    collect: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return plain JSON values."""
        return asdict(self)

    def to_text(self, width: int | None = None) -> str:
        """Return the advice as a few sentences."""
        head = f"Report {self.mechanism}" if self.mechanism else "Report no single ranking"
        lines = [f"{head}: {'; '.join(self.reasons)}."]
        lines += [f"Beside it: {'; '.join(self.beside)}."] if self.beside else []
        lines += [f"It would be otherwise {'; or '.join(self.changes)}."] if self.changes else []
        lines += [f"Further judgments: {self.collect}."] if self.collect else []
        return "\n".join(wrapped(line, width) for line in lines)

    __str__ = to_text


def advise_from(findings: Sequence[Finding], kind: str, measure: Measure | None) -> Advice:
    """Follow the chart with what was found."""
    every: dict[str, Finding] = {}
    for finding in findings:  # of several with one code, the gravest
        known = every.get(finding.code)
        if known is None or (finding.level, finding.value or 0.0) > (known.level, known.value or 0.0):
            every[finding.code] = finding
    found = {code: finding for code, finding in every.items() if finding.level == "warning"}
    if "islands" in found:
        return Advice(None, ("some systems never met, not even through others",), (), ("if they were compared",))
    if _ties(every) == 1:
        why = "all comparisons are ties: nobody is shown to be better than anybody"
        return Advice(None, (why,), (), ("with a finer measure, or harder instances",))
    units = every["few-units"].value if "few-units" in every else None
    if units is not None and units < _TOO_FEW:
        return Advice(None, (f"there is hardly any evidence ({units:.0f})",), (), ("with more of it",))
    if kind == "scores":
        return _scores(found, every, measure)
    return _judgments(found, every)


def _scores(found: dict[str, Finding], every: dict[str, Finding], measure: Measure | None) -> Advice:
    beside = _beside(found)
    ties = _ties(every)
    differ = "mechanisms-disagree" in found
    wide = [
        _because(code, found[code]) for code in ("outliers", "mechanisms-disagree", "instance-types") if code in found
    ]
    if "over-confident" in found:
        share = found["over-confident"].value or 0.0
        piled = f"up to {100 * share:.0f} % of their scores at the ends of the scale"
        why = f"some systems put {piled}, and would win pairs by boldness"
        return Advice("mean", (why,), beside, ("if all outputs were made binary first",))
    if ties > _TOO_MANY_TIES:
        why = f"{100 * ties:.0f} % of the pairwise comparisons are ties, which say nothing"
        hard = ("pairs would suit quality that is hard to define, but for that",) if measure == "hard" else ()
        return Advice("mean", (why, *hard), beside, ("with a finer measure, which ties less",))
    if measure == "hard":
        because = ("how good an output is, is hard to define: which of two is better is easier to say", *wide)
        return Advice("bradley-terry", because, beside, ("if some systems were over-confident",))
    if measure == "clear":
        doubts = ("the ranking by bradley-terry, since the two differ",) if differ else ()
        look = ("what the outliers are, since means follow them",) if "outliers" in found else ()
        return Advice("mean", ("the measure is clear",), (*doubts, *look, *beside), ("if quality were hard to define",))
    if wide:
        turns = ["if the outliers are errors that should be removed"] if "outliers" in found else []
        turns += ["if rare but large errors are what matters, which pairs hardly feel: then the mean"]
        other = ("the mean, since the two differ",) if differ else ()
        return Advice("bradley-terry", tuple(wide), (*other, *beside), tuple(turns))
    reasons = ("scores are consistent: mean, median and pairs agree but for what chance explains",)
    changes = ("if quality were hard to define (--measure hard)", "if scores varied widely or had many outliers")
    return Advice("mean", reasons, beside, changes)


def _judgments(found: dict[str, Finding], every: dict[str, Finding]) -> Advice:
    reasons = ["judgments say who is better, and it puts all of them on one scale whoever met whom"]
    ties = _ties(every)
    name = "davidson" if ties > 0.1 else "bradley-terry"
    if ties > 0.1:
        reasons.append(f"{100 * ties:.0f} % ties are part of what judges say, which davidson models")
    changes = []
    if "order-dependence" in every and every["order-dependence"].value:
        reasons.append("elo and trueskill would depend on the order of the judgments")
        changes.append("if systems change over time: then elo, with a time column")
    if "lack-of-fit" in found:
        changes.append("if single pairs are what matters: then compare --all, since one number per system misses some")
    few = ("intervals by judge (--resample judge)",) if "judge-few" in every else ()
    return Advice(name, tuple(reasons), (*_beside(found), *few), tuple(changes), _collect(found))


def _collect(found: dict[str, Finding]) -> str:
    """Say how to choose further judgments, and when all pairs alike are the better choice."""
    advice = (
        "for single pairs by betterthan next, which leaves settled ones out; for one ranking of all systems from all "
        "pairs alike (--policy uniform)"
    )
    if "lack-of-fit" in found:
        advice += ", the more so since one number per system misses some pairs: it depends on which are judged"
    return advice


def _because(code: str, finding: Finding) -> str:
    share = 100 * (finding.value or 0.0)
    return {
        "outliers": f"{share:.1f} % of the scores are outliers, which move means",
        "mechanisms-disagree": f"mechanisms order {share:.1f} % of the pairs differently, beyond chance",
        "instance-types": f"kinds of instances order {share:.0f} % of the pairs oppositely",
    }[code]


def _beside(found: dict[str, Finding]) -> tuple[str, ...]:
    """Return what else to do, from the findings that ask for it."""
    notes = {
        "instance-types": "the ranking on each kind of instances",
        "lack-of-fit": "the matrix of all pairs (compare --all)",
        "intransitive": "the matrix of all pairs: there are circles",
        "position-effect": "the effect of the side shown",
        "judge-against-rest": "the ranking without the judges who contradict the rest",
        "few-units": "how little the claim rests on",
        "lead-hangs-on": "that few cases decide who leads",
        "duplicates": "the ranking without repeated judgments",
        "identical": "that some systems are the same",
        "missing-scores": "that systems were scored on different instances",
        "never-wins": "that some systems never won",
        "never-loses": "that some systems never lost",
    }
    texts = [text for code, text in notes.items() if code in found]
    if "lack-of-fit" in found and "intransitive" in found:
        texts.remove(notes["lack-of-fit"])
    return tuple(texts)


def _ties(every: dict[str, Finding]) -> float:
    """Return the share of ties; few are no finding."""
    return next((every[code].value or 0.0 for code in ("many-ties", "ties") if code in every), 0.0)
