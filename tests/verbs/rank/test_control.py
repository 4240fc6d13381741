"""Boards that control for style: against direct likelihoods, `fit`, plain boards and simulated truth."""

import json
from typing import Any

import numpy as np
import pytest
import scipy.optimize

import betterthan as bt
from betterthan import EvidenceError, ModelError, PlanError

SYSTEMS = ("s0", "s1", "s2", "s3")


def votes(seed: int, number: int = 600, *, misleads: bool = True, effect: float = 0.7) -> dict[str, Any]:
    """Simulate votes that depend on strengths, lengths and the first position; better systems are shorter."""
    rng = np.random.default_rng(seed)
    size = len(SYSTEMS)
    strength = np.linspace(0.5, -0.5, size)
    base = np.linspace(4.5, 5.7, size) if misleads else np.full(size, 5.0)
    left = rng.integers(0, size, number)
    right = (left + rng.integers(1, size, number)) % size
    item, judge = rng.integers(0, 100, number), rng.integers(0, 25, number)
    long, short = (np.exp(base[side] + rng.normal(0, 0.5, number)).astype(int) + 1 for side in (left, right))
    headers, others = rng.poisson(2, number), rng.poisson(2, number)
    relative = (long - short) / (long + short)
    gap = strength[left] - strength[right] + effect * relative / relative.std()
    liking = rng.normal(0, 0.4, (100, size))
    rows = np.arange(number)
    chance = 1 / (1 + np.exp(-gap - liking[item, left] + liking[item, right]))
    won = rng.random(number) < chance
    names = np.array(SYSTEMS)
    return {
        "item": item,
        "judge": judge,
        "model_a": names[left],
        "model_b": names[right],
        "winner": np.where(rng.random(number) < 0.1, "tie", np.where(won[rows], "a", "b")),
        "length_a": long,
        "length_b": short,
        "headers_a": headers,
        "headers_b": others,
    }


def relative(data: dict[str, Any], name: str) -> Any:
    left, right = (np.asarray(data[f"{name}_{side}"], dtype=float) for side in "ab")
    total = left + right
    found = np.divide(left - right, total, out=np.zeros(len(total)), where=total > 0)
    return found / found.std()


def maximum(data: dict[str, Any], columns: list[Any], weight: Any = 1.0) -> tuple[dict[str, float], Any]:
    """Maximise the likelihood directly: ties are half a win."""
    names = sorted({*data["model_a"], *data["model_b"]})
    place = {name: number for number, name in enumerate(names)}
    left, right = ([place[name] for name in data[side]] for side in ("model_a", "model_b"))
    design = np.zeros((len(left), len(names)))
    rows = np.arange(len(left))
    design[rows, left] = 1.0
    design[rows, right] = -1.0
    design = np.column_stack([design[:, 1:], *columns])
    score = np.array([{"a": 1.0, "b": 0.0}.get(word, 0.5) for word in data["winner"]])

    def loss(point: Any) -> Any:
        gap = design @ point
        chance = 1 / (1 + np.exp(-gap))
        value = np.sum(weight * (np.logaddexp(0, gap) - score * gap))
        return value, design.T @ (weight * (chance - score))

    found = scipy.optimize.minimize(
        loss, np.zeros(design.shape[1]), jac=True, method="BFGS", options={"gtol": 1e-9, "maxiter": 1000}
    ).x
    strength = np.concatenate([[0.0], found[: len(names) - 1]])
    strength -= strength.mean()
    return dict(zip(names, strength.tolist(), strict=True)), found[len(names) - 1 :]


def test_strengths_and_effects_are_those_of_the_likelihood() -> None:
    data = votes(1)
    board = bt.rank(data, control="length,headers", scale="log", ci="none").board
    strength, effects = maximum(data, [relative(data, "length"), relative(data, "headers")])
    assert {row.system: row.log_strength for row in board} == pytest.approx(strength, abs=1e-7)
    assert board.control is not None
    assert [effect.estimate for effect in board.control.effects] == pytest.approx(effects, abs=1e-7)
    assert [effect.name for effect in board.control.effects] == ["length", "headers"]
    assert [effect.std_error for effect in board.control.effects] == [None, None]


def test_effects_are_those_of_fit() -> None:
    data = votes(2)
    data["difference"] = relative(data, "length")
    board = bt.rank(data, control="~ difference", scale="log", ci="none").board
    model = bt.fit(data, contrast="~ difference", ties="half")
    assert board.control is not None
    assert board.control.effects[0].estimate == pytest.approx(model["difference"].estimate, abs=1e-9)
    gap = board["s0"].log_strength - board["s1"].log_strength  # type: ignore[operator]
    assert gap == pytest.approx(model.contrast("s0", "s1").estimate, abs=1e-9)


def test_the_error_of_an_effect_is_that_of_the_sandwich() -> None:
    data = votes(3)
    board = bt.rank(data, control="length", unit="item", ci="analytic").board
    value = relative(data, "length")
    strength, effects = maximum(data, [value])
    names = sorted(strength)
    left, right = ([names.index(name) for name in data[side]] for side in ("model_a", "model_b"))
    rows = np.arange(len(left))
    design = np.zeros((len(left), 4))
    design[rows, left] = 1.0
    design[rows, right] = -1.0
    design = np.column_stack([design[:, 1:], value])
    gap = np.array([strength[a] - strength[b] for a, b in zip(data["model_a"], data["model_b"], strict=True)])
    chance = 1 / (1 + np.exp(-gap - effects[0] * value))
    score = np.array([{"a": 1.0, "b": 0.0}.get(word, 0.5) for word in data["winner"]])
    bread = np.linalg.inv(design.T @ (design * (chance * (1 - chance))[:, None]))
    items, code = np.unique(data["item"], return_inverse=True)
    sums = np.zeros((len(items), 4))
    np.add.at(sums, code, design * (score - chance)[:, None])
    error = np.sqrt((bread @ (sums.T @ sums) @ bread)[3, 3] * len(items) / (len(items) - 1))
    assert board.control is not None
    assert board.control.effects[0].std_error == pytest.approx(error, rel=1e-6)


def test_a_constant_zero_leaves_the_plain_board_to_the_digit() -> None:
    data = votes(4)
    plain = bt.rank(data, resamples=100).board
    controlled = bt.rank({**data, "zero": np.zeros(600)}, control="zero", resamples=100).board
    assert controlled.rows == plain.rows
    assert plain.draws is not None
    assert controlled.draws is not None
    assert np.array_equal(controlled.draws.strength, plain.draws.strength)
    assert [str(finding) for finding in controlled.findings if finding.code == "control-not-identified"] == [
        "! control-not-identified: The board does not control for zero: it is the same on both sides in every "
        "judgment. Leave it out, or collect judgments in which the outputs of two systems differ in it."
    ]


def test_what_follows_from_the_systems_is_not_identified() -> None:
    data = votes(5)
    size = dict(zip(SYSTEMS, (7.0, 1.0, 3.0, 2.0), strict=True))
    data["size_diff"] = [size[a] - size[b] for a, b in zip(data["model_a"], data["model_b"], strict=True)]
    board = bt.rank(data, control="length,size_diff", ci="none").board
    assert board.control is not None
    assert [effect.name for effect in board.control.effects] == ["length"]
    assert next(finding.code for finding in board.findings) == "control-not-identified"


def test_sides_and_weights_change_nothing() -> None:
    data = votes(6)
    turned = {
        **data,
        **{f"{name}_a": data[f"{name}_b"] for name in ("model", "length")},
        **{f"{name}_b": data[f"{name}_a"] for name in ("model", "length")},
        "winner": [{"a": "b", "b": "a"}.get(word, word) for word in data["winner"]],
    }
    twice = {name: np.concatenate([values, values[:100]]) for name, values in data.items()}
    weighed = {**data, "weight": np.where(np.arange(600) < 100, 2.0, 1.0)}
    boards = [bt.rank(each, control="length", scale="log", ci="none").board for each in (data, turned, twice, weighed)]
    strength = [{row.system: row.log_strength for row in board} for board in boards]
    assert strength[1] == pytest.approx(strength[0], abs=1e-8)
    assert strength[3] == pytest.approx(strength[2], abs=1e-2)  # the standard deviation is that of judgments
    assert boards[0].data == bt.rank(data, control="length", ci="none").board.data
    assert boards[0].data != boards[2].data
    other = {**data, "length_a": np.asarray(data["length_a"]) + np.arange(600) % 2}
    assert bt.rank(other, control="length", ci="none").board.data != boards[0].data


def test_position_is_the_gain_of_the_left_side() -> None:
    data = votes(7)
    board = bt.rank(data, control="position", ci="none", scale="log").board
    strength, effects = maximum(data, [np.ones(600)])
    assert board.control is not None
    assert board.control.effects[0].estimate == pytest.approx(effects[0], abs=1e-7)
    assert board["s0"].log_strength == pytest.approx(strength["s0"], abs=1e-7)


def test_a_match_favours_the_side_that_has_it() -> None:
    data = votes(8)
    rng = np.random.default_rng(8)
    owner = dict(zip(SYSTEMS, ("x", "x", "y", "y"), strict=True))
    data["judge"] = rng.choice(["x", "y", "z"], 600)
    for side in "ab":
        data[f"org_{side}"] = [owner[name] for name in data[f"model_{side}"]]
    value = np.array(
        [
            float(judge == a) - float(judge == b)
            for judge, a, b in zip(data["judge"], data["org_a"], data["org_b"], strict=True)
        ]
    )
    board = bt.rank(data, control="judge=org", ci="none").board
    assert board.control is not None
    assert board.control.effects[0].estimate == pytest.approx(maximum(data, [value])[1][0], abs=1e-7)


def test_columns_are_found_by_their_names() -> None:
    data = votes(9, 200)
    plain = bt.rank(data, control="length", ci="none").board
    lengths = [data.pop("length_a"), data.pop("length_b")]
    texts = {f"response_{side}": ["x" * int(size) for size in sizes] for side, sizes in zip("ab", lengths, strict=True)}
    own = {f"length_{name}": np.full(200, 50) for name in SYSTEMS}
    for side, sizes in zip("ab", lengths, strict=True):
        for row, (name, size) in enumerate(zip(data[f"model_{side}"], sizes, strict=True)):
            own[f"length_{name}"][row] = size
    for more, control in (
        ({"a_len": lengths[0], "b_len": lengths[1]}, "length"),
        ({"tokens_1": lengths[0], "tokens_2": lengths[1]}, "length"),
        ({"leftLength": lengths[0], "rightLength": lengths[1]}, "length"),
        ({"one": lengths[0], "two": lengths[1]}, "one/two"),
        (texts, "length"),
        (own, "length"),
    ):
        board = bt.rank({**data, **more}, control=control, ci="none").board
        assert [row.score for row in board] == pytest.approx([row.score for row in plain], abs=1e-9), list(more)


def test_nested_columns_are_found(tmp_path: Any) -> None:
    data = votes(10, 200)
    plain = bt.rank(data, control="length,headers", ci="none").board
    path = tmp_path / "votes.jsonl"
    rows = []
    for row in range(200):
        meta = {f"sum_assistant_{side}_tokens": int(data[f"length_{side}"][row]) for side in "ab"}
        meta |= {f"header_count_{side}": {"h1": int(data[f"headers_{side}"][row]), "h2": 0} for side in "ab"}
        rows.append({name: str(data[name][row]) for name in ("item", "judge", "model_a", "model_b", "winner")})
        rows[-1]["conv_metadata"] = meta
    path.write_text("\n".join(map(json.dumps, rows)))
    boards = bt.rank(str(path), control="length,headers", ci="none")
    assert [row.score for row in boards.board] == pytest.approx([row.score for row in plain], abs=1e-9)
    assert boards.reading is not None
    assert "conv_metadata" not in boards.reading.ignored


def test_categories_are_compared_with_the_most_frequent_one() -> None:
    data = votes(11)
    rng = np.random.default_rng(11)
    data["format_a"], data["format_b"] = (rng.choice(["plain", "plain", "table"], 600) for _ in "ab")
    value = (data["format_a"] == "table").astype(float) - (data["format_b"] == "table")
    board = bt.rank(data, control="format", ci="none").board
    assert board.control is not None
    (effect,) = board.control.effects
    assert (effect.name, effect.unit) == ("format=table", "table instead of plain")
    assert effect.estimate == pytest.approx(maximum(data, [value])[1][0], abs=1e-7)


def test_the_board_shows_both_ranks_and_never_ignores_what_it_uses(tmp_path: Any) -> None:
    path = tmp_path / "votes.csv"
    data = votes(12)
    lines = [",".join(data), *(",".join(map(str, row)) for row in zip(*data.values(), strict=True))]
    path.write_text("\n".join(lines))
    boards = bt.rank(str(path), control="length", resamples=50)
    text = boards.board.to_text()
    assert "# without  Elo without" in text
    assert boards.reading is not None
    assert boards.reading.used["control"] == "length_a, length_b"
    assert boards.reading.ignored == ("headers_a", "headers_b")
    plain = bt.rank(str(path), resamples=50).board
    assert boards.board.control is not None
    assert {row.system: row.score for row in plain} == pytest.approx(
        {name: each.score for name, each in boards.board.control.without.items()}, abs=1e-9
    )
    document = boards.to_dict()["leaderboards"][0]
    assert document["control"]["effects"][0]["columns"] == ["length_a", "length_b"]
    assert document["rows"][0]["uncontrolled_rank"] == boards.board.control.without[text.split()[0]].rank
    assert boards.signature.facts["control"] == "length"
    assert bt.rank(str(path), bt.Plan.from_signature(str(boards.signature))).board.rows == boards.board.rows


def test_pairs_are_decided_as_on_the_board() -> None:
    data = votes(13)
    board = bt.rank(data, control="length", resamples=200).board
    pairs = bt.compare_all(data, control="length", resamples=200)
    assert board.decisions is not None
    first, second = (board.fit.systems.index(name) for name in ("s0", "s3"))
    mine, other = pairs.systems.index("s0"), pairs.systems.index("s3")
    assert pairs.p_adjusted[mine, other] == pytest.approx(board.decisions.p_adjusted[first, second], abs=1e-12)
    with pytest.raises(PlanError) as refused:
        bt.compare_all(data, by="pair", control="length")
    assert str(refused.value) == (
        "tests of single pairs by their own record do not control for length. Leave out by='pair', or control."
    )


def test_one_step_spreads_as_refits_do() -> None:
    data = votes(14, 12_000)
    quick, refitted = (
        bt.rank(data, control="length", scale="log", resamples=200, buckets=buckets).board for buckets in (None, 0)
    )
    assert quick.draws is not None
    assert quick.draws.one_step
    assert refitted.draws is not None
    assert not refitted.draws.one_step
    one, other = (np.std(board.draws.strength, axis=0) for board in (quick, refitted))  # type: ignore[union-attr]
    assert one == pytest.approx(other, rel=0.2)


def test_islands_and_perfect_records_are_as_on_the_plain_board() -> None:
    data = votes(15, 200)
    more = {"model_a": ["best"] * 6, "model_b": ["s0", "s1", "s2"] * 2, "winner": ["a"] * 6, "length_a": [90] * 6}
    grown = {name: [*values, *more.get(name, [50] * 6)] for name, values in data.items()}
    board = bt.rank(grown, control="length", resamples=50, unit="row").board
    assert board["best"].score is None
    assert board["s0"].score is not None
    assert "never-loses" in [finding.code for finding in board.findings]


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        (
            {"control": "beauty"},
            PlanError,
            "control='beauty': no columns for 'beauty' in the given arrays; allowed: length, headers, negative, position. Name "
            "two columns as LEFT/RIGHT, one with the difference of both sides, or a formula such as '~ length_diff'.",
        ),
        (
            {"control": "winner"},
            PlanError,
            "control='winner': the column 'winner' is read as the outcome already. Name a column that says how the two "
            "outputs differ.",
        ),
        (
            {"control": "length", "model": "elo"},
            ModelError,
            "elo has no covariates. Leave out control='length', or use bradley-terry.",
        ),
        (
            {"control": "length", "reweight": "pairs"},
            PlanError,
            "reweight='pairs' is for pairs, and control='length' takes judgments one by one. Leave one of them out.",
        ),
        ({"control": "length,length"}, PlanError, "control='length,length' names 'length' twice. Name it once."),
        ({"control": "leak_diff"}, ModelError, None),
        ({"control": "negative"}, EvidenceError, None),
    ],
)
def test_what_cannot_be_controlled_for_is_refused(options: Any, error: Any, message: str | None) -> None:
    data = votes(16, 200)
    data["leak_diff"] = [{"a": 1.0, "b": -1.0}.get(word, 0.0) for word in data["winner"]]
    data["negative_a"], data["negative_b"] = np.full(200, -1), np.arange(200)
    with pytest.raises(error) as refused:
        bt.rank(data, ci="none", **options)
    if message is not None:
        assert str(refused.value) == message


def test_scores_and_states_are_refused(tmp_path: Any) -> None:
    with pytest.raises(PlanError) as refused:
        bt.rank({"owl": [3, 5, 4], "yak": [2, 1, 9]}, control="length")
    assert str(refused.value) == (
        "control='length' is for judgments of two outputs, but this evidence is scores. Leave it out."
    )
    with pytest.raises(PlanError) as refused:
        bt.rank(votes(17, 100), control="length", state=tmp_path / "s.duckdb")
    assert str(refused.value) == (
        "control='length' takes judgments one by one, but a state keeps counts of pairs. Leave it out, or rank all "
        "files without state."
    )


def test_style_that_predicts_the_outcome_is_a_finding() -> None:
    biased, fair = votes(18), votes(18, effect=0.0)
    found = [finding for finding in bt.rank(biased, resamples=20).findings if finding.code == "style-predicts"]
    assert found[0].hint == "See the board without this advantage: control='length'."
    assert "style-predicts" in [finding.code for finding in bt.diagnose(biased).findings]
    assert "style-predicts" not in [finding.code for finding in bt.rank(fair, resamples=20).findings]
    controlled = bt.rank(biased, control="length", resamples=20)
    assert "style-predicts" not in [finding.code for finding in controlled.findings]


def test_intervals_cover_where_length_misleads() -> None:
    large = bt.rank(votes(0, 200_000), control="length,headers", scale="log", ci="none").board
    truth = {row.system: row.log_strength for row in large}
    assert large.control is not None
    effect = large.control.effects[0].estimate
    covered, of_effect, alarms, right, misled = [], [], [], [], []
    for seed in range(1, 61):
        board = bt.rank(votes(seed), control="length,headers", scale="log", resamples=120).board
        covered += [row.low <= truth[row.system] <= row.high for row in board]  # type: ignore[operator]
        assert board.control is not None
        length, headers = board.control.effects
        of_effect.append(length.low <= effect <= length.high)  # type: ignore[operator]
        alarms.append(headers.p < 0.05)  # type: ignore[operator]
        right.append(board.rows[0].system == "s0")
        misled.append(board.control.without["s0"].rank != 1)
    assert 0.90 <= np.mean(covered) <= 0.99
    assert np.mean(of_effect) >= 0.88
    assert np.mean(alarms) <= 0.12
    assert np.mean(right) >= 0.85
    assert np.mean(misled) >= 0.3
