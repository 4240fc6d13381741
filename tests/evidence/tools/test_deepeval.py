"""DeepEval: the input is the item, a failed metric is missing, thresholds say what is better."""

import json
from pathlib import Path
from typing import Any

import pytest

import betterthan as bt
from betterthan.evidence.format import format_called
from tests.evidence.tools.boards import found, means, refused


def test_boards_are_those_of_its_own_summary(samples: Path) -> None:
    boards = means(samples / "deepeval")
    assert set(boards) == {"Exact Match", "Length"}
    for path in (samples / "deepeval").iterdir():
        run = json.loads(path.read_text())
        for told in run["metricsScores"]:
            assert boards[told["metric"]][run["identifier"]] == pytest.approx(sum(told["scores"]) / len(told["scores"]))
    assert set(boards["Length"]) == {"strong", "middle", "weak"}
    table = bt.read(samples / "deepeval").tables[0]
    assert table.instances[0] == "0+0?"


def _run(folder: Path, *metrics: dict[str, Any], **changes: Any) -> Path:
    """Write the example with other metrics for the first system."""
    place = Path(format_called("deepeval").example(folder))
    path = sorted(place.iterdir())[0]
    document = {**json.loads(path.read_text()), **changes}
    for case, metric in zip(document["testCases"], metrics, strict=False):
        case["metricsData"][0].update(metric)
    path.write_text(json.dumps(document))
    return place


def test_a_metric_that_failed_is_missing(tmp_path: Path) -> None:
    place = Path(format_called("deepeval").example(tmp_path))
    path = sorted(place.iterdir())[0]
    document = json.loads(path.read_text())
    del document["testCases"][0]["metricsData"][0]["score"]
    document["testCases"][0]["metricsData"][0]["error"] = "no key"
    path.write_text(json.dumps(document))
    assert means(place)["Relevancy"]["owl"] == 0.75
    assert found(place)["unscored"].startswith("1 result is missing: the metric failed;")


def test_thresholds_say_whether_less_is_better(tmp_path: Path) -> None:
    usual = _run(
        tmp_path, {"score": 0.9, "threshold": 0.5, "success": True}, {"score": 0.1, "threshold": 0.5, "success": False}
    )
    assert not bt.read(usual).tables[0].negated
    turned = _run(
        tmp_path, {"score": 0.9, "threshold": 0.5, "success": False}, {"score": 0.1, "threshold": 0.5, "success": True}
    )
    for path in sorted(turned.iterdir())[1:]:
        path.write_text(path.read_text().replace('"threshold": 0.125', '"threshold": 0.9'))
    assert bt.read(turned).tables[0].negated
    assert "lower-is-better" in {each.code for each in bt.rank(turned, model="mean", ci="none").board.findings}


def test_hallucinations_should_be_few(tmp_path: Path) -> None:
    place = Path(format_called("deepeval").example(tmp_path))
    for path in place.iterdir():
        path.write_text(
            path.read_text().replace("Relevancy", "Hallucination").replace('"threshold": 0.125', '"threshold": 1.5')
        )
    assert bt.read(place).tables[0].negated


def test_equal_inputs_are_repeats_or_other_items(tmp_path: Path) -> None:
    place = Path(format_called("deepeval").example(tmp_path))
    for path in place.iterdir():
        path.write_text(path.read_text().replace("1+1?", "0+1?"))
    [table] = bt.read(place).tables
    assert table.instances == ("0+1?",)
    assert means(place) == {"Relevancy": {"owl": 0.875, "yak": 0.375}}
    for path in place.iterdir():
        document = json.loads(path.read_text())
        document["testCases"][1]["expectedOutput"] = "1"
        path.write_text(json.dumps(document))
    assert bt.read(place).tables[0].instances == ("0+1?", "0+1? (2)")


def test_systems_are_named_by_identifier_model_or_file(tmp_path: Path) -> None:
    place = _run(tmp_path, identifier=None, hyperparameters={"model": "elk"})
    assert bt.read(place).systems == ("elk", "yak")
    place = _run(tmp_path, identifier=None)
    assert bt.read(place).systems == ("test_run_20260102_030400", "yak")
    place = _run(tmp_path, identifier="yak")
    assert bt.read(place).systems == ("yak (test_run_20260102_030400)", "yak (test_run_20260102_030401)")


def test_what_is_no_score_is_refused(tmp_path: Path) -> None:
    place = _run(tmp_path, {"score": "high"})
    assert "Relevancy is 'high', which is no number" in refused(place)
    place = _run(tmp_path, testCases=[{"name": "test_case_0", "metricsData": [{"name": "x", "score": 1}]}])
    assert "the test case 'test_case_0' has no input" in refused(place)
