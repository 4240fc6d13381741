"""Outliers hurt the mean, types of instances the median, and Bradley–Terry holds; without the cause, nothing is hurt."""

import numpy as np
import pytest
from scipy import stats

import betterthan as bt
from betterthan.verbs.study.experiments import mechanisms

OUTLIERS = "Outliers hurt the mean"
TYPES = "Types of items hurt the median"


def test_the_findings_of_the_paper() -> None:
    found = bt.study("mechanisms(runs=20)", quick=True)
    for kind in ("code", "ours"):
        assert found.claim(f"{kind}: {OUTLIERS}").ours.high < -0.1
        assert found.claim(f"{kind}: {TYPES}").ours.high < -0.03
        assert found.claim(f"{kind}: BT holds").ours.low > -0.15
        for statement in (OUTLIERS, TYPES, "With both, the mean", "With both, the median"):
            assert found.claim(f"{kind}: {statement}").agreement == "agrees"
    assert {claim.difference for claim in found.claims} == {None}
    assert {claim.agreement for claim in found.claims if "equally well" in claim.what} <= {"agrees", "cannot tell"}


@pytest.mark.parametrize(("settings", "statement"), [("size=0", OUTLIERS), ("offset=0", TYPES)])
def test_without_the_cause_there_is_no_effect(settings: str, statement: str) -> None:
    """Outliers that are not moved are none, and offsets of 0 make one type of many."""
    claim = bt.study(f"mechanisms(kinds=ours,{settings})", quick=True).claim(f"ours: {statement}")
    assert claim.ours.high > -0.03
    if statement == OUTLIERS:
        assert claim.agreement != "agrees"


def test_the_letter_of_appendix_a_2_does_not_hurt_the_mean() -> None:
    found = bt.study("mechanisms(kinds=paper,runs=30)", quick=True)
    claim = found.claim(f"paper: {OUTLIERS}")
    assert claim.agreement == "cannot tell"
    assert claim.ours.low > -0.05
    assert claim.cause.startswith("As Appendix A.2 is printed, outliers are the other systems' scores")
    assert claim.cause in found.to_markdown()
    assert found.claim("paper: BT holds").agreement == "differs"


def test_the_code_s_outliers_contradict_the_order_and_are_at_least_one() -> None:
    study = mechanisms.Mechanisms(noise=1e-9)
    for share, outliers in ((0.0, 0), (0.01, 1), (0.1, 4)):
        setup = mechanisms.Setup("code", 3, share, 5, 50)
        rngs = np.random.default_rng(1), np.random.default_rng(2)
        scores, truth = mechanisms._as_coded(study, setup, *rngs)
        assert scores.shape == (48 + outliers, 5)  # 16 of each type
        assert truth.sum() == pytest.approx(10)
        for row in scores[:48]:
            assert stats.kendalltau(row, truth).statistic == pytest.approx(1)
        assert len({round(float(row.mean()), 6) for row in scores[:48]}) == 3  # the offsets
        for row in scores[48:]:
            assert stats.kendalltau(row, truth).statistic < 0
            assert row.min() >= 0
            assert row.max() <= 100


def test_noise_hides_strengths() -> None:
    """With hardly any noise the order is found, with much of it hardly anything is."""
    settings = "types=1,outliers=0,systems=10,items=30,kinds=ours"
    clear, noisy = (bt.study(f"mechanisms({settings},noise={noise})").columns()["tau"] for noise in (0.001, 100))
    assert min(clear) > 0.99
    assert max(noisy) < 0.3


def test_correlations_are_those_of_an_independent_simulation() -> None:
    """The mean of normal scores, by NumPy alone: Kendall's tau lies in the interval of the study."""
    found = bt.study("mechanisms(types=1,outliers=0,systems=10,items=100,runs=100,models=mean,kinds=ours)")
    row = {name: values[0] for name, values in found.columns().items()}
    true = np.random.default_rng(5).uniform(size=(100_000, 10))
    seen = true + np.random.default_rng(6).normal(size=true.shape) / np.sqrt(100)
    one, two = np.triu_indices(10, 1)
    tau = np.mean(np.sign((true[:, one] - true[:, two]) * (seen[:, one] - seen[:, two])))
    assert row["low"] < tau < row["high"]
    assert row["data_sets"] == 100
    assert found.claims == ()


def test_panels_are_those_of_figure_3() -> None:
    columns = bt.study("mechanisms(types=1|3,outliers=0|0.01,systems=2|5,items=10|30,runs=2,kinds=ours)").columns()
    varied = dict(zip(columns["panel"], columns["varied"], strict=True))
    assert varied == dict(zip("abcdefgh", ["systems", "items", "outliers", "types"] * 2, strict=True)) | {
        "c": "outliers",
        "d": "types",
        "e": "outliers",
        "f": "types",
        "g": "systems",
        "h": "items",
    }
    setups = {
        (panel, x, model): number
        for panel, x, model, number in zip(
            columns["panel"], columns["x"], columns["model"], columns["data_sets"], strict=True
        )
    }
    assert setups["a", 2, "mean"] == 2 * 2  # two sizes, two runs
    assert setups["h", 10, "median"] == 2 * 2 * 2 * 2
