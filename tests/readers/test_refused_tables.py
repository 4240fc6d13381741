"""Tables that a person would not read as evidence, or in two ways: refused with the reason."""

from pathlib import Path

import pytest

import betterthan as bt
from betterthan.readers.columns.known_names import is_benchmark, is_system, mostly_systems, numbered


def _file(folder: Path, name: str, *lines: str) -> Path:
    (folder / name).write_text("\n".join([*lines, ""]))
    return folder / name


WIDE = [
    (("owl,yak", "1.5,2", "3,1"), "no column names the items, and they are not called like known systems"),
    (("income,foodexp", "420,255", "541,310"), "'income' is called like people or measurements"),
    (
        ("item,rater.1,rater.2", "a,1,2", "b,3,4"),
        "'rater.1', 'rater.2' differ in their number alone, as questions, judges",
    ),
    (("participant,Q01,Q02", "1,4,5", "2,3,2"), "'participant' is called like people or measurements"),
    (("item,part,owl", "a,1,2.5", "b,2,3"), "'part' is called like people or measurements"),
    (("item,var1,var2,owl", "a,1,2,3.5", "b,2,3,4"), "'var1', 'var2' differ in their number alone"),
    (("question,answer,prediction", "a,1,0", "b,0,1"), "'prediction' holds outputs and 'answer' references"),
]


@pytest.mark.parametrize(("lines", "why"), WIDE)
def test_columns_of_numbers_are_no_systems_without_evidence(lines: tuple[str, ...], why: str, tmp_path: Path) -> None:
    path = _file(tmp_path, "table.csv", *lines)
    with pytest.raises(bt.EvidenceError) as refusal:
        bt.read(path)
    assert why in str(refusal.value)


def test_items_known_names_or_a_request_are_evidence(tmp_path: Path) -> None:
    plain = _file(tmp_path, "plain.csv", "owl,yak", "1.5,2", "3,1")
    assert bt.read(plain, systems=["owl", "yak"]).systems == ("owl", "yak")
    assert bt.read_scores(plain).systems == ("owl", "yak")
    assert bt.read(plain, lower_is_better=True).kind == "scores"
    assert bt.read(_file(tmp_path, "items.csv", "item,owl,yak", "a,1.5,2", "b,3,1")).systems == ("owl", "yak")
    assert bt.read(_file(tmp_path, "task.csv", "benchmark,owl,yak", "a,1.5,2", "b,3,1")).systems == ("owl", "yak")
    known = _file(tmp_path, "known.csv", "gpt-4o,llama-3-8b,owl", "1.5,2,3", "3,1,2.5")
    assert bt.read(known).systems == ("gpt-4o", "llama-3-8b", "owl")
    assert bt.read({"owl": [1.5, 3], "yak": [2, 1]}).kind == "scores"  # written out in a call


def test_ranks_in_every_row_are_evidence(tmp_path: Path) -> None:
    assert bt.read(_file(tmp_path, "ranks.csv", "owl,yak,elk", "1,2,3", "2,1,3")).kind == "rankings"


def test_names_that_are_known() -> None:
    known = ("gpt-4o", "Llama3.1-8B", "system_b", "ModelA", "XGBoost", "T5", "C4.5", "our method")
    assert [name for name in known if not is_system(name)] == []
    assert [name for name in ("income", "owl", "year", "Murder", "x1") if is_system(name)] == []
    assert [name for name in ("MMLU", "GSM8K", "ARC-Challenge", "arc_easy") if not is_benchmark(name)] == []
    assert [name for name in ("hp", "city_mpg") if is_benchmark(name)] == []
    assert mostly_systems(["gpt", "llama", "owl"])
    assert not mostly_systems(["baseline", "oneyear"])
    assert numbered(["system1", "system2", "gpt-3", "gpt-4", "model_1", "model_2"]) == []


def test_cars_are_no_systems(tmp_path: Path) -> None:
    cars = _file(tmp_path, "cars.csv", "model,city_mpg,highway_mpg", "civic,30,38", "golf,28,36")
    with pytest.raises(bt.EvidenceError):
        bt.read(cars)
    lines = ("civic,70.5,60", "golf,61,66")
    assert bt.read(_file(tmp_path, "known.csv", "model,MMLU,GSM8K", *lines)).systems == ("civic", "golf")
    assert bt.read(_file(tmp_path, "system.csv", "system,city,village", *lines)).systems == ("civic", "golf")
    assert bt.read(_file(tmp_path, "llm.csv", "model,city,village", "gpt-4,70,60", "llama,61,66")).kind == "scores"


def test_one_wide_file_per_metric(tmp_path: Path) -> None:
    lines = ("item,gpt,llama", "a,0.5,0.75", "b,0.25,0.5")
    paths = [_file(tmp_path, f"{name}.csv", *lines) for name in ("flip", "fluency", "perplexity")]
    scores = bt.read_scores(paths)
    assert [(table.metric, table.negated, table.systems) for table in scores.tables] == [
        ("flip", False, ("gpt", "llama")),
        ("fluency", False, ("gpt", "llama")),
        ("perplexity", True, ("gpt", "llama")),
    ]
    assert str(scores.reading) == (
        "Read as scores-wide-by-file: item = item, systems = gpt, llama, metric = the file's name."
    )


def test_files_that_are_systems_or_metrics_are_read_as_asked(tmp_path: Path) -> None:
    lines = ("item,owl,yak", "a,0.5,0.75", "b,0.25,0.5")
    paths = [_file(tmp_path, f"{name}.csv", *lines) for name in ("one", "two")]
    with pytest.raises(bt.EvidenceError) as refusal:
        bt.read(paths)
    assert str(refusal.value) == (
        "2 files: the same values of item are in several files: their columns 'owl', 'yak' may be metrics of one system "
        "per file, or systems by one metric per file. If columns are metrics, name them: score=['owl', 'yak']. If they "
        "are systems: systems=['owl', 'yak']."
    )
    assert bt.read(paths, systems=["owl", "yak"]).systems == ("owl", "yak")
    assert bt.read(paths, score=["owl", "yak"]).systems == ("one", "two")


def test_all_metrics_of_a_long_table_are_read_or_named(tmp_path: Path) -> None:
    rows = ("1,owl,1,2,3,4", "1,yak,2,3,4,5")
    scores = bt.read_scores(_file(tmp_path, "a.csv", "item,system,score,fluency,style_score,politeness", *rows))
    assert [table.title for table in scores.tables] == ["score", "fluency", "style_score"]
    assert scores.reading is not None
    (found,) = [each for each in scores.reading.findings if each.code == "numbers-ignored"]
    assert "politeness" in found.message
    assert found.level == "warning"
    named = bt.read_scores(tmp_path / "a.csv", score=["score"])
    assert named.reading is not None
    assert named.reading.findings == ()


def test_repetitions_are_no_scores(tmp_path: Path) -> None:
    rows = ("1,owl,1,0.5", "1,owl,2,0.75", "1,yak,1,0.25", "1,yak,2,0.5")
    scores = bt.read_scores(_file(tmp_path, "a.csv", "item,model,repetition_number,accuracy", *rows))
    assert scores.tables[0].values.tolist() == [[0.625, 0.375]]
    with pytest.raises(bt.EvidenceError, match="long scores need a column for score"):
        bt.read(_file(tmp_path, "b.csv", "item,model,repetition_number,temp_c", *rows))
