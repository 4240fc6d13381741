"""Data sets saved by Hugging Face's `datasets`: folders, shards, splits, and class labels by name."""

import json
import pickle
import shutil
from collections import Counter
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import betterthan as bt
from betterthan.engine.scan import open_files

VOTES = ("votes", "votes_dict", "votes_sharded", "votes.parquet", "votes/data-00000-of-00001.arrow")
FEATURES = {"winner": {"names": ["model_a", "model_b", "tie"], "_type": "ClassLabel"}}
METADATA = {b"huggingface": json.dumps({"info": {"features": FEATURES}}).encode()}


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


def _write(path: Path, columns: dict[str, Any], metadata: dict[bytes, bytes] | None = METADATA) -> None:
    table = pa.table(columns).replace_schema_metadata(metadata)
    with pa.OSFile(str(path), "wb") as sink, pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)


def _data_set(folder: Path, shards: dict[str, list[int]]) -> Path:
    """Write a data set of votes between owl and yak, its shards listed in the order given."""
    folder.mkdir(parents=True)
    for name, winners in shards.items():
        _write(folder / name, {"model_a": ["owl"] * len(winners), "model_b": ["yak"] * len(winners), "winner": winners})
    (folder / "state.json").write_text(json.dumps({"_data_files": [{"filename": name} for name in shards]}))
    (folder / "dataset_info.json").write_text(json.dumps({"features": FEATURES}))
    return folder


def _winners(source: Path) -> list[Any]:
    with open_files([source]) as table:
        return table.rows(["winner"]).columns["winner"].texts().tolist()


def test_shards_are_read_in_the_order_of_the_state(tmp_path: Path) -> None:
    folder = _data_set(tmp_path / "votes", {"data-2.arrow": [0, 2], "data-1.arrow": [1, -1]})
    assert _winners(folder) == ["model_a", "tie", "model_b", None]
    assert bt.read(folder, on_error="skip").account.kept == 3


def test_an_archive_of_a_data_set_is_read(tmp_path: Path) -> None:
    folder = _data_set(tmp_path / "in" / "votes", {"data-2.arrow": [0, 2], "data-1.arrow": [1, 1]})
    for root in (folder, folder.parent):
        archive = Path(shutil.make_archive(str(tmp_path / f"of-{root.name}"), "zip", root))
        assert _winners(archive) == _winners(folder)
        assert bt.rank(archive, ci="none").board == bt.rank(folder, ci="none").board


def test_a_folder_of_the_cache_is_read(tmp_path: Path) -> None:
    folder = _data_set(tmp_path / "cache", {"votes-train-00000-of-00001.arrow": [0, 0], "votes-test.arrow": [1]})
    (folder / "state.json").unlink()
    _write(folder / "cache-123-train.arrow", {"other": [1]})
    assert bt.read(folder, where="split=train").tally().times.sum() == 2
    assert bt.read(folder).tally().times.sum() == 3


def test_votes_of_a_folder_can_be_sent_to_another_process(tmp_path: Path) -> None:
    folder = _data_set(tmp_path / "votes", {"data-2.arrow": [0, 2], "data-1.arrow": [1, 1]})
    votes = bt.read(folder)
    assert bt.rank(pickle.loads(pickle.dumps(votes)), ci="none").board == bt.rank(votes, ci="none").board


def test_columns_that_hold_names_already_stay_as_they_are(tmp_path: Path) -> None:
    columns = {"model_a": ["owl", "owl"], "model_b": ["yak", "yak"], "winner": ["tie", "model_b"]}
    pq.write_table(pa.table(columns).replace_schema_metadata(METADATA), tmp_path / "votes.parquet")
    assert _winners(tmp_path / "votes.parquet") == ["tie", "model_b"]
    broken = {b"huggingface": b'{"info": [1]}'}
    pq.write_table(pa.table(columns).replace_schema_metadata(broken), tmp_path / "broken.parquet")
    assert _winners(tmp_path / "broken.parquet") == ["tie", "model_b"]


DAMAGED = [
    ('{"_data_files": [{"filename": "../secret.arrow"}]}', "the path '../secret.arrow' leads out of the folder."),
    ('{"_data_files": [{"filename": "no.arrow"}]}', "state.json names no.arrow, which is not there. Copy the whole folder."),
    ('{"_data_files": [', "its state.json cannot be read."),
    ('{"_data_files": [], "_indices_data_files": [1]}', "the data set holds rows by their places in another one."),
]  # fmt: skip


@pytest.mark.parametrize(("state", "message"), DAMAGED)
def test_a_damaged_folder_is_refused(state: str, message: str, tmp_path: Path) -> None:
    folder = _data_set(tmp_path / "votes", {"data.arrow": [0]})
    _write(tmp_path / "secret.arrow", {"model_a": ["owl"]})
    (folder / "state.json").write_text(state)
    with pytest.raises(bt.EvidenceError) as refusal:
        bt.read(folder)
    assert str(refusal.value).startswith(f"{folder}: {message}")


def test_splits_that_are_not_there_are_refused(tmp_path: Path) -> None:
    _data_set(tmp_path / "votes" / "train", {"data.arrow": [0]})
    for splits, message in (
        ('["train", "test"]', "the split 'test' has no state.json."),
        ("[]", "dataset_dict.json names no splits."),
    ):
        (tmp_path / "votes" / "dataset_dict.json").write_text(f'{{"splits": {splits}}}')
        with pytest.raises(bt.EvidenceError) as refusal:
            bt.read(tmp_path / "votes")
        assert str(refusal.value).startswith(f"{tmp_path / 'votes'}: {message}")


def test_what_the_library_itself_writes_is_read(tmp_path: Path) -> None:
    library = pytest.importorskip("datasets", reason="the library that writes such folders is in the group tools")
    features = library.Features(
        {"model_a": library.Value("string"), "model_b": library.Value("string"),
         "winner": library.ClassLabel(names=["model_a", "model_b", "tie"])}
    )  # fmt: skip
    winners = [0, 0, 1, 2, 0, 1, 2, 0]
    columns = {"model_a": ["owl"] * 8, "model_b": ["yak", "elk"] * 4, "winner": winners}
    votes = library.Dataset.from_dict(columns, features=features)
    votes.save_to_disk(tmp_path / "sharded", num_shards=3)
    library.DatasetDict({"train": votes, "test": votes.select([0, 3])}).save_to_disk(tmp_path / "splits")
    votes.filter(lambda vote: vote["winner"] != 1).save_to_disk(tmp_path / "filtered")
    votes.to_parquet(tmp_path / "votes.parquet")
    names = ["model_a", "model_b", "tie"]
    assert _winners(tmp_path / "sharded") == [names[winner] for winner in winners]
    assert _winners(tmp_path / "votes.parquet") == [names[winner] for winner in winners]
    assert _winners(tmp_path / "filtered") == [names[winner] for winner in winners if winner != 1]
    assert _winners(tmp_path / "splits") == [names[winner] for winner in [*winners, 0, 2]]
    assert bt.read(tmp_path / "splits", where="split=test").tally().times.sum() == 2
