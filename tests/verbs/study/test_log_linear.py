"""The fits of Dras (2015): against closed forms, R, and a likelihood that SciPy maximises."""

from typing import Any

import numpy as np
import pytest
from scipy import optimize, special, stats

import betterthan as bt
from betterthan.verbs.study.experiments.log_linear import _READINGS, _SINGLE, _TABLE_1
from tests.reference.r_estimates import r_estimates


@pytest.fixture(scope="module")
def found() -> bt.StudyResult:
    return bt.study("log-linear", quick=True)


def rows(found: bt.StudyResult, data: str, fit: str) -> dict[str, dict[str, Any]]:
    """Return the rows of one fit by their terms."""
    columns = found.columns()
    names = list(columns)
    every = [dict(zip(names, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    return {row["term"]: row for row in every if (row["data"], row["fit"]) == (data, fit)}


def test_single_pairs_have_closed_forms(found: bt.StudyResult) -> None:
    for name, (won, tied, lost) in _SINGLE.items():
        terms = rows(found, name, "one pair")
        assert terms["+"]["estimate"] == pytest.approx(0.5 * np.log(won / lost), abs=1e-9)
        assert terms["+"]["se"] == pytest.approx(0.5 * np.sqrt(1 / won + 1 / lost), abs=1e-9)
        assert terms["undecided"]["estimate"] == pytest.approx(np.log(tied / np.sqrt(won * lost)), abs=1e-9)
        assert terms["undecided"]["se"] == pytest.approx(np.sqrt(1 / tied + 1 / (4 * won) + 1 / (4 * lost)), abs=1e-9)
        assert terms["+"]["odds"] == pytest.approx(won / lost)
        assert (terms["+"]["deviance"], terms["+"]["df"]) == (pytest.approx(0, abs=1e-9), 0)


def pooled(reading: str) -> dict[str, np.ndarray]:
    """Return the counts of each pair over all judges."""
    return {
        pair: np.sum([counts[place] for counts in _TABLE_1.values()], axis=0)
        for place, pair in enumerate(_READINGS[reading])
    }


@pytest.mark.parametrize("reading", ["printed", "exchanged"])
@pytest.mark.parametrize("fit", ["ties", "without ties"])
def test_table_1_is_the_maximum_of_its_likelihood(found: bt.StudyResult, reading: str, fit: str) -> None:
    counts = pooled(reading)

    def deviance(point: np.ndarray) -> float:
        strength = dict(zip("ABCD", [*point[:3], 0.0], strict=True))
        total = 0.0
        for (one, two), three in counts.items():
            gap = strength[one] - strength[two]
            chances = special.softmax([gap, point[3] if fit == "ties" else 0.0, -gap])
            total += 2 * float(np.sum(special.rel_entr(three, three.sum() * chances)))
        return total

    best = optimize.minimize(deviance, np.zeros(4 if fit == "ties" else 3), method="BFGS", options={"gtol": 1e-8})
    terms = rows(found, f"Table 1 ({reading})", fit)
    assert terms["A"]["deviance"] == pytest.approx(best.fun, abs=1e-6)
    assert [term["estimate"] for term in terms.values()] == pytest.approx(best.x, abs=1e-5)
    assert terms["A"]["df"] == 12 - len(best.x)


@pytest.mark.parametrize(("reading", "table"), [("printed", "t1"), ("exchanged", "t1paper")])
def test_table_1_is_that_of_r(found: bt.StudyResult, reading: str, table: str) -> None:
    golden = r_estimates()
    names = {"o1": "A", "o2": "B", "o3": "C", "g1": "undecided"}
    fits = {
        "ties": "ties",
        "without ties": "noties_g1_omitted",
        "by judge": "subj",
        "ties, table by judge": "subj_null",
    }
    for fit, entry in fits.items():
        expected, terms = golden[f"dras.{table}.{entry}"]["fit"], rows(found, f"Table 1 ({reading})", fit)
        assert terms["A"]["deviance"] == pytest.approx(expected["deviance"], abs=1e-6)
        assert terms["A"]["df"] == expected["df_resid"]
        for name, each in expected["coef"].items():
            if not each.get("aliased_reference"):
                system, _, judge = name.partition(":SUBJ")
                term = terms[f"{names[system]}:judge[T.J{judge}]" if judge else names[system]]
                assert (term["estimate"], term["se"]) == pytest.approx((each["est"], each["se"]), abs=1e-6)


def test_what_the_paper_prints_follows_from_exchanged_columns_alone(found: bt.StudyResult) -> None:
    wrong = {claim.what for claim in found.claims if claim.agreement != "agrees"}
    assert wrong == {
        "Collins (as tabled): a tendency not to decide (g1)",
        "Collins (as tabled): p of g1",
        "Table 1 (printed): deviance with ties, on 8 degrees of freedom",
        "Table 1 (printed): deviance without ties, on 9 degrees of freedom",
    }
    for claim in found.claims:
        assert claim.agreement == "agrees" or claim.cause
    assert found.claim("Table 1 (exchanged): deviance with ties").ours.value == pytest.approx(30.645854, abs=1e-6)
    assert found.claim("Table 1 (printed): deviance with ties").difference.value == pytest.approx(
        30.455436 - 30.646, abs=1e-6
    )
    for name, (won, _, lost) in _SINGLE.items():
        term = rows(found, name, "one pair")["+"]
        assert (stats.binomtest(won, won + lost).pvalue < 0.05) == (term["p"] < 0.05)
    one = bt.study("log-linear(readings=printed)")
    assert {data for data in one.columns()["data"] if data.startswith("Table")} == {"Table 1 (printed)"}


def test_the_picture_has_a_panel_for_every_fit(found: bt.StudyResult) -> None:
    picture = found.plot(title="Fits")
    assert len(set(picture.columns["panel"])) == 6 + 2 * 4
    assert picture.to_svg().startswith("<svg")


def judged(seed: int, share: float, *, split: bool) -> dict[str, list[str]]:
    """Return judgments of three systems by four judges, of whom one may prefer the reverse; a share are ties."""
    rng = np.random.default_rng(seed)
    left, right, outcome, judge = [], [], [], []
    for place in range(600):
        one, two = rng.choice(3, 2, replace=False)
        who = place % 4
        gap = (two - one) * (-1 if split and who == 0 else 1)
        outcome.append("tie" if rng.random() < share else "a" if rng.random() < special.expit(gap) else "b")
        left.append("ABC"[one])
        right.append("ABC"[two])
        judge.append(f"j{who}")
    return {"left": left, "right": right, "winner": outcome, "judge": judge}


def test_judgments_of_ones_own_with_planted_effects() -> None:
    votes = judged(0, 0.02, split=True)
    found = bt.study("log-linear", votes)
    assert {claim.what.split(":")[0] for claim in found.claims} == {
        "An effect of ties makes the model better",
        "Little undecidedness (g1 below 0)",
        "Judges differ about systems",
    }
    assert all(claim.agreement == "agrees" for claim in found.claims)
    expected = bt.fit(votes, scale="lambda")
    mine = rows(found, "your judgments", "ties")
    assert mine["A"]["estimate"] == pytest.approx(expected["A"].estimate)
    assert mine["A"]["se"] == pytest.approx(expected["A"].se)
    assert found.claim("Judges differ").ours.value == pytest.approx(
        bt.lr_test(bt.fit(votes), bt.fit(votes, subject="~ judge")).p
    )


def test_judgments_of_ones_own_without_effects_say_so() -> None:
    found = bt.study("log-linear", judged(1, 0.7, split=False))
    assert found.claim("Little undecidedness").agreement != "agrees"
    assert found.claim("Judges differ").agreement != "agrees"
    for claim in found.claims:
        assert claim.agreement == "agrees" or claim.cause
    decided = {name: values for name, values in judged(2, 0.0, split=False).items() if name != "judge"}
    assert bt.study("log-linear", decided).claims == ()


def test_refusals() -> None:
    with pytest.raises(bt.PlanError) as refused:
        bt.study("log-linear", bt.read_scores({"A": [1, 2, 3], "B": [2, 1, 1]}))
    assert (
        str(refused.value)
        == "log-linear is a study of judgments, but this evidence is scores. Convert it first: evidence.to_judgments()."
    )
    with pytest.raises(bt.PlanError, match=r"readings must be printed and exchanged with \| between them, got 'other'"):
        bt.study("log-linear(readings=other)")
