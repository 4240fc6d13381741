"""The audit of a judge by people's labels: measures by hand, verdicts, and how often they are wrong."""

from typing import Any

import numpy as np
import pytest
from scipy import stats

import betterthan as bt
from betterthan.datasets import data_sets
from betterthan.verbs.diagnose.audit.audit_judge import audit
from tests.verbs.rank.test_corrected_means import columns_of


def graded(
    seed: int, bias: float = 0.0, noise: float = 0.1, items: int = 400, labelled: int = 150
) -> dict[str, list[Any]]:
    """Return right and wrong answers of three systems by a judge with an error rate, lenient to the first."""
    rng = np.random.default_rng(seed)
    truth = (rng.random((items, 3)) < 0.6).astype(float)
    judged = np.where(rng.random((items, 3)) < noise, 1 - truth, truth)
    judged[:, 0] = np.maximum(judged[:, 0], rng.random(items) < bias)
    labels = np.where(rng.permutation(items)[:, None] < labelled, truth, np.nan)
    return columns_of(judged, labels, "ABC")


def audit_of(columns: dict[str, list[Any]]) -> Any:
    return bt.diagnose(bt.read_scores(columns, score=["score"], gold="human_score")).sections[0].audit


def _audit_alone(columns: dict[str, list[Any]]) -> Any:
    """The audit without the other checks of a diagnosis."""
    scores = bt.read_scores(columns, score=["score"], gold="human_score")
    return audit(data_sets(scores, takes_labels=True).only("an audit"))


def test_measures_are_those_of_the_table() -> None:
    columns = graded(1)
    judge, people = (
        np.array(
            [value for value, label in zip(columns[name], columns["human_score"], strict=True) if label is not None]
        )
        for name in ("score", "human_score")
    )
    found = audit_of(columns)
    assert found.labels == 450
    assert found.agreement.value == pytest.approx(np.mean(judge == people))
    assert found.sensitivity.value == pytest.approx(judge[people == 1].mean())
    assert found.specificity.value == pytest.approx(1 - judge[people == 0].mean())
    chance = judge.mean() * people.mean() + (1 - judge.mean()) * (1 - people.mean())
    assert found.kappa == pytest.approx((np.mean(judge == people) - chance) / (1 - chance))
    low, high = stats.binomtest(int(np.sum(judge == people)), 450).proportion_ci(method="wilson")
    assert found.agreement.low == pytest.approx(low, abs=0.015)
    assert found.agreement.high == pytest.approx(high, abs=0.015)


def test_biases_are_differences_to_the_mean_bias() -> None:
    columns = graded(2, bias=0.3)
    gaps: dict[str, list[float]] = {}
    for system, score, label in zip(columns["system"], columns["score"], columns["human_score"], strict=True):
        if label is not None:
            gaps.setdefault(system, []).append(score - label)
    means = {system: np.mean(values) for system, values in gaps.items()}
    for each in audit_of(columns).systems:
        assert each.bias.value == pytest.approx(means[each.system] - np.mean(list(means.values())))


@pytest.mark.parametrize(
    ("options", "verdict"),
    [
        ({"bias": 0.0, "noise": 0.02, "labelled": 400}, "usable without correction"),
        ({"bias": 0.5}, "usable with correction"),
        ({"noise": 0.5}, "not usable"),
    ],
)
def test_verdicts(options: dict[str, Any], verdict: str) -> None:
    found = bt.diagnose(bt.read_scores(graded(3, **options), score=["score"], gold="human_score"))
    audited = found.sections[0].audit
    assert audited.verdict == verdict
    assert audited.sentence in found.advice.to_text()
    assert (found.finding("judge-biased") is not None) == (verdict == "usable with correction")
    assert (found.finding("judge-useless") is not None) == (verdict == "not usable")


def test_wrong_verdicts_are_rare() -> None:
    """A judge without a bias is called biased, and one at random related to people, in about 5 % at most."""
    biased, related = 0, 0
    for seed in range(200):
        fair, random = (graded(seed, noise=noise, labelled=40, items=60) for noise in (0.1, 0.5))
        biased += any(each.p <= 0.05 for each in _audit_alone(fair).systems)
        related += _audit_alone(random).verdict != "not usable"
    assert biased <= 16
    assert related <= 12  # one of two tails


def test_votes_have_biases_and_sides() -> None:
    rng = np.random.default_rng(0)
    left, right = rng.integers(3, size=600), np.zeros(600, dtype=int)
    right[:] = (left + rng.integers(1, 3, size=600)) % 3
    taste = rng.logistic(size=600)
    people = taste > 0
    machine = taste + 0.8 * (left == 0) - 0.8 * (right == 0) + 0.6 > 0
    columns = {
        "left": [f"s{place}" for place in left],
        "right": [f"s{place}" for place in right],
        "outcome": np.where(machine, "left", "right").tolist(),
        "people": np.where(people, "left", "right").tolist(),
    }
    section = bt.diagnose(columns, gold="people").sections[0]
    assert section.audit.side.value == pytest.approx(machine.mean() - people.mean())
    assert section.audit.side.low > 0
    assert section.audit.systems[0].bias.low > 0
    assert str(next(each for each in section.findings if each.code == "judge-biased")).startswith(
        "! judge-biased: Against the other systems, the judge puts 's0' higher"
    )
    assert section.audit.to_dict()["side"]["value"] == section.audit.side.value


def test_other_scales_are_put_on_that_of_people() -> None:
    rng = np.random.default_rng(4)
    truth = np.round(np.clip(rng.normal(3, 1, (200, 2)), 1, 5))
    judged = 20 * truth + rng.normal(0, 8, (200, 2))
    found = audit_of(columns_of(judged, truth))
    assert found.agreement is None
    assert found.sensitivity is None
    within = [values - values.mean(axis=0) for values in (judged, truth)]
    assert found.correlation.value == pytest.approx(np.corrcoef(within[0].ravel(), within[1].ravel())[0, 1], abs=1e-6)
    assert all(abs(each.bias.value) < 0.2 for each in found.systems)


def test_there_is_none_without_labels() -> None:
    assert bt.diagnose({"owl": [1.0, 0.0, 1.0], "yak": [0.0, 0.0, 1.0]}).sections[0].audit is None
