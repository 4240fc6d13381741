"""What leaderboards say first: who ranks first, and whether the evidence shows it."""

import numpy as np
import pytest

import betterthan as bt


def _votes(share: float, number: int, a: str = "owl", b: str = "yak") -> list[tuple[str, str, str]]:
    wins = round(share * number)
    return [(a, b, "a")] * wins + [(a, b, "b")] * (number - wins)


def test_a_significant_lead_is_said_with_its_rank_range() -> None:
    board = bt.rank(_votes(0.8, 300)).board
    assert board.rows[0].p_best == 1
    assert board.verdict == (
        "owl ranks first: 95 % rank range 1–1 for judgments like these, ahead of every other system in all 1,000 bootstrap samples."
    )
    assert board.to_text().startswith(f"{board.verdict}\n\n300 judgments · 2 systems")
    assert bt.rank(_votes(0.8, 300), level=0.9, ci="analytic").verdict.startswith(
        "owl ranks first: 90 % rank range 1–1 for judgments like these, ahead of every other system in all 1,000 draws"
    )


def test_a_lead_that_may_be_chance_names_the_rivals() -> None:
    votes = [*_votes(0.52, 60), *_votes(0.9, 200, "owl", "elk"), *_votes(0.9, 200, "yak", "elk")]
    assert bt.rank(votes).verdict == (
        "owl ranks first, but not significantly: 95 % rank range 1–2 for judgments like these; yak may be best as well."
    )


def test_without_intervals_nothing_is_claimed() -> None:
    assert bt.rank(_votes(0.8, 300), ci="none").verdict == (
        "owl ranks first. Without confidence intervals, the order of these 2 systems may be due to chance."
    )


def test_a_shared_first_rank_and_systems_that_cannot_be_placed() -> None:
    assert bt.rank(_votes(0.5, 40), resamples=50).verdict == "owl and yak share the first rank."
    assert bt.rank([("owl", "yak", "a"), ("elk", "cow", "a")] * 5, resamples=50).verdict == (
        "elk ranks first, but not significantly: 95 % rank range 1–2 for judgments like these; cow may be best as well. owl and yak cannot be "
        "placed."
    )


@pytest.mark.parametrize(
    ("shift", "said"),
    [
        (3.0, "All 3 models rank owl first, significantly (95 % confidence, for items like these)."),
        (0.5, "All 3 models rank owl first, but none of them significantly (95 % confidence, for items like these)."),
    ],
)
def test_several_models_agree(shift: float, said: str) -> None:
    rng = np.random.default_rng(0)
    scores = {"owl": (rng.normal(size=30) + shift).tolist(), "yak": rng.normal(size=30).tolist()}
    assert bt.rank(scores, resamples=200).verdict == said


def test_models_that_disagree_are_named() -> None:
    scores = {"owl": [2.0] * 20 + [1.0], "yak": [1.0] * 20 + [90.0]}
    assert bt.rank(scores, model="mean,median", resamples=50).verdict == (
        "Models disagree about which system ranks first: yak by mean; owl by median."
    )


def test_several_data_sets_are_counted() -> None:
    rng = np.random.default_rng(1)
    rows = [
        {"task": task, "item": str(item), "system": system, "score": float(rng.normal() + shift)}
        for task, gain in (("x", 3.0), ("y", 3.0), ("z", -3.0))
        for system, shift in (("owl", gain), ("yak", 0.0))
        for item in range(30)
    ]
    columns = {name: [row[name] for row in rows] for name in rows[0]}
    boards = bt.rank(columns, model="mean", resamples=200)
    assert (
        boards.verdict
        == "owl ranks first on 2 of 3 leaderboards, significantly on 2 of them (95 % confidence, for items like these). "
        "Overall (mean on these 3 tasks), owl ranks first significantly (compared with each other system, p = 1.5e-09)."
    )
    both = bt.rank(columns, model="mean,median", resamples=50)
    assert both.verdict.startswith("By mean, owl ranks first on 2 of 3 leaderboards")


def test_scores_that_differ_by_their_ties_are_named_apart() -> None:
    text = bt.rank({"owl": [3, 5, 4, 4], "yak": [2, 5, 6, 3]}, model="bradley-terry,davidson", ci="none").to_text()
    assert "\nScores of bradley-terry: expected score against another system, ties counted half.\n" in text
    assert "\nScores of davidson: win rate, the mean chance to win against another system.\n" in text


def test_rank_ranges_of_undetermined_systems_are_no_headline() -> None:
    """With one or two votes per pair, most bootstrap samples leave some system without a win or a loss."""
    names = ["elk", "emu", "fox", "owl", "ram", "yak"]
    votes = [(a, b, "a") for place, a in enumerate(names) for b in names[place + 1 :]]
    votes += [("yak", "elk", "a"), ("ram", "elk", "a"), ("yak", "emu", "a")]
    board = bt.rank(votes, resamples=200).board
    assert board.draws is not None
    assert board.is_open
    assert board.verdict == (
        f"elk ranks first, but not significantly: {board.draws.degenerate} of 200 bootstrap samples do not determine every "
        "system, so rank ranges are open."
    )
