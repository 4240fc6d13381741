"""MQM annotations, mt-metrics-eval and Appraise against the scores that were published with them."""

from pathlib import Path

import numpy as np
import pytest

import betterthan as bt
from tests.readers.tools.boards import found, means, refused


def test_mqm_segments_are_the_published_averages(samples: Path) -> None:
    own = bt.read(samples / "mqm-google" / "mqm_ted_ende.tsv").tables[0]
    published = bt.read(samples / "mqm-google" / "mqm_ted_ende.avg_seg_scores.tsv").tables[0]
    for row, item in enumerate(own.items):
        for column, system in enumerate(own.systems):
            called = "ref-A" if system == "ref" else system
            other = published.values[published.items.index(item), published.systems.index(called)]
            # The published figures have six digits.
            np.testing.assert_allclose(own.values[row, column], other, atol=5e-7)
    assert bt.read(samples / "mqm-google").tables == (own,)


def test_segments_of_mt_metrics_eval_have_the_means_of_its_system_scores(samples: Path) -> None:
    boards = means(samples / "mt-metrics-eval" / "wmt23")
    for metric, folder in (("mqm", "human-scores"), ("da-sqm", "human-scores"), ("GEMBA-MQM-src", "metric-scores")):
        place = samples / "mt-metrics-eval" / "wmt23" / folder
        name = f"en-de.{metric}.sys.score" if folder == "human-scores" else f"en-de/{metric}.sys.score"
        own = dict(line.split() for line in (place / name).read_text().splitlines())
        for system, mean in boards[f"en-de {metric}"].items():
            assert mean == pytest.approx(float(own[system]), abs=1e-9)
    table = next(each for each in bt.read(samples / "mt-metrics-eval" / "wmt23").tables if each.metric == "mqm")
    assert table.grouped_by == "group"
    assert not table.negated


def test_appraise_leaves_out_controls_and_keeps_the_last_score(samples: Path) -> None:
    place = samples / "appraise" / "esa_generalMT2024_wave3.csv"
    assert found(place)["controls-left-out"].startswith("73 rows of control items")  # 330 rows, 257 real ones
    assert found(place)["replaced-rows"].startswith("11 rows were replaced by a later one")
    table = bt.read(place).tables[0]
    assert (table.dataset, table.grouped_by) == ("eng-jpn", "group")
    assert table.repeats is None or len(table.repeats.value) == 257 - 11


def test_appraise_takes_mqm_scores_from_the_spans(samples: Path) -> None:
    (table,) = bt.read(samples / "appraise" / "240315rc5MQM.scores.csv").tables
    assert table.metric == "MQM"
    assert np.nanmin(table.values) < -5
    assert np.nanmax(table.values) == 0


def test_a_folder_of_texts_is_for_scoring(samples: Path) -> None:
    assert refused(samples / "text-outputs").endswith("Outputs and references are for bt.score(...).")
