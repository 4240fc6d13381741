"""Choices are checked, saved, loaded, printed, and read back."""

from pathlib import Path

import pytest

import betterthan as bt


def test_a_plan_survives_toml_and_the_signature(tmp_path: Path) -> None:
    plan = bt.Plan(
        model="bradley-terry",
        ties="drop",
        scale="elo",
        unit="judge",
        resamples=250,
        level=0.9,
        seed=7,
        anchor='a|b:"c"=1',
    )
    (tmp_path / "plan.toml").write_text(plan.to_toml())
    assert bt.Plan.load(tmp_path / "plan.toml") == plan
    assert bt.Plan.load(str(bt.Signature("0.1.0", plan.facts()))) == plan


def test_signatures_are_reversible_whatever_the_facts() -> None:
    facts = {"model": "x|y", "anchor": "a:b%7C", "data": "…"}
    assert dict(bt.Signature.parse(str(bt.Signature("0.1.0", facts))).facts) == facts
    with pytest.raises(bt.PlanError, match="not a betterthan signature"):
        bt.Signature.parse("model:bradley-terry")


@pytest.mark.parametrize(
    ("choices", "message"),
    [
        ({"scale": "glicko"}, "scale must be one of worth, log, elo, winrate, got 'glicko'."),
        ({"ci": "exact"}, "ci must be one of bootstrap, analytic, information, runs, none, got 'exact'."),
        ({"resample": "prompt"}, "resample must be one of row, item, judge, ranking, item+judge, got 'prompt'."),
        ({"resamples": 0}, "resamples must be a whole number from 20 to 1,000,000, got 0."),
        ({"level": 95}, "level must be at least 0.5 and below 1, got 95; 95 % is 0.95."),
        ({"seed": -1}, "seed must be a whole number of at least 0, got -1."),
        ({"tolerance": float("nan")}, "tolerance must be a finite number of at least 0, got nan."),
        ({"modell": "x"}, "unknown choice 'modell'; known: model, ties, scale, ci, resample, resamples, level, seed, anchor, tolerance."),
    ],
)  # fmt: skip
def test_wrong_choices_are_refused(choices: dict[str, object], message: str) -> None:
    with pytest.raises(bt.PlanError) as refusal:
        bt.Plan.of(**choices)
    assert str(refusal.value) == message


def test_models_are_written_with_their_options() -> None:
    rows = [("owl", "yak", "a"), ("owl", "yak", "tie"), ("yak", "owl", "a")]
    board = bt.rank(rows, model="bradley-terry(ties=drop)", ci="none").board
    assert board.settings.ties == "drop"
    with pytest.raises(bt.PlanError, match=r"unknown model 'bradly'; known: .*bradley-terry"):
        bt.rank(rows, model="bradly")
    with pytest.raises(bt.PlanError, match="bradley-terry: unknown option 'prior=1'; known: ties"):
        bt.rank(rows, model="bradley-terry(prior=1)")


def test_bad_plan_files_are_refused(tmp_path: Path) -> None:
    with pytest.raises(bt.PlanError, match="the plan cannot be read"):
        bt.Plan.load(tmp_path / "none.toml")
    (tmp_path / "bad.toml").write_text("resamples = many")
    with pytest.raises(bt.PlanError, match="is not a plan"):
        bt.Plan.load(tmp_path / "bad.toml")
