"""Latent classes of judges: planted classes are found, and the mixture is that of SciPy from its definition."""

from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np
import pytest
from scipy import optimize, special

import betterthan as bt
from betterthan.findings import kinds
from tests.verbs.fit.test_patterns import Plain, as_judgments, pairs, ranked

ORDERS = Plain(4, sorted(ranked(4, None)), ties=False)
STRENGTHS = np.array([[1.6, 0.8, 0.4], [-1.5, -1.2, 0.3]])


def drawn(number: int, seed: int, share: float, patterns: int = 1) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Draw orders from two classes: the class of every judge, and judge and order of every ranking."""
    rng = np.random.default_rng(seed)
    of = (rng.random(number) < share).astype(int)
    judge = np.repeat(np.arange(number), patterns)
    chances = [special.softmax(ORDERS.logs(strength, 0)) for strength in STRENGTHS]
    order = np.array([rng.choice(len(ORDERS.space), p=chances[of[one]]) for one in judge])
    return of, judge, order


def as_rankings(judge: np.ndarray, order: np.ndarray, **about: Any) -> Any:
    """Write orders as ranks, one column per system."""
    ranks = []
    for one in order:
        wins = np.zeros(4)
        for y, (i, j) in zip(ORDERS.space[one], pairs(4), strict=True):
            wins[i if y == 1 else j] += 1
        ranks.append(4 - wins)
    table = {name: [int(rank[place]) for rank in ranks] for place, name in enumerate("ABCD")}
    return bt.read_rankings({**table, "judge": [f"j{one:03d}" for one in judge], **about}, systems=list("ABCD"))


def mixture(judge: np.ndarray, order: np.ndarray, classes: int) -> Callable[[np.ndarray], float]:
    """Return the log-likelihood: strengths of every class, then logits of the classes but the last."""

    def function(point: np.ndarray) -> float:
        logs = np.stack(
            [special.log_softmax(ORDERS.logs(point[3 * one : 3 * one + 3], 0))[order] for one in range(classes)], axis=1
        )
        whole = np.zeros((judge.max() + 1, classes))
        np.add.at(whole, judge, logs)
        return float(special.logsumexp(whole + special.log_softmax(np.append(point[3 * classes :], 0.0)), axis=1).sum())

    return function


def highest(function: Callable[[np.ndarray], float], size: int, seed: int) -> tuple[np.ndarray, float]:
    """Maximise from several random points."""
    rng = np.random.default_rng(seed)
    tried = [
        optimize.minimize(lambda point: -function(point), rng.normal(size=size), method="BFGS", options={"gtol": 1e-7})
        for _ in range(6)
    ]
    best = min(tried, key=lambda each: each.fun)
    return best.x, -best.fun


def errors(function: Callable[[np.ndarray], float], point: np.ndarray) -> np.ndarray:
    unit, size = 1e-3 * np.eye(len(point)), len(point)
    bend = np.zeros((size, size))
    for i, j in product(range(size), repeat=2):
        a, b = unit[i], unit[j]
        four = function(point + a + b) - function(point + a - b) - function(point - a + b) + function(point - a - b)
        bend[i, j] = -four / 4e-6
    return np.sqrt(np.diag(np.linalg.inv(bend)))


@pytest.mark.parametrize("patterns", [1, 3])
def test_two_classes_are_the_maximum_of_the_mixture(patterns: int) -> None:
    _, judge, order = drawn(150, 1, 0.3, patterns)
    model = bt.fit(as_rankings(judge, order), model="patterns", classes=2)
    function = mixture(judge, order, 2)
    point, value = highest(function, 7, 0)
    if point[6] < 0:  # the larger class first
        point = np.concatenate([point[3:6], point[:3], -point[6:]])
    assert model.log_likelihood == pytest.approx(value, abs=1e-6)
    mine = [each for each in model if not each.reference]
    assert [each.term for each in mine] == [f"{system}:class{one}" for one in (1, 2) for system in "ABC"]
    assert [each.estimate for each in mine] == pytest.approx(point[:6], abs=1e-4)
    found = np.array([*(each.estimate for each in mine), special.logit(model.classes.weights[0])])  # type: ignore[union-attr]
    assert function(found) == pytest.approx(model.log_likelihood, abs=1e-9)
    expected = errors(function, found)
    assert [each.se for each in mine] == pytest.approx(expected[:6], rel=1e-3)
    assert model.classes is not None
    share = model.classes.weights[0]
    assert model.classes.weights_se == pytest.approx([share * (1 - share) * expected[6]] * 2, rel=1e-3)
    assert model.parameters == 7
    assert model.bic == pytest.approx(7 * np.log(150) - 2 * value)
    assert model.aic == pytest.approx(14 - 2 * value)


def test_planted_classes_are_recovered_and_their_number_has_the_smallest_bic() -> None:
    of, judge, order = drawn(60, 2, 0.4, 12)
    model = bt.fit(as_rankings(judge, order), model="patterns", classes=(1, 2, 3), starts=4)
    assert model.classes is not None
    assert model.classes.number == 2
    assert [each.classes for each in model.classes.tried] == [1, 2, 3]
    assert min(model.classes.tried, key=lambda each: each.bic).classes == 2
    assert model.bic == pytest.approx(model.classes.tried[1].bic)
    assert list(model.classes.assigned.values()) == (of + 1).tolist()
    assert model.classes.weights[0] == pytest.approx(1 - of.mean(), abs=0.01)
    assert model.classes.entropy > 0.99
    for one, strengths in enumerate(STRENGTHS):
        for system, strength in zip("ABC", strengths, strict=True):
            each = model[f"{system}:class{one + 1}"]
            assert each.low is not None
            assert each.high is not None
            assert each.low - 0.2 < strength < each.high + 0.2
    one = bt.fit(as_rankings(judge, order), model="patterns", unit="row")
    assert model.classes.tried[0].log_likelihood == pytest.approx(one.log_likelihood)
    assert [each.group for each in model.worths] == ["class 1", "class 2"]
    assert sum(model.worths[0].worth.values()) == pytest.approx(1)


def test_posterior_chances_follow_from_bayes() -> None:
    _, judge, order = drawn(40, 3, 0.4, 2)
    model = bt.fit(as_rankings(judge, order), model="patterns", classes=2)
    assert model.classes is not None
    chances = [
        special.softmax(ORDERS.logs(np.array([model[f"{system}:class{one}"].estimate for system in "ABC"]), 0))
        for one in (1, 2)
    ]
    for name, found in model.classes.posterior.items():
        mine = order[judge == int(name[1:])]
        joint = [share * np.prod(chance[mine]) for share, chance in zip(model.classes.weights, chances, strict=True)]
        assert found == pytest.approx(np.array(joint) / sum(joint), abs=1e-9)


def test_what_is_known_about_judges_has_the_same_effects_in_all_classes() -> None:
    rng = np.random.default_rng(4)
    plain = Plain(3, list(product((1, -1), repeat=3)), ties=False)
    of, age = rng.random(200) < 0.4, rng.integers(0, 2, 200)
    strength = np.where(of[:, None], [1.8, 0.5], [-1.2, 0.4]) + age[:, None] * [0.6, -0.6]
    data = []
    for one in strength:
        every = special.softmax(plain.logs(one, 0))
        data.append(plain.space[int(rng.choice(len(every), p=every))])
    place = np.array([plain.space.index(one) for one in data])
    votes = as_judgments(3, data, age=age.tolist())
    model = bt.fit(votes, model="patterns", classes=2, subject="~ age")

    def function(point: np.ndarray) -> float:
        logs = [
            np.stack(
                [special.log_softmax(plain.logs(point[2 * one : 2 * one + 2] + old * point[4:6], 0)) for old in (0, 1)]
            )
            for one in (0, 1)
        ]
        share = special.log_softmax([point[6], 0.0])
        return float(np.logaddexp(logs[0][age, place] + share[0], logs[1][age, place] + share[1]).sum())

    _, value = highest(function, 7, 1)
    assert model.log_likelihood == pytest.approx(value, abs=1e-6)
    assert [each.term for each in model if not each.reference] == [
        "A:class1",
        "B:class1",
        "A:class2",
        "B:class2",
        "A:age",
        "B:age",
    ]
    point = [each.estimate for each in model if not each.reference]
    assert model.classes is not None
    assert function(np.array([*point, special.logit(model.classes.weights[0])])) == pytest.approx(value, abs=1e-6)


def test_the_seed_and_the_order_of_judges_change_nothing() -> None:
    _, judge, order = drawn(80, 5, 0.3, 2)
    turned = np.random.default_rng(0).permutation(len(judge))
    one = bt.fit(as_rankings(judge, order), model="patterns", classes=2)
    two = bt.fit(as_rankings(judge[turned], order[turned]), model="patterns", classes=2, seed=7)
    assert one == bt.fit(as_rankings(judge, order), model="patterns", classes=2)
    assert [each.estimate for each in one] == pytest.approx([each.estimate for each in two], abs=1e-6)
    assert one.classes is not None
    assert two.classes is not None
    assert one.classes.assigned == two.classes.assigned
    assert "|classes:2|starts:10|seed:0|" in str(one.signature)
    assert "seed" not in str(bt.fit(as_rankings(judge, order), model="patterns").signature)


@pytest.mark.parametrize(("starts", "told"), [(1, True), (2, False)])
def test_one_start_that_reached_the_maximum_is_too_few(starts: int, told: bool) -> None:
    _, judge, order = drawn(40, 6, 0.5, 10)
    model = bt.fit(as_rankings(judge, order), model="patterns", classes=2, starts=starts)
    assert (kinds.fitting.UNSTABLE_CLASSES.code in {finding.code for finding in model.findings}) is told


def test_refusals() -> None:
    _, judge, order = drawn(30, 7, 0.5)
    rankings = as_rankings(judge, order)
    with pytest.raises(bt.PlanError) as refused:
        bt.fit(rankings, model="patterns", classes=7)
    assert str(refused.value) == (
        "7 classes have 27 parameters, but the table of patterns has 23 degrees of freedom. Ask for fewer classes."
    )
    with pytest.raises(bt.PlanError) as refused:
        bt.fit(rankings, model="patterns", classes=2, unit="country")
    assert str(refused.value) == (
        "unit='country' names nothing that whole patterns belong to, so it has no latent classes; allowed: row, ranking, judge."
    )
    with pytest.raises(bt.PlanError, match="latent classes take missing answers as ignorable, not separate"):
        bt.fit(rankings, model="patterns", classes=2, missing="separate")
    with pytest.raises(bt.PlanError, match=r"classes must be a whole number from 1 to 20, got 0"):
        bt.fit(rankings, model="patterns", classes=0)
    with pytest.raises(bt.PlanError, match=r"classes is for patterns of answers\. Use model='patterns'"):
        bt.fit(rankings, classes=2)
    with pytest.raises(bt.PlanError, match="the number of latent classes has no test"):
        bt.lr_test(bt.fit(rankings, model="patterns", unit="row"), bt.fit(rankings, model="patterns", classes=2))


def test_a_class_of_judges_who_all_agree_has_no_maximum() -> None:
    orders = [(1, 2, 3)] * 30 + [(3, 2, 1)] * 6 + [(1, 3, 2)] * 4 + [(2, 1, 3)] * 5
    judge = [f"j{place}" for place in range(len(orders)) for _ in range(4)]
    table = {name: [order[place] for order in orders for _ in range(4)] for place, name in enumerate("ABC")}
    model = bt.fit(bt.read_rankings({**table, "judge": judge}, systems=list("ABC")), model="patterns", classes=3)
    assert any(each.infinite for each in model)
    assert "separation" in {finding.code for finding in model.findings}
    assert "no maximum" in model.to_text(100)
