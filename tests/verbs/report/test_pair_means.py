"""The mean difference of every pair in the report is what `compare` says about that pair, and corrected like all pairs."""

from itertools import combinations
from typing import Any

import numpy as np
import pytest

import betterthan as bt
from betterthan.verbs.compare import pair_means as module
from betterthan.verbs.compare.pair_means import mean_differences


def _rows(values: Any, **columns: Any) -> list[dict[str, Any]]:
    return [
        {
            "item": f"i{item:03d}",
            "system": system,
            "score": float(values[item, place]),
            **{name: column(item) for name, column in columns.items()},
        }
        for item in range(len(values))
        for place, system in enumerate(("owl", "yak", "elk"))
    ]


def _evidence() -> list[tuple[str, Any]]:
    rng = np.random.default_rng(3)
    better = np.array([0.5, 0.2, 0.0])
    normal, gap = rng.normal(size=(40, 3)) + better, rng.normal(size=(40, 3)) + better
    gap[rng.random((40, 3)) < 0.2] = np.nan
    missing = [row for row in _rows(gap) if not np.isnan(row["score"])]
    return [
        ("t", bt.read_scores(_rows(normal))),
        ("bootstrap", bt.read_scores(_rows(rng.exponential(size=(40, 3)) ** 3 * [2.0, 1.0, 1.0]))),
        ("mcnemar-mid-p", bt.read_scores(_rows((rng.random((40, 3)) < [0.8, 0.6, 0.5]).astype(float)))),
        ("permutation", bt.read_scores(_rows(normal, document=lambda item: f"d{item // 4}"), group="document")),
        ("permutation", bt.read_scores(_rows(normal[:4]))),
        ("t", bt.read_scores(missing)),
    ]


@pytest.mark.parametrize(("test", "evidence"), _evidence())
def test_every_pair_is_that_of_compare(test: str, evidence: Any) -> None:
    part = bt.report(evidence, resamples=50, level=0.9, seed=4, tolerance=0.05).parts[0]
    found = mean_differences(part.data, part.pairs)
    assert found is not None
    for (a, b), answer in zip(combinations(part.pairs.systems, 2), found, strict=True):
        for one, two, sign in ((a, b, 1), (b, a, -1)):
            duel = bt.compare(evidence, one, two, question="mean", level=0.9, seed=4, tolerance=0.05)
            effect = duel.effect("mean_difference")
            assert answer.test.name == duel.recommended
            assert answer.test.p == pytest.approx(duel.p, rel=1e-9)
            ends = (answer.effect.low, answer.effect.high)[::sign]
            expected = [None if end is None else pytest.approx(sign * end) for end in ends]
            assert effect.value == pytest.approx(sign * answer.effect.value)
            assert [effect.low, effect.high] == expected
    assert any(answer.test.name.startswith(test) for answer in found)


def test_what_would_take_too_long_is_left_out_for_all_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    evidence = _evidence()[1][1]
    monkeypatch.setattr(module, "_MOST", 1000)
    page = bt.report(evidence, resamples=50)
    part = page.parts[0]
    assert mean_differences(part.data, part.pairs) is None
    assert '"mean":{"value":[' in page.html
    assert "the recommended test, compare the two systems alone" in page.html


def test_judgments_have_no_mean() -> None:
    part = bt.report([("owl", "yak", "a")] * 6 + [("owl", "yak", "b")] * 4, resamples=50).parts[0]
    assert mean_differences(part.data, part.pairs) is None
