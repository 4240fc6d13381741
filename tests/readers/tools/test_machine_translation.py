"""MQM annotations, mt-metrics-eval and Appraise against the scores that were published with them."""

import csv
import json
from pathlib import Path
from typing import Any

import numpy as np

import betterthan as bt
from betterthan.readers.format import format_called
from tests.readers.tools.boards import found, means, refused


def test_mqm_knows_its_severities_only(tmp_path: Path) -> None:
    place = Path(format_called("google-mqm").example(tmp_path))
    place.write_text(place.read_text().replace("Major", "Catastrophic"))
    assert "the severity 'Catastrophic' has no weight; allowed: major, minor, neutral, no-error" in refused(place)


def test_blocks_may_come_in_any_order(tmp_path: Path) -> None:
    folder = Path(format_called("mt-metrics-eval").example(tmp_path))
    before = bt.read(folder)
    place = folder / "human-scores" / "en-de.mqm.seg.score"
    lines = place.read_text().splitlines()
    place.write_text("\n".join([*lines[3:], *lines[:3]]))
    assert bt.read(folder) == before
    place.write_text("owl\t-1.0\nowl\tvery bad")
    assert "line 2: is no line of system and score" in refused(folder)


def test_appraise_pairs_are_refused(tmp_path: Path) -> None:
    row = "eng01,owl,1,TGT,eng,deu,80,[],[],1700.5,1701.5"
    (tmp_path / "pairs.csv").write_text(f"{row}\n{row.replace('owl', 'yak')}\n")
    assert "is a pairwise campaign, whose rows come in pairs" in refused(tmp_path / "pairs.csv")


def test_mqm_segments_are_minus_the_weights_of_their_errors(tmp_path: Path) -> None:
    """Major 5, minor 1, minor punctuation 0.1, major non-translation 25, others 0; raters are judges of their own."""
    errors = [
        ("owl", "one", "1", "ann", "Accuracy/Omission", "Major"),
        ("owl", "one", "1", "ann", "Fluency/Grammar", "Minor"),
        ("owl", "one", "1", "bob", "No-error", "No-error"),
        ("owl", "two", "2", "ann", "Fluency/Punctuation", "Minor"),
        ("owl", "two", "2", "bob", "Style/Awkward", "Neutral"),
        ("yak", "one", "1", "ann", "Non-translation!", "Major"),
        ("yak", "one", "1", "bob", "Fluency/Punctuation", "Major"),
        ("yak", "two", "2", "ann", "Source error", "Minor"),
        ("yak", "two", "2", "bob", "No-error", "No-error"),
    ]
    header = "system\tdoc\tdoc_id\tseg_id\trater\tsource\ttarget\tcategory\tseverity"
    lines = [
        f"{system}\t{doc}\t1\t{segment}\t{rater}\tone\teins\t{category}\t{severity}"
        for system, doc, segment, rater, category, severity in errors
    ]
    place = tmp_path / "mqm_ende.tsv"
    place.write_text("\n".join([header, *lines]))
    (table,) = bt.read(place).tables
    assert (table.systems, table.items, table.grouped_by) == (("owl", "yak"), ("1", "2"), "group")
    assert table.groups.texts().tolist() == ["one", "two"]
    np.testing.assert_allclose(table.values, [[-3.0, -15.0], [-0.05, -0.5]])
    assert not table.negated
    averages = tmp_path / "mqm.avg_seg_scores.tsv"
    averages.write_text("system mqm_avg_score seg_id\nowl\t-3.0 1\nowl\t-0.05 2\nyak\t-15.0 1\nyak\tNone 2\n")
    (published,) = bt.read(averages).tables
    np.testing.assert_allclose(published.values, [[-3.0, -15.0], [-0.05, np.nan]])
    assert bt.read(tmp_path).tables == (table,)  # the annotations say more


def test_segments_of_mt_metrics_eval_are_lines_of_every_system(tmp_path: Path) -> None:
    place = tmp_path / "testset"
    for name, lines in {
        "documents/en-de.docs": ["news\tone", "news\tone", "speech\ttwo"],
        "human-scores/en-de.mqm.seg.score": [
            "owl\t-1.0",
            "owl\t0.0",
            "owl\tNone",
            "yak\t-5.0",
            "yak\t-1.0",
            "yak\t0.0",
        ],
        "human-scores/en-de.mqm.sys.score": ["owl\t-0.5", "yak\t-2.0"],
        "metric-scores/en-de/Close-src.seg.score": [
            "yak\t0.5",
            "yak\t0.25",
            "yak\t0.0",
            "owl\t1",
            "owl\t0.5",
            "owl\t0.75",
        ],
    }.items():
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        (place / name).write_text("\n".join(lines))
    assert means(place) == {
        "en-de mqm": {"owl": -0.5, "yak": -2.0},
        "en-de Close-src": {"owl": 0.75, "yak": 0.25},
    }
    table = next(each for each in bt.read(place).tables if each.metric == "mqm")
    np.testing.assert_array_equal(table.values, [[-1, -5], [0, -1], [np.nan, 0]])
    assert (table.items, table.grouped_by, table.negated) == (("1", "2", "3"), "group", False)
    assert table.groups.texts().tolist() == ["one", "one", "two"]
    speech = bt.read(place, where="category=speech", score="Close-src").tables[0]
    assert speech.values.tolist() == [[0.75, 0.0]]


def _appraise(folder: Path, *rows: tuple[Any, ...]) -> Path:
    """Write an export: user, system, segment, type, score, document, errors and when it was done."""
    path = folder / "scores.csv"
    with path.open("w", newline="") as stream:
        csv.writer(stream).writerows(
            [user, f"wmt30.{system}", segment, kind, "eng", "deu", score, document, whole, errors, end - 1, end]
            for user, system, segment, kind, score, document, whole, errors, end in rows
        )
    return path


def test_appraise_leaves_out_controls_and_keeps_the_last_score(tmp_path: Path) -> None:
    path = _appraise(
        tmp_path,
        ("ann", "owl", 1, "TGT", 80, "one#owl", False, "[]", 5.0),
        ("ann", "owl", 1, "TGT", 20, "one#owl", False, "[]", 3.0),
        ("ann", "owl", 2, "TGT", 60, "one#owl", False, "[]", 6.0),
        ("ann", "yak", 1, "TGT", 50, "one#yak", False, "[]", 7.0),
        ("ann", "yak", 2, "TGT", 30, "one#yak", False, "[]", 8.0),
        ("bob", "yak", 2, "TGT", 50, "one#yak", False, "[]", 9.0),
        ("ann", "yak", 2, "TGT", 99, "one#yak", True, "[]", 9.0),
        ("ann", "yak", 1, "BAD", 1, "one#yak", False, "[]", 9.0),
        ("ann", "owl", 2, "TGT", 2, "one#bad2", False, "[]", 9.0),
        ("ann", "owl", 1, "TGT", 3, "en-tutorial", False, "[]", 9.0),
    )
    findings = found(path)
    assert findings["controls-left-out"].startswith("3 rows of control items")
    assert findings["replaced-rows"].startswith("1 row was replaced by a later one")
    (table,) = bt.read(path).tables
    assert (table.dataset, table.metric, table.grouped_by) == ("eng-deu", "score", "group")
    assert (table.systems, table.items) == (("owl", "yak"), ("one:1", "one:2"))
    assert table.values.tolist() == [[80, 50], [60, 40]]


def test_appraise_takes_mqm_scores_from_the_spans(tmp_path: Path) -> None:
    major, minor = ({"start_i": 1, "end_i": 2, "severity": each, "error_type": None} for each in ("major", "Minor"))
    path = _appraise(
        tmp_path,
        ("ann", "owl", 1, "TGT", 0, "one#owl", False, "[]", 1.0),
        ("ann", "owl", 2, "TGT", 0, "one#owl", False, json.dumps([minor, minor]), 2.0),
        ("ann", "yak", 1, "TGT", 0, "one#yak", False, json.dumps([major, minor]), 3.0),
        ("ann", "yak", 2, "TGT", 0, "one#yak", False, json.dumps([major]), 4.0),
    )
    (table,) = bt.read(path).tables
    assert table.metric == "MQM"
    assert table.values.tolist() == [[0, -6], [-2, -5]]
    assert not table.negated


def test_a_folder_of_texts_is_for_scoring(tmp_path: Path) -> None:
    texts = {
        "references/en-de.refA.txt": "Es ist kalt.\nDie Katze schläft.\n",
        "sources/en-de.txt": "It is cold.\nThe cat sleeps.\n",
        "system-outputs/en-de/owl.txt": "Kalt ist es, sagt man.\nKatze schläft.\n",
        "system-outputs/en-de/yak.txt": "Das ist kalt.\nDie Katze, die schläft.\n",
    }
    for name, text in texts.items():
        (tmp_path / "texts" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "texts" / name).write_text(text)
    assert refused(tmp_path / "texts").endswith("Outputs and references are for bt.score(...).")


def test_mqm_leaves_planted_errors_of_side_by_side_annotation_out(tmp_path: Path) -> None:
    place = Path(format_called("google-mqm").example(tmp_path))
    before = means(place)
    lines = place.read_text().splitlines()
    planted = lines[1].rsplit("\t", 3)[0] + "\tFound\tHOTW-test\t"
    place.write_text("\n".join([*lines, planted]))
    assert means(place) == before
    assert found(place)["controls-left-out"].startswith("1 row of control items")
