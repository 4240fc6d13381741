"""Every threshold decides where its kind says: evidence just below it and just above it."""

from typing import Any

import numpy as np
import pytest

import betterthan as bt
from betterthan.findings import Finding
from betterthan.findings.registry import all_kinds

KINDS = all_kinds()


def _one(findings: Any, code: str) -> Finding | None:
    found = [finding for finding in findings if finding.code == code]
    assert len(found) <= 1
    return found[0] if found else None


def _level(findings: Any, code: str) -> str | None:
    finding = _one(findings, code)
    return None if finding is None else finding.level


def _scores(items: int, ties: int = 0) -> dict[str, list[float]]:
    """Two systems that win in turn, but for the first instances, on which they tie."""
    rng = np.random.default_rng(0)
    yak = rng.normal(size=items)
    owl = yak + np.where(np.arange(items) % 3, 1.0, -0.7) * rng.uniform(0.5, 1.5, items)
    owl[:ties] = yak[:ties]
    return {"owl": owl.tolist(), "yak": yak.tolist()}


def _votes(judgments: int, ties: int = 0, items: int | None = None) -> dict[str, list[str]]:
    winners = ["tie"] * ties + ["left" if place % 3 else "right" for place in range(judgments - ties)]
    columns = {"left": ["owl"] * judgments, "right": ["yak"] * judgments, "winner": winners}
    return columns | ({"item": [f"i{place % items}" for place in range(judgments)]} if items else {})


def test_the_values_of_the_thresholds() -> None:
    """A threshold changes what people are told: not by accident."""
    assert {code: dict(kind.thresholds) for code, kind in KINDS.items() if kind.thresholds} == {
        "adaptive-choice": {"share": 0.1},
        "often-looked-at": {"looks": 20},
        "check-sampled": {"judgments": 20_000},
        "check-skipped": {
            "systems_in_cycles": 500,
            "systems_left_out_in_turn": 150,
            "systems_in_a_lead": 1_000,
            "systems_by_type_of_item": 200,
            "systems_by_model": 300,
            "ordered_comparisons": 2_000_000,
        },
        "duplicates": {"many": 0.01},
        "easy-items": {"mentioned": 0.05, "many": 0.5},
        "extrapolated": {"times": 10},
        "few-clusters": {"clusters_least": 10, "per_term": 1, "fixed": 5},
        "few-comparisons": {"few": 20},
        "few-labels": {"enough": 20, "least": 3},
        "fixed-units": {"least": 2},
        "fewer-resamples": {"least": 200},
        "few-units-of-system": {"intervals": 10, "share": 0.5},
        "few-units": {"exact_tests": 20, "intervals": 30, "mentioned": 50},
        "fixed-sides": {"p": 0.01},
        "formula": {"difference": 0.03, "standard_errors": 3},
        "identical": {"judgments": 20, "items": 2},
        "indistinguishable": {"share": 0.02},
        "item-types": {"items": 40, "p": 0.01, "variance_explained": 0.85},
        "labels-selected": {"errors": 3.0},
        "reversed-items": {"chance": 0.95},
        "skewed-scores": {"units": 50, "skewness": 0.5, "standard_errors": 1.1},
        "intransitive": {"p": 0.05, "units": 20, "judgments_of_a_pair": 10},
        "judge-against-rest": {"insight": 0.5, "p": 0.01, "judgments": 20, "items": 10, "reversed": 0.45},
        "judge-agreement": {"little": 0.2},
        "judge-copies": {"agreement": 0.95, "p": 0.01, "judgments": 20},
        "judge-biased": {"margin": 0.05},
        "judge-few": {"share_of_judgments": 0.5, "judges_most": 5, "one_of": 5},
        "judge-inconsistent": {"kappa": 0.4, "repeats": 20},
        "judge-left-bias": {"difference": 0.1, "p": 0.01, "judgments": 20, "items": 10},
        "judge-speed": {"times": 5, "deviations": 3, "judges": 5, "judgments": 10},
        "judge-ties": {"difference": 0.15, "p": 0.01, "judgments": 20, "items": 10},
        "lack-of-fit": {"p": 0.05, "difference": 0.03, "units": 20, "judgments_of_a_pair": 10},
        "lead-hangs-on": {
            "share": 0.005,
            "number": 3,
            "errors_of_others": 1.5,
            "variance": 0.3,
            "p": 0.01,
            "mentioned": 0.25,
        },
        "long-outputs": {"characters": 10_000},
        "many-ties": {"many": 0.3},
        "mean-hangs-on": {"share": 0.005, "number": 3, "items": 3, "interquartile_ranges": 3},
        "mechanisms-disagree": {"p": 0.05, "share_of_outliers": 0.1},
        "missing-scores": {"many": 0.01},
        "near-identical": {"tied": 0.95, "comparisons": 20, "usual_ties": 0.5},
        "net-wins": {"correlation": 0.99, "times": 1.2, "systems": 3},
        "outliers": {"many": 0.05, "usual": 0.015, "items": 20, "p": 0.01, "distinct_scores": 10},
        "over-confident": {
            "extreme": 0.5,
            "extreme_of_others": 0.25,
            "each_end": 0.1,
            "width_of_an_end": 0.01,
            "distinct_scores": 20,
        },
        "pairing": {"items": 3},
        "position-effect": {"p": 0.01},
        "repeated-outputs": {"times": 2, "share_of_items": 0.1},
        "score-agreement": {"poor": 0.5},
        "style-predicts": {"p": 0.01, "rows": 20000},
        "surprised": {"floor": 1e-6},
        "tasks-differ": {"p": 0.05},
        "tie-treatment": {"mentioned": 0.005},
        "ties": {"mentioned": 0.05},
        "uniform": {"p": 0.01, "judgments_of_a_pair": 10},
        "unequal-units": {"share": 0.5, "effective": 30},
        "unstable-classes": {"reached_least": 2},
        "weak-pairing": {"correlation_least": 0.1},
    }


@pytest.mark.parametrize(("items", "level"), [(29, "warning"), (30, None)])
def test_a_board_with_few_units(items: int, level: str | None) -> None:
    board = bt.rank(_votes(90, items=items), resamples=20)
    assert _level(board.findings, "few-units") == level


@pytest.mark.parametrize(("items", "level"), [(19, "warning"), (20, None)])
def test_a_duel_with_few_units(items: int, level: str | None) -> None:
    duel = bt.compare(_scores(items))
    assert _level(duel.findings, "few-units") == level
    assert _level(bt.power(_scores(items), simulations=0).findings, "few-units") == level


@pytest.mark.parametrize(("items", "level"), [(19, "warning"), (20, "info"), (49, "info"), (50, None)])
def test_a_diagnosis_of_few_units(items: int, level: str | None) -> None:
    assert _level(bt.diagnose(_scores(items)).findings, "few-units") == level


@pytest.mark.parametrize(("items", "level"), [(29, "warning"), (30, None)])
def test_a_selection_by_few_units(items: int, level: str | None) -> None:
    found = bt.select(_votes(90, items=items), "bradley-terry", repeats=1)
    assert _level(found.findings, "few-units") == level


@pytest.mark.parametrize(("times", "named"), [(7, True), (8, False)])
def test_scores_that_a_policy_put_too_far_apart(times: int, *, named: bool) -> None:
    """The more judgments there are, the less shrinkage changes."""
    pairs = {("owl", "yak"): (6, 4), ("yak", "elk"): (6, 4), ("owl", "elk"): (7, 3)}
    rows = [
        (a, b, side) for (a, b), (won, lost) in pairs.items() for side in ["a"] * won * times + ["b"] * lost * times
    ]
    finding = _one(bt.rank(rows, ci="analytic", horizon="anytime").findings, "adaptive-choice")
    assert (finding is not None) == named
    assert finding is None or finding.value == pytest.approx(0.11, abs=0.01)


@pytest.mark.parametrize(("copies", "level"), [(1, "info"), (2, "warning")])
def test_duplicates(copies: int, level: str) -> None:
    columns = {**_votes(100), "item": [f"i{place}" for place in range(100)], "judge": ["eve"] * 100}
    twice = {name: [*column[: 100 - copies], *column[:copies]] for name, column in columns.items()}
    finding = _one(bt.diagnose(twice).findings, "duplicates")
    assert finding is not None
    assert (finding.level, finding.value) == (level, copies / 100)


@pytest.mark.parametrize(("ties", "code"), [(4, None), (5, "ties"), (30, "ties"), (31, "many-ties"), (100, "all-ties")])
@pytest.mark.parametrize("kind", [_votes, _scores])
def test_a_diagnosis_of_ties(kind: Any, ties: int, code: str | None) -> None:
    findings = bt.diagnose(kind(100, ties)).findings
    assert [each for each in ("ties", "many-ties", "all-ties") if _one(findings, each)] == ([code] if code else [])


@pytest.mark.parametrize(("ties", "level"), [(30, None), (31, "warning")])
@pytest.mark.parametrize("kind", [_votes, _scores])
def test_a_duel_with_many_ties(kind: Any, ties: int, level: str | None) -> None:
    assert _level(bt.compare(kind(100, ties)).findings, "many-ties") == level


@pytest.mark.parametrize(("ties", "level"), [(4, None), (5, "info")])
def test_a_board_with_ties(ties: int, level: str | None) -> None:
    board = bt.rank(_votes(1000, ties), ci="none")
    assert _level(board.findings, "tie-treatment") == level


def test_a_board_says_how_ties_were_treated() -> None:
    half, dropped = (bt.rank(_votes(100, 19), ties=ties, ci="none").findings for ties in ("half", "drop"))
    assert str(_one(half, "tie-treatment")) == (
        "i tie-treatment: 19 % of judgments are ties and count as half a win for each side."
    )
    assert str(_one(dropped, "tie-treatment")) == "i tie-treatment: 19 % of judgments are ties and were left out."


@pytest.mark.parametrize(("ties", "told"), [(10, False), (11, True)])
def test_advice_on_ties(ties: int, told: bool) -> None:
    """One model is advised whatever the ties; a model of ties is a check beside it."""
    advice = bt.advise(_votes(100, ties))
    assert advice.mechanism == "bradley-terry"
    assert (f"chances of ties by davidson, because {ties} % of judgments are ties" in advice.beside) == told


@pytest.mark.parametrize(("ties", "because"), [(50, False), (51, True)])
def test_advice_against_pairs_that_mostly_tie(ties: int, because: bool) -> None:
    advice = bt.advise(_scores(100, ties), measure="hard")
    assert (advice.mechanism == "mean") == because
    said = f"{ties} % of pairwise comparisons are ties, which say nothing about the ranking." in advice.reasons
    assert said == because


@pytest.mark.parametrize(("items", "mechanism"), [(4, None), (5, "mean")])
def test_advice_from_hardly_any_evidence(items: int, mechanism: str | None) -> None:
    advice = bt.advise({"owl": [3, 5, 4, 6, 7][:items], "yak": [2, 1, 4, 3, 2][:items]})
    assert advice.mechanism == mechanism
    assert ("The result rests on only 4 items." in advice.reasons) == (mechanism is None)


def test_other_units() -> None:
    columns = _votes(90, items=45)
    assert _one(bt.rank(columns, resamples=20).findings, "other-units") is None
    columns["judge"] = [f"j{place % 7}" for place in range(90)]
    found = _one(bt.rank(columns, unit="item", resamples=20).findings, "other-units")
    assert str(found) == (
        "! other-units: Certainty is by item, but judgments with the same judge may be correlated as well, and intervals too "
        "narrow. Use unit='item+judge', or leave the unit to the data."
    )
    assert _one(bt.rank(columns, resamples=20).findings, "other-units") is None


@pytest.mark.parametrize(("judges", "unit"), [(1, "item"), (2, "item+judge")])
def test_a_single_judge_is_taken_as_given(judges: int, unit: str) -> None:
    columns = {**_votes(90, items=45), "judge": [f"j{place % judges}" for place in range(90)]}
    board = bt.rank(columns, resamples=20).board
    assert board.settings.unit == unit
    found = _one(board.findings, "fixed-units")
    assert (found is None) == (judges == 2)
    if found is not None:
        assert str(found) == (
            "! fixed-units: Only 1 judge: intervals and tests are about this one alone and say nothing about other judges. "
            "Collect judgments of more judges."
        )
    for verb in (bt.compare_all, lambda votes: bt.next_matches(votes, 1)):
        assert (_one(verb(columns).findings, "fixed-units") is None) == (judges == 2)


@pytest.mark.parametrize(("judgments", "found"), [(19, False), (20, True)])
def test_identical_judgments(judgments: int, found: bool) -> None:
    rows = [("owl", "yak", "tie")] * judgments + [("owl", "elk", "left"), ("elk", "yak", "left")] * 20
    assert (_one(bt.diagnose(rows).findings, "identical") is not None) == found


@pytest.mark.parametrize(("comparisons", "found"), [(19, True), (20, False)])
def test_few_comparisons(comparisons: int, found: bool) -> None:
    rows = [("owl", "yak", "left" if place % 2 else "right") for place in range(comparisons)]
    rows += [("yak", "elk", "left" if place % 2 else "right") for place in range(40)]
    assert (_one(bt.diagnose(rows).findings, "few-comparisons") is not None) == found


@pytest.mark.parametrize(("missing", "level"), [(2, "info"), (3, "warning")])
def test_missing_scores(missing: int, level: str) -> None:
    scores = _scores(100)
    scores["owl"][:missing] = [float("nan")] * missing
    assert _level(bt.diagnose(scores).findings, "missing-scores") == level


@pytest.mark.parametrize(("same", "level"), [(4, None), (5, "info"), (50, "info"), (51, "warning")])
def test_easy_items(same: int, level: str | None) -> None:
    assert _level(bt.diagnose(_scores(100, same)).findings, "easy-items") == level
