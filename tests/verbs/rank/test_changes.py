"""What changed since an earlier board: exact values, false alarms on shared and on new judgments, and refusals."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.stats

import betterthan as bt
from betterthan import EvidenceError, PlanError


def votes(rng: Any, number: int, strength: Any) -> list[tuple[str, str, str]]:
    """Simulate votes without ties."""
    names = [f"s{place}" for place in range(len(strength))]
    left = rng.integers(0, len(strength), number)
    right = (left + rng.integers(1, len(strength), number)) % len(strength)
    won = rng.random(number) < 1 / (1 + np.exp(strength[right] - strength[left]))
    return [(names[a], names[b], "a" if first else "b") for a, b, first in zip(left, right, won, strict=True)]


def test_changes_are_differences_of_centred_scores() -> None:
    rng = np.random.default_rng(1)
    first = votes(rng, 400, np.array([0.8, 0.2, -0.2, -0.8]))
    second = votes(rng, 400, np.array([0.8, 0.2, -0.2, -0.8])) + [("new", "s0", "a"), ("s1", "new", "a")] * 10
    before, now = bt.rank(first, resamples=200), bt.rank(second, resamples=200)
    changes = now.since(before).changes
    assert changes is not None
    assert (changes.entered, changes.left, changes.same_data) == (("new",), (), False)
    old, new = before.board, now.board
    common = ["s0", "s1", "s2", "s3"]
    raw = {name: new[name].score - old[name].score for name in common}  # type: ignore[operator]
    middle = np.mean(list(raw.values()))
    found = {move.system: move for move in changes.moves}
    normal = scipy.stats.norm.ppf(0.975)
    ps = []
    for name in common:
        assert found[name].change == pytest.approx(raw[name] - middle)
        error = np.hypot(*((row.high - row.low) / (2 * normal) for row in (old[name], new[name])))  # type: ignore[operator]
        assert found[name].high == pytest.approx(raw[name] - middle + normal * error)
        ps.append(2 * scipy.stats.norm.sf(abs(raw[name] - middle) / error))
    order = np.argsort(ps)
    holm = np.minimum(np.maximum.accumulate(np.array(ps)[order] * np.arange(4, 0, -1)), 1)
    assert [found[common[place]].p_adjusted for place in order] == pytest.approx(holm, abs=1e-9)


def test_a_file_says_the_same_as_the_result(tmp_path: Path) -> None:
    rng = np.random.default_rng(2)
    first, second = (votes(rng, 300, np.array([0.5, 0.0, -0.5])) for _ in range(2))
    before = bt.rank(first, resamples=100)
    path = tmp_path / "board.json"
    before.save(path)
    from_file, from_result = bt.rank(second, resamples=100, before=path), bt.rank(second, resamples=100).since(before)
    assert from_file.changes is not None
    assert from_result.changes is not None
    assert from_file.changes.moves == from_result.changes.moves
    document = json.loads(from_file.to_json())
    assert document["changes"]["moves"][0]["system"] == from_file.board.rows[0].system
    assert document["changes"]["since"] == str(path)
    assert "What changed" in bt.report(second, before=path, resamples=50).html


def test_the_same_data_have_no_test() -> None:
    data = votes(np.random.default_rng(3), 200, np.array([0.5, -0.5]))
    changes = bt.rank(data, seed=1, resamples=50).since(bt.rank(data, resamples=50)).changes
    assert changes is not None
    assert changes.same_data
    assert [move.p_adjusted for move in changes.moves] == [None, None]
    assert changes.sentences == [
        "No rank changed since the earlier board.",
        "Both boards are of the same data, so differences come from options or versions.",
    ]


def test_a_system_that_became_better_is_found_and_others_are_not() -> None:
    alarms, found = [], []
    for seed in range(40):
        rng = np.random.default_rng(seed)
        strength = np.array([0.6, 0.2, -0.2, -0.6])
        first = votes(rng, 400, strength)
        grown = first + votes(rng, 400, strength)  # shares half of its judgments
        apart = votes(rng, 400, strength)
        better = votes(rng, 400, np.array([0.6, 0.2, -0.2, 0.8]))
        before = bt.rank(first, resamples=60, unit="row")
        for now in (grown, apart):
            changes = bt.rank(now, resamples=60, unit="row").since(before).changes
            assert changes is not None
            alarms.append(any(move.significant for move in changes.moves))
        changes = bt.rank(better, resamples=60, unit="row").since(before).changes
        assert changes is not None
        found.append(next(move.significant for move in changes.moves if move.system == "s3"))
    assert np.mean(alarms) <= 0.09
    assert np.mean(found) >= 0.9


@pytest.mark.parametrize(
    ("document", "message"),
    [
        (
            "[]",
            "{path}: this is no board as betterthan writes it. Name the JSON file of an earlier ranking: betterthan rank FILE -o board.json.",
        ),
        (
            '{"leaderboards": [{}, {}]}',
            "{path}: there are 2 leaderboards in it, and one is compared. Rank with one model and one data set.",
        ),
        ('{"leaderboards": [{"rows": []}]}', "{path}: its board lacks rows, settings or evidence. Write it again."),
    ],
)
def test_what_is_no_board_is_refused(tmp_path: Path, document: str, message: str) -> None:
    path = tmp_path / "board.json"
    path.write_text(document)
    with pytest.raises(EvidenceError) as refused:
        bt.rank([("owl", "yak", "a"), ("yak", "owl", "a")], ci="none", before=path)
    assert str(refused.value) == message.format(path=path)


def test_boards_of_other_models_are_refused() -> None:
    data = votes(np.random.default_rng(4), 100, np.array([0.5, -0.5]))
    before = bt.rank(data, ci="none")
    with pytest.raises(PlanError) as refused:
        bt.rank(data, ci="none", model="win-rate").since(before.to_dict())
    assert str(refused.value) == (
        "the earlier board: the earlier board has model bradley-terry, this one win-rate, so their scores cannot be "
        "compared. Rank with the same model."
    )
