"""Elo, and the order of judgments, against evalica and sums by hand."""

from typing import Any

import evalica
import numba  # noqa: F401 (without it, compiled loops would be compared with themselves)
import numpy as np
import pandas as pd
import pytest

import betterthan as bt
from betterthan.datasets.statistics.games import Games
from betterthan.models.base import build_model
from betterthan.models.ordered import compiled

Row = tuple[str, str, str]
NAMES = ("elk", "emu", "fox", "owl", "yak")
WINNERS = {"left": evalica.Winner.X, "right": evalica.Winner.Y, "tie": evalica.Winner.Draw}
REMEDY = "Use order=average, as in 'elo(order=average)', or a model without order such as bradley-terry."


def _random(judgments: int = 300, seed: int = 1) -> list[Row]:
    rng = np.random.default_rng(seed)
    strength = dict(zip(NAMES, rng.normal(size=5), strict=True))
    rows: list[Row] = []
    for _ in range(judgments):
        left, right = (str(name) for name in rng.choice(NAMES, 2, replace=False))
        seen = strength[left] - strength[right] + rng.logistic()
        rows.append((left, right, "left" if seen > 0.5 else "right" if seen < -0.5 else "tie"))
    return rows


def _games(rows: Any) -> Games:
    return Games.of(bt.read_judgments(rows).tally(order="file"), in_order=True)


def _evalica_elo(rows: list[Row], **options: float) -> dict[str, float]:
    left, right, outcome = zip(*rows, strict=True)
    return dict(evalica.elo(left, right, [WINNERS[word] for word in outcome], **options).scores)


def _scores(evidence: Any, model: str, **choices: Any) -> dict[str, float]:
    return {row.system: row.score for row in bt.rank(evidence, model=model, ci="none", **choices).board}


# --- Elo -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "same"),
    [
        ("k=20", {"k": 20.0}),
        ("k=4, scale=173.7, initial=-12.5", {"k": 4.0, "scale": 173.7, "initial": -12.5}),
        ("k=300", {"k": 300.0}),
    ],
)
def test_elo_is_evalica_s_after_every_game(options: str, same: dict[str, float]) -> None:
    rows = _random()
    for number in (1, 2, 3, 10, 77, 300):
        assert _scores(rows[:number], f"elo({options})") == pytest.approx(_evalica_elo(rows[:number], **same), abs=1e-9)


def test_k_is_twenty() -> None:
    assert _scores(_random(), "elo") == pytest.approx(_evalica_elo(_random(), k=20.0), abs=1e-9)


def test_elo_by_hand() -> None:
    rows = [("owl", "yak", "left"), ("yak", "elk", "tie"), ("owl", "elk", "right")]
    owl, yak, elk = 1000 + 16.0, 1000 - 16.0, 1000.0  # equals: half of K = 32 passes over
    drawn = 32 * (0.5 - 1 / (1 + 10 ** ((elk - yak) / 400)))
    yak, elk = yak + drawn, elk - drawn
    lost = 32 * (0.0 - 1 / (1 + 10 ** ((elk - owl) / 400)))
    owl, elk = owl + lost, elk - lost
    assert _scores(rows, "elo(k=32)") == pytest.approx({"owl": owl, "yak": yak, "elk": elk}, abs=1e-9)
    chances = bt.rank(rows, model="elo(k=32)", ci="none").board.probability("elk", "owl")
    win = 1 / (1 + 10 ** ((owl - elk) / 400))
    assert chances == pytest.approx((win, 0.0, 1 - win), abs=1e-12)


def test_a_weight_multiplies_k() -> None:
    """Unlike evalica's, which weighs the score but not what was expected: there a weight of 2 is no fair game."""
    columns = {"left": ["owl", "owl"], "right": ["yak", "yak"], "winner": ["a", "b"], "weight": [2.0, 0.5]}
    owl = 1000 + 20 * 2 * 0.5
    owl += 20 * 0.5 * (0 - 1 / (1 + 10 ** ((1000 - 20 - owl) / 400)))
    assert _scores(columns, "elo") == pytest.approx({"owl": owl, "yak": 2000 - owl}, abs=1e-9)


@pytest.mark.parametrize("options", ["k=20", "k=1e6", "k=20, scale=1e-6", "k=1e9, scale=1e-9, initial=1e8"])
def test_points_only_change_hands_and_stay_finite(options: str) -> None:
    board = bt.rank(_random(), model=f"elo({options})", resamples=20).board
    strength, draws = board.fit.strength, board.draws.strength
    assert np.all(np.isfinite(strength))
    assert np.all(np.isfinite(draws))
    initial = 1e8 if "initial" in options else 1000.0
    largest = max(1.0, float(np.abs(draws).max()))
    np.testing.assert_allclose(strength.mean(), initial, atol=1e-12 * largest, rtol=1e-9)
    np.testing.assert_allclose(draws.mean(axis=1), initial, atol=1e-12 * largest, rtol=1e-9)
    assert sum(board.probability("owl", "yak")) == pytest.approx(1.0)


def test_compiled_elo_is_plain_elo(monkeypatch: pytest.MonkeyPatch) -> None:
    model, games = build_model("elo(k=32)"), _games({**_columns(_random(2000)), "weight": [1.5, 1.0] * 1000})
    plain, _ = model.player(games, 1)(None)
    monkeypatch.setattr(compiled, "PAYS", 0)
    fast, _ = model.player(games, 1)(None)
    np.testing.assert_allclose(fast, plain, rtol=1e-13)
    assert np.ptp(plain) > 100


def _columns(rows: list[Row]) -> dict[str, list[str]]:
    return {
        name: list(column) for name, column in zip(("left", "right", "winner"), zip(*rows, strict=True), strict=True)
    }


# --- order ---------------------------------------------------------------------------------------------------------


def test_picks_of_the_bootstrap_keep_the_order() -> None:
    rows = _random(60)
    games, model = _games(rows), build_model("elo")
    times = games.units.resample(np.random.default_rng(0), 8)
    strength, _ = model.refitter(model.fit(games), games)(times, np.random.default_rng(1))
    for column in range(8):
        picked = [row for row, number in zip(rows, times[:, column], strict=True) for _ in range(int(number))]
        expected = _evalica_elo(picked, k=20.0)
        np.testing.assert_allclose(strength[:, column], [expected[name] for name in NAMES], atol=1e-9)


def test_an_average_over_orders_does_not_hang_on_the_order_of_rows() -> None:
    rows = _random(120)
    one, other = (
        _scores(part, "elo(order=average, shuffles=400)") for part in (rows, sorted(rows, key=lambda row: row[2]))
    )
    rng = np.random.default_rng(0)
    shuffled = []
    for _ in range(200):
        order = rng.permutation(len(rows))
        ratings = _evalica_elo([rows[place] for place in order], k=20.0)
        shuffled.append([ratings[name] for name in NAMES])
    mean, sd = np.mean(shuffled, axis=0), np.std(shuffled, axis=0, ddof=1)
    for place, name in enumerate(NAMES):
        assert one[name] == pytest.approx(other[name], abs=4.5 * sd[place] * np.sqrt(2 / 400))
        assert one[name] == pytest.approx(mean[place], abs=4.5 * sd[place] * np.sqrt(1 / 400 + 1 / 200))
    assert _scores(rows, "elo") != pytest.approx(_scores(rows[::-1], "elo"), abs=1.0), "the order itself matters"


def test_how_much_hangs_on_the_order_is_said() -> None:
    findings = {
        name: next(
            finding
            for finding in bt.rank(rows, model="elo", ci="none").board.findings
            if finding.code == "order-dependence"
        )
        for name, rows in (("much", _random(40)), ("nothing", [("owl", "yak", "left")] * 5))
    }
    assert (findings["much"].level, findings["nothing"].level) == ("warning", "info")
    assert "0 of 1 pairs of systems change places" in findings["nothing"].message


TIMES = {
    "numbers": ["10", "9", "8.5", "-1"],
    "dates": ["2024-01-10", "2024-01-09", "2024-01-08T23:59:59", "2023-12-31"],
    # The second is 08:30 in UTC, the third, without a zone, is taken as UTC.
    "moments": ["2024-01-01T09:00:00Z", "2024-01-01T10:30:00+02:00", "2024-01-01T08:00:00", "2024-01-01 07:59:59.5"],
}


@pytest.mark.parametrize("times", TIMES)
@pytest.mark.parametrize("order", ["auto", "time"])
def test_time_sorts_judgments(times: str, order: str) -> None:
    rows = _random(4, seed=3)
    columns = {**_columns(rows), "when": TIMES[times]}
    judgments = bt.read_judgments(columns, time="when")
    board = bt.rank(judgments, model=f"elo(order={order})", ci="none").board
    assert {row.system: row.score for row in board} == pytest.approx(_evalica_elo(rows[::-1], k=20.0), abs=1e-9)
    assert "Judgments were taken in the order of the column 'when'." in [finding.message for finding in board.findings]
    as_in_file = _scores(judgments, "elo(order=file)")
    assert as_in_file == pytest.approx(_evalica_elo(rows, k=20.0), abs=1e-9)
    assert as_in_file != pytest.approx(_evalica_elo(rows[::-1], k=20.0), abs=1e-6)


@pytest.mark.parametrize(
    ("times", "row", "bad"),
    [
        (["3", "soon", "1"], 2, "'soon'"),
        (["2024-01-03", "soon", "2024-01-01"], 2, "'soon'"),
        (["3", "2", None], 3, "(missing)"),
        (["3", "inf", "1"], 2, "'inf'"),
    ],
)
def test_what_is_no_time_is_refused_and_only_that_is_skipped(times: list[Any], row: int, bad: str) -> None:
    columns = {**_columns([("owl", "yak", "left"), ("yak", "owl", "left"), ("owl", "yak", "left")]), "time": times}
    with pytest.raises(bt.EvidenceError) as refusal:
        bt.rank(columns, model="elo")
    assert str(refusal.value) == (
        f"the given arrays, row {row}: the time {bad} in column 'time' is neither a number nor a date. Times are "
        "numbers, or dates such as 2026-05-31T18:30:00. Models can also use order=file. To leave out bad rows and count "
        "them, use on_error='skip'."
    )
    board = bt.rank(bt.read_judgments(columns, on_error="skip"), model="elo", ci="none").board
    assert (board.evidence.rows, board.evidence.refused) == (3, 1)


def _dask() -> Any:
    import dask.dataframe as dd

    return dd.from_pandas(pd.DataFrame({**_columns(_random(30)), "step": range(30)}), npartitions=3)


@pytest.mark.parametrize(
    ("evidence", "model", "message"),
    [
        (
            lambda: {**_columns(_random(30)), "count": [2] * 30},
            "elo",
            f"the given arrays: counted judgments have no order. {REMEDY}",
        ),
        (
            lambda: _columns(_random(30)),
            "elo(order=time)",
            "the given arrays: there is no column with the time of each judgment. Name it with time, "
            "or use order=file.",
        ),
        (
            _dask,
            "elo",
            "the dask frame: its rows have no order. If a column has the time of each judgment, name it with time. "
            f"{REMEDY}",
        ),
        (
            lambda: {"owl": [0.1, 0.5], "yak": [0.2, 0.1]},
            "elo(order=time)",
            "scores have no time column to order by. Use order=file, the order of items.",
        ),
        (
            lambda: {**_columns(_random(30)), "count": [1.5] * 30},
            "elo(order=average)",
            "fractional counts cannot be played one by one. Use whole counts, or pass them as weight.",
        ),
    ],
)
def test_what_has_no_order_is_refused(evidence: Any, model: str, message: str) -> None:
    with pytest.raises(bt.EvidenceError) as refusal:
        bt.rank(evidence(), model=model)
    assert str(refusal.value) == message


def test_what_has_no_order_can_be_given_one() -> None:
    in_order = _evalica_elo(_random(30), k=20.0)
    timed = bt.read_judgments(_dask(), time="step")
    assert _scores(timed, "elo") == pytest.approx(in_order, abs=1e-9)
    counted = {**_columns(_random(30)), "count": [2] * 30}
    twice = [row for row in _random(30) for _ in range(2)]
    model = "elo(order=average, shuffles=300)"
    for evidence, rows in ((_dask(), _random(30)), (counted, twice)):
        assert _scores(evidence, model) == pytest.approx(_scores(rows, model), abs=4.0)
