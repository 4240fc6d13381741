"""Columns of another file by key, for tables and for tools; Potato, whose systems stand elsewhere."""

import json
from pathlib import Path
from typing import Any

import pytest

import betterthan as bt
from tests.readers.tools.boards import counted, found, refused, write_lines

VOTES = "task,judge,winner\n1,ann,a\n2,ann,b\n3,bob,tie\n"
PAIRS = "id,model_a,model_b,judge,topic\n1,owl,yak,x,maths\n2,yak,elk,x,law\n3,owl,elk,x,maths\n"


def _files(folder: Path, votes: str = VOTES, pairs: str = PAIRS) -> tuple[Path, str]:
    (folder / "votes.csv").write_text(votes)
    (folder / "pairs.csv").write_text(pairs)
    return folder / "votes.csv", str(folder / "pairs.csv")


def test_a_table_gets_the_columns_of_another(tmp_path: Path) -> None:
    votes, pairs = _files(tmp_path)
    evidence = bt.read(votes, join=pairs, on="task=id", item="task")
    assert counted(votes, join=pairs, on="task=id", item="task") == {
        ("owl", "yak", "0", "1", "ann"): 1,
        ("yak", "elk", "2", "2", "ann"): 1,
        ("owl", "elk", "1", "3", "bob"): 1,
    }
    assert set(evidence.reading.used.values()) | set(evidence.reading.ignored) == {
        "task",
        "judge",
        "winner",
        "model_a",
        "model_b",
        "topic",
        f"{pairs}.judge",
    }
    assert bt.read(votes, join=pairs, on="task=id", where={"topic": "maths"}).tally().times.sum() == 2
    frame = {"task": [3, 1], "winner": ["b", "a"]}
    assert bt.read(frame, join=pairs, on="task=id").systems == ("elk", "owl", "yak")


def test_rows_without_a_match_are_refused_or_counted(tmp_path: Path) -> None:
    votes, pairs = _files(tmp_path, VOTES + "4,bob,a\n")
    assert refused(votes, join=pairs, on="task=id") == (
        f"{votes}, row 4: task = '4' is not among the values of 'id' in {pairs} (1 of 4 rows have no match). "
        "Check on, or leave such rows out with on_error='skip'."
    )
    account = bt.read(votes, join=pairs, on="task=id", on_error="skip").account
    assert (account.read, account.refused) == (4, 1)


@pytest.mark.parametrize(
    ("pairs", "options", "message"),
    [
        (PAIRS + "1,owl,elk,x,law\n", {"on": "task=id"}, "pairs.csv, row 4: '1' stands twice in column 'id'."),
        (PAIRS + ",owl,elk,x,law\n", {"on": "task=id"}, "pairs.csv, row 4: a value is missing in column 'id'."),
        (PAIRS, {}, "join needs the columns that match. Name them: on."),
        (PAIRS, {"on": "task=number"}, "pairs.csv: no column 'number'; its columns are 'id'"),
        (PAIRS, {"on": "number=id"}, "votes.csv: no column 'number'; its columns are 'task'"),
        (PAIRS, {"on": "judge=id"}, "(3 of 3 rows have no match)"),
    ],
)
def test_keys_that_do_not_fit_are_refused(pairs: str, options: dict[str, Any], message: str, tmp_path: Path) -> None:
    votes, other = _files(tmp_path, pairs=pairs)
    assert message in refused(votes, join=other, **options)


def test_a_key_alone_needs_a_file(tmp_path: Path) -> None:
    votes, _ = _files(tmp_path)
    assert "on needs join" in refused(votes, on="task=id")
    with pytest.raises(bt.EvidenceError, match="nowhere"):
        bt.read(votes, join="nowhere.csv", on="task=id")


def _potato(folder: Path, *labels: dict[str, Any]) -> Path:
    lines = [{"instance_id": "1", "user_id": f"u{n}", "labels": label} for n, label in enumerate(labels)]
    path = folder / "annotations.jsonl"
    path.write_text("\n".join(json.dumps({**line, "model_a": "owl", "model_b": "yak"}) for line in lines))
    return path


def test_potato_labels_are_told_by_their_words(tmp_path: Path) -> None:
    path = _potato(tmp_path, {"better": {"label": "A"}, "why": {"text": "short"}}, {"better": {"B": "true"}})
    assert counted(path) == {("owl", "yak", "0", "1", "u0"): 1, ("owl", "yak", "2", "1", "u1"): 1}
    path = _potato(tmp_path, {"better": {"A": True, "B": True}})
    assert "line 1: several labels are chosen at once: A, B." in refused(path)
    path = _potato(tmp_path, {"why": {"text": "short"}})
    assert "cannot tell which question says who won (why: short)." in refused(path)


def test_tools_join_too(tmp_path: Path) -> None:
    _, pairs = _files(tmp_path)
    result = [{"type": "pairwise", "value": {"selected": "left"}}]
    tasks = [{"id": 1, "data": {"text": "x"}, "annotations": [{"id": 1, "completed_by": 3, "result": result}]}]
    path = tmp_path / "export.json"
    path.write_text(json.dumps(tasks))
    assert bt.read(path, join=pairs, on="id").systems == ("owl", "yak")
    record = {"id": "2", "better.responses": ["A"], "better.responses.users": ["ann"]}
    path.write_text(json.dumps([record]))
    assert bt.read(path, join=pairs, on="id").systems == ("elk", "yak")


def test_potato_needs_the_file_with_the_systems(tmp_path: Path) -> None:
    said = [("p1", "ann", "A"), ("p9", "ann", "B"), ("p2", "bob", "tie"), ("p2", "ann", "B")]
    path = write_lines(
        tmp_path / "annotations.jsonl",
        (
            {
                "instance_id": item,
                "user_id": user,
                "labels": {"preference": {"selection": word}},
                "spans": {},
                "links": {},
            }
            for item, user, word in said
        ),
    )
    pairs = write_lines(
        tmp_path / "pairs.jsonl",
        [
            {"id": "p1", "text": "one", "systems": ["owl", "yak"]},
            {"id": "p2", "text": "two", "systems": ["yak", "elk"]},
        ],
    )
    assert "cannot tell which systems were compared; the tasks have 'instance_id'." in refused(path)
    assert "line 2: instance_id = 'p9' is not among the values of 'id'" in refused(
        path, join=str(pairs), on="instance_id=id"
    )
    options = {"join": str(pairs), "on": "instance_id=id", "on_error": "skip"}
    assert counted(path, **options) == {
        ("owl", "yak", "0", "p1", "ann"): 1,
        ("yak", "elk", "1", "p2", "bob"): 1,
        ("yak", "elk", "2", "p2", "ann"): 1,
    }
    assert found(path, **options)["annotations-left-out"].startswith("1 annotation was left out: ")
