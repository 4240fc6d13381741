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


def _partial() -> bt.Rankings:
    """Return the salads with only the first two of every third ranking."""
    whole = _salad()
    subject = np.array([int(label) for label in whole.about["judge"]])
    ranks: dict[str, list[int | None]] = {system: [None] * 32 for system in SALAD}
    for ranking, system, rank in zip(whole.ranking, whole.system, whole.rank, strict=True):
        if rank <= 2 or subject[ranking] % 3:
            ranks[SALAD[system]][ranking] = int(rank)
    return bt.read_rankings(ranks)


def test_prefmod_takes_systems_that_were_not_ranked_as_below_the_others() -> None:
    model = bt.fit(_partial(), model="patterns", unranked="last", unit="row", scale="lambda", reference="D")
    _equal(model, "prefmod.pattR.partial")
    missing = bt.fit(_partial(), model="patterns", unit="row", scale="lambda", reference="D")
    assert missing.log_likelihood > model.log_likelihood + 10  # a ranking of two says less than the first two of four


def test_plackett_luce_with_unranked_systems_last_has_the_maximum_of_its_likelihood() -> None:
    """The likelihood, written out: unranked systems could have been chosen at every choice."""
    rankings = _partial()
    ranked = [
        rankings.system[rankings.ranking == at][np.argsort(rankings.rank[rankings.ranking == at])] for at in range(32)
    ]

    def loss(point: Any) -> float:
        worth, total = np.append(point, 0.0), 0.0
        for order in ranked:
            remaining = [0, 1, 2, 3]
            for system in order:
                total -= worth[system] - np.logaddexp.reduce(worth[remaining])
                remaining.remove(system)
        return float(total)

    best = optimize.minimize(loss, np.zeros(3), method="BFGS", options={"gtol": 1e-9})
    model = bt.fit(rankings, model="plackett-luce", unranked="last", unit="row", reference="D")
    assert model.log_likelihood == pytest.approx(-best.fun, abs=1e-9)
    np.testing.assert_allclose([model[name].estimate for name in "ABC"], best.x, atol=1e-5)


def test_pairs_with_unranked_systems_last_are_those_of_ranked_and_unranked() -> None:
    rankings = _partial()
    votes = [
        (SALAD[one], SALAD[two], "a")
        for at in range(32)
        for mine in [rankings.ranking == at]
        for ranked in [dict(zip(rankings.system[mine], rankings.rank[mine], strict=True))]
        for one in ranked
        for two in range(4)
        if ranked[one] < ranked.get(two, 9)
    ]
    one = bt.fit(rankings, unranked="last", unit="row", reference="D")
    two = bt.fit(votes, unit="row", reference="D")
    assert (one.judgments, one.to_csv()) == (two.judgments, two.to_csv())
    assert one.judgments == bt.fit(rankings, unit="row").judgments + 4 * 10  # of ten rankings


@pytest.mark.parametrize(
    ("evidence", "options", "message"),
    [
        (
            [("owl", "yak", "a")],
            {},
            "unranked='last' is for rankings, but this evidence is judgments. Leave it out.",
        ),
        (
            {"owl": [1, 2], "yak": [2, 1], "elk": [3, None]},
            {"model": "patterns", "missing": "systems"},
            "with unranked='last' no system of a ranking is missing, so missing='systems' has no meaning. Leave one of them "
            "out.",
        ),
    ],
)
def test_where_unranked_systems_have_no_meaning(evidence: Any, options: Any, message: str) -> None:
    with pytest.raises(bt.PlanError) as found:
        bt.fit(evidence, unranked="last", **options)
    assert str(found.value) == message


def test_growing_strengths_of_systems_that_were_never_ranked_are_found() -> None:
    """Elk was never among the first two: its worth has no lower bound."""
    ranks = {"owl": [1, 2, 1, 2], "yak": [2, 1, 2, 1], "elk": [None] * 4}
    model = bt.fit(bt.read_rankings({**ranks, "elk": [3, None, None, None]}), model="plackett-luce", unranked="last")
    assert [name for name in ("elk", "owl") if model[name].infinite] == ["elk"]
