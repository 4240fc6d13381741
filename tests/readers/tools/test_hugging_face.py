"""Data sets saved by Hugging Face's `datasets`: folders, shards, splits, and class labels by name."""

import json
import pickle
import shutil
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import betterthan as bt
from betterthan.engine.duckdb.file_table import open_files

FEATURES = {"winner": {"names": ["model_a", "model_b", "tie"], "_type": "ClassLabel"}}
METADATA = {b"huggingface": json.dumps({"info": {"features": FEATURES}}).encode()}


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
    (
        '{"_data_files": [{"filename": "no.arrow"}]}',
        "state.json names no.arrow, which is not there. Copy the whole folder.",
    ),
    ('{"_data_files": [', "its state.json cannot be read."),
    ('{"_data_files": [], "_indices_data_files": [1]}', "the data set holds rows by their places in another one."),
]


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
        {
            "model_a": library.Value("string"),
            "model_b": library.Value("string"),
            "winner": library.ClassLabel(names=["model_a", "model_b", "tie"]),
        }
    )
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


def test_splits_are_a_column(tmp_path: Path) -> None:
    for split, winners in (("train", [0, 0, 2]), ("test", [1])):
        _data_set(tmp_path / "votes" / split, {"data-00000-of-00001.arrow": winners})
    (tmp_path / "votes" / "dataset_dict.json").write_text('{"splits": ["train", "test"]}')
    assert _winners(tmp_path / "votes") == ["model_a", "model_a", "tie", "model_b"]
    for split, number in (("train", 3), ("test", 1)):
        assert bt.read(tmp_path / "votes", where=f"split={split}").tally().times.sum() == number
        assert bt.read(tmp_path / "votes" / split).tally().times.sum() == number
    assert len(bt.read(tmp_path / "votes", dataset="split").data_sets()) == 2


@pytest.mark.parametrize("name", ["votes", "votes/data-00000-of-00001.arrow", "votes.parquet"])
def test_class_labels_are_read_by_their_names(name: str, tmp_path: Path) -> None:
    winners = [0, 1, 1, 2, 2, 2]
    _data_set(tmp_path / "votes", {"data-00000-of-00001.arrow": winners})
    columns = {"model_a": ["owl"] * 6, "model_b": ["yak"] * 6, "winner": winners}
    pq.write_table(pa.table(columns).replace_schema_metadata(METADATA), tmp_path / "votes.parquet")
    votes = bt.read(tmp_path / name)
    tally = votes.tally()
    assert [int(tally.times[tally.outcome == outcome].sum()) for outcome in range(3)] == [1, 3, 2]  # left, tie, right
    assert "50 % ties" in str(votes)
    assert bt.rank(votes, ci="none").board["yak"].wins == 2


def test_a_folder_of_scores_is_the_table_it_was_made_from(tmp_path: Path) -> None:
    columns = {"instance": ["i0", "i0", "i1", "i1"], "system": ["owl", "yak"] * 2, "score": [0.5, 0.25, 1.0, 0.125]}
    (tmp_path / "scores").mkdir()
    _write(tmp_path / "scores" / "data.arrow", columns, None)
    (tmp_path / "scores" / "state.json").write_text('{"_data_files": [{"filename": "data.arrow"}]}')
    (tmp_path / "scores" / "dataset_info.json").write_text("{}")
    (table,) = bt.read(tmp_path / "scores").tables
    assert table.values.tolist() == [[0.5, 0.25], [1.0, 0.125]]
