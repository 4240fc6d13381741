"""Data sets saved by Hugging Face's `datasets`: folders, shards, splits, and class labels by name."""

from collections import Counter
from pathlib import Path

import pyarrow as pa
import pytest

import betterthan as bt

VOTES = ("votes", "votes_dict", "votes_sharded", "votes.parquet", "votes/data-00000-of-00001.arrow")


@pytest.mark.parametrize("name", VOTES)
def test_class_labels_are_read_by_their_names(name: str, samples: Path) -> None:
    votes = bt.read(samples / "hf-datasets" / name)
    with pa.ipc.open_stream(samples / "hf-datasets" / "votes" / "data-00000-of-00001.arrow") as stream:
        classes = Counter(stream.read_all()["winner"].to_pylist())
    tally = votes.tally()
    assert votes.kind == "judgments"
    assert tally.times.sum() == 60
    board = bt.rank(votes, ci="none").board
    assert board == bt.rank(samples / "hf-datasets" / "votes", ci="none").board
    assert "45 % ties" in str(votes)
    assert classes[2] == 27


@pytest.mark.parametrize("name", ["scores", "scores.parquet"])
def test_a_folder_of_scores_is_the_table_it_was_made_from(name: str, samples: Path) -> None:
    plain = bt.rank(samples / "hf-datasets" / "scores.jsonl", ci="none", model="mean").board
    found = bt.rank(samples / "hf-datasets" / name, ci="none", model="mean").board
    assert [row.system for row in found.rows] == [row.system for row in plain.rows]
    # JSON was written with ten digits.
    assert [row.score for row in found.rows] == pytest.approx([row.score for row in plain.rows], abs=1e-10)


def test_splits_are_a_column(samples: Path) -> None:
    whole = samples / "hf-datasets" / "votes_dict"
    parts = [bt.read(whole, where=f"split={split}").tally().times.sum() for split in ("train", "test")]
    alone = [bt.read(whole / split).tally().times.sum() for split in ("train", "test")]
    assert parts == alone
    assert sum(parts) == 60
    assert len(bt.read(whole, dataset="split").data_sets()) == 2
