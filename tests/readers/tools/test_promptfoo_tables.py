"""Tables of promptfoo: versions 1 and 2 of its JSON at any depth, CSV of several releases, and shared evaluations."""

import csv
from pathlib import Path
from typing import Any

import pytest

import betterthan as bt
from tests.readers.tools.boards import found, means, refused, write_json

BOARDS = {"score": {"owl": 0.875, "yak": 0.375}, "success": {"owl": 1.0, "yak": 0.5}}


def _table(*, texts: bool) -> dict[str, Any]:
    def output(score: float) -> Any:
        status = "PASS" if score >= 0.5 else "FAIL"
        return f"[{status}] ({score:.2f}) …" if texts else {"pass": score >= 0.5, "score": score, "text": "…"}

    prompts = [{"provider": name, "raw": "Add.", "label": "Add."} for name in ("owl", "yak")]
    body = [
        {"vars": ["1"], "outputs": [output(1.0), output(0.5)]},
        {"vars": ["2"], "outputs": [output(0.75), output(0.25)]},
    ]
    return {"head": {"prompts": prompts, "vars": ["a"]}, "body": body}


@pytest.mark.parametrize("texts", [True, False])
@pytest.mark.parametrize("depth", [0, 1, 2])
def test_tables_are_read_at_any_depth(depth: int, texts: bool, tmp_path: Path) -> None:
    document: dict[str, Any] = {"version": 2, "results": [], "stats": {}, "table": _table(texts=texts)}
    if depth:
        document = {"results": document, "config": {}}
    if depth == 2:
        document = {"data": {"version": 3, **document}}
    path = write_json(tmp_path / "output.json", document)
    assert means(path) == BOARDS
    assert bt.read(path).reading.format == "promptfoo-tables"


def _write(path: Path, *lines: list[str]) -> Path:
    with path.open("w", newline="", encoding="utf-8") as stream:
        csv.writer(stream).writerows(lines)
    return path


def test_first_releases_mark_outputs_without_a_score(tmp_path: Path) -> None:
    head = ['{"raw":"Add.","display":"Add {{a}}."}', '{"raw":"Sum.","display":"Sum\\n{{a}}."}', "a"]
    lines = [["[PASS] 2", "[PASS] two", "1"], ["[PASS] 4", "[FAIL] Expected 4\n---\n5", "2"]]
    path = _write(tmp_path / "output.csv", head, *lines)
    assert means(path) == {
        "score": {"Add {{a}}.": 1.0, "Sum\n{{a}}.": 0.5},
        "success": {"Add {{a}}.": 1.0, "Sum\n{{a}}.": 0.5},
    }


def test_columns_behind_an_output_hold_its_scores(tmp_path: Path) -> None:
    part = ["Status", "Score", "Named Scores", "Metric: brevity", "Grader Reason", "Comment"]
    head = ["Description", "a", "[owl] Add.", *part, "[yak] Add.", *part]
    lines = [
        ["", "1", "2", "PASS", "1.00", '{"brevity":1}', "1.00", "", "", "two", "PASS", "0.50", "", "0.50", "", ""],
        ["", "2", "4", "PASS", "0.75", '{"brevity":0}', "0.00", "", "", "5", "FAIL", "0.25", "", "", "", ""],
        ["", "2", "4", "PASS", "0.75", '{"brevity":1}', "1.00", "", "", "5", "ERROR", "0.00", "", "0.50", "", ""],
    ]
    path = _write(tmp_path / "out.csv", head, *lines)
    brevity = {"owl": 0.75, "yak": 0.5}
    assert means(path) == {**BOARDS, "brevity": brevity}
    assert found(path)["unscored"].startswith("1 result is missing: the provider returned an error;")
    assert "repeats-averaged" in found(path)
    _write(path, head, lines[0][:5])
    assert refused(path) == f"{path}, row 2: has not 16 cells"


def test_outputs_that_nothing_graded_are_refused(tmp_path: Path) -> None:
    table = {"head": {"prompts": ["Add.", "Sum."], "vars": ["a"]}, "body": [{"vars": ["1"], "outputs": ["2", "two"]}]}
    path = write_json(tmp_path / "output.json", {"version": 1, "results": [], "table": table})
    assert refused(path) == f"{path}: the outputs were not graded. Add assertions to the test cases."
    table["body"].append({"vars": ["2"], "outputs": ["[FAIL] 4", "5"]})
    write_json(path, {"version": 1, "results": [], "table": table})
    assert means(path)["score"] == {"Add.": 0.5, "Sum.": 1.0}


def test_shared_evaluations_hold_rows_without_variables(tmp_path: Path) -> None:
    rows = [
        {
            "id": f"{provider}{case}",
            "promptIdx": place,
            "testIdx": case,
            "testCase": {"vars": {"a": case}},
            "provider": {"id": provider, "label": ""},
            "prompt": {"raw": "Add.", "label": "Add."},
            "score": score,
            "success": score >= 0.5,
        }
        for place, (provider, scores) in enumerate((("owl", (1.0, 0.75)), ("yak", (0.5, 0.25))))
        for case, score in enumerate(scores)
    ]
    path = write_json(tmp_path / "eval.json", {"id": "eval-1", "config": {}, "results": rows, "prompts": []})
    assert means(path) == BOARDS
    assert bt.read(path).tables[0].items == ("a=0", "a=1")
