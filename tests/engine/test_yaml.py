"""YAML documents: a list of rows is a table, and nothing in a document is built or multiplied."""

import sys
import zipfile
from pathlib import Path

import pytest

import betterthan as bt
from betterthan.base import MissingExtraError

ROWS = "".join(
    f"- model: {model}\n  item: q{item}\n  score: {score + item / 10}\n"
    for item in range(3)
    for model, score in (("owl", 0.5), ("yak", 0.25))
)


@pytest.mark.parametrize(
    "text",
    [ROWS, f"title: a run\nresults:\n{ROWS}", "[{model: owl, item: 1, score: 1}, {model: yak, item: 1, score: 0}]"],
)
def test_a_list_of_rows_is_a_table(text: str, tmp_path: Path) -> None:
    path = tmp_path / "runs.yaml"
    path.write_text(text)
    scores = bt.read_scores(path)
    assert scores.systems[0] == "owl"
    assert scores.reading is not None
    assert scores.reading.used["system"] == "model"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("learning_rate: 0.1\n", "holds no list of rows. Give a list of mappings, one for each row: - model: …"),
        ("- 1\n- 2\n", "holds no list of rows. Give a list of mappings, one for each row: - model: …"),
        (
            "a: &rows [{x: 1}]\nb: *rows\n",
            "cannot be read as YAML: it has aliases (*name), which stand for other parts. Check that it is whole.",
        ),
    ],
)
def test_other_documents_are_refused(text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "config.yml"
    path.write_text(text)
    with pytest.raises(bt.EvidenceError) as refusal:
        bt.read(path)
    assert str(refusal.value) == f"{path}: {message}"


def test_settings_beside_a_table_are_left_out_of_archives_and_folders(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "runs.zip", "w") as archive:
        archive.writestr("config.yaml", "seed: 1\n")
        archive.writestr("runs.csv", "model,item,score\nowl,1,0.5\nyak,1,0.25\n")
    assert bt.read_scores(tmp_path / "runs.zip").systems == ("owl", "yak")
    with zipfile.ZipFile(tmp_path / "runs.zip") as archive:
        archive.extractall(tmp_path / "runs")
    assert bt.read_scores(tmp_path / "runs").systems == ("owl", "yak")
    with zipfile.ZipFile(tmp_path / "yaml.zip", "w") as archive:
        archive.writestr("runs.yaml", ROWS)
    assert bt.read_scores(tmp_path / "yaml.zip").systems == ("owl", "yak")


def test_nothing_in_a_document_is_run(tmp_path: Path) -> None:
    path, made = tmp_path / "runs.yaml", tmp_path / "made"
    path.write_text(f'- !!python/object/apply:os.mkdir ["{made}"]\n')
    with pytest.raises(bt.EvidenceError, match="cannot be read as YAML: could not determine a constructor"):
        bt.read(path)
    assert not made.exists()


def test_a_missing_library_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "yaml", None)
    (tmp_path / "runs.yaml").write_text(ROWS)
    with pytest.raises(MissingExtraError, match=r"betterthan\[yaml\]"):
        bt.read(tmp_path / "runs.yaml")
