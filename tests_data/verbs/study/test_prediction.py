"""How well models foresee judgments: every figure against plain loops over the same judgments."""

import numpy as np
import pytest

import betterthan as bt
from betterthan.verbs.study.model_runs import OWN
from tests.verbs.study.rankings import NAMES


def test_every_kind_of_evidence(shared: object) -> None:
    scores = bt.study(
        "prediction",
        {name: np.random.default_rng(place).normal(place, 2, 400) for place, name in enumerate(NAMES)},
        quick=True,
    )
    assert scores.columns()["accuracy"][-1] > 0.6
    bundled = bt.study("prediction", quick=True)
    assert bundled.plot().to_svg().startswith("<svg")
    assert bundled.claim("Upper bound").ours.known == bundled.columns()["upper_bound"][0]
    # A column that says what kind a judge is serves as well as judges' names.
    typed = bt.read(f"{shared}/wmt13-fr-en/pairwise.parquet", judge="judge_type")
    name = "prediction(sizes=400,models=expected-wins,train_by=*|researcher,test_by=researcher,runs=2)"
    found = bt.study(name, typed, quick=True)
    assert found.columns()["train_by"] == ["*", "*", "researcher", "researcher"]
    assert all(0.4 < accuracy < 0.55 for accuracy in found.columns()["accuracy"])


def test_printed_figures_stand_beside_ours(shared: object) -> None:
    name = "prediction(sizes=400|6400,runs=2,train_by=*|researcher*,test_by=researcher*,dev=2000,test=2000)"
    found = bt.study(name, f"{shared}/wmt13-fr-en/rankings.csv.gz", quick=True)
    columns = found.columns()
    printed = dict(
        zip(zip(columns["train_by"], columns["size"], columns["model"], strict=True), columns["printed"], strict=True)
    )
    assert printed["*", 400, "expected-wins"] == 0.465
    assert printed["researcher*", 6400, OWN] == 0.497
    assert printed["*", 400, "trueskill(preset=wmt)"] is None, "the paper's TrueSkill chooses its own pairs"
    claim = found.claim("With 400 judgments of judges *, TrueSkill is ahead: own pairs − hopkins-may")
    assert claim.expected.printed == pytest.approx(0.479 - 0.471)
    assert found.claim("Upper bound").expected.printed == 0.525
    assert 0.48 < found.claim("Upper bound").ours.known < 0.53
