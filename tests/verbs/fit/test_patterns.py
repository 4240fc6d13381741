"""Pattern models: against R, and against likelihoods that are written from their definition and maximised by SciPy."""

from collections import Counter
from collections.abc import Callable, Sequence
from functools import cached_property
from itertools import combinations, combinations_with_replacement, permutations, product
from math import comb, factorial
from typing import Any

import numpy as np
import pytest
from scipy import optimize

import betterthan as bt
from betterthan.verbs.fit.patterns.pattern_space import Space
from tests.reference.r_estimates import TABLES, r_estimates

Pattern = tuple[int | None, ...]
NAMES = "ABCDEFGH"


def pairs(systems: int) -> list[tuple[int, int]]:
    return list(combinations(range(systems), 2))


def ranked(systems: int, levels: int | None) -> set[Pattern]:
    """Return the patterns that scores of so many levels (all different where None) can give."""
    scores: Any = permutations(range(systems)) if levels is None else product(range(levels), repeat=systems)
    return {tuple(int(np.sign(one[i] - one[j])) for i, j in pairs(systems)) for one in scores}


class Plain:
    """A pattern model from its definition: loops over patterns, no derivatives."""

    def __init__(
        self, systems: int, space: Sequence[Pattern], *, ties: bool, dependence: bool = False, groups: int = 1
    ) -> None:
        self.systems, self.space, self.ties, self.dependence, self.groups = systems, space, ties, dependence, groups
        self.sharing = [
            (one, two, three)
            for one in range(systems)
            for two, three in combinations([place for place in range(systems) if place != one], 2)
        ]
        self.size = groups * (systems - 1) + ties + dependence * len(self.sharing)

    def sign(self, pattern: Pattern, one: int, two: int) -> int:
        place = pairs(self.systems).index((min(one, two), max(one, two)))
        return (pattern[place] or 0) * (1 if one < two else -1)

    @cached_property
    def rows(self) -> np.ndarray:
        """Return what every pattern has of each strength, of ties, and of answers that share a system."""
        found = []
        for pattern in self.space:
            half = np.zeros(self.systems)
            for y, (i, j) in zip(pattern, pairs(self.systems), strict=True):
                half[i], half[j] = half[i] + (y or 0) / 2, half[j] - (y or 0) / 2
            shared = [self.sign(pattern, one, two) * self.sign(pattern, one, three) for one, two, three in self.sharing]
            found.append([*half, *[sum(y == 0 for y in pattern)] * self.ties, *shared * self.dependence])
        return np.array(found, dtype=float)

    def logs(self, point: np.ndarray, group: int) -> np.ndarray:
        """Return log-weights of all patterns: the last system has strength 0, later groups differ from the first."""
        free = self.systems - 1
        strength = np.append(point[:free], 0.0)
        if group:
            strength = strength + np.append(point[group * free : (group + 1) * free], 0.0)
        return self.rows @ np.concatenate([strength, point[self.groups * free :]])

    def of(self, data: Sequence[Pattern], group: Sequence[int] | None = None) -> Callable[[np.ndarray], float]:
        """Return the log-likelihood of answers: the chances of all patterns that agree with them."""
        agree = self.agree(data)
        groups = [0] * len(data) if group is None else group

        def function(point: np.ndarray) -> float:
            logs = [self.logs(point, each) for each in range(self.groups)]
            chances = [np.exp(each - np.logaddexp.reduce(each)) for each in logs]
            return float(sum(np.log(chances[g][mine].sum()) for g, mine in zip(groups, agree, strict=True)))

        return function

    def agree(self, data: Sequence[Pattern]) -> list[np.ndarray]:
        """Return the patterns that agree with some answers."""
        return [np.flatnonzero([_agree(answers, pattern) for pattern in self.space]) for answers in data]


def _agree(answers: Pattern, pattern: Pattern) -> bool:
    return all(one is None or one == other for one, other in zip(answers, pattern, strict=True))


def maximum(
    function: Callable[[np.ndarray], float], size: int, last: Sequence[float] = (0.0,)
) -> tuple[np.ndarray, float, np.ndarray]:
    """Return where a function is largest, its value, and standard errors from second differences.

    The last parameter starts at each of some values: there may be several maxima.
    """
    starts = [np.append(np.zeros(size - 1), one) for one in last]
    tried = [
        optimize.minimize(lambda point: -function(point), start, method="BFGS", options={"gtol": 1e-6})
        for start in starts
    ]
    unit, here = np.eye(size), min(tried, key=lambda each: each.fun).x
    for _ in range(2):  # where the likelihood is flat, differences of differences lead to the last digits
        slope = np.array([function(here + 1e-4 * one) - function(here - 1e-4 * one) for one in unit]) / 2e-4
        bend = np.zeros((size, size))
        for i, j in combinations_with_replacement(range(size), 2):
            a, b = 1e-3 * unit[i], 1e-3 * unit[j]
            four = function(here + a + b) - function(here + a - b) - function(here - a + b) + function(here - a - b)
            bend[i, j] = bend[j, i] = -four / 4e-6
        here = here + np.linalg.solve(bend, slope)
    return here, function(here), np.sqrt(np.diag(np.linalg.inv(bend)))


def same(model: bt.LogLinear, expected: tuple[np.ndarray, float, np.ndarray]) -> None:
    point, value, errors = expected
    mine = [each for each in model if not each.reference]
    assert model.converged
    assert model.log_likelihood == pytest.approx(value, abs=1e-8)
    assert [each.estimate for each in mine] == pytest.approx(point, abs=2e-6)
    assert [each.se for each in mine] == pytest.approx(errors, rel=2e-4)


def answered(systems: int, number: int, seed: int, *, ties: bool, missing: float = 0.0) -> list[Pattern]:
    """Return answers to all pairs, of judges with tastes of their own, so that answers depend on each other."""
    rng = np.random.default_rng(seed)
    found = []
    for _ in range(number):
        strength = np.linspace(0.8, 0.0, systems) + rng.normal(0, 0.7, systems)
        answers: list[int | None] = []
        for i, j in pairs(systems):
            gap = strength[i] - strength[j] + rng.logistic()
            answers.append(0 if ties and abs(gap) < 0.5 else 1 if gap > 0 else -1)
        answers = [None if rng.random() < missing else one for one in answers]
        found.append(tuple(answers) if any(one is not None for one in answers) else (1, *[None] * (len(answers) - 1)))
    return found


def as_judgments(systems: int, data: Sequence[Pattern], **about: Sequence[Any]) -> dict[str, list[Any]]:
    """Write answers as users do: a row for each, in any order, sides exchanged at random."""
    rng = np.random.default_rng(0)
    rows = []
    for judge, answers in enumerate(data):
        for (i, j), answer in zip(pairs(systems), answers, strict=True):
            if answer is not None:
                turned = bool(rng.integers(2))
                word = {1: "ab", 0: ["tie", "tie"], -1: "ba"}[answer][turned]
                sides = (NAMES[j], NAMES[i]) if turned else (NAMES[i], NAMES[j])
                rows.append((*sides, word, f"j{judge:03d}", *(values[judge] for values in about.values())))
    order = rng.permutation(len(rows))
    names = ("left", "right", "winner", "judge", *about)
    return {name: [rows[place][column] for place in order] for column, name in enumerate(names)}


def test_salad_is_prefmods_pattern_model() -> None:
    golden = r_estimates()["salad.pattern_ranking"]
    model = bt.fit(bt.read_rankings(TABLES / "salad_ranks.csv"), model="patterns", scale="lambda")
    exact = golden["exact_glm"]
    for system, each in exact["coef"].items():
        assert model[system].estimate == pytest.approx(each["est"], abs=1e-6)
        assert model[system].se == pytest.approx(each["se"], abs=1e-6)
        assert model[system].p == pytest.approx(each["p"], abs=1e-6)
    assert model.deviance == pytest.approx(exact["deviance"], abs=1e-6)
    assert model.df == exact["df_resid"]
    assert model.log_likelihood == pytest.approx(golden["nlm"]["loglik"], abs=1e-4)
    assert model.worth == pytest.approx(golden["worth_exact"], abs=1e-6)


@pytest.mark.parametrize("systems", [3, 4, 5])
def test_spaces_are_those_that_scores_and_answers_can_give(systems: int) -> None:
    for levels in range(2, systems + 1):
        space = Space(systems, "orders with ties", levels)
        found = {tuple(row) for row in space.signs.tolist()}
        assert found == ranked(systems, levels)
        assert len(space.signs) == space.size
    orders = Space(systems, "orders")
    assert {tuple(row) for row in orders.signs.tolist()} == ranked(systems, None)
    assert len(orders.signs) == orders.size == factorial(systems)
    if systems < 5:
        for kind, answers in (("pairs", (1, -1)), ("pairs with ties", (1, 0, -1))):
            found = {tuple(row) for row in Space(systems, kind).signs.tolist()}  # type: ignore[arg-type]
            assert found == set(product(answers, repeat=comb(systems, 2)))


@pytest.mark.parametrize("dependence", [False, True])
@pytest.mark.parametrize("missing", [0.0, 0.3])
def test_answers_to_pairs(dependence: bool, missing: float) -> None:
    data = answered(4, 150, 1, ties=False, missing=missing)
    plain = Plain(4, list(product((1, -1), repeat=6)), ties=False, dependence=dependence)
    model = bt.fit(as_judgments(4, data), model="patterns", dependence=dependence, unit="row")
    same(model, maximum(plain.of(data), plain.size))
    assert model.patterns is not None
    assert model.patterns.incomplete == sum(None in one for one in data)


@pytest.mark.parametrize("missing", [0.0, 0.25])
def test_answers_with_ties(missing: float) -> None:
    data = answered(3, 120, 2, ties=True, missing=missing)
    plain = Plain(3, list(product((1, 0, -1), repeat=3)), ties=True, dependence=True)
    model = bt.fit(as_judgments(3, data), model="patterns", dependence=True)
    same(model, maximum(plain.of(data), plain.size))
    assert [each.term for each in model if each.kind == "dependence"] == [
        "dependence:A>B,A>C",
        "dependence:B>A,B>C",
        "dependence:C>A,C>B",
    ]


def test_without_dependence_patterns_are_pairs() -> None:
    votes = as_judgments(4, answered(4, 200, 3, ties=True, missing=0.2))
    patterns, single = bt.fit(votes, model="patterns"), bt.fit(votes, unit="row")
    assert {each.term: each.estimate for each in patterns} == pytest.approx(
        {each.term: each.estimate for each in single}
    )
    assert patterns.log_likelihood == pytest.approx(single.log_likelihood)
    assert [each.se for each in patterns] == pytest.approx([each.se for each in single])


def test_subjects_have_strengths_of_their_own() -> None:
    data = answered(3, 60, 4, ties=False) + answered(3, 60, 5, ties=False, missing=0.2)
    group = [0] * 60 + [1] * 60
    plain = Plain(3, list(product((1, -1), repeat=3)), ties=False, dependence=True, groups=2)
    votes = as_judgments(3, data, kind=["expert" if one == 0 else "lay" for one in group])
    model = bt.fit(votes, model="patterns", dependence=True, subject="~ kind")
    same(model, maximum(plain.of(data, group), plain.size))
    assert [each.group for each in model.worths] == ["kind=expert", "kind=lay"]


def scored(systems: int, number: int, levels: int, seed: int, missing: float) -> np.ndarray:
    rng = np.random.default_rng(seed)
    taste = (
        np.linspace(0.9, 0.0, systems) + rng.normal(0, 0.8, (number, systems)) + rng.logistic(0, 0.6, (number, systems))
    )
    scores = np.clip(np.round(taste + levels / 2), 1, levels)
    scores[rng.random(scores.shape) < missing] = np.nan
    return np.where((~np.isnan(scores)).sum(axis=1, keepdims=True) < 2, np.arange(1, systems + 1) % levels + 1, scores)


def compared(scores: np.ndarray) -> list[Pattern]:
    return [
        tuple(None if np.isnan(one[i] + one[j]) else int(np.sign(one[i] - one[j])) for i, j in pairs(len(one)))
        for one in scores
    ]


@pytest.mark.parametrize(("levels", "missing"), [(5, 0.0), (5, 0.2), (3, 0.0), (3, 0.2)])
def test_ratings_are_patterns_of_differences(levels: int, missing: float) -> None:
    scores = scored(4, 120, levels, 6, missing)
    assert (np.nanmin(scores), np.nanmax(scores)) == (1, levels)
    plain = Plain(4, sorted(ranked(4, levels)), ties=True, dependence=True)
    table = {name: [None if np.isnan(x) else x for x in scores[:, place]] for place, name in enumerate("ABCD")}
    model = bt.fit(bt.read_scores(table), model="patterns", dependence=True)
    data = compared(scores)
    found = maximum(plain.of(data), plain.size)
    same(model, found)
    assert model.patterns is not None
    assert model.patterns.possible == len(ranked(4, levels))


def test_rankings_with_ties_and_without_some_systems() -> None:
    scores = scored(4, 100, 6, 7, 0.2)
    table = {
        "ranking": [row for row, one in enumerate(scores) for x in one if not np.isnan(x)],
        "system": ["ABCD"[place] for one in scores for place, x in enumerate(one) if not np.isnan(x)],
        "rank": [1 + int(np.sum(one > x)) for one in scores for x in one if not np.isnan(x)],
    }
    model = bt.fit(bt.read_rankings(table), model="patterns")
    plain = Plain(4, sorted(ranked(4, 4)), ties=True)
    data = compared(scores)
    same(model, maximum(plain.of(data), plain.size))
    orders = bt.fit(bt.read_rankings(table), model="patterns", ties="fixed")
    assert "undecided" not in [each.term for each in orders]
    assert bt.lr_test(orders, model).df == 1


def test_separate_strengths_of_incomplete_patterns_test_whether_missing_answers_are_ignorable() -> None:
    data = answered(4, 80, 8, ties=False) + answered(4, 80, 9, ties=False, missing=0.4)
    group = [int(None in one) for one in data]
    votes = as_judgments(4, data)
    model = bt.fit(votes, model="patterns", missing="separate")
    plain = Plain(4, list(product((1, -1), repeat=6)), ties=False, groups=2)
    same(model, maximum(plain.of(data, group), plain.size))
    assert [each.term for each in model][4:] == ["A:incomplete", "B:incomplete", "C:incomplete", "D:incomplete"]
    test = bt.lr_test(bt.fit(votes, model="patterns"), model)
    assert test.df == 3
    assert test.p is not None


def _crossed(data: Sequence[Pattern], systems: int, plain: Plain) -> Callable[[np.ndarray], float]:
    """Return the likelihood of patterns crossed with what is missing: sums over all patterns and all missing pairs."""
    masks, agree = list(product((0, 1), repeat=comb(systems, 2))), plain.agree(data)

    def function(point: np.ndarray) -> float:
        logs, alpha = plain.logs(point[: plain.size], 0), point[plain.size :]
        often = {
            mask: sum(r * (alpha[i] + alpha[j]) for r, (i, j) in zip(mask, pairs(systems), strict=True))
            for mask in masks
        }
        whole = np.logaddexp.reduce(np.concatenate([logs + often[mask] for mask in masks]))
        total = 0.0
        for answers, mine in zip(data, agree, strict=True):
            total += np.logaddexp.reduce(logs[mine] + often[tuple(int(one is None) for one in answers)]) - whole
        return float(total)

    return function


def test_how_often_pairs_are_missing_is_part_of_the_model() -> None:
    data = answered(3, 60, 10, ties=False, missing=0.3)
    plain = Plain(3, list(product((1, -1), repeat=3)), ties=False)
    model = bt.fit(as_judgments(3, data), model="patterns", missing="systems")
    same(model, maximum(_crossed(data, 3, plain), plain.size + 3))
    assert [each.term for each in model if each.kind == "missing"] == ["missing:A", "missing:B", "missing:C"]


def _left_out(scores: np.ndarray, plain: Plain, *, wins: bool) -> Callable[[np.ndarray], float]:
    """Return the likelihood of rankings crossed with the systems that are missing in them."""
    systems = scores.shape[1]
    masks, agree = np.array(list(product((0, 1), repeat=systems))), plain.agree(compared(scores))
    half = plain.rows[:, :systems]
    places = [int(np.flatnonzero(np.all(masks == np.isnan(one), axis=1))[0]) for one in scores]
    cells = Counter((tuple(mine), place) for mine, place in zip(agree, places, strict=True))

    def function(point: np.ndarray) -> float:
        logs, alpha = plain.logs(point[: plain.size], 0), point[plain.size : plain.size + systems]
        more = masks @ (alpha + (point[-1] * half if wins else 0 * half))[:, :, None]  # patterns × masks × 1
        weights = logs[:, None] + more[:, :, 0]
        total = sum(number * np.logaddexp.reduce(weights[list(mine), place]) for (mine, place), number in cells.items())
        return float(total - len(scores) * np.logaddexp.reduce(weights.ravel()))

    return function


def test_systems_are_left_out_by_how_they_would_be_ranked() -> None:
    rng = np.random.default_rng(11)
    scores = np.linspace(2.5, 0.0, 4) + rng.gumbel(size=(400, 4))
    worse = (scores[:, :, None] < scores[:, None]).sum(axis=2)  # how many are ranked above
    scores[rng.random(scores.shape) < np.array([0.02, 0.1, 0.3, 0.7])[worse]] = np.nan
    scores = scores[(~np.isnan(scores)).sum(axis=1) >= 2]
    table = {name: [None if np.isnan(x) else x for x in scores[:, place]] for place, name in enumerate("ABCD")}
    plain = Plain(4, sorted(ranked(4, None)), ties=False)
    often = bt.fit(bt.read_scores(table), model="patterns", missing="systems")
    same(often, maximum(_left_out(scores, plain, wins=False), plain.size + 4))
    model = bt.fit(bt.read_scores(table), model="patterns", missing="outcome")
    same(model, maximum(_left_out(scores, plain, wins=True), plain.size + 5, (-2.0, -1.0, 1.0, 2.0)))
    assert model["missing:wins"].estimate is not None
    assert model["missing:wins"].estimate < 0  # those that would win are left out less often
    test = bt.lr_test(often, model)
    assert (test.df, test.p is not None and test.p < 0.01) == (1, True)
    with pytest.raises(bt.PlanError, match="treat missing answers differently"):
        bt.lr_test(bt.fit(bt.read_scores(table), model="patterns"), model)


def test_missing_pairs_by_their_outcome_need_enough_pairs() -> None:
    data = answered(5, 60, 12, ties=False, missing=0.25)
    model = bt.fit(as_judgments(5, data), model="patterns", missing="outcome")
    often = bt.fit(as_judgments(5, data), model="patterns", missing="systems")
    assert model.log_likelihood >= often.log_likelihood
    assert [each.term for each in model][-4:] == ["A:missing", "B:missing", "C:missing", "D:missing"]
    few = bt.fit(as_judgments(3, answered(3, 100, 13, ties=False, missing=0.3)), model="patterns", missing="outcome")
    assert "aliased" in {finding.code for finding in few.findings}  # 3 pairs cannot tell 5 parameters


def test_patterns_of_items_are_clustered_by_judge() -> None:
    rng = np.random.default_rng(14)
    rows = []
    for judge in range(12):
        taste = np.linspace(0.5, 0.0, 3) + rng.normal(0, 0.8, 3)
        for item in range(15):
            for i, j in pairs(3):
                won = taste[i] - taste[j] + rng.logistic() > 0
                rows.append((NAMES[i], NAMES[j], "a" if won else "b", f"j{judge}", f"i{item}"))
    votes = dict(zip(("left", "right", "winner", "judge", "item"), map(list, zip(*rows, strict=True)), strict=True))
    clustered = bt.fit(votes, model="patterns", unit="judge")
    single = bt.fit(votes, model="patterns", unit="row")
    assert clustered.patterns is not None
    assert (clustered.patterns.per, clustered.judgments, clustered.clusters) == ("item+judge", 180, {"judge": 12})
    assert clustered["A"].estimate == pytest.approx(single["A"].estimate)
    assert clustered["A"].se is not None
    assert single["A"].se is not None
    assert clustered["A"].se > 1.3 * single["A"].se
    # The sandwich of pairs by judge: without dependence parameters patterns and pairs have the same derivatives.
    pair = bt.fit(votes, unit="judge")
    assert [each.se for each in clustered] == pytest.approx([each.se for each in pair], rel=1e-6)


def test_a_system_that_is_always_best_has_no_maximum() -> None:
    orders = [(1, 2, 3, 4), (1, 3, 2, 4), (1, 2, 4, 3), (1, 4, 3, 2), (1, 3, 4, 2)]
    table = {name: [order[place] for order in orders] for place, name in enumerate("ABCD")}
    model = bt.fit(bt.read_rankings(table), model="patterns")
    assert [each.term for each in model if each.infinite] == ["A"]
    assert "separation" in {finding.code for finding in model.findings}


def test_cells_are_those_of_all_patterns() -> None:
    model = bt.fit(bt.read_rankings(TABLES / "salad_ranks.csv"), model="patterns")
    cells = model.cells()
    assert len(cells["pattern"]) == 24
    assert cells["pattern"][0] == "A > B > C > D"
    assert (sum(cells["observed"]), sum(cells["fitted"])) == pytest.approx((32, 32))
    assert model.pearson == pytest.approx(
        sum((o - f) ** 2 / f for o, f in zip(cells["observed"], cells["fitted"], strict=True))
    )
    ties = bt.fit(
        {"left": ["A"] * 3, "right": ["B"] * 3, "winner": ["a", "tie", "b"], "judge": [1, 2, 3]}, model="patterns"
    )
    assert ties.cells()["pattern"] == ["A > B", "A = B", "A < B"]


def test_names_and_order_of_systems_do_not_matter() -> None:
    data = answered(4, 100, 15, ties=False, missing=0.1)
    votes = as_judgments(4, data)
    swap = {"A": "D", "B": "C", "C": "B", "D": "A"}
    other = {**votes, "left": [swap[name] for name in votes["left"]], "right": [swap[name] for name in votes["right"]]}
    model = bt.fit(votes, model="patterns", dependence=True, reference="D")
    turned = bt.fit(other, model="patterns", dependence=True, reference="A")
    for system in "ABCD":
        assert turned[swap[system]].estimate == pytest.approx(model[system].estimate, abs=1e-8)
    assert turned["dependence:D>B,D>C"].estimate == pytest.approx(model["dependence:A>B,A>C"].estimate, abs=1e-8)


MANY = {name: [place, 3, 5] for place, name in enumerate(NAMES, start=1)}
REFUSALS: dict[str, tuple[Any, dict[str, Any], str]] = {
    "too many": (
        as_judgments(6, answered(6, 5, 0, ties=True)),
        {"model": "patterns"},
        "6 systems have 14,348,907 patterns of answers (pairs with ties), and at most 100,000 can be fitted. Leave out systems "
        "with exclude, or use another model.",
    ),
    "no judge": (
        [("A", "B", "a"), ("A", "B", "b")],
        {"model": "patterns"},
        "the given rows: a pattern is what one judge answered about all pairs, each once, but no column identifies such "
        "patterns (columns here: none). Name it with judge, or use model='bradley-terry'.",
    ),
    "pairs twice": (
        {"left": ["A", "A"], "right": ["B", "B"], "winner": ["a", "b"], "judge": ["x", "x"]},
        {"model": "patterns"},
        "the given arrays: a pattern is what one judge answered about all pairs, each once, but no column identifies such "
        "patterns (columns here: judge). Name it with judge, or use model='bradley-terry'.",
    ),
    "a covariate of rows": (
        {"left": ["A", "B"], "right": ["B", "C"], "winner": ["a", "b"], "judge": ["x", "x"], "hour": ["1", "2"]},
        {"model": "patterns", "subject": "~ hour"},
        "the column 'hour' differs within the answers of one judge, so it is no covariate of patterns. Use a column that "
        "is the same for all of them.",
    ),
    "position": (
        as_judgments(3, answered(3, 9, 0, ties=False)),
        {"model": "patterns", "position": True},
        "position is for single pairs; patterns take subject and object. Leave it out.",
    ),
    "ties": (
        as_judgments(3, answered(3, 9, 0, ties=True)),
        {"model": "patterns", "ties": "half"},
        "patterns have ties as answers of their own, so ties='half' has no meaning. Use ties='davidson' or ties='fixed'.",
    ),
    "nothing missing": (
        as_judgments(3, answered(3, 9, 0, ties=False)),
        {"model": "patterns", "missing": "separate"},
        "no answers are missing in these patterns. Leave out missing='separate'.",
    ),
    "not patterns": (
        as_judgments(3, answered(3, 9, 0, ties=False)),
        {"dependence": True},
        "dependence is for patterns of answers. Use model='patterns'.",
    ),
    "scores": (
        bt.read_scores({"A": [1, 2], "B": [2, 1]}),
        {},
        "a log-linear model is fitted to judgments or rankings, but these are scores. Convert them first: evidence.to_judgments(). "
        "Or use model='patterns'.",
    ),
    "weights": (
        {"left": ["A", "A"], "right": ["B", "C"], "winner": ["a", "b"], "judge": ["x", "x"], "weight": [1, 2]},
        {"model": "patterns"},
        "the given arrays: a pattern model takes judgments that all count the same, each for one side or for a tie. Use "
        "model='bradley-terry'.",
    ),
    "a unit across patterns": (
        {
            "left": ["A", "A", "A"],
            "right": ["B", "C", "B"],
            "winner": ["a", "b", "b"],
            "judge": ["x", "x", "y"],
            "day": ["1", "2", "1"],
        },
        {"model": "patterns", "unit": "day"},
        "the answers of one judge belong to several values of 'day'. Use another unit: unit='judge'.",
    ),
}


@pytest.mark.parametrize("case", REFUSALS)
def test_refusals(case: str) -> None:
    evidence, options, message = REFUSALS[case]
    with pytest.raises(bt.BetterthanError) as refused:
        bt.fit(evidence, **options)
    assert str(refused.value) == message


def test_patterns_without_a_comparison_are_left_out_and_counted() -> None:
    table = {"A": [5, 3, 4, None, 2], "B": [1, 4, None, None, 3], "C": [3, 3, 2, 4, None]}
    model = bt.fit(bt.read_scores(table), model="patterns")
    assert model.patterns is not None
    assert (model.judgments, model.patterns.incomplete, model.patterns.silent) == (4, 2, 1)
    assert "2 lack answers; 1 without any comparison is left out." in model.to_text(200)
