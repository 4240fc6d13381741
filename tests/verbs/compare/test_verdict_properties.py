"""Whatever the evidence: a verdict names its question, unit and level, and never contradicts the interval beside it."""

import re
from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

import betterthan as bt

LEVELS = st.sampled_from([0.8, 0.9, 0.95, 0.99])
SENTENCE = re.compile(
    r"^(owl is (better|worse) than yak|owl and yak do not differ significantly|owl and yak cannot be distinguished)"
    r" on (the mean score|the typical item|the share of (items|judgments) won), for [\w, ]+: "
    r".*?\b(?P<level>\d+(\.\d+)?) % confidence interval.* \(.* over \d[\d,]* (item|judgment)s?.*, p = .*\)"
)


@st.composite
def scores(draw: Any) -> dict[str, Any]:
    """Return scores of two systems: few or many, of any shape, equal, constant, right or wrong, in groups or not."""
    number = draw(st.integers(1, 40))
    rng = np.random.default_rng(draw(st.integers(0, 10**6)))
    shape = draw(st.sampled_from(["normal", "skewed", "heavy", "grades", "right", "constant", "rounded"]))
    shift = draw(st.sampled_from([0.0, 0.3, 1.0, -2.0]))
    gap = {
        "normal": rng.normal(size=number),
        "skewed": rng.exponential(size=number) - 1,
        "heavy": rng.standard_cauchy(number),
        "constant": np.zeros(number),
        "rounded": rng.normal(size=number).round(),
    }.get(shape, np.zeros(number)) + shift
    base = rng.normal(size=number)
    a, b = base + gap, base
    if shape == "grades":
        a, b = rng.integers(1, 6, number) + (shift > 0), rng.integers(1, 6, number)
    if shape == "right":
        a, b = rng.random(number) < 0.9, rng.random(number) < 0.9 - abs(shift) / 4
    if shape == "rounded":
        a, b = a.round(), b.round()
    columns = {"owl": np.asarray(a, dtype=float).tolist(), "yak": np.asarray(b, dtype=float).tolist()}
    if draw(st.booleans()):
        groups = draw(st.integers(1, number))
        columns["document"] = [f"d{place % groups}" for place in range(number)]
    return columns


@st.composite
def votes(draw: Any) -> dict[str, Any]:
    """Return judgments of two systems, perhaps with ties, items, judges and weights."""
    number = draw(st.integers(1, 80))
    rng = np.random.default_rng(draw(st.integers(0, 10**6)))
    win, tie = draw(st.sampled_from([0.0, 0.3, 0.5, 0.8, 1.0])), draw(st.sampled_from([0.0, 0.2, 0.7]))
    item, judge = (rng.integers(draw(st.integers(1, 30)), size=number) for _ in range(2))
    chance = np.clip(win + draw(st.sampled_from([0.0, 0.3])) * rng.normal(size=30)[item], 0, 1)
    drawn = rng.random(number)
    outcome = np.where(drawn < tie, "tie", np.where(rng.random(number) < chance, "a", "b"))
    columns = {"left": ["owl"] * number, "right": ["yak"] * number, "winner": outcome}
    if draw(st.booleans()):
        columns["item"] = item.astype(str)
    if draw(st.booleans()):
        columns["judge"] = judge.astype(str)
    if draw(st.booleans()):
        columns["weight"] = rng.exponential(size=number) + 0.01
    return columns


def _agrees(duel: bt.Duel) -> None:
    found = SENTENCE.match(duel.verdict)
    assert found is not None, duel.verdict
    assert float(found["level"]) == round(100 * duel.level, 6)
    effect, none = duel.answer.effect, 0.5 if duel.question == "wins" else 0.0
    claimed = {"owl is better": 1, "owl is worse": -1}.get(found[1].removesuffix(" than yak"), 0)
    assert claimed == {"better": 1, "worse": -1, None: 0}[duel.shown]
    low, high = (-np.inf if effect.low is None else effect.low), (np.inf if effect.high is None else effect.high)
    assert low <= effect.value <= high
    assert low < high
    if claimed:
        assert duel.p <= 1 - duel.level
        assert (effect.low is None and effect.high is None) or (low > none if claimed > 0 else high < none)
        assert claimed * (effect.value - none) > 0
    if claimed == 0 and duel.p <= 1 - duel.level:
        assert "the test alone is significant" in duel.verdict
    if claimed == 0 and not low <= none <= high:
        assert "the interval excludes" in duel.verdict
    assert all(0 < test.p <= 1 for test in duel.tests)
    for each in duel.effects:
        assert each.low is None or each.high is None or each.low < each.high, each


@settings(max_examples=120, deadline=None)
@given(scores(), st.sampled_from(["mean", "typical", "wins"]), LEVELS)
def test_scores(columns: dict[str, Any], question: Any, level: float) -> None:
    grouped = {"group": "document"} if "document" in columns else {}
    _agrees(bt.compare(bt.read_scores(columns, **grouped), question=question, level=level))


@settings(max_examples=120, deadline=None)
@given(votes(), LEVELS)
def test_judgments(columns: dict[str, Any], level: float) -> None:
    _agrees(bt.compare(bt.read_judgments(columns), level=level))


@settings(max_examples=40, deadline=None)
@given(votes(), LEVELS)
def test_boards_of_two_say_the_same_by_ranks_ranges_and_clusters(columns: dict[str, Any], level: float) -> None:
    try:
        board = bt.rank(bt.read_judgments(columns), level=level, resamples=100).board
    except bt.PlanError:  # a single unit cannot be resampled
        return
    apart = len(board.clusters) > 1
    assert f"({100 * level:g} % family-wise confidence, for " in (
        board.separation or f"({100 * level:g} % family-wise confidence, for "
    )
    for row in board:
        assert row.score is None or row.low is None or row.low <= row.score
        assert row.score is None or row.high is None or row.score <= row.high
        if row.rank_low is not None:
            assert row.rank is None or row.rank_low <= row.rank <= row.rank_high
            assert not apart or row.rank_low == row.rank_high
