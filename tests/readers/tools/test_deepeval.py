"""DeepEval: the input is the item, a failed metric is missing, thresholds say what is better."""

import json
from pathlib import Path
from typing import Any

import betterthan as bt
from betterthan.readers.format import format_called
from tests.readers.tools.boards import found, means, refused, write_json


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
    assert table.items == ("0+1?",)
    assert means(place) == {"Relevancy": {"owl": 0.875, "yak": 0.375}}
    for path in place.iterdir():
        document = json.loads(path.read_text())
        document["testCases"][1]["expectedOutput"] = "1"
        path.write_text(json.dumps(document))
    assert bt.read(place).tables[0].items == ("0+1?", "0+1? (2)")


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


def test_boards_are_the_means_of_its_metrics(tmp_path: Path) -> None:
    for number, (system, exact, length) in enumerate((("owl", (1, 0), (0.5, None)), ("yak", (1, 1), (0.25, 1.0)))):
        cases = [
            {
                "name": f"test_case_{place}",
                "input": f"{place}+0?",
                "success": True,
                "metricsData": [
                    {"name": "Exact Match", "threshold": 0.5, "success": one >= 0.5, "score": one},
                    {"name": "Length", "threshold": 0.75, "success": False, "score": other},
                ],
            }
            for place, (one, other) in enumerate(zip(exact, length, strict=True))
        ]
        run = {"testCases": cases, "conversationalTestCases": [], "metricsScores": [], "identifier": system}
        write_json(tmp_path / "runs" / f"test_run_2026010{number}_030405.json", run)
    assert means(tmp_path / "runs") == {
        "Exact Match": {"owl": 0.5, "yak": 1.0},
        "Length": {"owl": 0.5, "yak": 0.625},
    }
    tables = bt.read(tmp_path / "runs").tables
    assert tables[0].items == ("0+0?", "1+0?")
    assert not any(table.negated for table in tables)
    assert found(tmp_path / "runs")["unscored"].startswith("1 result is missing: the metric failed;")
