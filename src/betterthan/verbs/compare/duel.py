"""The result of `compare`: two systems on the same evidence, with findings and a signature."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from betterthan.inference import Differences, Effect, Test, equivalence, questions
from betterthan.options import CompareOptions
from betterthan.present import Column, Table, chance, digits, wrapped
from betterthan.results import Result
from betterthan.verbs.compare.among_all_pairs import AmongAllPairs
from betterthan.verbs.compare.comparison_plots import DuelPlots
from betterthan.verbs.compare.duel_sentences import equivalence_sentence, interval_text, over, verdict


@dataclass(frozen=True, kw_only=True, repr=False, eq=False)
class Duel(Result):
    """The result of `compare`: how much better `a` is than `b`, with intervals and tests.

    >>> import betterthan as bt
    >>> duel = bt.compare({"owl": [3, 5, 4, 6], "yak": [2, 1, 4, 3]}, "owl", "yak")
    >>> duel.wins, duel.ties, duel.losses, duel.recommended
    (3, 1, 0, 'permutation')
    """

    verb: ClassVar[str] = "compare"
    schema: ClassVar[str] = "duel/4"
    holds = (
        "a",
        "b",
        "kind",
        "question",
        "unit",
        "n",
        "units",
        "values",
        "lower_is_better",
        "wins",
        "ties",
        "losses",
        "mean_difference",
        "median_difference",
        "effects",
        "tests",
        "recommended",
        "reason",
        "equivalence",
        "shown",
        "verdict",
        "level",
        "among_all_pairs",
    )

    settings: CompareOptions
    pairing: Mapping[str, str]
    a: str
    b: str
    kind: str
    n: int
    units: int
    scope: str  # what the verdict holds for: the units that are a sample of others
    values: tuple[float, float] | None  # of both on their common items, as they were read; None of judgments
    lower_is_better: bool
    wins: int
    ties: int
    losses: int
    effects: tuple[Effect, ...]
    tests: tuple[Test, ...]
    recommended: str
    reason: str
    equivalence: equivalence.Equivalence | None
    differences: Differences | None = None  # of scores; for pictures only
    among_all_pairs: AmongAllPairs | None = None  # where there are more systems

    @property
    def plot(self) -> DuelPlots:
        """Pictures of scores: `plot.joint()`, `plot.differences()`."""
        return DuelPlots(self)

    @property
    def about(self) -> Mapping[str, str]:
        """The part of the signature about the evidence."""
        return self.pairing

    @property
    def level(self) -> float:
        """The level of intervals and of the verdict."""
        return self.settings.level

    @property
    def question(self) -> questions.Question:
        """The question of the verdict: the mean score, the typical item, or the share of items or judgments won."""
        return self.settings.question or "mean"

    @property
    def unit(self) -> str:
        """The unit of dependence: tests and intervals treat it as a whole."""
        return self.pairing["unit"]

    @property
    def answer(self) -> questions.QuestionAnswer:
        """The estimate and the test that the verdict is based on."""
        name = questions.ESTIMATES[self.question]
        effect = self.effect(name) or Effect(name, None, None, None)
        return questions.QuestionAnswer(self.question, effect, self.test(self.recommended), self.reason)

    @property
    def shown(self) -> str | None:
        """Whether `a` is shown to be better or worse, by test and interval; None where neither is."""
        return {1: "better", -1: "worse"}.get(self.answer.shown(self.level))

    @property
    def p(self) -> float:
        """The recommended test's p."""
        return self.test(self.recommended).p

    def effect(self, name: str) -> Effect | None:
        """Return an effect by its name, None where this evidence has none.

        Parameters
        ----------
        name : str
            Name of the effect, such as 'mean_difference'.

        Returns
        -------
        Effect or None
            The effect with its interval.
        """
        return next((effect for effect in self.effects if effect.name == name), None)

    def test(self, name: str) -> Test:
        """Return a test by its name.

        Parameters
        ----------
        name : str
            Name of the test, such as 'sign'.

        Returns
        -------
        Test
            The test with its p-value.
        """
        found = next((test for test in self.tests if test.name == name), None)
        if found is None:
            raise KeyError(f"no test {name!r}; there are: {', '.join(test.name for test in self.tests)}")
        return found

    @property
    def mean_difference(self) -> float | None:
        """The difference of means, of scores."""
        effect = self.effect("mean_difference")
        return None if effect is None else effect.value

    @property
    def median_difference(self) -> float | None:
        """The difference of medians, of scores."""
        effect = self.effect("median_difference")
        return None if effect is None else effect.value

    def columns(self) -> dict[str, list[Any]]:
        """Return the tests as columns."""
        return {name: [getattr(test, name) for test in self.tests] for name in ("name", "statistic", "p", "note")}

    def tables(self) -> list[Table]:
        """Return effects, and tests."""
        return [self.effect_table(), self.test_table()]

    def effect_table(self) -> Table:
        """Return the effects as a finished table."""
        columns = [Column("effect", "left"), Column("estimate"), Column(f"{100 * self.level:g} % interval", "left")]
        rows = [
            [self._called(effect), digits.rounded(effect.value, places), interval_text(effect)]
            for effect in self.effects
            for places in [digits.decimals([(effect.low, effect.high)])]
        ]
        if self.values is not None:
            answer = self.answer.effect
            places = digits.decimals([(answer.low, answer.high)])
            what = self.pairing.get("metric", "mean")
            named = zip((self.a, self.b), self.values, strict=True)
            rows = [*([f"{what} of {name}", digits.rounded(value, places), ""] for name, value in named), *rows]
        return Table(columns, rows)

    def _called(self, effect: Effect) -> str:
        """Call an effect by its name; where less is better, say what a positive difference means."""
        turned = self.lower_is_better and effect.name in {"mean_difference", "corpus_difference"}
        return _EFFECTS[effect.name] + (f" in favour of {self.a}" if turned else "")

    def test_table(self) -> Table:
        """Return the tests as a finished table, the recommended one marked."""
        columns = [
            Column("", "left"),
            Column("test", "left"),
            Column("statistic"),
            Column("p"),
            Column("", "left", flexible=True),
        ]
        rows = [
            [
                "→" if test.name == self.recommended else "",
                test.name,
                "" if test.statistic is None else f"{test.statistic:.4g}",
                chance(test.p),
                test.note,
            ]
            for test in self.tests
        ]
        return Table(columns, rows)

    def body(self, width: int | None) -> list[str]:
        """Return counts, effects, tests, why this test, and how equal the two are."""
        counts = f"{self.wins:,} won, {self.ties:,} tied, {self.losses:,} lost"
        parts = [
            wrapped(f"{self.a} against {self.b} · {over(self)} · {counts}", width),
            "",
            self.effect_table().to_text(width),
            "",
            self.test_table().to_text(width),
            "",
            wrapped(f"Why this test: {self.reason}.", width),
        ]
        if self.equivalence:
            parts.append(wrapped(equivalence_sentence(self, self.equivalence), width))
        if self.among_all_pairs is not None:
            parts.append(wrapped(self.among_all_pairs.sentence(self.a, self.b), width))
        return parts

    def brief(self, width: int | None) -> str:
        """Return the verdict."""
        return wrapped(self.verdict, width)

    @property
    def verdict(self) -> str:
        """Who is better, on which question, by which interval and test, in one sentence."""
        return verdict(self)


_EFFECTS = {
    "mean_difference": "mean difference",
    "median_difference": "median difference",
    "typical_difference": "typical difference (Hodges–Lehmann)",
    "cohens_dz": "Cohen's d_z",
    "rank_biserial": "rank-biserial correlation",
    "cliffs_delta": "Cliff's delta",
    "superiority": "chance of superiority",
    "odds": "odds of winning",
    "corpus_difference": "difference over the whole test set",
    "label_difference": "difference by the labels alone",
    "judge_difference": "difference by the judge alone",
}
