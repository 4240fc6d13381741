"""OpenCompass: details of answers, else tasks by models from its summary."""

import shutil
from pathlib import Path

import betterthan as bt
from betterthan.readers.format import format_called
from tests.readers.tools.boards import found, means, refused, write_json


def _summary(folder: Path, text: str) -> Path:
    path = folder / "summary_20260102_030405.csv"
    path.write_text(f"dataset,version,metric,mode,owl,yak\n{text}")
    return path


def test_summaries_of_groups_only_and_of_several_modes_are_read(tmp_path: Path) -> None:
    assert bt.read(_summary(tmp_path, "mmlu,-,naive_average,gen,1,2\nceval,-,naive_average,gen,2,3\n")).tables[
        0
    ].items == (
        "ceval naive_average",
        "mmlu naive_average",
    )
    twice = _summary(tmp_path, "sums,1,acc,gen,1,2\nsums,1,acc,ppl,2,3\nmore,1,acc,gen,-,-\n")
    assert bt.read(twice).tables[0].items == ("more acc", "sums acc gen", "sums acc ppl")


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


def test_details_give_the_accuracies_of_the_results(tmp_path: Path) -> None:
    """Predictions, summaries and results without details are the tool's own, and say nothing more."""
    run = tmp_path / "outputs" / "default" / "20260102_030405"
    for model, right in (("owl", [True, True, [True], False]), ("yak", [False, True, [False], False])):
        answers = {str(key): {"predictions": "1", "references": "1", "correct": ok} for key, ok in enumerate(right)}
        write_json(run / "results" / model / "sums.json", {"accuracy": 0.0, "details": {"type": "GEN", **answers}})
        write_json(run / "predictions" / model / "sums.json", {"0": {"origin_prompt": "?", "prediction": "1"}})
    (run / "summary").mkdir()
    (run / "summary" / "summary_20260102_030405.csv").write_text(
        "dataset,version,metric,mode,owl,yak\nsums,1,accuracy,gen,0,0\n"
    )
    for source in (tmp_path / "outputs", run / "results"):
        assert means(source) == {"sums": {"owl": 0.75, "yak": 0.25}}
        assert found(source) == {}


def test_the_summary_is_tasks_by_models(tmp_path: Path) -> None:
    text = "sums,1,accuracy,gen,87.5,50.0\nwords,2,accuracy,gen,40.5,-\nall,-,accuracy,gen,1.0,2.0\nboth,3,naive_average,gen,1.0,2.0\n"
    source = _summary(tmp_path, text)
    [table] = bt.read(source).tables
    assert table.items == ("sums accuracy", "words accuracy")  # the average of a group is none
    assert means(source) == {"": {"owl": 64.0, "yak": 50.0}}
    assert found(source)["unscored"].startswith("1 result is missing: the summary holds no score;")
