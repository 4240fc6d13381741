"""Coverage and type I errors of default calls: bands, own numbers, and faults that must show."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import betterthan as bt
from betterthan.verbs.study import promises
from betterthan.verbs.study.experiments import base as experiments
from betterthan.worlds import equal_worlds

SMALL = "kinds=scores,dependence=none,units=20,outcomes=continuous"


def test_intervals_hold_the_truth() -> None:
    found = bt.study(f"coverage({SMALL},data_sets=60)", quick=True)
    assert {claim.what for claim in found.claims} == {
        "scores, rank: interval",
        "scores, rank: interval of bradley-terry",
        "scores, rank: interval of the median",
        "scores, compare: interval of the difference",
        "scores: worlds outside their band for no known reason",
    }
    assert "differs" not in {claim.agreement for claim in found.claims}
    assert {claim.paper for claim in found.claims} == {"93 to 99 %", "none"}
    assert found.claim("scores: worlds outside").agreement == "agrees"
    assert found.claim("scores, rank: interval").agreement == "cannot tell"  # 60 data sets are few
    # Counted once more: the mean of a and its interval, data set by data set.
    cell = equal_worlds.WorldCell("scores", "none", 20, "continuous")
    held = []
    for place in range(60):
        rng = np.random.default_rng([0, place, *cell.name.encode()])
        columns, truth = equal_worlds.scores(cell, rng)
        board = bt.rank(bt.read_scores(columns, item="item"), model="mean", seed=int(rng.integers(2**31))).board
        held += [row.low <= truth <= row.high for row in board]
    columns = found.columns()
    assert columns["share"][columns["measure"].index("rank: interval")] == pytest.approx(np.mean(held))


def test_equal_systems_are_rarely_told_apart() -> None:
    found = bt.study("type-one(dependence=item,kinds=judgments,data_sets=30)", quick=True)
    assert "differs" not in {claim.agreement for claim in found.claims}
    assert {claim.paper for claim in found.claims} == {"at most 6 %", "none"}
    assert "judgments, fit: false alarm per coefficient" in {claim.what for claim in found.claims}
    assert not any("interval" in claim.what for claim in found.claims)
    assert found.plot().to_svg().startswith("<svg")


def test_a_test_that_finds_too_much_is_no_agreement(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = promises.compare

    def eager(*evidence: Any, **options: Any) -> Any:
        duel = plain(*evidence, **options)
        verdict = min(duel.p / 8, 1.0)

        class Eager:
            p = verdict
            shown = duel.shown
            effect = staticmethod(duel.effect)

        return Eager()

    monkeypatch.setattr(promises, "compare", eager)
    claim = bt.study(f"type-one({SMALL},data_sets=60)", quick=True).claim("scores, compare: false alarm")
    assert claim.agreement == "differs"
    assert "no reason known" in claim.cause


def test_own_numbers() -> None:
    """As many systems, units and judgments as were asked for."""
    study = experiments.build_study(
        "coverage(kinds=judgments,dependence=judge|both,units=30|40,systems=3,judgments=7,ties=0|0.5)"
    )
    assert len(study.worlds) == 2 * 2 * 2
    cell = study.worlds[0]
    columns = equal_worlds.judgments(cell, np.random.default_rng(1))
    assert len(columns["winner"]) == 30 * 7
    assert set(columns["left"]) == {"a", "b", "c"}
    assert len(set(columns["judge"])) == 30
    assert len(set(columns["item"])) == 40
    tied = np.mean(
        equal_worlds.judgments(replace(cell, outcome="ties 50 %"), np.random.default_rng(2))["winner"] == "tie"
    )
    assert tied == pytest.approx(0.5, abs=0.1)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("coverage(systems=10)", "coverage: 10 systems need 900 judgments or more, and 5 units of 24 are fewer."),
        ("coverage(kinds=votes)", "coverage: kinds must be among judgments, scores with | between them, got 'votes'."),
        ("type-one(dependence=groups,kinds=judgments)", "type-one: no world of judgments has the dependence groups."),
        (
            "type-one(outcomes=right .7)",
            "type-one: outcomes must be among continuous, likert, right .5, right .9, right .98 with | between them, got 'right .7'.",
        ),
        ("type-one(systems=30)", "type-one: systems must be a whole number of at least 2 and at most 26, got 30."),
    ],
)
def test_what_is_refused(name: str, message: str) -> None:
    with pytest.raises(bt.PlanError) as refusal:
        bt.study(name)
    assert str(refusal.value) == message
