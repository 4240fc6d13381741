"""Label Studio: three exports of one project, ties by choices, and annotations that do not count."""

import csv
import json
from collections import Counter
from pathlib import Path

import pytest

import betterthan as bt
from tests.readers.tools.boards import counted, found, refused

EXPORTS = ["export.json", "out_min/result.json", "out_csv/result.csv"]


@pytest.mark.parametrize("name", EXPORTS)
def test_all_exports_hold_the_same_judgments(name: str, samples: Path) -> None:
    place = samples / "label-studio"
    expected = Counter[tuple[str, ...]]()
    for task in json.loads((place / "export.json").read_text()):
        for annotation in task["annotations"]:
            for result in annotation["result"]:
                value = result["value"]
                outcome = {"left": "0", "right": "2"}.get(value.get("selected", ""), "1")
                expected[*task["data"]["systems"], outcome, task["data"]["item"], str(annotation["completed_by"])] += 1
    assert expected.total() == 35
    assert counted(place / name) == expected
    assert found(place / name) == {
        "unscored": "1 result is missing: the judge submitted no choice; missing results are left out, "
        "not counted as 0."
    }


def test_exports_of_one_project_count_once(samples: Path) -> None:
    assert counted(samples / "label-studio") == counted(samples / "label-studio" / "export.json")
    assert found(samples / "label-studio")["replaced-rows"].startswith("72 rows were replaced")


def test_a_cut_table_is_refused(samples: Path, tmp_path: Path) -> None:
    with (samples / "label-studio" / "out_csv" / "result.csv").open(encoding="utf-8") as stream:
        rows = list(csv.reader(stream))
    path = tmp_path / "result.csv"
    with path.open("w", encoding="utf-8", newline="") as stream:
        csv.writer(stream).writerows([*rows[:5], rows[5][:4]])
    assert "the row has another number of columns" in refused(path, format="label-studio")


def test_a_control_called_like_an_outcome_does_not_turn_texts_into_systems(samples: Path, tmp_path: Path) -> None:
    own = samples / "label-studio" / "out_csv" / "result.csv"
    path = tmp_path / "result.csv"
    path.write_text(own.read_text().replace('"pw"', '"comparison"'))
    assert counted(path) == counted(own)
    table = "annotation_id,annotator,lead_time,model_a,model_b,choice\n1,ann,2.5,owl,yak,A\n2,bob,1.5,yak,owl,Tie\n"
    path.write_text(table)  # choices alone are plain judgments
    assert bt.read(path).reading.format == "judgments"
    assert bt.read(path).systems == ("owl", "yak")
