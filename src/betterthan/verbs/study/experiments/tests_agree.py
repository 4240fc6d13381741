"""Agreement of tests: which tests of two systems find the same differences, over all pairs of many tables."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from typing import Any, ClassVar

import numpy as np

from betterthan.base import BoolArray, FloatArray, PlanError, registry
from betterthan.datasets import ScoredSet
from betterthan.inference import Differences, Estimate, Test, mean_of, sign_flips
from betterthan.inference import paired_tests as paired
from betterthan.present import Column, Picture, Table, pictures
from betterthan.verbs.study.agreement import SHARE_MARGIN, above, below, near
from betterthan.verbs.study.experiments.base import BETTER_THAN_AVERAGE, Claim, Columns, Found, Work, register_study
from betterthan.verbs.study.study_ranking import sampled


def _sign(differences: Differences, rng: np.random.Generator) -> Test:
    if differences.grouped:
        return paired.sign_test_by_group(differences, rng)
    signs = np.sign(differences.values)
    return paired.sign_test(*(float(np.sum(signs == sign)) for sign in (1, 0, -1)))


_PERMUTATION = "permutation"
#: Tests of one pair; permutations are made for all pairs of a table together.
_TESTS: Mapping[str, Callable[[Differences, np.random.Generator], Test]] = {
    "t": lambda differences, _: paired.t_test(differences),
    "wilcoxon": paired.wilcoxon,
    "wilcoxon-pratt": lambda differences, rng: paired.wilcoxon(differences, rng, zeros="pratt"),
    "sign": _sign,
    "mood": paired.mood,
}
#: What the paper prints: of pairs in which the first test finds a difference, the share where the second does; of a
#: test and itself the share of all pairs.
_PRINTED = {
    ("t", "t"): 0.41,
    ("wilcoxon", "wilcoxon"): 0.40,
    ("sign", "sign"): 0.35,
    ("mood", "mood"): 0.21,
    ("mood", "t"): 0.98,
    ("mood", "sign"): 0.89,
}


@dataclass(frozen=True)
class _Task:
    data: ScoredSet
    tests: tuple[str, ...]
    level: float
    seed: tuple[int, int]


@register_study
@dataclass(frozen=True, kw_only=True)
class TestsAgree:
    """Of the pairs in which one of the `tests` finds a significant difference, the share in which another one does.

    A difference is significant at 5 %, or what the level leaves; single tests are not corrected for their number, as
    in the paper. Tests are t, wilcoxon, wilcoxon-pratt, sign, mood and permutation. Items are the units, or their
    groups where the evidence names them. A `share` below 1 tests on that share of items alone, drawn at random.
    """

    tests: str = "t|wilcoxon|sign|mood|permutation"
    share: float = 1.0

    name: ClassVar[str] = "tests-agree"
    about: ClassVar[str] = "Which test of two systems finds what another test found."
    paper: ClassVar[str] = BETTER_THAN_AVERAGE
    place: ClassVar[str] = "Section 5.1, Appendix D, Figure 6"
    takes: ClassVar[str] = "tables of scores"
    needs: ClassVar[bool] = False
    bundled: ClassVar[str] = "scores.csv.gz"
    means: ClassVar[None] = None
    quick: ClassVar[dict[str, Any]] = {}

    def __post_init__(self) -> None:
        registry.number("share", self.share, least=0, most=1, above=True)
        known = (*_TESTS, _PERMUTATION)
        wrong = [name for name in self.names if name not in known]
        if wrong or len(self.names) < 2 or len(set(self.names)) < len(self.names):
            raise ValueError(
                f"tests must name at least two of {', '.join(known)} with | between them, and none twice, got "
                f"{self.tests!r}"
            )

    @property
    def names(self) -> tuple[str, ...]:
        """The tests."""
        return tuple(part.strip() for part in self.tests.split("|"))

    def run(self, work: Work) -> Found:
        """Test all pairs of every table, and count."""
        tables, level = work.scored(self.name, self.takes), work.options.level
        tasks = [
            _Task(_some(data, self.share, (work.options.seed, place)), self.names, level, (work.options.seed, place))
            for place, data in enumerate(tables)
        ]
        found = work.parts.each(_counted, tasks)
        if not np.sum(np.array(found)[:, 1]):
            raise PlanError("no two systems were scored on the same item", remedy="Check the items.")
        counts = _Counts(self.names, [data.scores.dataset for data in tables], np.array(found), level)
        return Found(counts.columns(), counts.claims(len(tables)), counts.summary())

    def picture(self, columns: Columns, title: str) -> Picture:
        """Draw Figure 6."""
        return pictures.shares.draw(
            names=list(dict.fromkeys(columns["found_by"])),
            row=columns["found_by"],
            column=columns["also_by"],
            value=columns["share"],
            name="of what the row finds (diagonal: of all pairs)",
            title=title,
        )


def _some(data: ScoredSet, share: float, seed: tuple[int, int]) -> ScoredSet:
    """Return a share of the items, two at least."""
    if share == 1:
        return data
    items = len(data.scores.items)
    rows = np.random.default_rng(seed).choice(items, size=min(items, max(2, round(share * items))), replace=False)
    return sampled(data, np.sort(rows))


def _counted(task: _Task) -> list[list[list[int]]]:
    """Return how often both of two tests find a difference (tests × tests), and in each cell the number of pairs."""
    found: BoolArray = _p_values(task) <= 1 - task.level + 1e-12
    both = found.T.astype(np.int64) @ found.astype(np.int64)
    return [both.tolist(), [[len(found)] * len(both)] * len(both)]


def _p_values(task: _Task) -> FloatArray:
    """Return p of every pair that shares items (pairs × tests)."""
    values, groups = task.data.scores.values, task.data.groups
    codes = np.arange(len(values)) if groups is None else groups.compact[0]
    rng = np.random.default_rng(task.seed)
    p, units = [], []
    for one, two in combinations(range(values.shape[1]), 2):
        both: BoolArray = ~np.any(np.isnan(values[:, [one, two]]), axis=1)
        if not np.any(both):
            continue
        differences = Differences(values[both, one], values[both, two], codes[both], task.data.tolerance)
        p.append([_TESTS[name](differences, rng).p if name in _TESTS else 1.0 for name in task.tests])
        units.append(np.bincount(codes[both], weights=differences.values, minlength=int(codes.max()) + 1))
    found = np.array(p).reshape(-1, len(task.tests))
    if _PERMUTATION in task.tests and units:
        found[:, task.tests.index(_PERMUTATION)] = sign_flips.flip_each(np.stack(units, axis=1).astype(float), rng)
    return found


@dataclass(frozen=True)
class _Counts:
    """Pairs of every table: found by both of two tests, and all of them (tables × 2 × tests × tests)."""

    tests: tuple[str, ...]
    data_sets: Sequence[str]
    found: Any
    level: float

    def share(self, found_by: str, also_by: str) -> Estimate:
        """Return the share of what one test finds that another finds too; of a test itself, of all pairs."""
        both, of = self._numbers(found_by, also_by)
        marks = np.repeat([1.0, 0.0] * len(both), np.stack([both, of - both], axis=1).ravel())
        # Pairs of one data set share systems and items: the interval is one over data sets.
        return mean_of(marks.tolist(), self.level, (0.0, 1.0), np.repeat(list(self.data_sets), of).tolist())

    def _numbers(self, found_by: str, also_by: str) -> tuple[Any, Any]:
        one, two = self.tests.index(found_by), self.tests.index(also_by)
        both = self.found[:, 0, one, two]
        return both, self.found[:, 1, one, one] if one == two else self.found[:, 0, one, one]

    def columns(self) -> dict[str, list[Any]]:
        """Return the matrix, one row per cell."""
        rows = []
        for found_by, also_by in product(self.tests, repeat=2):
            share, (both, of) = self.share(found_by, also_by), self._numbers(found_by, also_by)
            rows.append(
                (
                    found_by,
                    also_by,
                    share.value,
                    share.low,
                    share.high,
                    int(both.sum()),
                    int(of.sum()),
                    _PRINTED.get((found_by, also_by)),
                )
            )
        names = ("found_by", "also_by", "share", "low", "high", "pairs", "of", "printed")
        return {name: list(values) for name, values in zip(names, zip(*rows, strict=True), strict=True)}

    def claims(self, tables: int) -> tuple[Claim, ...]:
        """Set what the paper prints of Figure 6 next to ours."""
        cause = (
            "The paper tests 73,471 pairs of 296 tables. Those of CNN/DM, MSCOCO and WMT are not bundled; these are "
            f"{int(self.found[:, 1, 0, 0].sum()):,} of {tables:,}. It does not say how many items it tests "
            "on, and tests find more with more of them: on TAC, 40 % (share=0.4) come near the printed figures."
        )
        found = [
            self._printed(found_by, also_by, printed, cause)
            for (found_by, also_by), printed in _PRINTED.items()
            if {found_by, also_by} <= set(self.tests)
        ]
        usual = [name for name in ("t", "wilcoxon", "sign", "mood") if name in self.tests]
        if len(usual) == 4:
            for most, words, expected in (
                ("t", "t finds differences most often", above(0)),
                ("mood", "Mood's test finds fewest", below(0)),
            ):
                others = sorted((name for name in usual if name != most), key=lambda name: self.share(name, name).known)
                gap = self._gap(most, others[-1] if most == "t" else others[0])
                found.append(Claim.of(f"{words}: its share − the next", str(expected), gap, expected, cause))
        return tuple(found)

    def _gap(self, one: str, two: str) -> Estimate:
        """Return the difference of the shares of all pairs that two tests find, with its interval over data sets."""
        (first, of), (second, _) = self._numbers(one, one), self._numbers(two, two)
        both = self.found[:, 0, self.tests.index(one), self.tests.index(two)]
        alone = np.stack([first - both, second - both, of - first - second + 2 * both], axis=1)
        marks = np.repeat([1.0, -1.0, 0.0] * len(of), alone.ravel())
        return mean_of(marks.tolist(), self.level, (-1.0, 1.0), np.repeat(list(self.data_sets), of).tolist())

    def _printed(self, found_by: str, also_by: str, printed: float, cause: str) -> Claim:
        what = f"{found_by} finds a difference" if found_by == also_by else f"Where {found_by} does, so does {also_by}"
        ours = self.share(found_by, also_by)
        return Claim.of(f"{what}: share of pairs", f"{100 * printed:.0f} %", ours, near(printed, SHARE_MARGIN), cause)

    def summary(self) -> Table:
        """Return Figure 6 as a table."""
        heads = [Column("found by", "left"), Column("pairs"), *(Column(f"also {name}") for name in self.tests)]
        rows = [
            [one, f"{int(self._numbers(one, one)[0].sum()):,}", *(_percent(self.share(one, two)) for two in self.tests)]
            for one in self.tests
        ]
        title = (
            f"Of what a test finds, what others find too (diagonal: of all {int(self.found[:, 1, 0, 0].sum()):,} pairs)"
        )
        return Table(heads, rows, title=title)


def _percent(found: Estimate) -> str:
    return "" if found.value is None else f"{100 * found.value:.0f} %"
