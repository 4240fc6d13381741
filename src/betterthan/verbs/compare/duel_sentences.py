"""The verdict of a comparison in sentences.

A verdict names the question, the unit and the level that it is based on, and never says more than both the test and the
interval do.
"""

from typing import TYPE_CHECKING

from betterthan.datasets import counted_noun
from betterthan.inference import Effect, equivalence, questions
from betterthan.options import UNIT_WORDS
from betterthan.present import chance, digits

if TYPE_CHECKING:
    from betterthan.verbs.compare.duel import Duel

_ON = {
    "mean": "the mean score",
    "typical": "the typical item",
    "wins": "the share of {what} won",
    "corpus": "the {metric} of the whole test set",
}
_ESTIMATE = {
    "mean": "difference {value}",
    "typical": "Hodges–Lehmann difference {value}",
    "wins": "share won {value} (ties count half)",
    "corpus": "difference {value}",
}
TESTS = {
    "t": "Student's t-test",
    "bootstrap": "studentised bootstrap",
    "permutation": "sign-flip test",
    "permutation-mid-p": "sign-flip test (mid-p)",
    "mcnemar-mid-p": "McNemar's test (mid-p)",
    "wilcoxon": "Wilcoxon signed-rank test",
    "sign": "sign test",
    "sign-mid-p": "sign test (mid-p)",
    "randomisation": "randomisation test",
    "delong": "DeLong's test",
    "corrected-t": "t-test of labels and judge",
}


def verdict(duel: "Duel") -> str:
    """Return a sentence on who is better, on which question, by which interval and test."""
    answer, level = duel.answer, duel.level
    what = f"{counted_noun(duel.kind)}s"
    metric = duel.pairing.get("metric", "score")
    conclusion = f"{_conclusion(duel)} on {_ON[answer.question].format(what=what, metric=metric)}, {duel.scope}"
    value = digits.rounded(answer.effect.value, digits.decimals([(answer.effect.low, answer.effect.high)]))
    estimate = _ESTIMATE[answer.question].format(value=value or "unknown")
    test = TESTS.get(answer.test.name, f"{answer.test.name} test")
    return (
        f"{conclusion}: {estimate}, {_interval(answer.effect, level)} "
        f"({test} over {over(duel)}, p = {chance(answer.test.p)}){_finding(answer, level)}."
    )


def over(duel: "Duel") -> str:
    """Return a sentence on what was compared, and in which units.

    Items in groups, judgments of items: `n` of what came in, in `units` that are taken as a whole.
    """
    what = counted_noun(duel.kind)
    if "+" in duel.unit:
        return f"{_number(duel.n, what)} by {UNIT_WORDS[duel.unit]}"
    return _number(duel.n, what) + (f" in {_number(duel.units, duel.unit)}" if duel.units < duel.n else "")


def _number(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def _conclusion(duel: "Duel") -> str:
    answer = duel.answer
    shown = answer.shown(duel.level)
    if shown:
        return f"{duel.a} is {'better' if shown > 0 else 'worse'} than {duel.b}"
    if answer.significant(duel.level) or answer.excludes:
        return f"{duel.a} and {duel.b} cannot be distinguished"
    return f"{duel.a} and {duel.b} do not differ significantly"


def _finding(answer: questions.QuestionAnswer, level: float) -> str:
    """Report where test and interval do not agree, so that nobody reads one of them alone."""
    if answer.shown(level):
        return ""
    none = 0.5 if answer.question == "wins" else 0
    if answer.significant(level):
        which = f"the interval includes {none}" if answer.lead else f"the estimate is {none}"
        return f"; the test alone is significant, but {which}"
    return f"; the interval excludes {none}, but the test is not significant" if answer.excludes else ""


def _interval(effect: Effect, level: float) -> str:
    name, places = f"{100 * level:g} % confidence interval", digits.decimals([(effect.low, effect.high)])
    low, high = digits.rounded(effect.low, places), digits.rounded(effect.high, places)
    if not low and not high:
        return f"no {name} can be given"
    if not low:
        return f"{name} up to {high}"
    return f"{name} {low} to {high}" if high else f"{name} from {low}"


def interval_text(effect: Effect) -> str:
    """Return the interval of an effect as a cell of a table, a dash where there is none."""
    if effect.low is None and effect.high is None:
        return "—"
    places = digits.decimals([(effect.low, effect.high)])
    return f"{digits.rounded(effect.low, places)} … {digits.rounded(effect.high, places)}"


def equivalence_sentence(duel: "Duel", found: equivalence.Equivalence) -> str:
    """Return whether the two are shown to be equal within the margin, and how likely each of them wins most items."""
    p = max(found.p, found.p_bootstrap)
    most = (
        f"Bayesian sign test: {duel.a} wins most items with probability {found.better:.2f}, {duel.b} with "
        f"{found.worse:.2f}; ties are most frequent with {found.equal:.2f}."
    )
    if found.margin == 0:
        return f"Whether the two are equivalent cannot be tested without a margin. {most}"
    shown = "are equivalent" if p <= 1 - duel.level else "are not shown to be equivalent"
    return f"The two {shown} within ±{found.margin:.3g}, {found.how} (two one-sided tests, p = {chance(p)}). {most}"
