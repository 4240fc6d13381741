"""BFCL: what is not listed was right, and totals say how much that is."""

import json
from pathlib import Path

import betterthan as bt
from betterthan.readers.format import format_called
from tests.readers.tools.boards import means, refused, write_lines


def _scores(path: Path, category: str, total: int, *wrong: object) -> Path:
    totals = {"accuracy": 1 - len(wrong) / total, "correct_count": total - len(wrong), "total_count": total}
    lines = [
        {"id": number, "test_category": category, "valid": False, "prompt": {"id": each} if each else None}
        for number, each in enumerate(wrong, 1)
    ]
    return write_lines(path, [totals, *lines])


def test_what_no_file_lists_was_right_for_every_model(tmp_path: Path) -> None:
    folder = format_called("bfcl").example(tmp_path)
    assert means(folder) == {"simple": {"owl": 2 / 3, "yak": 1 / 3}}
    (table,) = bt.read(folder).tables
    assert dict(zip(table.items, table.values.tolist(), strict=True)) == {
        "simple_0": [1.0, 0.0],
        "simple_1": [0.0, 0.0],
        "right for every model 1": [1.0, 1.0],
    }


def test_models_are_folders_below_score_and_categories_are_in_names_of_files(tmp_path: Path) -> None:
    for model, wrong in (("owl", ()), ("yak", ("live_0",))):
        _scores(tmp_path / "score" / model / "live" / "BFCL_v4_live_simple_score.json", "live_simple", 4, *wrong)
        _scores(tmp_path / "score" / model / "java_score.json", "java", 2, None)
    (tmp_path / "score" / "data_live.csv").write_text("Rank,Model\n1,owl\n")
    assert means(tmp_path) == {"live_simple": {"owl": 1.0, "yak": 0.75}, "java": {"owl": 0.5, "yak": 0.5}}
    assert bt.read(tmp_path).reading.files_ignored == ()


def test_files_that_do_not_fit_their_totals_or_each_other_are_refused(tmp_path: Path) -> None:
    owl = _scores(tmp_path / "score" / "owl" / "java_score.json", "java", 3, "java_0")
    yak = _scores(tmp_path / "score" / "yak" / "java_score.json", "java", 4, "java_0")
    assert refused(tmp_path) == (
        f"{yak}: the category java has 4 items, and 3 in {owl}. Give scores of one version of the benchmark at a time."
    )
    yak.write_text(json.dumps({"accuracy": 0.5, "correct_count": 1, "total_count": 3}))
    assert refused(tmp_path) == f"{yak}: lists 0 wrong answers, and counts 2. Check whether the file is complete."
