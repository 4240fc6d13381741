"""Strengths by people's judgments and a machine's: an equation of its own, special cases, and what intervals promise."""

import itertools
from typing import Any

import numpy as np
import pytest
from scipy import optimize

import betterthan as bt
from betterthan.datasets import GoldJudgments, RowWeights
from betterthan.models.direct.rectified_scores import RectifiedScores, sandwich


def votes(
    seed: int, number: int = 1500, labelled: int = 200, systems: int = 4, bias: float = 0.7
) -> dict[str, list[Any]]:
    """Return votes of equal systems by a machine that prefers the first one, and those of people on some of them."""
    rng = np.random.default_rng(seed)
    names = "ABCDEFGHIJ"[:systems]
    left = rng.integers(systems, size=number)
    right = (left + rng.integers(1, systems, size=number)) % systems
    taste = rng.logistic(size=number)
    people = taste > 0
    machine = 0.8 * taste + 0.5 * rng.logistic(size=number) + bias * ((left == 0) * 1.0 - (right == 0)) > 0
    seen = np.isin(np.arange(number), rng.permutation(number)[:labelled])
    side = {True: "left", False: "right"}
    return {
        "item": [f"q{item}" for item in rng.integers(number // 4, size=number)],
        "left": [names[place] for place in left],
        "right": [names[place] for place in right],
        "outcome": [side[bool(won)] for won in machine],
        "people": [side[bool(won)] if known else None for won, known in zip(people, seen, strict=True)],
    }


def statistic(columns: dict[str, list[Any]]) -> GoldJudgments:
    names = sorted({*columns["left"], *columns["right"]})
    left, right = (np.array([names.index(name) for name in columns[side]]) for side in ("left", "right"))
    judged, people = (
        np.array([{"left": 1.0, "tie": 0.5, "right": 0.0, None: np.nan}[word] for word in columns[column]])
        for column in ("outcome", "people")
    )
    units = RowWeights.of(len(left), {})
    return GoldJudgments(tuple(names), left, right, judged, people, np.ones(len(left)), units)


def test_strengths_solve_the_rectified_equation() -> None:
    """The equation written out, solved by SciPy."""
    given = statistic(votes(1))
    found = RectifiedScores(given)
    slope, known = found.slope, given.labelled

    def equation(free: Any) -> Any:
        strength = np.append(free, -np.sum(free))
        total = np.zeros(4)
        expected = 1 / (1 + np.exp(strength[given.right] - strength[given.left]))
        for side, sign in ((given.left, 1.0), (given.right, -1.0)):
            every = slope * (given.judged - expected) / len(known)
            some = ((given.gold - expected) - slope * (given.judged - expected))[known] / known.sum()
            total += sign * (np.bincount(side, every, 4) + np.bincount(side[known], some, 4))
        return total[:3]

    solved = optimize.root(equation, np.zeros(3), tol=1e-12).x
    np.testing.assert_allclose(found.strength[:3], solved, atol=1e-8)


def test_the_slope_has_the_least_variance() -> None:
    given = statistic(votes(2, 4000, 400))
    found = RectifiedScores(given)
    spread = [float(np.trace(sandwich(found, slope, found.strength, given.units))) for slope in np.linspace(0, 1, 21)]
    assert found.slope == pytest.approx(np.linspace(0, 1, 21)[int(np.argmin(spread))], abs=0.1)


def test_without_a_machine_they_are_those_of_people() -> None:
    columns = votes(3)
    seen = [place for place, label in enumerate(columns["people"]) if label is not None]
    people = {name: [columns[name][place] for place in seen] for name in ("left", "right")}
    people["outcome"] = [columns["people"][place] for place in seen]
    alone = bt.rank(people, ci="none").board.fit
    np.testing.assert_allclose(RectifiedScores(statistic(columns)).by_labels, alone.strength, atol=1e-7)
    machine = bt.rank({name: columns[name] for name in ("left", "right", "outcome")}, ci="none").board.fit
    np.testing.assert_allclose(RectifiedScores(statistic(columns)).by_judge, machine.strength, atol=1e-7)


def test_a_machine_that_agrees_with_people_counts_fully() -> None:
    columns = votes(4, bias=0.0)
    columns["outcome"] = [
        label or outcome for label, outcome in zip(columns["people"], columns["outcome"], strict=True)
    ]
    found = RectifiedScores(statistic(columns))
    assert found.slope == pytest.approx(1.0)
    np.testing.assert_allclose(found.strength, found.by_judge, atol=1e-8)


def test_a_machine_with_a_favourite_does_not_decide() -> None:
    columns = votes(5)
    alone = bt.rank({name: values for name, values in columns.items() if name != "people"}).board
    assert alone.first.system == "A"
    assert alone.first.shown
    board = bt.rank(columns, gold="people").board
    assert not board.decisions.above.any()
    assert board.corrected("A").by_judge == pytest.approx(alone["A"].score)
    assert "other-leader" in [finding.code for finding in board.findings] or board.first.system == "A"


@pytest.mark.parametrize("systems", [2, 4])
def test_default_calls_keep_their_promises(systems: int) -> None:
    covered, wrong, runs = 0, 0, 100
    for seed in range(runs):
        board = bt.rank(votes(seed, 800, 80, systems), gold="people", scale="log").board
        for other in range(1, systems):
            reach = board.draws.errors.differences(np.array([0]), np.array([other])).reach(0.95)[0]
            covered += abs(board.fit.strength[0] - board.fit.strength[other]) <= reach
        wrong += bool(board.decisions.above.any())
    assert 0.92 <= covered / (runs * (systems - 1)) <= 0.985
    assert wrong / runs <= 0.1


def test_rank_compare_and_all_pairs_say_the_same() -> None:
    read = bt.read_judgments(votes(6), gold="people")
    board, duel, pairs = bt.rank(read).board, bt.compare(read, "A", "B"), bt.compare_all(read)
    assert duel.effect("superiority").value == pytest.approx(board.expected_score("A", "B"))
    places = [list(board.fit.systems).index(name) for name in "AB"]
    assert duel.p == pytest.approx(board.decisions.p[places[0], places[1]])
    assert duel.among_all_pairs.p_adjusted == pytest.approx(board.decisions.p_adjusted[places[0], places[1]])
    assert pairs.data == board.data == duel.data


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda columns: bt.rank(columns, gold="people", ci="bootstrap"),
            "intervals of corrected-bradley-terry are analytic. Use ci='analytic', or leave it out.",
        ),
        (
            lambda columns: bt.compare_all(columns, gold="people", by="pair"),
            "tests of single pairs by their own record are not corrected by people's labels. Leave out by='pair', or "
            "gold.",
        ),
        (
            lambda columns: bt.rank({**columns, "people": ["sideways"] * len(columns["left"])}, gold="people"),
            "the given arrays: column 'people': unknown outcome 'sideways'; known: a/b/tie, left/right/tie, ",
        ),
        (
            lambda columns: bt.rank({**columns, "people": [None] * len(columns["left"])}, gold="people"),
            "the given arrays: column 'people' has no outcomes",
        ),
    ],
)
def test_refusals_say_what_to_do(call: Any, message: str) -> None:
    with pytest.raises(bt.BetterthanError) as refusal:
        call(votes(7))
    assert str(refusal.value).startswith(message)


def test_judgments_without_items_are_units_of_their_own() -> None:
    """Equal rows are counted together on the way, and are single judgments all the same."""
    columns = votes(8)
    alone = {name: values for name, values in columns.items() if name != "item"}
    one, two = (bt.rank(each, gold="people", scale="log").board for each in (columns, alone))
    assert two.settings.unit == "row"
    for system in "ABCD":
        widths = [board[system].high - board[system].low for board in (one, two)]
        assert widths[1] == pytest.approx(widths[0], rel=0.2)
    assert two.draws.freedom == pytest.approx(99, rel=0.1)  # of labels: of 1,500 judgments people made 200


def test_a_few_labels_that_agree_with_the_machine_do_not_certify_it() -> None:
    """Six labels of every system, all as the machine has it: it may still err on a third of the others."""
    columns = {name: values for name, values in votes(9, 2000, 0, bias=1.0).items() if name != "item"}
    for one, other in itertools.combinations("ABCD", 2):
        for side in ("left", "right"):
            for name, value in zip(columns, (one, other, side, side), strict=True):
                columns[name].append(value)
    alone = bt.rank({name: values for name, values in columns.items() if name != "people"}, scale="log").board
    board = bt.rank(columns, gold="people", scale="log").board
    assert alone.first.shown
    assert not board.decisions.above.any()
    assert board["A"].high - board["A"].low > 5 * (alone["A"].high - alone["A"].low)


def test_weights_do_not_make_labels_more() -> None:
    columns = votes(10)
    one, two = (bt.rank({**columns, "weight": [w] * len(columns["left"])}, gold="people").board for w in (1, 20))
    assert [row.labels for row in one.correction] == [row.labels for row in two.correction]
    for row in one:
        assert row.low == pytest.approx(two[row.system].low, abs=1e-6)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"horizon": "anytime"},
            "horizon='anytime' decides about pairs by their own judgments, which labels do not correct. Leave it out, "
            "or leave out gold.",
        ),
        (
            {"model": "davidson"},
            "davidson does not use people's labels, which corrected-bradley-terry does. Leave out model, or leave out "
            "gold to rank by the judge alone.",
        ),
        (
            {"propensity": "chance"},
            "the given arrays: propensity and gold cannot be used together for judgments. Label judgments that are "
            "drawn at random, and leave it out.",
        ),
    ],
)
def test_what_labels_do_not_correct_is_refused(options: dict[str, Any], message: str) -> None:
    columns = votes(11)
    with pytest.raises(bt.BetterthanError) as refusal:
        bt.rank({**columns, "chance": [0.5] * len(columns["left"])}, gold="people", **options)
    assert str(refusal.value) == message


def test_a_state_keeps_no_labels(tmp_path: Any) -> None:
    with pytest.raises(bt.PlanError) as refusal:
        bt.rank(votes(12), gold="people", state=str(tmp_path / "board.duckdb"))
    assert str(refusal.value).startswith("a state keeps no labels")
    assert not list(tmp_path.iterdir())
