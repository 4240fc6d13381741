"""Several data sets in one file: each has its own systems, rows and title, and no row is lost between them."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import betterthan as bt
from betterthan.engine.duckdb.column_export import write_columns
from betterthan.evidence.protocol import Evidence
from betterthan.readers.conversion import convert

VOTES = {
    "dataset": ["chat", "chat", "code", "code", None],
    "left": ["owl", "owl", "elk", "elk", "owl"],
    "right": ["yak", "yak", "fox", "fox", "yak"],
    "winner": ["a", "b", "a", "tie", "a"],
}
RANKS = {
    "dataset": ["chat"] * 4 + ["code"] * 2 + [None],
    "ranking": ["1", "1", "2", "2", "1", "1", "3"],
    "system": ["owl", "yak", "owl", "yak", "elk", "fox", "owl"],
    "rank": [1, 2, 2, 1, 1, 2, 1],
}
SCORES = {
    "dataset": ["chat"] * 4 + ["code"] * 2,
    "instance": ["1", "1", "2", "2", "1", "1"],
    "system": ["owl", "yak", "owl", "yak", "elk", "fox"],
    "score": [0.1, 0.2, 0.3, 0.4, 0.5, 0.6],
}
WIDE_RANKS = {"dataset": ["chat", "chat", "code"], "owl": [1, 2, 1], "yak": [2, 1, 2], "elk": [3, 3, None]}


@pytest.mark.parametrize("source", [VOTES, RANKS, SCORES], ids=["judgments", "rankings", "scores"])
def test_every_kind_tells_its_data_sets_apart(source: dict[str, Any]) -> None:
    evidence: Evidence = bt.read(source, on_error="skip")
    parts = evidence.data_sets()
    assert [(title, part.systems) for title, part in parts] == [("chat", ("owl", "yak")), ("code", ("elk", "fox"))]
    assert all(part.kind == evidence.kind and part.left_out is None for _, part in parts)
    assert all(part.data_sets() == [("", part)] for _, part in parts) or evidence.kind == "scores"
    assert evidence.systems == ("elk", "fox", "owl", "yak")
    assert evidence.name == "the given arrays"
    if evidence.kind != "scores":
        left_out = evidence.left_out
        assert left_out is not None
        assert (left_out.read, left_out.refused) == (len(source["dataset"]), 1)
        assert [refusal.reason for refusal in left_out.refusals] == ["missing data set"]
        assert sum(part.account.read for _, part in parts) + left_out.refused == left_out.read


def test_evidence_without_data_sets_is_one() -> None:
    for source in (VOTES, RANKS):
        columns = {name: values for name, values in source.items() if name != "dataset"}
        if "ranking" in columns:
            columns["ranking"] = ["1", "1", "2", "2", "4", "4", "3"]
        evidence = bt.read(columns)
        assert evidence.data_sets() == [("", evidence)]
        assert evidence.left_out is None


def test_rankings_of_every_layout_have_data_sets() -> None:
    wide = bt.read_rankings(WIDE_RANKS)
    assert str(wide) == "3 rankings · 3 systems · 2 datasets · 0 refused"
    assert [(title, part.systems, len(part.weight)) for title, part in wide.data_sets()] == [
        ("chat", ("elk", "owl", "yak"), 2),
        ("code", ("owl", "yak"), 1),
    ]
    lonely = bt.read_rankings({**WIDE_RANKS, "yak": [2, 1, None]})
    with pytest.raises(bt.EvidenceError) as refusal:
        lonely.data_sets()
    assert str(refusal.value) == (
        "the given arrays (code): a ranking needs at least two systems, found only 'owl'. Check the columns chosen."
    )


def test_refused_rows_are_counted_in_their_data_set() -> None:
    source = {**RANKS, "rank": [1, "x", 2, 1, 1, 2, 1]}
    rankings = bt.read_rankings(source, on_error="skip")
    accounts = [(part.account.read, part.account.refused) for _, part in rankings.data_sets()]
    assert accounts == [(4, 1), (2, 0)]
    assert rankings.account.refused == 2


def _wmt(pairs: list[tuple[str, str]]) -> dict[str, list[Any]]:
    names = [f"set.{source[:2]}-{target[:2]}" for source, target in pairs]
    return {
        "srclang": [source for source, _ in pairs],
        "trglang": [target for _, target in pairs],
        "segmentId": list(range(len(pairs))),
        "system1Id": [f"{name}.owl.1" for name in names],
        "system1rank": [1] * len(pairs),
        "system2Id": [f"{name}.yak.2" for name in names],
        "system2rank": [2] * len(pairs),
    }


def test_a_wmt_file_of_two_language_pairs_is_two_data_sets() -> None:
    one = bt.read(_wmt([("fra", "eng")] * 3))
    assert [(title, part.systems) for title, part in one.data_sets()] == [("", ("owl.1", "yak.2"))]
    two = bt.read(_wmt([("fra", "eng"), ("eng", "ces"), ("fra", "eng")]))
    assert [(title, part.systems, len(part.weight)) for title, part in two.data_sets()] == [
        ("eng-ces", ("owl.1", "yak.2"), 1),
        ("fra-eng", ("owl.1", "yak.2"), 2),
    ]
    by_segment = bt.read(_wmt([("fra", "eng"), ("eng", "ces")]), dataset="segmentId")
    assert [title for title, _ in by_segment.data_sets()] == ["0", "1"]


@pytest.mark.parametrize("source", [VOTES, RANKS, SCORES], ids=["judgments", "rankings", "scores"])
def test_converting_keeps_data_sets(source: dict[str, Any], tmp_path: Path) -> None:
    evidence = bt.read(source, on_error="skip")
    write_columns(tmp_path / "out.csv", convert(evidence, evidence.kind))
    again = bt.read(tmp_path / "out.csv")
    for (title, part), (other_title, other) in zip(evidence.data_sets(), again.data_sets(), strict=True):
        assert title == other_title
        assert part.systems == other.systems
        _assert_same(convert(part, part.kind), convert(other, other.kind))
    if evidence.kind == "rankings":
        pairs = bt.read(convert(evidence, "judgments"))
        assert [title for title, _ in pairs.data_sets()] == ["chat", "code"]


def _assert_same(one: dict[str, Any], other: dict[str, Any]) -> None:
    assert list(one) == list(other)
    for name, values in one.items():
        np.testing.assert_array_equal(np.sort(np.asarray(values, str)), np.sort(np.asarray(other[name], str)))


def test_every_data_set_has_a_board() -> None:
    boards = bt.rank(bt.read(_wmt([("fra", "eng"), ("eng", "ces"), ("fra", "eng")])), ci="none")
    assert [(board.title, board.evidence.rows) for board in boards] == [("eng-ces", 1), ("fra-eng", 2)]
    with pytest.raises(bt.PlanError, match=r"Choose one by the column 'srclang' with where"):
        bt.select(bt.read(_wmt([("fra", "eng"), ("eng", "ces")])))
