"""Judgments: columns and outcomes as real files have them, and every row accounted for."""

from typing import Any

import pandas as pd
import pytest

import betterthan as bt
from betterthan.evidence.outcomes import KNOWN

SKIP = "To leave out bad rows and count them, use on_error='skip'."


def _wins(source: Any, **choices: Any) -> dict[str, float]:
    return {row.system: row.wins for row in bt.rank(bt.read_judgments(source, **choices), ci="none").board}


@pytest.mark.parametrize(
    ("left", "right", "outcome"),
    [
        ("model_a", "model_b", "winner"),
        ("left", "right", "outcome"),
        ("system1", "system2", "result"),
        ("system_1", "system_2", "preference"),
        ("item_x", "item_y", "choice"),
        ("Model A", "Model B", "Winner"),
        ("modelA", "modelB", "label"),
        ("item_a", "item_b", "outcome_a"),
        ("home", "away", "result"),
        ("player_left", "player_right", "vote"),
        ("a", "b", "verdict"),
    ],
)
def test_columns_are_recognised_by_the_names_of_real_files(left: str, right: str, outcome: str) -> None:
    votes = bt.read({left: ["owl", "yak"], right: ["yak", "owl"], outcome: ["left", "left"], "note": ["x", "y"]})
    assert (votes.kind, votes.roles["left"], votes.roles["right"], votes.roles["outcome"]) == (
        "judgments",
        left,
        right,
        outcome,
    )


@pytest.mark.parametrize(
    ("left", "tie", "right"),
    [
        ("a", "tie", "b"),
        ("A", "Tie", "B"),
        ("left", "tie", "right"),
        ("model_a", "tie (bothbad)", "model_b"),
        ("win", "draw", "loss"),
        (">", "=", "<"),
        (1, 0.5, 0),
        ("1.0", "0.5", "0.0"),
        (1, 0, -1),
        ("owl", "tie", "yak"),
        ("item_a", "equal", "item_b"),
    ],
)
def test_outcome_words(left: object, tie: object, right: object) -> None:
    source = {"left": ["owl"] * 4, "right": ["yak"] * 4, "winner": [left, tie, right, left]}
    counts = bt.read_judgments(source).tally()
    weight = {code: float(counts.times[counts.outcome == code].sum()) for code in (0, 1, 2)}
    assert weight == {0: 2.0, 1: 1.0, 2: 1.0}


def test_numbers_1_and_2_name_the_side_that_won() -> None:
    assert _wins({"left": ["owl"] * 3, "right": ["yak"] * 3, "winner": [1, 2, 2]}) == {"owl": 1.0, "yak": 2.0}


def test_true_and_false_are_the_left_sides_score() -> None:
    source = pd.DataFrame({"left": ["owl"] * 3, "right": ["yak"] * 3, "win": [True, True, False]})
    assert _wins(source) == {"owl": 2.0, "yak": 1.0}


def test_numbers_0_1_2_are_never_guessed() -> None:
    source = {"left": ["owl"] * 3, "right": ["yak"] * 3, "winner": [0, 1, 2]}
    with pytest.raises(
        bt.EvidenceError, match=r"unknown outcomes \(with their rows\): '0' \(1\), '1' \(1\), '2' \(1\)"
    ):
        _wins(source)
    assert _wins(source, outcomes={"0": "tie", "1": "left", "2": "right"}) == {"owl": 1.0, "yak": 1.0}


def test_ones_words_can_be_given() -> None:
    source = {"left": ["owl", "owl"], "right": ["yak", "yak"], "winner": ["upper", "lower"]}
    assert _wins(source, outcomes={"upper": "left", "lower": "right"}) == {"owl": 1.0, "yak": 1.0}
    with pytest.raises(bt.EvidenceError) as refusal:
        _wins(source, outcomes={"upper": "top"})
    assert str(refusal.value) == "outcomes maps 'upper' to 'top'; allowed: left, tie, right, name."


def test_systems_named_like_outcome_words_are_not_confused() -> None:
    """Systems a, b, c with the winner's own name: 'a' stands on the right once, so words and names disagree."""
    own = {"left": ["a", "b", "c"], "right": ["b", "a", "a"], "winner": ["a", "a", "c"]}
    assert _wins(own) == {"a": 2.0, "b": 0.0, "c": 1.0}
    words = {"left": ["a", "b", "c"], "right": ["b", "a", "b"], "winner": ["a", "a", "a"]}
    assert _wins(words) == {"a": 1.0, "b": 1.0, "c": 1.0}
    either = {"left": ["a", "b"], "right": ["b", "a"], "winner": ["a", "a"]}
    for choices in ({}, {"outcomes": {"other": "tie"}}):
        with pytest.raises(
            bt.EvidenceError, match="the outcome 'a' is both the name of a system and a word for a side"
        ):
            _wins(either, **choices)
    assert _wins(either, outcomes={"a": "name"}) == {"a": 2.0, "b": 0.0}
    assert _wins(either, outcomes={"a": "left"}) == {"a": 1.0, "b": 1.0}


def test_a_system_may_be_called_like_nothing() -> None:
    assert _wins({"left": ["NA", "yak"], "right": ["yak", "NA"], "winner": ["NA", "yak"]}) == {"NA": 1.0, "yak": 1.0}


def test_winner_and_loser_columns() -> None:
    assert _wins({"winner": ["owl", "owl", "yak"], "loser": ["yak", "elk", "elk"]}) == {
        "owl": 2.0,
        "yak": 1.0,
        "elk": 0.0,
    }


def test_counted_rows_equal_the_rows_they_count() -> None:
    counted = {"a": ["owl", "yak"], "b": ["yak", "elk"], "n_a": [3, 1], "n_tie": [1, 0], "n_b": [2, 4]}
    words = ["a"] * 3 + ["tie"] + ["b"] * 2 + ["a"] + ["b"] * 4
    single = {"a": ["owl"] * 6 + ["yak"] * 5, "b": ["yak"] * 6 + ["elk"] * 5, "winner": words}
    boards = [bt.rank(bt.read_judgments(source), resamples=100).board for source in (counted, single)]
    assert boards[0].rows == boards[1].rows
    long = {"left": ["owl", "owl"], "right": ["yak", "yak"], "outcome": ["win", "loss"], "count": [3, 2]}
    assert _wins(long) == {"owl": 3.0, "yak": 2.0}
    two = {"home": ["owl"], "away": ["yak"], "x": [4], "y": [1]}
    assert _wins(two, counts=["x", "y"]) == {"owl": 4.0, "yak": 1.0}


def test_where_keeps_some_rows() -> None:
    source = {"left": ["owl"] * 3, "right": ["yak"] * 3, "winner": ["a", "a", "b"], "split": ["train", "test", "train"]}
    assert _wins(source, where={"split": "train"}) == {"owl": 1.0, "yak": 1.0}


def test_several_data_sets_make_several_boards() -> None:
    source = {"dataset": ["news", "chat", "news"], "left": ["owl"] * 3, "right": ["yak"] * 3, "winner": ["a", "b", "a"]}
    boards = bt.rank(source, ci="none")
    assert [(board.title, board.rows[0].system, board.evidence.rows) for board in boards] == [
        ("chat", "yak", 1),
        ("news", "owl", 2),
    ]
    with pytest.raises(bt.EvidenceError, match="row 2: the data set is missing"):
        bt.rank({**source, "dataset": ["news", None, "news"]})


def test_it_says_what_it_read() -> None:
    source = {
        "left": ["owl"] * 4,
        "right": ["yak"] * 4,
        "winner": ["a", "b", "tie", "a"],
        "judge": ["x", "x", "y", "y"],
    }
    assert str(bt.read_judgments(source)) == "4 judgments · 2 systems · 2 judges · 25 % ties · 0 refused"


GOOD = {"left": ["owl", "owl"], "right": ["yak", "yak"], "winner": ["a", "b"], "weight": [1, 1]}


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        (
            {"left": "owl", "right": "yak", "winner": "maybe", "weight": 1},
            f"unknown outcome 'maybe'. Known: {KNOWN}. Say whether each word means left (the system in 'left'), right (in 'right') or tie: outcomes.",
        ),
        (
            {"left": "owl", "right": "yak", "winner": None, "weight": 1},
            f"the outcome is missing. Known outcomes: {KNOWN}. Fill it in or remove the row.",
        ),
        (
            {"left": "owl", "right": "owl", "winner": "a", "weight": 1},
            "'owl' is compared with itself. A judgment needs two different systems: correct or remove the row.",
        ),
        (
            {"left": "owl", "right": None, "winner": "a", "weight": 1},
            "a system's name is missing. Every judgment needs two named systems: fill it in.",
        ),
        (
            {"left": "  ", "right": "yak", "winner": "a", "weight": 1},
            "a system's name is missing. Every judgment needs two named systems: fill it in.",
        ),
        (
            {"left": "owl", "right": "yak", "winner": "a", "weight": -2},
            "the weight '-2' in column 'weight' is not a number from 0 to a trillion. "
            "Give every row a weight, 0 where it should not count.",
        ),
        (
            {"left": "owl", "right": "yak", "winner": "a", "weight": float("nan")},
            "the weight (missing) in column 'weight' is not a number from 0 to a trillion. "
            "Give every row a weight, 0 where it should not count.",
        ),
        (
            {"left": "owl", "right": "yak", "winner": "a", "weight": "inf"},
            "the weight 'inf' in column 'weight' is not a number from 0 to a trillion. "
            "Give every row a weight, 0 where it should not count.",
        ),
    ],
)
def test_bad_rows_are_refused_or_counted(bad: dict[str, Any], message: str) -> None:
    source = {name: [*values, bad[name]] for name, values in GOOD.items()}
    with pytest.raises(bt.EvidenceError) as refusal:
        bt.read_judgments(source).tally()
    assert str(refusal.value) == f"the given arrays, row 3: {message} {SKIP}"
    for frame in (source, pd.DataFrame(source)):
        account = bt.read_judgments(frame, on_error="skip").tally().account
        assert (account.read, account.kept, account.refused) == (3, 2, 1)
    board = bt.rank(bt.read_judgments(source, on_error="skip"), resamples=20).board
    assert board.findings[0].code == "refused-rows"
    assert board.evidence.refused == 1


def test_a_row_is_refused_once_and_all_are_accounted_for() -> None:
    source = {
        "left": ["owl", "owl", None, "owl"],
        "right": ["yak", "owl", "yak", "yak"],
        "winner": ["a", "maybe", "maybe", "maybe"],
        "weight": [1, -1, -1, 1],
    }
    account = bt.read_judgments(source, on_error="skip-most").tally().account
    assert [(refusal.reason, refusal.rows) for refusal in account.refusals] == [
        ("missing name", 1),
        ("against itself", 1),
        ("unknown outcome", 1),
    ]
    assert account.kept + account.refused == account.read == 4


def test_missing_columns_are_named_with_the_nearest() -> None:
    with pytest.raises(bt.EvidenceError) as refusal:
        bt.read_judgments(GOOD, outcome="winer")
    assert str(refusal.value) == (
        "the given arrays: no column 'winer'; its columns are 'left', 'right', 'winner', 'weight'.\n"
        "2 systems (owl, yak): with 'winner' for 'winer':\n  bt.read(evidence, kind='judgments', outcome='winner')"
    )
    with pytest.raises(bt.EvidenceError, match="cannot tell which columns name the two systems"):
        bt.read_judgments({"p": ["x"], "q": ["y"], "winner": ["a"]})
    with pytest.raises(bt.EvidenceError, match="cannot tell which column says who won"):
        bt.read_judgments({"left": ["x"], "right": ["y"], "wnnr": ["a"]})


def test_evidence_without_two_systems_is_refused() -> None:
    with pytest.raises(bt.EvidenceError, match="all 1 rows were refused"):
        bt.read_judgments({"left": ["owl"], "right": ["owl"], "winner": ["a"]}, on_error="skip").tally()
    with pytest.raises(bt.EvidenceError, match="there are no rows"):
        bt.read_judgments({"left": [], "right": [], "winner": []}).tally()
    with pytest.raises(bt.EvidenceError, match="at least two systems that were compared, found none"):
        bt.read_judgments({"left": ["owl"], "right": ["yak"], "winner": ["a"], "weight": [0]}).tally()


def test_names_are_kept_as_written_and_doubted() -> None:
    source = {"left": ["owl", "Owl", "owl "], "right": ["yak"] * 3, "winner": ["a", "b", "tie"]}
    board = bt.rank(bt.read_judgments(source), ci="none").board
    assert len(board) == 4
    finding = next(finding for finding in board.findings if finding.code == "names-alike")
    assert finding.message == "Some names differ only in case or spaces: 'Owl' and 'owl' and 'owl '."


@pytest.mark.parametrize(
    ("names", "told"),
    [
        (["caf\u00e9", "cafe\u0301"], "'caf\\xe9' and 'cafe\\u0301'"),
        (["owl", "o\u200bwl", "owl\ufeff"], "'owl' and 'o\\u200bwl' and 'owl\\ufeff'"),
    ],
)
def test_names_that_look_the_same_are_told(names: list[str], told: str) -> None:
    source = {
        "left": [*names, "Owl"],
        "right": ["yak"] * (len(names) + 1),
        "winner": ["a", "b", *["tie"] * (len(names) - 1)],
    }
    found = {finding.code: finding.message for finding in bt.rank(source, ci="none").board.findings}
    message = f"Some names look the same, but are made of different characters: {told}."
    assert sorted(found["names-look-the-same"]) == sorted(message)
    assert ("names-alike" in found) == ("owl" in names)


def test_missing_units_matter_only_when_resampled_by() -> None:
    source = {"left": ["owl", "yak"], "right": ["yak", "owl"], "winner": ["a", "a"], "item": ["1", None]}
    assert len(bt.rank(bt.read_judgments(source), unit="row", resamples=20).board) == 2
    with pytest.raises(bt.EvidenceError, match="row 2: the item is missing"):
        bt.rank(bt.read_judgments(source), unit="item")
    with pytest.raises(bt.EvidenceError, match="there is no judge column to resample by; units here: row, item"):
        bt.rank(bt.read_judgments(source), unit="judge")


def test_numbers_as_names_are_the_same_in_every_column_type() -> None:
    frame = pd.DataFrame({"left": [1, 2, 1], "right": [2.0, 3.0, None], "winner": ["a", "b", "a"]})
    evidence = bt.read_judgments(frame, on_error="skip")
    assert evidence.tally().systems == ("1", "2", "3")
