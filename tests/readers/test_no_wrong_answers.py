"""Files that were once read to a wrong board: each is read right now, or refused with what was seen."""

from collections.abc import Callable
from pathlib import Path

import pytest

import betterthan as bt
from betterthan.engine.duckdb.column_export import write_columns
from betterthan.readers.conversion import convert


def _file(folder: Path, name: str, *lines: str) -> Path:
    (folder / name).write_text("\n".join([*lines, ""]))
    return folder / name


REFUSED: list[tuple[tuple[str, ...], str]] = [
    (
        ("winner,loser,result", "owl,yak,win", "yak,emu,draw"),
        "there is a column 'result' beside winner and loser, which may tell ties",
    ),
    (("model,mmlu,gsm8k", "owl,.5,60", "yak,.6,50"), "long scores need a column for item, score"),
    (
        ("judge,owl,yak,emu", "a,0,1,2", "b,1,0,2"),
        "this may be rankings (every row holds the numbers 0 to 2, where 0 may be best) or scores",
    ),
    (("item,owl,yak", "a,1,1.5", "b,2.5,2", "mean,1,2"), "'mean' seems to sum up other items"),
    (("item,owl,yak", "a,1e308,1e307", "b,1e308,2"), "row 1: the score '1e308' of 'owl' is not a finite number"),
    (("item,owl,yak,prob", "a,1,1.5,.5", "b,2.5,2,.5"), "'prob' does not sound like a system's name"),
]


@pytest.mark.parametrize(("lines", "why"), REFUSED)
def test_what_may_be_something_else_is_refused(lines: tuple[str, ...], why: str, tmp_path: Path) -> None:
    with pytest.raises(bt.EvidenceError) as refusal:
        bt.read(_file(tmp_path, "odd.csv", *lines))
    assert why in str(refusal.value)


def test_two_runs_know_their_direction(tmp_path: Path) -> None:
    new = _file(tmp_path, "new.csv", "item,ppl", "a,1", "b,2", "c,3")
    old = _file(tmp_path, "old.csv", "item,ppl", "a,2", "b,3", "c,4")
    runs = bt.read_runs(new, old, score="ppl")
    assert runs.tables[0].negated
    assert runs.reading is not None
    assert str(runs.reading) == "Read as two runs: system = the file's name, item = item, score = ppl."
    assert [finding.code for finding in runs.reading.findings] == ["lower-is-better"]
    assert bt.compare(runs).wins == 3
    assert bt.compare(bt.read_runs(new, old, score="ppl", lower_is_better="none")).losses == 3


def test_a_direction_survives_being_converted(tmp_path: Path) -> None:
    table = {"item": ["1", "2"] * 2, "system": ["owl", "owl", "yak", "yak"], "wer": [0.1, 0.2, 0.3, 0.4]}
    scores = bt.read_scores(table, score=["wer"])
    write_columns(tmp_path / "o.csv", convert(scores, "scores"))
    again = bt.read(tmp_path / "o.csv")
    assert (again.tables[0].metric, again.tables[0].negated) == ("wer", True)
    assert again.tables[0].values.tolist() == scores.tables[0].values.tolist()
    with pytest.raises(bt.EvidenceError, match="a wide table cannot say that less is better"):
        convert(scores, "scores", layout="wide")


def test_a_metric_that_all_columns_are_called_after_tells_the_direction(tmp_path: Path) -> None:
    scores = bt.read(_file(tmp_path, "ppl.csv", "item,ppl_owl,ppl_yak", "a,1,2", "b,3,4", "c,2,5"))
    assert scores.tables[0].negated
    assert bt.rank(scores, model="mean", ci="none").board.rows[0].system == "ppl_owl"


def test_excluded_systems_leave_files_open(tmp_path: Path) -> None:
    votes = _file(
        tmp_path, "votes.csv", "left,right,winner,judge", "owl,yak,left,ann", "yak,emu,left,bob", "owl,emu,right,ann"
    )
    assert bt.rank(bt.read(votes, exclude=["emu"]), ci="none").board.rows[0].system == "owl"
    assert bt.read(votes, exclude=["judge=bob"]).tally().number == 2


def test_campaigns_with_and_without_spans_are_two_metrics(tmp_path: Path) -> None:
    row = "eng01,{system},{segment},TGT,eng,deu,{score},one#{system},False,{spans},17000.5,17001.5"
    spans = '"[{{""severity"": ""major""}}]"'.replace("{{", "{").replace("}}", "}")
    esa = [
        row.format(system=system, segment=segment, score=80 + segment, spans="[]")
        for system in ("owl", "yak")
        for segment in (1, 2)
    ]
    mqm = [
        row.format(system=system, segment=segment, score=0, spans=spans if system == "yak" else "[]")
        for system in ("owl", "yak")
        for segment in (1, 2)
    ]
    tables = bt.read([_file(tmp_path, "esa.csv", *esa), _file(tmp_path, "mqm.csv", *mqm)]).tables
    means = {table.metric: table.values.mean(axis=0).tolist() for table in tables}
    assert means == {"score": [81.5, 81.5], "MQM": [0.0, -5.0]}


def test_two_files_of_metrics_are_compared_by_each(tmp_path: Path) -> None:
    from betterthan.readers.formats.scores_by_file import files_of_metrics

    new = _file(tmp_path, "new.csv", "user_input,faithfulness,context_recall", "a,1,.5", "b,.5,.25")
    old = _file(tmp_path, "old.csv", "user_input,faithfulness,context_recall", "a,.5,.5", "b,.25,.75")
    assert files_of_metrics(str(new), str(old))
    scored: Callable[[str], Path] = lambda name: _file(tmp_path, name, "item,score", "a,1", "b,2")  # noqa: E731
    assert not files_of_metrics(str(scored("x.csv")), str(scored("y.csv")))
