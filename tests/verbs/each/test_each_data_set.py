"""A verb on each of several data sets: results as alone, and means with intervals over data sets."""

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

import betterthan as bt
from tests.cli.conftest import Answer, run

__all__ = ["run"]  # the command line

EXAMPLES = Path(__file__).parents[3] / "examples"

PAIRS = (("owl", "yak"), ("owl", "elk"), ("yak", "elk"))


def votes(*titles: str, seed: int = 0) -> dict[str, list[str]]:
    rng = np.random.default_rng(seed)
    rows = [
        (title, *pair, str(rng.choice(["a", "tie", "b"], p=[0.5, 0.2, 0.3])))
        for title in titles
        for _ in range(40)
        for pair in PAIRS
    ]
    names = ("dataset", "left", "right", "winner")
    return dict(zip(names, (list(values) for values in zip(*rows, strict=True)), strict=True))


def parts(columns: dict[str, list[str]]) -> dict[str, dict[str, list[str]]]:
    return {
        title: {
            name: [value for value, of in zip(values, columns["dataset"], strict=True) if of == title]
            for name, values in columns.items()
            if name != "dataset"
        }
        for title in dict.fromkeys(columns["dataset"])
    }


COLUMNS = votes("cs-en", "de-en", "fr-en")
EVERY = bt.read_judgments(COLUMNS, dataset="dataset")


def test_results_are_those_of_every_data_set_alone() -> None:
    found = bt.each_data_set(bt.compare_all, EVERY)
    assert found.titles == ("cs-en", "de-en", "fr-en")
    for title, columns in parts(COLUMNS).items():
        alone = bt.compare_all(columns)
        mine = found[title]
        assert isinstance(mine, bt.AllPairs)
        assert mine.systems == alone.systems
        assert mine.share.tolist() == pytest.approx(alone.share, nan_ok=True)
        assert mine.p_adjusted.tolist() == pytest.approx(alone.p_adjusted, nan_ok=True)


def test_means_have_student_s_interval_over_data_sets() -> None:
    found = bt.each_data_set(partial(bt.fit, reference="yak"), EVERY)
    estimates = [bt.fit(columns, reference="yak")["owl"].estimate for columns in parts(COLUMNS).values()]
    mean = found.mean("estimate", "owl (reference yak)")
    assert mean.values == pytest.approx(estimates)
    expected = stats.t.interval(0.95, 2, np.mean(estimates), stats.sem(estimates))
    assert (mean.mean.low, mean.mean.high) == pytest.approx(expected)
    table = found.to_pandas()
    assert table[(table["data_set"] == "mean") & (table["of"] == "owl (reference yak)")][
        "value"
    ].item() == pytest.approx(np.mean(estimates))


def test_pairs_are_averaged_whoever_is_ahead() -> None:
    """The better system of a pair comes first in a result; its mean is about the same one everywhere."""
    found = bt.each_data_set(bt.compare_all, EVERY)
    shares = []
    for columns in parts(COLUMNS).values():
        alone = bt.compare_all(columns)
        shares.append(alone.share[alone.systems.index("elk"), alone.systems.index("owl")].item())
    assert found.mean("share", "elk against owl").values == pytest.approx(shares)


def test_models_are_selected_for_each() -> None:
    found = bt.each_data_set(partial(bt.select, models="bradley-terry,win-rate", repeats=1), EVERY)
    for title in found.titles:
        selection = found[title]
        assert isinstance(selection, bt.Selection)
        assert found.mean("accuracy", "win-rate").values[found.titles.index(title)] == pytest.approx(
            selection["win-rate"].measures["accuracy"].value
        )
    document = json.loads(found.to_json())
    assert [each["figure"] for each in document["means"]][:2] == ["accuracy", "perplexity"]
    assert list(document["documents"]) == list(found.titles)
    assert "verb:select" in str(found.signature)


def test_what_no_two_data_sets_share_has_no_mean() -> None:
    other = {name: [{"owl": "ant", "yak": "bee", "elk": "cow"}.get(v, v) for v in votes("x")[name]] for name in COLUMNS}
    both = {name: [*votes("y")[name], *other[name]] for name in COLUMNS}
    found = bt.each_data_set(bt.compare_all, bt.read_judgments(both, dataset="dataset"))
    assert found.means == ()
    assert found.verdict == "2 data sets have no figure in common."
    with pytest.raises(bt.PlanError, match="no figure 'share' of 'a against b' is in all data sets"):
        found.mean("share", "a against b")


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("select --models bradley-terry,win-rate --repeats 1", "accuracy           bradley-terry"),
        ("compare --all", "share           aurora against birch"),
        ("compare --all --model bradley-terry,expected-wins", "aurora against birch, expected-wins"),
        ("fit", "estimate  aurora (reference fjord)"),
    ],
)
def test_the_command_line_runs_every_language_pair(command: str, said: str, run: Callable[..., Answer]) -> None:
    verb, *options = command.split()
    answer = run(verb, str(EXAMPLES / "rankings.csv"), *options)
    assert answer.code == 0, answer.err
    assert answer.out.startswith("Means over 2 data sets, which count equally. 95 % confidence intervals are over data")
    assert said in answer.out
    assert "\nFrench-English\n" in answer.out
    assert "\nGerman-English\n" in answer.out
