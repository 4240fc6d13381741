"""WMT25's automatic scores: segments of documents, errors that are negated, and metrics that must fit each other."""

from pathlib import Path

import numpy as np

import betterthan as bt
from betterthan.readers.format import format_called
from tests.readers.tools.boards import means, refused, write_lines


def test_segments_of_a_document_are_one_group_and_more_is_better(tmp_path: Path) -> None:
    folder = format_called("wmt25-scores").example(tmp_path)
    assert means(folder) == {"en-is MetricX": {"owl": -3.5 / 3, "yak": -7 / 3}}
    (table,) = bt.read(folder).tables
    assert table.items == ("one 1", "one 2", "two 1")
    assert table.groups is not None
    np.testing.assert_array_equal(table.groups.codes == table.groups.codes[0], [True, True, False])
    assert means(folder, where="domain=news") == means(folder)


def test_metrics_of_a_document_must_be_equally_long(tmp_path: Path) -> None:
    scores = {"XCOMET": [0.5, 0.25], "GEMBA": [50]}
    line = {"language_pair": "en-is", "domain": "news", "document_id": "one", "metric_scores": scores}
    path = write_lines(tmp_path / "owl.jsonl", [line])
    assert refused(path) == f"{path}: the metrics of one have [1, 2] segments"
