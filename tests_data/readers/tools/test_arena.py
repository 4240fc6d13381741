"""Releases of LMSYS and LMArena: different layouts of the same votes give the same board."""

import csv
import json
from collections import Counter
from pathlib import Path

import pyarrow.parquet as pq
import pytest

import betterthan as bt

FILES = (
    "arena-human-preference-55k.csv",
    "chatbot_arena_conversations.parquet",
    "arena-human-preference-140k.parquet",
    "clean_battle_20240814_public.json",
)


@pytest.mark.parametrize("name", FILES)
def test_the_same_votes_give_the_same_board(name: str, samples: Path) -> None:
    arena = samples / "lmarena"
    plain = bt.rank(arena / "clean_battle_20240814_public.json", ci="none").board
    assert bt.rank(arena / name, ci="none").board.rows == plain.rows
    with (arena / "arena-human-preference-55k.csv").open() as stream:
        votes = list(csv.DictReader(stream))
    wins = Counter(
        vote["model_a"] if vote["winner_model_a"] == "1" else vote["model_b"]
        for vote in votes
        if vote["winner_tie"] == "0"
    )
    assert {row.system: row.wins for row in plain.rows} == wins


def test_votes_on_visible_models_and_frequent_prompts_can_be_left_out(samples: Path) -> None:
    path = samples / "lmarena" / "clean_battle_20240814_public.json"
    votes = json.loads(path.read_text())
    hidden = [vote for vote in votes if vote["anony"]]
    sampled = [vote for vote in votes if vote["dedup_tag"]["sampled"]]
    assert bt.read(path, where="anony=true").tally().times.sum() == len(hidden)
    assert bt.read(path, where="dedup_tag.sampled=true").tally().times.sum() == len(sampled)
    assert 0 < len(hidden) <= len(votes)


def test_nested_columns_choose_categories(samples: Path) -> None:
    path = samples / "lmarena" / "arena-human-preference-140k.parquet"
    rows = pq.read_table(path).to_pylist()
    for condition, expected in (
        ("is_code=true", sum(row["is_code"] for row in rows)),
        ("category_tag.math_v0.1.math=false", sum(not row["category_tag"]["math_v0.1"]["math"] for row in rows)),
        (
            "conv_metadata.sum_assistant_a_tokens>=100",
            sum(row["conv_metadata"]["sum_assistant_a_tokens"] >= 100 for row in rows),
        ),
    ):
        assert expected
        assert bt.read(path, where=condition).tally().times.sum() == expected
