"""One duel: two systems compared on the same evidence, immutable, with its doubts and the line that repeats it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from betterthan.duel.plots import DuelPlots
from betterthan.duel.sentences import equivalence_sentence, interval_text, over, verdict
from betterthan.infer.effect import Effect
from betterthan.infer.equivalence import Equivalence
from betterthan.infer.paired import Differences, Test
from betterthan.infer.questions import ESTIMATES, Answer, Question
from betterthan.options.compare import CompareOptions
from betterthan.present.digits import decimals, rounded
from betterthan.present.table import Column, Table, chance, wrapped
from betterthan.results.result import Result


@dataclass(frozen=True, kw_only=True, repr=False, eq=False)
class Duel(Result):
    """How much better `a` is than `b`, and how sure that is.

    >>> import betterthan as bt
    >>> duel = bt.compare({"owl": [3, 5, 4, 6], "yak": [2, 1, 4, 3]}, "owl", "yak")
    >>> duel.wins, duel.ties, duel.losses, duel.recommended
    (3, 1, 0, 'permutation')
    """

    verb: ClassVar[str] = "compare"
    schema: ClassVar[str] = "duel/1"
    holds = (
        "a", "b", "kind", "question", "unit", "n", "units", "wins", "ties", "losses", "mean_difference",
        "median_difference", "effects", "tests", "recommended", "reason", "equivalence", "shown", "verdict", "level",
    )  # fmt: skip

    settings: CompareOptions
    pairing: Mapping[str, str]
    a: str
    b: str
    kind: str
    n: int
    units: int
    wins: int
    ties: int
    losses: int
    effects: tuple[Effect, ...]
    tests: tuple[Test, ...]
    recommended: str
    reason: str
    equivalence: Equivalence | None
    differences: Differences | None = None  # of scores; for pictures only

    @property
    def plot(self) -> DuelPlots:
        """Pictures of scores: `plot.joint()`, `plot.differences()`."""
        return DuelPlots(self)

    @property
    def about(self) -> Mapping[str, str]:
        """What the signature says of the evidence."""
        return self.pairing

    @property
    def level(self) -> float:
        """The level of intervals and of the verdict."""
        return self.settings.level

    @property
    def question(self) -> Question:
        """What the verdict is about: the mean score, the typical item, or the share of items or judgments won."""
        return self.settings.question or "mean"

    @property
    def unit(self) -> str:
        """What is dependent within itself: tests and intervals take it as a whole."""
        return self.pairing["unit"]

    @property
    def answer(self) -> Answer:
        """The estimate and the test that the verdict rests on."""
        name = ESTIMATES[self.question]
        effect = self.effect(name) or Effect(name, None, None, None)
        return Answer(self.question, effect, self.test(self.recommended), self.reason)

    @property
    def shown(self) -> str | None:
        """Whether `a` is shown to be better or worse, by test and interval; None where neither is."""
        return {1: "better", -1: "worse"}.get(self.answer.shown(self.level))

    @property
    def p(self) -> float:
        """The recommended test's p."""
        return self.test(self.recommended).p

    def effect(self, name: str) -> Effect | None:
        """Return an effect by its name, None where this evidence has none."""
        return next((effect for effect in self.effects if effect.name == name), None)

    def test(self, name: str) -> Test:
        """Return a test by its name."""
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
            [_EFFECTS[effect.name], rounded(effect.value, places), interval_text(effect)]
            for effect in self.effects
            for places in [decimals([(effect.low, effect.high)])]
        ]
        return Table(columns, rows)

    def test_table(self) -> Table:
        """Return the tests as a finished table, the recommended one marked."""
        columns = [Column("", "left"), Column("test", "left"), Column("statistic"), Column("p"),
                   Column("", "left", flexible=True)]  # fmt: skip
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
            wrapped(f"{self.a} against {self.b} · {over(self)} · {counts}", width), "",
            self.effect_table().to_text(width), "", self.test_table().to_text(width), "",
            wrapped(f"Why this test: {self.reason}.", width),
        ]  # fmt: skip
        if self.equivalence:
            parts.append(wrapped(equivalence_sentence(self, self.equivalence), width))
        return parts

    def brief(self, width: int | None) -> str:
        """Return the verdict."""
        return wrapped(self.verdict, width)

    @property
    def verdict(self) -> str:
        """Who is better, on which question, by which interval and test, in one sentence."""
        return verdict(self)

    def is_worse(self, margin: float = 0.0) -> bool:
        """Is `a` shown to be worse than `b`, by more than a margin of the difference?"""
        if self.answer.shown(self.level) >= 0:
            return False
        estimate = ESTIMATES[self.question] if self.question in {"typical", "corpus"} else "mean_difference"
        difference = self.effect(estimate)
        return margin == 0 or (difference is not None and difference.high is not None and difference.high < -margin)


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
}
