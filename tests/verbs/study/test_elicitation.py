"""Clusters, rank boxes and heat maps: every figure from the same draws by plain loops."""

from collections import Counter
from itertools import pairwise

import numpy as np
import pytest
from scipy import stats

import betterthan as bt
from betterthan.datasets.data_sets_of import data_sets
from betterthan.verbs.collect import trueskill_elicitation
from betterthan.verbs.study.model_runs import OWN
from tests.verbs.study.rankings import NAMES, ballots

SMALL = "elicitation(models=expected-wins|elo,most=600,step=300,runs=25,drop=1,repeats=2)"
CELLS = [(outcome, a, b) for outcome in range(3) for place, a in enumerate(NAMES) for b in NAMES[place + 1 :]]


def _clusters(strength: np.ndarray, drop: int) -> tuple[list[int], list[int], np.ndarray]:
    """Return the cluster of every system, systems best first by their mean, and ranks; no two may be equal."""
    ranks = stats.rankdata(-strength, axis=1)
    kept = np.sort(ranks, axis=0)[drop : len(ranks) - drop]
    low, high = kept[0], kept[-1]
    order = sorted(range(strength.shape[1]), key=lambda system: -strength[:, system].mean())
    number, found = 1, {order[0]: 1}
    for place, (_, system) in enumerate(pairwise(order), start=1):
        if max(high[one] for one in order[:place]) < min(low[one] for one in order[place:]):
            number += 1
        found[system] = number
    return [found[system] for system in range(len(order))], order, ranks


def _counts(evidence: bt.Rankings) -> dict[tuple[int, str, str], float]:
    pairs = data_sets(evidence).only("a test").pairs(units=False)
    return {
        (outcome, pairs.systems[a], pairs.systems[b]): float(pairs.outcomes[outcome, place])
        for place, (a, b) in enumerate(zip(pairs.first, pairs.second, strict=True))
        for outcome in range(3)
    }


def _wins(drawn: Counter[tuple[int, str, str]]) -> list[float]:
    """Return expected wins: the mean over opponents of the share of wins, ties left out."""
    found = []
    for a in NAMES:
        shares = []
        for b in NAMES:
            won, lost = (drawn[0, a, b], drawn[2, a, b]) if a < b else (drawn[2, b, a], drawn[0, b, a])
            if won + lost:
                shares.append(won / (won + lost))
        found.append(float(np.mean(shares)))
    return found


def _elo(cells: np.ndarray) -> list[float]:
    rating = dict.fromkeys(NAMES, 1000.0)
    for cell in cells:
        outcome, a, b = CELLS[cell]
        expected = 1 / (1 + 10 ** ((rating[b] - rating[a]) / 400))
        step = 20 * ((1.0, 0.5, 0.0)[outcome] - expected)
        rating[a] += step
        rating[b] -= step
    return [rating[name] for name in NAMES]


def test_every_figure_is_that_of_plain_loops() -> None:
    evidence, _ = ballots()
    found = bt.study(SMALL, evidence, quick=True)
    columns = found.columns()
    rows = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    counts = _counts(evidence)
    shares = np.array([counts[cell] for cell in CELLS]) / sum(counts.values())
    for size in (300, 600):
        rng = np.random.default_rng((0, size, 0))
        drawn = rng.multinomial(size, shares, size=50)
        wins = [_wins(Counter(dict(zip(CELLS, one.tolist(), strict=True)))) for one in drawn]
        rng = np.random.default_rng((0, size, 1))
        elo = []
        for _ in range(50):
            cells = rng.choice(len(CELLS), size, p=shares)
            elo.append(_elo(cells[rng.permutation(size)]))  # a run takes its judgments in a random order
        rng = np.random.default_rng((0, size, 2))
        first, second = np.array([(NAMES.index(a), NAMES.index(b)) for outcome, a, b in CELLS if outcome == 0]).T
        world = trueskill_elicitation.Outcomes.of(
            6, first, second, np.array([counts[cell] for cell in CELLS]).reshape(3, -1)
        )
        own = trueskill_elicitation.elicit(world, size, 50, rng)
        for model, strength in (("expected-wins", np.array(wins)), ("elo", np.array(elo)), (OWN, own.mean)):
            parts = [_clusters(part, 1) for part in strength.reshape(2, 25, 6)]
            row = next(
                row for row in rows if (row["shows"], row["series"], row["judgments"]) == ("clusters", model, size)
            )
            assert row["value"] == np.mean([max(numbers) for numbers, _, _ in parts]), (model, size)
            numbers, order, ranks = parts[0]
            boxes = [row for row in rows if (row["shows"], row["series"], row["judgments"]) == ("ranks", model, size)]
            assert [row["system"] for row in boxes] == [NAMES[system] for system in order]
            for row, system in zip(boxes, order, strict=True):
                values = ranks[:, system]
                expected = [
                    values.mean(),
                    values.min(),
                    *np.percentile(values, [25, 75]),
                    values.max(),
                    numbers[system],
                ]
                shown = [row[name] for name in ("value", "low", "lower", "upper", "high", "cluster")]
                assert shown == pytest.approx(expected), (model, size)
    met = {(row["series"], row["system"], row["other"]): row["value"] for row in rows if row["shows"] == "meetings"}
    for series, part in (("first 20 %", slice(120)), ("last 20 %", slice(480, 600))):
        pairs = Counter(
            tuple(sorted((NAMES[a], NAMES[b])))
            for a, b in zip(own.first[part].ravel(), own.second[part].ravel(), strict=True)
        )
        assert pairs.total() == 120 * 50
        for (a, b), number in pairs.items():
            assert met[series, a, b] == pytest.approx(100 * number / pairs.total())
    for outcome, a, b in CELLS:
        if outcome == 0:
            number = sum(counts[each, a, b] for each in range(3))
            assert met["all judgments", a, b] == pytest.approx(100 * number / sum(counts.values()))
    claim = found.claim("Late judgments")
    rank = stats.rankdata(-own.mean, axis=1)
    every = np.arange(50)
    apart = np.abs(rank[every, own.first] - rank[every, own.second])
    assert claim.ours.known == pytest.approx(float(np.mean(apart[480:]) - np.mean(apart[:120])))


def test_systems_far_apart_are_clusters_of_one_and_equal_ones_are_one_cluster() -> None:
    clear = [("owl", "yak", "a"), ("yak", "elk", "a"), ("owl", "elk", "a")] * 40
    name = "elicitation(models=expected-wins|trueskill(preset=wmt),most=400,step=200)"
    columns = bt.study(name, clear, quick=True).columns()
    clusters = [value for shows, value in zip(columns["shows"], columns["value"], strict=True) if shows == "clusters"]
    assert clusters == [3.0] * 6
    even = [
        (a, b, side) for a, b in (("owl", "yak"), ("yak", "elk"), ("owl", "elk")) for side in "ab" for _ in range(30)
    ]
    columns = bt.study(name, even, quick=True).columns()
    clusters = [value for shows, value in zip(columns["shows"], columns["value"], strict=True) if shows == "clusters"]
    assert max(clusters) < 2
    assert np.mean(clusters) < 1.3


def test_every_kind_of_evidence_and_the_picture() -> None:
    bundled = bt.study("elicitation", quick=True)
    assert bundled.claim("Late judgments").agreement == "agrees"
    assert bundled.plot(title="A title").to_svg().startswith("<svg")
    assert set(bundled.plot().columns) == set(bundled.columns())
    scores = bt.study(
        "elicitation(own=no)",
        {name: np.random.default_rng(place).normal(place, 3, 80) for place, name in enumerate(NAMES)},
        quick=True,
    )
    assert len(scores.claims) == 1
    assert scores.plot().to_svg().startswith("<svg")


def test_equal_seeds_in_other_processes() -> None:
    text = "elicitation(models=expected-wins,most=200,step=100,runs=10,drop=0,repeats=2)"
    assert bt.study(text).columns() == bt.study(text, quick=True).columns()
    assert bt.study(text, seed=1).columns() != bt.study(text).columns()


@pytest.mark.parametrize(
    ("name", "message"),
    [
        (
            "elicitation(most=1000)",
            "elicitation: most must be a whole number of at least 2000 and at most 1e+06, got 1000.",
        ),
        ("elicitation(runs=10,drop=5)", "elicitation: drop must be a whole number of at least 0 and at most 4, got 5."),
        (
            "elicitation(repeats=1)",
            "elicitation: repeats must be a whole number of at least 2 and at most 1000, got 1.",
        ),
        (
            "elicitation(models=median)",
            "elicitation: models must learn from judgments of two systems, and median does not.",
        ),
    ],
)
def test_what_is_refused(name: str, message: str) -> None:
    with pytest.raises(bt.BetterthanError) as refusal:
        bt.study(name)
    assert str(refusal.value) == message
