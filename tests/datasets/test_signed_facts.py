"""Signatures hold what was decided, and nothing that is empty; parts of outputs are left out block by block."""

import numpy as np
import pytest

import betterthan as bt
from betterthan.datasets.data_sets_of import data_sets
from betterthan.datasets.statistics.item_parts import ItemParts

VOTES = [("owl", "yak", "a")] * 14 + [("owl", "yak", "b")] * 6
SCORES = {"owl": [1.0, 2.0, 4.0, 3.0], "yak": [2.0, 1.0, 3.0, 6.0]}


def test_no_fact_of_a_signature_is_empty() -> None:
    for result in (bt.rank(VOTES, ci="none"), bt.rank(SCORES, model="mean", ci="none"), bt.compare(SCORES, "owl", "yak"),
                   bt.diagnose(VOTES)):  # fmt: skip
        assert all(result.signature.facts.values()), str(result.signature)


def test_every_block_is_left_out_once() -> None:
    rows = {
        "item": [f"i{place}" for place in range(12)], "truth": list("aabbabbaabab"),
        "owl": list("aabbabbaabaa"), "yak": list("abbbabbbabab"),
    }  # fmt: skip
    scored = bt.score(rows, "f1", "truth", systems=["owl", "yak"])
    (data,) = data_sets(scored).sets
    assert data.scores is not None
    parts = ItemParts.of(data.scores)
    left_out = parts.without(4)
    assert left_out.shape == (2, 4)
    expected = [parts.whole((np.arange(12) % 4 != block).astype(float)[:, None])[:, 0] for block in range(4)]
    assert left_out == pytest.approx(np.stack(expected, axis=1))
