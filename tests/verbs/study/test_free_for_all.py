"""Matches of several systems: what is drawn, learnt and measured, against the trueskill package and plain loops."""

from collections import Counter
from itertools import combinations
from math import comb, sqrt

import numpy as np
import pytest
import trueskill
from scipy import stats

import betterthan as bt
from betterthan.datasets.data_sets_of import data_sets
from betterthan.verbs.select import corrected_intervals
from betterthan.verbs.study.experiments.free_for_all import draw_matches
from betterthan.verbs.study.held_out import HeldOutJudgments
from tests.verbs.study.rankings import NAMES, ballots

RADII = (0.001, 0.01, 0.1, 0.3, 0.5)
SMALL = "free-for-all(players=2|3|4,sizes=60|240,runs=3,train_by=turker*,test_by=researcher*,dev=120,test=150)"


def test_matches_are_random_sets_of_random_rankings() -> None:
    evidence, rows = ballots(20, size=4)
    pool = np.arange(5, 15)
    drawn = draw_matches(evidence, pool, 30_000, 3, np.random.default_rng(3))
    ranks = [row["ranks"] for row in rows]
    possible = {
        (place, match): tuple(ranks[place][name] for name in match)  # type: ignore[index]
        for place in pool
        for match in combinations(sorted(ranks[place]), 3)  # type: ignore[call-overload]
    }
    by_content = Counter((match, ranked) for (_, match), ranked in possible.items())
    seen: Counter[tuple[tuple[str, ...], tuple[int, ...]]] = Counter()
    for start in range(0, len(drawn.system), 3):
        entries = sorted((NAMES[drawn.system[at]], int(drawn.rank[at])) for at in range(start, start + 3))
        seen[tuple(name for name, _ in entries), tuple(rank for _, rank in entries)] += 1
    assert set(seen) == set(by_content)
    expected = [30_000 * number / len(possible) for number in by_content.values()]
    assert stats.chisquare([seen[key] for key in by_content], expected).pvalue > 1e-3


def _accuracy(chosen: float, counts: Counter[tuple[str, str, int]], ratings: dict[str, trueskill.Rating]) -> float:
    """Return the share of judgments whose outcome is the most probable one; equal chances share it."""
    right = 0.0
    for (a, b, outcome), number in counts.items():
        gap, scale = ratings[a].mu - ratings[b].mu, sqrt(ratings[a].sigma ** 2 + ratings[b].sigma ** 2)
        win, loss = stats.norm.cdf((gap - chosen) / scale), stats.norm.cdf((-gap - chosen) / scale)
        chances = [win, 1 - win - loss, loss]
        best = [place for place in range(3) if chances[place] == max(chances)]
        right += number * (outcome in best) / len(best)
    return right / sum(counts.values())


def _judgments(rows: list[dict[str, object]]) -> Counter[tuple[str, str, int]]:
    counts: Counter[tuple[str, str, int]] = Counter()
    for row in rows:
        ranks = row["ranks"]
        for a, b in combinations(sorted(ranks), 2):  # type: ignore[call-overload]
            counts[a, b, 1 + int(np.sign(ranks[a] - ranks[b]))] += 1  # type: ignore[index]
    return counts


def test_accuracies_are_those_of_the_package() -> None:
    evidence, rows = ballots()
    found = bt.study(SMALL, evidence, quick=True).columns()
    data = data_sets(evidence).only("a test")
    judged = HeldOutJudgments.of(data, "researcher*")
    splits = judged.deal("researcher*", 120, 150, 3, 0)
    expected: dict[tuple[str, int, int], list[float]] = {}
    for run, split in enumerate(splits):
        held = {name: [rows[unit] for unit in getattr(split, name)] for name in ("train", "dev", "test")}
        assert sum(map(len, held.values())) == len(rows)
        assert {str(row["judge"]).split("_")[0] for part in ("dev", "test") for row in held[part]} == {"researcher"}
        counts = {name: _judgments(part) for name, part in held.items()}
        assert 120 <= counts["dev"].total() < 126
        assert 150 <= counts["test"].total() < 156
        pool = np.array(
            [place for place, row in enumerate(rows) if row in held["train"] and str(row["judge"]).startswith("turker")]
        )
        for equal in ("matches", "pairs"):
            for size in (60, 240):
                for players in (2, 3, 4):
                    number = size if equal == "matches" else round(size / comb(players, 2))
                    rng = np.random.default_rng([0, run, number, players])
                    drawn = draw_matches(evidence, pool, number, players, rng)
                    ratings = _played(drawn.system.reshape(-1, players), drawn.rank.reshape(-1, players))
                    best = max(RADII, key=lambda radius: _accuracy(radius, counts["dev"], ratings))
                    expected.setdefault((equal, size, players), []).append(_accuracy(best, counts["test"], ratings))
    ours = dict(zip(zip(found["equal"], found["size"], found["players"], strict=True), found["accuracy"], strict=True))
    assert ours == pytest.approx({setting: np.mean(values) for setting, values in expected.items()}, abs=1e-9)
    per_unit = judged.pieces.per_unit
    tested, left = (sum(per_unit[getattr(split, name)].sum() for split in splits) for name in ("test", "train"))
    interval = corrected_intervals.estimate(np.array(expected["pairs", 240, 3]), tested / left, 0.95)
    place = list(ours).index(("pairs", 240, 3))
    assert (found["low"][place], found["high"][place]) == pytest.approx((interval.low, interval.high))


def _played(systems: np.ndarray, ranks: np.ndarray) -> dict[str, trueskill.Rating]:
    """Play matches by the package, with the margin and the β of WMT's preset."""
    beta = 0.025 * len(systems) * comb(systems.shape[1], 2) * 0.25
    drawn = 2 * stats.norm.cdf(0.25 / (sqrt(2) * beta)) - 1
    environment = trueskill.TrueSkill(0.0, 0.5, beta, 0.0, drawn, backend="scipy")
    ratings = {name: environment.create_rating() for name in NAMES}
    for match, ranked in zip(systems, ranks, strict=True):
        names = [NAMES[code] for code in match]
        groups = environment.rate([(ratings[name],) for name in names], ranks=ranked.tolist(), min_delta=1e-12)
        ratings |= {name: group[0] for name, group in zip(names, groups, strict=True)}
    return ratings


def test_who_is_far_apart_is_always_predicted() -> None:
    """Six systems without noise: every number of players finds the order with enough matches."""
    evidence, _ = ballots(300, noise=1e-9)
    found = bt.study("free-for-all(players=2|4,sizes=400|800)", evidence, quick=True)
    assert found.columns()["accuracy"] == [1.0] * 8
    gap = found.claim("With 400 matches").ours
    assert (gap.value, gap.low, gap.high) == (0.0, None, None)
    assert found.claim("With 400 matches").agreement != "agrees"


@pytest.mark.parametrize(
    ("name", "message"),
    [
        (
            "free-for-all(players=5)",
            "matches of 5 systems need rankings of as many, and the longest to train on has 4. Use fewer: 'free-for-all(players=2|3)'.",
        ),
        (
            "free-for-all(test_by=expert*)",
            "no judge is called like 'expert*'; there are: 'researcher_0', 'researcher_1', 'researcher_2', 'researcher_3', 'researcher_4' …. Name others with train_by and test_by: 'researcher_0', or '*' for all.",
        ),
        (
            "free-for-all(test=3000)",
            "3,000 judgments to test on and 200 to tune on leave nothing to train on: there are 2,400 judgments in 400 units, which stay whole. Ask for fewer.",
        ),
        (
            "free-for-all(players=1)",
            "free-for-all: players must be whole numbers from 2 to 50 with | between them, got '1'.",
        ),
        ("free-for-all(runs=1)", "free-for-all: runs must be a whole number of at least 2 and at most 10000, got 1."),
    ],
)
def test_what_is_refused(name: str, message: str) -> None:
    with pytest.raises(bt.PlanError) as refusal:
        bt.study(name, ballots()[0], quick=True)
    assert str(refusal.value) == message


def test_evidence_without_rankings_or_judges_is_refused() -> None:
    votes = [("owl", "yak", "a")] * 60
    with pytest.raises(bt.PlanError) as refusal:
        bt.study("free-for-all", votes, quick=True)
    assert str(refusal.value) == (
        "free-for-all is a study of rankings, and this evidence is judgments. Give rankings of at least three systems "
        "each."
    )
    rankings = bt.read_rankings({name: [1, 2, 3] * 20 for name in ("owl", "yak", "elk")})
    with pytest.raises(bt.PlanError) as refusal:
        bt.study("free-for-all(test_by=ann*)", rankings, quick=True)
    assert str(refusal.value) == (
        "there is no column of judges to find 'ann*' in. Name it with judge, or take all with train_by=* and test_by=*."
    )
    with pytest.raises(bt.PlanError, match=r"free-for-all is a study of rankings\. Give a file, or several\."):
        bt.study("free-for-all", quick=True)


def test_printed_figures_stand_beside_ours() -> None:
    name = "free-for-all(sizes=400,players=2|4,runs=3,dev=200,test=200,test_by=researcher*)"
    found = bt.study(name, ballots(900)[0], quick=True)
    assert found.columns()["printed"] == [0.479, 0.491, 0.479, 0.470]
    assert found.claim("With 400 pairs").expected.printed == pytest.approx(0.470 - 0.479)
    claim = found.claim("Accuracy with 400 matches of 4")
    assert claim.difference.value == pytest.approx(claim.ours.known - 0.491)
    assert found.plot().to_svg().startswith("<svg")
