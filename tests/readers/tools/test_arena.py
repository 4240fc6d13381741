"""Releases of LMSYS and LMArena: different layouts of the same votes give the same board."""

import csv
import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import betterthan as bt
from tests.readers.tools.boards import write_json

#: Who was shown left and right, and who won; both bad is a tie.
VOTES = [
    ("owl", "yak", "model_a"),
    ("owl", "yak", "model_a"),
    ("yak", "owl", "model_b"),
    ("yak", "elk", "model_a"),
    ("elk", "yak", "tie"),
    ("elk", "owl", "bad"),
    ("elk", "owl", "model_a"),
    ("owl", "elk", "tie"),
]
COUNTS = {
    ("owl", "yak"): [2, 0, 0],
    ("yak", "owl"): [0, 0, 1],
    ("yak", "elk"): [1, 0, 0],
    ("elk", "yak"): [0, 1, 0],
    ("elk", "owl"): [1, 1, 0],
    ("owl", "elk"): [0, 1, 0],
}


def _as_csv(folder: Path) -> Path:
    """Three columns of 0 and 1, as in the competition's release."""
    path = folder / "arena-human-preference-55k.csv"
    with path.open("w", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow(
            [
                "id",
                "model_a",
                "model_b",
                "prompt",
                "response_a",
                "response_b",
                "winner_model_a",
                "winner_model_b",
                "winner_tie",
            ]
        )
        for number, (a, b, won) in enumerate(VOTES):
            marks = [int(won == "model_a"), int(won == "model_b"), int(won in {"tie", "bad"})]
            writer.writerow([number, a, b, f'["q{number}"]', '["one"]', '["two"]', *marks])
    return path


def _as_conversations(folder: Path) -> Path:
    said = [[{"content": "q", "role": "user"}, {"content": "a", "role": "assistant"}]] * len(VOTES)
    table = pa.table(
        {
            "question_id": [f"q{number}" for number in range(len(VOTES))],
            "model_a": [vote[0] for vote in VOTES],
            "model_b": [vote[1] for vote in VOTES],
            "winner": [{"bad": "tie (bothbad)"}.get(vote[2], vote[2]) for vote in VOTES],
            "judge": [f"arena_user_{number % 3}" for number in range(len(VOTES))],
            "conversation_a": said,
            "conversation_b": said,
            "turn": [1] * len(VOTES),
            "anony": [True] * len(VOTES),
            "tstamp": [1.6e9 + number for number in range(len(VOTES))],
        }
    )
    pq.write_table(table, folder / "conversations.parquet")
    return folder / "conversations.parquet"


def _as_sessions(folder: Path) -> Path:
    table = pa.table(
        {
            "id": [f"v{number}" for number in range(len(VOTES))],
            "model_a": [vote[0] for vote in VOTES],
            "model_b": [vote[1] for vote in VOTES],
            "winner": [{"bad": "both_bad"}.get(vote[2], vote[2]) for vote in VOTES],
            "evaluation_session_id": [f"s{number // 2}" for number in range(len(VOTES))],
            "evaluation_order": [1 + number % 2 for number in range(len(VOTES))],
            "is_code": [number < 3 for number in range(len(VOTES))],
            "conv_metadata": [{"sum_assistant_a_tokens": 25 * number, "turns": 1} for number in range(len(VOTES))],
            "category_tag": [{"math_v0.1": {"math": number % 4 == 0}} for number in range(len(VOTES))],
        }
    )
    pq.write_table(table, folder / "sessions.parquet")
    return folder / "sessions.parquet"


def _as_battles(folder: Path) -> Path:
    battles: list[dict[str, Any]] = [
        {
            "model_a": a,
            "model_b": b,
            "winner": {"bad": "tie (bothbad)"}.get(won, won),
            "judge": f"arena_user_{number % 3}",
            "turn": 1,
            "anony": number != 0,
            "language": "English",
            "tstamp": 1.6e9 + number,
            "is_code": False,
            "dedup_tag": {"high_freq": number > 5, "sampled": number < 6},
        }
        for number, (a, b, won) in enumerate(VOTES)
    ]
    return write_json(folder / "clean_battle.json", battles)


@pytest.mark.parametrize("write", [_as_csv, _as_conversations, _as_sessions, _as_battles])
def test_every_layout_holds_the_same_votes(write: Any, tmp_path: Path) -> None:
    tally = bt.read(write(tmp_path)).tally()
    counts: dict[tuple[str, str], list[int]] = {}
    for left, right, outcome, times in zip(tally.left, tally.right, tally.outcome, tally.times, strict=True):
        counts.setdefault((tally.systems[left], tally.systems[right]), [0, 0, 0])[outcome] += int(times)
    assert counts == COUNTS
    board = bt.rank(write(tmp_path), ci="none").board
    assert {row.system: (row.wins, row.ties) for row in board} == {"owl": (3, 2), "yak": (1, 1), "elk": (1, 3)}
    assert board.rows == bt.rank(_as_battles(tmp_path), ci="none").board.rows


def test_votes_on_visible_models_and_frequent_prompts_can_be_left_out(tmp_path: Path) -> None:
    path = _as_battles(tmp_path)
    assert bt.read(path, where="anony=true").tally().times.sum() == 7
    assert bt.read(path, where="dedup_tag.sampled=true").tally().times.sum() == 6
    assert len(json.loads(path.read_text())) == 8


def test_nested_columns_choose_categories(tmp_path: Path) -> None:
    path = _as_sessions(tmp_path)
    for condition, expected in (
        ("is_code=true", 3),
        ("category_tag.math_v0.1.math=false", 6),
        ("conv_metadata.sum_assistant_a_tokens>=100", 4),
    ):
        assert bt.read(path, where=condition).tally().times.sum() == expected
