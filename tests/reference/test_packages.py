"""What R's prefmod, psychotools, BradleyTerry2 and PlackettLuce estimate: `r/estimates.R` on the same tables.

`r/compare.py` says whether the stored figures are still what R gives.
"""

import json
from typing import Any

import numpy as np
import pytest
from scipy import optimize

import betterthan as bt
from tests.reference.r_estimates import TABLES

ESTIMATES = json.loads((TABLES.parent / "r" / "estimates.json").read_text("utf-8"))
SALAD, ANIMALS = ["A", "B", "C", "D"], ["owl", "yak", "elk", "fox"]


def _salad() -> bt.Rankings:
    return bt.read_rankings(TABLES / "salad_sex.csv", systems=SALAD)


def _called(name: str) -> str:
    """Return our name of an effect: sex2 is C(sex)[T.2] there."""
    system, _, of = name.partition(":")
    return f"{system}:C({of[:-1]})[T.{of[-1]}]" if of else system


def _equal(model: Any, entry: str, *, sign: float = 1.0, digits: float = 3e-6) -> None:
    found = ESTIMATES[entry]
    for name, value in found["coef"].items():
        of_ties = name in {"U", "(undecided)"}
        ours = model["undecided" if of_ties else _called(name)]
        assert ours.estimate == pytest.approx(value if of_ties else sign * value, abs=digits)
        if name in found.get("se", {}):
            assert ours.se == pytest.approx(found["se"][name], abs=6e-5)
    if "log_likelihood" in found:
        assert model.log_likelihood == pytest.approx(found["log_likelihood"], abs=1e-5)


@pytest.mark.parametrize(
    ("entry", "subject"),
    [("prefmod.pattR.sex", "~ C(sex)"), ("prefmod.pattR.sex_region", "~ C(sex) + C(region)")],
)
def test_patterns_of_rankings_by_what_is_known_of_the_judge(entry: str, subject: str) -> None:
    """`pattR.fit(…, formel = ~sex)`."""
    model = bt.fit(_salad(), model="patterns", subject=subject, unit="row", scale="lambda", reference="D")
    _equal(model, entry)


def test_patterns_of_ratings_by_what_is_known_of_the_judge() -> None:
    """`pattL.fit(…, formel = ~sex)`, for which a low rating is a good one."""
    ratings = bt.read_scores(TABLES / "ratings_sex.csv", systems=ANIMALS, item="judge")
    model = bt.fit(ratings, model="patterns", subject="~ C(sex)", unit="row", scale="lambda", reference="fox")
    _equal(model, "prefmod.pattL.sex", sign=-1.0, digits=3e-6)


def test_pairs_of_rankings_by_what_is_known_of_the_judge() -> None:
    """`llbtPC.fit(…, formel = ~sex)` on all pairs of the rankings."""
    model = bt.fit(_salad(), subject="~ C(sex)", unit="row", scale="lambda", reference="D")
    _equal(model, "prefmod.llbtPC.sex", digits=1e-7)
    found = ESTIMATES["prefmod.llbtPC.sex"]
    assert (model.deviance, model.df) == (pytest.approx(found["deviance"], abs=1e-8), found["df"])


def test_bradley_terry_of_schools() -> None:
    found = ESTIMATES["BradleyTerry2.cems"]
    model = bt.fit(TABLES / "cems_counts.csv", ties="half", unit="row", reference="Stockholm")
    for name, value in found["coef"].items():
        school = name.removeprefix("id")
        assert model[school].estimate == pytest.approx(value, abs=1e-7)
        assert model[school].se == pytest.approx(found["se"][name], abs=1e-6)
    assert model.deviance == pytest.approx(found["deviance"], abs=1e-6)


def test_davidson_of_puddings() -> None:
    """psychotools' undecided effect is against half the sum of the two log-worths, as ours is."""
    model = bt.fit(TABLES / "pudding_counts.csv", unit="row", reference="p6")
    _equal(model, "psychotools.pudding", digits=1e-5)


def test_plackett_luce_of_salads() -> None:
    model = bt.fit(_salad(), model="plackett-luce", unit="row", reference="D")
    _equal(model, "PlackettLuce.salad", digits=1e-6)


def test_plackett_luce_by_what_is_known_of_the_judge_has_the_maximum_of_its_likelihood() -> None:
    """The likelihood, written out: from the best system on, each is chosen from the rest with odds of its worth."""
    rankings = _salad()
    ranks = np.zeros((32, 4))
    ranks[rankings.ranking, rankings.system] = rankings.rank
    sex, region = (
        np.array([float(value) for value in rankings.described([name]).covariates[name]]) for name in ("sex", "region")
    )

    def loss(point: Any) -> float:
        intercept, by_sex, by_region = (np.append(part, 0.0) for part in point.reshape(3, 3))
        total = 0.0
        for order, female, place in zip(ranks.argsort(axis=1), sex, region, strict=True):
            worth = (intercept + by_sex * female + by_region * place)[order]
            total -= sum(worth[at] - np.logaddexp.reduce(worth[at:]) for at in range(3))
        return float(total)

    best = optimize.minimize(loss, np.zeros(9), method="BFGS", options={"gtol": 1e-8})
    model = bt.fit(rankings, model="plackett-luce", subject="~ sex + region", unit="row", reference="D")
    assert model.log_likelihood == pytest.approx(-best.fun, abs=1e-7)
    names = [f"{system}{of}" for of in ("", ":sex", ":region") for system in "ABC"]
    np.testing.assert_allclose([model[name].estimate for name in names], best.x, atol=2e-4)
