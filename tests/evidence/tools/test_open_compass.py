"""OpenCompass: details of answers, else tasks by models from its summary."""

import json
import shutil
from pathlib import Path

import pytest

import betterthan as bt
from betterthan.evidence.format import format_called
from tests.evidence.tools.boards import found, means, refused

RUN = Path("opencompass") / "outputs" / "default" / "20261116_110000"


def test_details_give_the_accuracies_of_the_results(samples: Path) -> None:
    for source in (samples / "opencompass", samples / RUN / "results"):
        boards = means(source)
        assert set(boards) == {"demo_gsm8k"}
        for path in (samples / RUN / "results").rglob("*.json"):
            assert boards["demo_gsm8k"][path.parent.name] == pytest.approx(
                json.loads(path.read_text())["accuracy"] / 100
            )
        assert found(source) == {}  # predictions and summaries are the tool's own


def test_the_summary_is_tasks_by_models(samples: Path) -> None:
    source = samples / RUN / "summary" / "summary_20261116_110000.csv"
    [table] = bt.read(source).tables
    assert table.instances == ("demo_gsm8k accuracy", "demo_math accuracy")  # the average of a group is none
    assert means(source) == {"": {"strong": pytest.approx(63.75), "middle": pytest.approx(43.75), "weak": 31.25}}
    assert found(source)["unscored"].startswith("1 result is missing: the summary holds no score;")


def _summary(folder: Path, text: str) -> Path:
    path = folder / "summary_20260102_030405.csv"
    path.write_text(f"dataset,version,metric,mode,owl,yak\n{text}")
    return path


def test_summaries_of_groups_only_and_of_several_modes_are_read(tmp_path: Path) -> None:
    assert bt.read(_summary(tmp_path, "mmlu,-,naive_average,gen,1,2\nceval,-,naive_average,gen,2,3\n")).tables[0].instances == (
        "ceval naive_average", "mmlu naive_average",
    )  # fmt: skip
    twice = _summary(tmp_path, "sums,1,acc,gen,1,2\nsums,1,acc,ppl,2,3\nmore,1,acc,gen,-,-\n")
    assert bt.read(twice).tables[0].instances == ("more acc", "sums acc gen", "sums acc ppl")


def test_odd_summaries_are_refused(tmp_path: Path) -> None:
    path = _summary(tmp_path, "sums,1,acc,gen,1,good\n")
    assert refused(path) == f"{path}: the score 'good' is no number; allowed: numbers, and - for none."
    path = _summary(tmp_path, "sums,1,acc,gen,1\n")
    assert refused(path).startswith(f"{path}, line 2: has not 6 cells")
    assert "less is better for perplexity, and more for other tasks" in refused(
        _summary(tmp_path, "sums,1,acc,gen,1,2\nwiki,2,perplexity,ppl,2,3\n")
    )


def test_the_last_run_counts(tmp_path: Path) -> None:
    outputs = Path(format_called("open-compass").example(tmp_path))
    shutil.copytree(outputs / "20260102_030405", outputs / "20270102_030405")
    later = outputs / "20270102_030405" / "results" / "yak" / "sums.json"
    later.write_text(later.read_text().replace("false", "true"))
    assert means(outputs)["sums"]["yak"] == 1.0
    assert found(outputs)["runs-of-one-system"] == "owl, yak: there are several runs; the last one was read."


def test_details_without_correctness_are_refused(tmp_path: Path) -> None:
    outputs = Path(format_called("open-compass").example(tmp_path))
    path = outputs / "20260102_030405" / "results" / "yak" / "sums.json"
    path.write_text(path.read_text().replace('"correct"', '"score"'))
    assert refused(outputs).startswith(f"{path}: answer 0 of the details does not say whether it is correct.")
