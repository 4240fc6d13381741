"""What is too small, too large or too close to zero is refused with one sentence, before it costs time or memory."""

from pathlib import Path

import numpy as np
import pytest

import betterthan as bt
from betterthan.engine.files import input_files as files
from betterthan.evidence.rows import size_limits as bounds
from betterthan.evidence.scores import ScoreTable

LONG = "x" * 1_001
NAME = "a system's name has 1,001 characters, and at most 1,000 are allowed. "
NAME += "Check which column names the systems: it seems to hold texts."


@pytest.mark.parametrize(
    "evidence",
    [
        {"left": ["owl", LONG], "right": [LONG, "owl"], "winner": ["left", "left"]},
        {"item": ["1", "2"], "owl": [0.1, 0.2], LONG: [0.3, 0.4]},
        {"ranking": ["1", "1"], "system": ["owl", LONG], "rank": [1, 2]},
    ],
    ids=["judgments", "scores", "rankings"],
)
def test_names_that_are_texts_are_refused(evidence: dict[str, list[object]]) -> None:
    with pytest.raises(bt.EvidenceError) as refusal:
        bt.rank(evidence, ci="none")
    assert str(refusal.value).endswith(NAME)
    short = {
        key[:1000]: [str(cell)[:1000] if cell == LONG else cell for cell in column] for key, column in evidence.items()
    }
    assert {row.system for row in bt.rank(short, ci="none", model="win-rate").board} == {"owl", "x" * 1000}


def test_more_systems_than_scores_can_compare_are_refused() -> None:
    with pytest.raises(bt.EvidenceError) as refusal:
        bt.rank(bt.read_scores({f"s{place}": [0.1, 0.2] for place in range(5_001)}), model="mean", ci="none")
    assert str(refusal.value) == (
        "the scores: there are 5,001 systems, and scores of at most 5,000 are compared. Check which columns or rows are "
        "systems, or compare fewer at a time."
    )


def test_more_comparisons_than_memory_holds_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounds, "MOST_BYTES", 50)
    assert bt.rank(bt.read_scores({"owl": [0.1] * 40, "yak": [0.2] * 40}), model="mean", ci="none").board
    with pytest.raises(bt.EvidenceError, match="there are 60 comparisons, and at most 50 can be held in memory"):
        bt.rank(bt.read_scores({"owl": [0.1] * 60, "yak": [0.2] * 60}), model="mean", ci="none")
    with pytest.raises(bt.EvidenceError, match="there are 6 comparisons, and at most 3 can be held"):
        bt.read_rankings({"owl": [1], "yak": [2], "elk": [3], "emu": [4]})


def test_pairs_of_many_systems_are_found_without_going_over_all_pairs_for_each() -> None:
    values = np.random.default_rng(0).normal(size=(1, 1_500))
    values[0, 7] = np.nan
    signs, first, second = ScoreTable("", ("1",), tuple(map(str, range(1_500))), values).signs()
    expected = np.sign(values[0, first] - values[0, second])
    assert np.array_equal(signs[0], np.where(np.isnan(expected), -2, expected))


def test_more_files_than_one_table_reads_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "MOST_FILES", 3)
    for number in range(4):
        (tmp_path / f"{number}.csv").write_text("left,right,winner\nowl,yak,a\n")
    assert bt.read_judgments(tmp_path / "[012].csv").tally().times.sum() == 3
    with pytest.raises(bt.EvidenceError) as refusal:
        bt.read_judgments(tmp_path / "*.csv")
    assert str(refusal.value) == (
        "4 files are too many for one table, which has at most 3. Join them into fewer files first."
    )


@pytest.mark.parametrize("scale", [1e-300, 1e-155, 1e-91])
def test_scores_too_close_to_zero_are_refused(scale: float) -> None:
    scores = {"owl": [3 * scale / 10, 0.0, scale / 2], "yak": [0.1, 0.2, 0.3], "elk": [0.0, 0.0, 0.0]}
    with pytest.raises(bt.EvidenceError) as refusal:
        bt.read_scores(scores, systems=["owl", "yak", "elk"])
    assert str(refusal.value) == (
        "the given arrays: all scores of 'owl' are closer to 0 than 1e-90, too close to compute with. Multiply all scores "
        "by a large number, or give their logarithms."
    )


@pytest.mark.parametrize("scale", [1e-89, 1e99])
def test_the_smallest_and_largest_scores_give_the_answer_of_ordinary_ones(scale: float) -> None:
    rng = np.random.default_rng(1)
    scores = {name: rng.uniform(0.1, 0.9, 15) for name in ("owl", "yak", "elk")}
    scaled, plain = (bt.read_scores({name: values * by for name, values in scores.items()}) for by in (scale, 1.0))
    for name in ("t", "wilcoxon", "permutation"):
        ours, theirs = (
            next(test for test in bt.compare(each, "owl", "yak").tests if test.name == name) for each in (scaled, plain)
        )
        assert ours.p == pytest.approx(theirs.p, rel=1e-6)
    codes = [{finding.code for finding in bt.diagnose(each).findings} for each in (scaled, plain)]
    assert codes[0] == codes[1]


def test_rankings_of_one_system_each_are_refused() -> None:
    evidence = {"ranking": ["1", "2", "3"], "system": ["owl", "yak", "owl"], "rank": [1, 1, 1]}
    with pytest.raises(bt.EvidenceError) as refusal:
        bt.read_rankings(evidence)
    assert str(refusal.value) == (
        "the given arrays: no ranking holds two systems, so nothing is compared. Check which column says which ranking a "
        "row belongs to."
    )


def test_messages_that_quote_long_texts_are_short() -> None:
    with pytest.raises(bt.EvidenceError) as refusal:
        bt.read_judgments([("owl", "yak", "left")] * 2 + [("owl", "yak", "y" * 100_000)]).tally()
    assert len(str(refusal.value)) < 2_100
    assert str(refusal.value).endswith("use on_error='skip'.")


def test_counts_of_a_trillion_end() -> None:
    votes = {"left": ["owl", "owl"], "right": ["yak", "yak"], "winner": ["left", "right"], "count": [1e12, 1e7]}
    board = bt.rank(votes, model="hopkins-may(burn_in=1, sweeps=2)", ci="none").board
    assert [row.system for row in board] == ["owl", "yak"]
