"""The test of the position allows for items and judges: V(items) + V(judges) − V(both), as Cameron et al. (2011)."""

import numpy as np
import pytest
from scipy import stats

import betterthan as bt

ITEMS, JUDGES = 8, 6


def _judgments() -> tuple[list[dict[str, str]], np.ndarray, np.ndarray]:
    """Every judge sees every item twice; some judges, and some items, lean to the left side."""
    rng = np.random.default_rng(4)
    lean = rng.normal(0.4, 0.9, JUDGES)[None, :] + rng.normal(0, 0.9, ITEMS)[:, None]
    rows, straight, won = [], [], []
    for item in range(ITEMS):
        for judge in range(JUDGES):
            for _ in range(2):
                left_first, left_wins = rng.random() < 0.5, rng.random() < 1 / (1 + np.exp(-lean[item, judge]))
                one, two = ("owl", "yak") if left_first else ("yak", "owl")
                rows.append({"left": one, "right": two, "outcome": "left" if left_wins else "right",
                             "item": f"i{item}", "judge": f"j{judge}"})  # fmt: skip
                straight.append(left_first)
                won.append(left_wins == left_first)
    return rows, np.array(straight, dtype=float), np.array(won, dtype=float)


def _found(rows: list[dict[str, str]], **options: str) -> dict[str, float]:
    findings = bt.diagnose(bt.read_judgments(rows), **options).findings
    (found,) = [finding for finding in findings if finding.code.startswith("position")]
    return dict(found.numbers)


def _squares(values: np.ndarray, *codes: np.ndarray) -> float:
    keys = np.unique(np.stack(codes), axis=1, return_inverse=True)[1].ravel()
    sums = np.bincount(keys, values)
    return float(np.sum(sums**2)) * len(sums) / (len(sums) - 1)


def test_the_variance_of_both_units_counts_once() -> None:
    rows, straight, won = _judgments()
    together = (straight - straight.mean()) * (won - won.mean())
    item = np.repeat(np.arange(ITEMS), 2 * JUDGES)
    judge = np.tile(np.repeat(np.arange(JUDGES), 2), ITEMS)
    by_item, by_judge, both = _squares(together, item), _squares(together, judge), _squares(together, item, judge)
    assert min(by_item, by_judge) > both  # else one of them would be left out
    variance = by_item + by_judge - both
    expected = 2 * stats.t.sf(abs(together.sum()) / np.sqrt(variance), JUDGES - 1)
    assert _found(rows)["p"] == pytest.approx(expected)


def test_of_one_unit_only_its_own_variance_counts() -> None:
    rows, straight, won = _judgments()
    together = (straight - straight.mean()) * (won - won.mean())
    by_item = _squares(together, np.repeat(np.arange(ITEMS), 2 * JUDGES))
    for each in rows:
        del each["judge"]
    expected = 2 * stats.t.sf(abs(together.sum()) / np.sqrt(by_item), ITEMS - 1)
    assert _found(rows)["p"] == pytest.approx(expected)
