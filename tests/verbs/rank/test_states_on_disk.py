"""A state in a file is the one that was saved, and nobody else's."""

from pathlib import Path

import pytest

import betterthan as bt

VOTES = [("owl", "yak", "a"), ("owl", "yak", "b"), ("yak", "elk", "a"), ("elk", "yak", "a"), ("owl", "elk", "b")]


def test_a_state_that_was_replaced_is_not_saved_over(tmp_path: Path) -> None:
    place = tmp_path / "board.duckdb"
    bt.rank(VOTES, ci="none").save_state(place)
    state = bt.load_state(place)
    bt.rank(VOTES + VOTES[:1], ci="none").save_state(place)
    grown = bt.rank(state.add([("elk", "owl", "a")]), ci="none")
    with pytest.raises(bt.EvidenceError, match=r"the state was changed while it was in use\. Load it and add again\."):
        grown.save_state(tmp_path / "other.duckdb")


def test_a_state_remembers_that_bad_rows_were_skipped(tmp_path: Path) -> None:
    rows = {"left": ["owl", "owl", "yak", ""], "right": ["yak", "yak", "owl", "yak"], "outcome": ["a", "b", "a", "a"]}
    for on_error, refused in (("skip", 1), ("refuse", 0)):
        some = rows if on_error == "skip" else {name: values[:3] for name, values in rows.items()}
        place = tmp_path / f"{on_error}.duckdb"
        bt.rank(bt.read_judgments(some, on_error=on_error), ci="none").save_state(place)
        state = bt.load_state(place)
        assert (state.on_error, state.account.refused) == (on_error, refused)
