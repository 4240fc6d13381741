"""AlpacaEval, Arena-Hard and MT-Bench: preferences, games with sides exchanged, grades."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import betterthan as bt
from tests.readers.tools.boards import counted, found, refused, shares, write_json, write_lines


def _annotations(folder: Path, model: str, preferences: list[Any], judge: str = "ann", reference: str = "elk") -> Path:
    annotations = [
        {
            "instruction": f"q{number}",
            "output_1": "one",
            "generator_1": reference,
            "output_2": "two",
            "generator_2": model,
            "dataset": "koala" if number < 2 else "vicuna",
            "annotator": judge,
            "preference": preference,
        }
        for number, preference in enumerate(preferences)
    ]
    return write_json(folder / "results" / model / judge / "annotations.json", annotations)


def test_alpaca_eval_gives_the_win_rates_of_its_leaderboard(tmp_path: Path) -> None:
    """The leaderboard's rule: the mean of preferences, 0 counting as 1.5, minus 1; what could not be parsed is missing."""
    owl = _annotations(tmp_path, "owl", [2, 1.75, 0, None, 1])
    yak = _annotations(tmp_path, "yak", [1, 1.25, 1.5, 2, 1], judge="bob")
    assert shares(owl, "elk") == {"owl": pytest.approx((1 + 0.75 + 0.5 + 0) / 4)}
    assert shares([str(owl), str(yak)], "elk") == pytest.approx({"owl": 0.5625, "yak": 0.35})
    assert found(owl)["unscored"].startswith("1 result is missing: the preference could not be parsed;")
    evidence = bt.read(tmp_path / "results")
    assert evidence.tally("judge").units["judge"].labels == ("ann", "bob")
    assert shares(tmp_path / "results", "elk", where="category=koala") == {"owl": 0.875, "yak": 0.125}
    assert "dataset" not in evidence.roles


def test_alpaca_eval_names_other_references_and_refuses_other_numbers(tmp_path: Path) -> None:
    _annotations(tmp_path, "owl", [2, 1])
    _annotations(tmp_path, "yak", [2, 1], reference="gnu")
    (tmp_path / "results" / "notes.txt").write_text("hello")
    findings = found(tmp_path / "results")
    assert {"several-references", "files-ignored"} <= set(findings)
    assert "elk, gnu" in findings["several-references"]
    path = _annotations(tmp_path, "owl", [1, 2, 3])
    assert "the preference 3 is none of AlpacaEval's" in refused(path)


def _games(folder: Path, games: list[tuple[Any, Any]], **more: Any) -> Path:
    lines = [
        {
            "uid": f"q{number}",
            "category": "math",
            "judge": "ann",
            "model": "owl",
            "baseline": "elk",
            "games": [each if each is None else {"score": each} for each in both],
            **more,
        }
        for number, both in enumerate(games, 1)
    ]
    return write_lines(folder / "model_judgment" / "ann" / "owl.jsonl", lines)


def test_arena_hard_exchanges_sides_and_counts_strong_wins_once(tmp_path: Path) -> None:
    """The baseline is A in the first game and B in the second."""
    path = _games(tmp_path, [("B>A", "A>>B"), ("A>B", None), ("A=B", "B>A"), ("A<<B", "B<A")])
    assert counted(path) == {
        ("elk", "owl", "2", "q1", "ann"): 1,
        ("owl", "elk", "0", "q1", "ann"): 1,
        ("elk", "owl", "0", "q2", "ann"): 1,
        ("elk", "owl", "1", "q3", "ann"): 1,
        ("owl", "elk", "2", "q3", "ann"): 1,
        ("elk", "owl", "2", "q4", "ann"): 1,
        ("owl", "elk", "0", "q4", "ann"): 1,
    }
    assert shares(path, "elk") == {"owl": pytest.approx(4.5 / 7)}
    assert found(path)["unscored"].startswith("1 result is missing: the game was not judged;")
    assert bt.read(path, where="strength=much").tally().times.sum() == 2
    assert "the score 'A>>>B' is none of Arena-Hard's" in refused(_games(tmp_path, [("A>>>B", "A=B")]))
    assert "gpt-4-0314" in bt.read(_games(tmp_path, [("A>B", "A=B")], baseline=None, question_id="x")).systems


def _pair(question: int, turn: int, one: str, two: str, time: float, judge: str = "gpt-4") -> dict[str, Any]:
    return {
        "question_id": question,
        "model_1": "owl",
        "model_2": "yak",
        "g1_winner": one,
        "g2_winner": two,
        "judge": [judge, "pair-v2"],
        "turn": turn,
        "tstamp": time,
    }


def test_mt_bench_pairs_keep_both_games_with_the_first_shown_on_the_left(tmp_path: Path) -> None:
    """The second game shows model_2 first; what was judged again counts once; errors are missing."""
    path = write_lines(
        tmp_path / "gpt-4_pair.jsonl",
        [
            _pair(81, 1, "model_1", "model_1", 5.0),
            _pair(81, 2, "tie", "model_2", 1.0),
            _pair(82, 1, "error", "tie", 9.0),
            _pair(82, 1, "model_2", "model_2", 2.0),
            _pair(83, 1, "model_2", "model_1", 3.0, judge="claude"),
        ],
    )
    assert counted(path) == {
        ("owl", "yak", "0", "81 turn 1", "gpt-4"): 1,
        ("yak", "owl", "2", "81 turn 1", "gpt-4"): 1,
        ("owl", "yak", "1", "81 turn 2", "gpt-4"): 1,
        ("yak", "owl", "0", "81 turn 2", "gpt-4"): 1,
        ("yak", "owl", "1", "82 turn 1", "gpt-4"): 1,
        ("owl", "yak", "2", "83 turn 1", "claude"): 1,
        ("yak", "owl", "2", "83 turn 1", "claude"): 1,
    }
    findings = found(path)
    assert findings["unscored"].startswith("1 result is missing: the judge gave no verdict;")
    assert findings["replaced-rows"] == "1 row was replaced by a later one for the same question, model and turn."
    assert shares(path, "yak", where="turn=1") == {"owl": pytest.approx((1 + 1 + 0.5 + 0 + 1) / 5)}
    assert shares(path, "yak", where="turn=2") == {"owl": 0.25}


def _grade(model: str, question: int, turn: int, score: float, time: float = 1.0) -> dict[str, Any]:
    return {
        "question_id": question,
        "model": model,
        "judge": ["gpt-4", "single-v1"],
        "user_prompt": "",
        "judgment": "",
        "score": score,
        "turn": turn,
        "tstamp": time,
    }


def test_mt_bench_grades_are_the_last_ones_without_failures(tmp_path: Path) -> None:
    path = write_lines(
        tmp_path / "gpt-4_single.jsonl",
        [
            _grade("owl", 81, 1, 8),
            _grade("owl", 81, 2, 6),
            _grade("owl", 82, 1, -1),
            _grade("owl", 82, 2, 4),
            _grade("yak", 81, 1, 9, 7.0),
            _grade("yak", 81, 1, 2, 3.0),
            _grade("yak", 81, 2, 3),
            _grade("yak", 82, 1, 5),
            _grade("yak", 82, 2, 1),
        ],
    )
    (table,) = bt.read(path).tables
    assert table.systems == ("owl", "yak")
    assert table.items == ("81 turn 1", "81 turn 2", "82 turn 1", "82 turn 2")
    np.testing.assert_array_equal(table.values, [[8, 9], [6, 3], [np.nan, 5], [4, 1]])
    assert table.grouped_by == "group"
    findings = found(path)
    assert findings["replaced-rows"] == "1 row was replaced by a later one for the same question, model and turn."
    assert findings["unscored"].startswith("1 result is missing: the judgment could not be parsed;")
    (second,) = bt.read(path, where="turn=2").tables
    assert second.values.tolist() == [[6, 3], [4, 1]]
