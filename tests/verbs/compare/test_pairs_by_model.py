"""All pairs by several models: each model's own test and estimate, under its own name."""

import json
from itertools import combinations

import numpy as np
import pytest
from scipy import stats

import betterthan as bt
from tests.arenas import arena

RNG = np.random.default_rng(0)
SCORES = {
    name: RNG.normal(shift, 1.0, 40).round(1).tolist()
    for name, shift in (("owl", 0.9), ("yak", 0.3), ("elk", 0.0), ("fox", 0.3))
}
FIVE = ("mean", "median", "bradley-terry", "elo", "trueskill")


def test_five_models_have_five_matrices_with_the_test_that_suits_each() -> None:
    found = bt.compare_models(SCORES, FIVE)
    assert found.models == FIVE
    tests = ("paired t-test", "Mood's median test", "sign test", "sign test", "sign test")
    assert tuple(pairs.test_name for pairs in found) == tests
    boards = bt.rank(SCORES, model=FIVE, ci="none")
    for model, pairs in zip(FIVE, found, strict=True):
        board = boards[model]
        assert pairs.systems == tuple(row.system for row in board)
        for a, b in combinations(pairs.systems, 2):
            one, two = np.array(SCORES[a]), np.array(SCORES[b])
            at = pairs.systems.index(a), pairs.systems.index(b)
            p, value = {
                "mean": (stats.ttest_rel(one, two).pvalue, board[a].score - board[b].score),
                "median": (stats.median_test(one, two).pvalue, board[a].score - board[b].score),
            }.get(
                model,
                (
                    stats.binomtest(int(np.sum(one > two)), int(np.sum(one != two))).pvalue,
                    board.expected_score(a, b) if model not in {"mean", "median"} else None,
                ),
            )
            assert pairs.p[at] == pytest.approx(p, abs=1e-12)
            assert pairs.values[at] == pytest.approx(value)
    assert found["elo"].p[0, 1] == bt.compare_all(SCORES, "elo", by="pair").p[0, 1]


def test_decisions_of_the_leaderboards_are_a_choice() -> None:
    found = bt.compare_models(SCORES, "mean,bradley-terry", by="model", resamples=200)
    assert found["mean"] == bt.compare_all(SCORES, "mean", resamples=200)
    assert found["bradley-terry"] == bt.compare_all(SCORES, "bradley-terry", resamples=200)


def test_the_result_has_every_format() -> None:
    found = bt.compare_models(SCORES, FIVE)
    assert [table.title for table in found.tables()] == [*FIVE, "p-values, Holm-corrected"]
    rows = found.to_pandas()
    assert rows["model"].value_counts().to_dict() == dict.fromkeys(FIVE, 6)
    assert set(rows[rows["model"] == "median"]["test"]) == {"Mood's median test"}
    document = json.loads(found.to_json())
    assert (document["schema"], document["models"], len(document["pairs"])) == ("pairs-by-model/1", [*FIVE], 5)
    text = found.to_text()
    assert "elo: 1 of 6 pairs differ significantly for items like these (each pair's own sign test by item" in text
    assert "bradley-terry: sign test" in text
    assert text.count("Friedman test:") == 1


def test_contradictions_between_models_are_named() -> None:
    """Owl wins most items by little and loses a few by much."""
    rng = np.random.default_rng(1)
    yak = rng.normal(0, 1, 200)
    gain = np.where(np.arange(200) < 40, -9.0, 0.5) + rng.normal(0, 0.01, 200)
    found = bt.compare_models({"owl": yak + gain, "yak": yak}, "mean,bradley-terry")
    assert found.contradictions() == [("yak", "owl", "mean", "bradley-terry")]
    assert found.verdict == (
        "Of 1 pair, significantly different: 1 by mean (paired t-test), 1 by bradley-terry (sign test). "
        "1 contradiction between models: yak is better than owl by mean, worse by bradley-terry."
    )


def test_pairs_that_never_met_have_no_p() -> None:
    votes = [("owl", "yak", "a")] * 4 + [("yak", "owl", "a")] * 2 + [("yak", "elk", "b")] * 3 + [("yak", "elk", "a")]
    found = bt.compare_models(votes, "bradley-terry,elo")
    row = next(cells for cells in found.p_table().rows if set(cells[0].split(" – ")) == {"elk", "owl"})
    assert list(row[1:]) == ["–", "–"]


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (None, "the models are missing. Name them, such as model='mean,bradley-terry,elo'."),
        ("elo,elo", "each model must be named once, got elo,elo."),
    ],
)
def test_models_must_be_named_once_each(model: str | None, message: str) -> None:
    with pytest.raises(bt.PlanError) as found:
        bt.compare_models(arena(judgments=60), model)
    assert str(found.value) == message


def test_one_model_is_refused_several() -> None:
    with pytest.raises(bt.PlanError) as found:
        bt.compare_all(SCORES, "mean,elo")
    assert str(found.value) == (
        "pairs are compared by one model, got mean,elo. Choose one, or use bt.compare_models(...)."
    )


def test_the_report_has_the_same_pairs() -> None:
    page = bt.report(SCORES, model=FIVE, resamples=100)
    found = bt.compare_models(SCORES, FIVE, resamples=100)
    [part] = page.parts
    for inside, alone in zip(part.by_model, found, strict=True):
        one, two = inside.to_dict(), alone.to_dict()
        assert {name: one[name] for name in ("model", "test", "systems", "pairs", "correction")} == {
            name: two[name] for name in ("model", "test", "systems", "pairs", "correction")
        }
    for model in FIVE:
        assert f"<h4>{model}</h4>" in page.html
    assert "each pair&#39;s own Mood&#39;s median test by item" in page.html
    assert [each["model"] for each in json.loads(page.to_json())["data_sets"][0]["pairs_by_model"]] == [*FIVE]
