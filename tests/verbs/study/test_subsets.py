"""Where every system is best: shares of comparisons won on every data set, and their differences."""

import numpy as np
import pytest

import betterthan as bt

#: Wins of the first of two systems among 200 judgments, by task: owl is better on one, elk on the other.
WINS = {"news": {("owl", "yak"): 150, ("owl", "elk"): 150, ("yak", "elk"): 100}}
WINS["chat"] = {("owl", "yak"): 100, ("owl", "elk"): 50, ("yak", "elk"): 50}


def votes() -> bt.Judgments:
    rows = [
        (task, *pair, "a" if place < won else "b")
        for task, pairs in WINS.items()
        for pair, won in pairs.items()
        for place in range(200)
    ]
    names = ("dataset", "left", "right", "winner")
    columns = dict(zip(names, (list(values) for values in zip(*rows, strict=True)), strict=True))
    return bt.read_judgments(columns, dataset="dataset")


def test_shares_and_differences_are_those_of_the_counts() -> None:
    found = bt.study("subsets", votes())
    table = found.to_pandas().set_index(["system", "subset"])
    share = {
        ("owl", "news"): 300 / 400, ("owl", "chat"): 150 / 400,
        ("yak", "news"): 150 / 400, ("yak", "chat"): 150 / 400,
        ("elk", "news"): 150 / 400, ("elk", "chat"): 300 / 400,
    }  # fmt: skip
    for (system, subset), expected in share.items():
        row = table.loc[system, subset]
        assert row["share"] == pytest.approx(expected)
        other = share[system, "chat" if subset == "news" else "news"]
        assert row["difference"] == pytest.approx(expected - other)
    errors = [np.sqrt(sum(p * (1 - p) for p in pairs) / 200) / 2 for pairs in ((0.75, 0.75), (0.5, 0.25))]
    assert table.loc[("owl", "news"), "error"] == pytest.approx(np.hypot(*errors), rel=0.1)
    assert table["best"].to_dict()["owl", "news"]
    assert table["best"].to_dict()["elk", "chat"]
    claim = found.claims[0]
    assert (claim.ours.value, claim.agreement) == (2, "agrees")  # owl on news, elk on chat
    assert [row[:2] for row in found.summary.rows if row[0] != "yak"] == [["elk", "chat"], ["owl", "news"]] or [
        row[:2] for row in found.summary.rows if row[0] != "yak"
    ] == [["owl", "news"], ["elk", "chat"]]
    assert found.plot().to_svg().startswith("<svg")


def test_equal_subsets_show_nothing() -> None:
    rows = [(task, "owl", "yak", "a" if place < 30 else "b") for task in "xy" for place in range(50)]
    columns = dict(
        zip(("dataset", "left", "right", "winner"), (list(values) for values in zip(*rows, strict=True)), strict=True)
    )
    claim = bt.study("subsets(resamples=50)", bt.read_judgments(columns, dataset="dataset")).claims[0]
    assert (claim.ours.value, claim.agreement) == (0, "cannot tell")


def test_what_is_refused() -> None:
    with pytest.raises(bt.PlanError) as refusal:
        bt.study("subsets", {"owl": [1, 2, 3], "yak": [2, 1, 1]})
    assert str(refusal.value) == (
        "subsets compares data sets, and there is one. Name the column that divides the evidence with dataset."
    )
