"""Tables drawn with signs, and numbers with something around them: read like the plain table, with a finding."""

from pathlib import Path

import pytest

import betterthan as bt
from betterthan.engine.files.marked_numbers import plain_column

_ROWS = [("q1", "0.62", "0.5"), ("q2", "0.7", "0.41"), ("q3", "0.55", "0.6"), ("q4", "0.9", "0.33")]
_PLAIN = "item,aurora,birch\n" + "".join(",".join(row) + "\n" for row in _ROWS)


def _joined(sign: str) -> str:
    return "".join(sign.join(row) + "\n" for row in [("item", "aurora", "birch"), *_ROWS])


def _markdown(rule: str) -> str:
    lines = [f"| {' | '.join(row)} |" for row in [("item", "aurora", "birch"), *_ROWS]]
    return "\n".join([lines[0], rule, *lines[1:]]) + "\n"


def _frame() -> str:
    lines = [f"| {row[0]:5} | {row[1]:6} | {row[2]:5} |" for row in [("item", "aurora", "birch"), *_ROWS]]
    rule = "+-------+--------+-------+"
    return "\n".join([rule, lines[0], rule.replace("-", "="), *lines[1:], rule]) + "\n"


DRAWN = {
    "pipes.csv": _joined("|"),
    "spaces.txt": _joined(" "),
    "aligned.txt": "".join(f"{row[0]:8}{row[1]:12}{row[2]}\n" for row in [("item", "aurora", "birch"), *_ROWS]),
    "table.md": _markdown("|---|---:|:--|"),
    "page.md": f"# Results\n\nOf March.\n\n{_markdown('| --- | --- | --- |')}\nMore text.\n",
    "frame.txt": _frame(),
    "named.csv": "sep=;\n" + _joined(";"),
    "named_comma.csv": "sep=;\n" + _joined(";").replace(".", ","),
}


@pytest.mark.parametrize("name", DRAWN)
def test_a_drawn_table_is_read_like_a_plain_one(name: str, tmp_path: Path) -> None:
    (tmp_path / "plain.csv").write_text(_PLAIN)
    (tmp_path / name).write_text(DRAWN[name])
    assert bt.read(tmp_path / name, item="item").tables == bt.read(tmp_path / "plain.csv").tables


def test_several_drawn_tables_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "page.md"
    path.write_text("\n\n".join([_markdown("|---|---|---|")] * 2))
    with pytest.raises(bt.EvidenceError) as refusal:
        bt.read(path)
    assert str(refusal.value) == f"{path}: holds 2 tables. Keep one table per file, or save it as CSV."


MARKED = [
    (["**0.79**", "0.6"], ["0.79", "0.6"]),
    ([r"\textbf{79.1}", r"\underline{60}"], ["79.1", "60"]),
    (["<b>0.79</b>", "0.6"], ["0.79", "0.6"]),
    (["0.79*", "0.6†"], ["0.79", "0.6"]),
    (["$0.79$", "0.6"], ["0.79", "0.6"]),
    (["79.7 ± 0.3", "60±1"], ["79.7", "60"]),
    (["79.7 (0.3)", "60 (+1.2)"], ["79.7", "60"]),
    (["79.7 +/- 0.3", ""], ["79.7", ""]),
    (["4/5", "2/5"], ["0.8", "0.4"]),
]


@pytest.mark.parametrize(("cells", "plain"), MARKED)
def test_marked_numbers_are_plain(cells: list[str], plain: list[str]) -> None:
    assert plain_column("owl", cells) == ("owl", plain)


AMOUNTS = [
    (["429 ms", "1200ms"], ("time (ms)", ["429", "1200"])),
    (["429 ms", "1.2 s"], ("time (s)", ["0.429", "1.2"])),
    (["1m 5s", "2m"], ("time (s)", ["65", "120"])),
    (["1:05", "0:59"], ("time (s)", ["65", "59"])),
    (["1:00:05", "0:59:00"], ("time (s)", ["3605", "3540"])),
    (["$1.20", "$0.5"], ("time (USD)", ["1.20", "0.5"])),
    (["1.20 €", "0.5 €"], ("time (EUR)", ["1.20", "0.5"])),
]


@pytest.mark.parametrize(("cells", "plain"), AMOUNTS)
def test_a_unit_moves_into_the_name(cells: list[str], plain: tuple[str, list[str]]) -> None:
    assert plain_column("time", cells) == plain


@pytest.mark.parametrize(
    "cells",
    [
        ["0.5", "0.75"],
        ["4/5", "3/7"],
        ["6/5", "1/5"],
        ["12 (a)", "q2"],
        ["$5", "5 €"],
        ["3 kg", "4 kg"],
        ["1h8c", "4h"],
    ],
)
def test_other_texts_stay(cells: list[str]) -> None:
    assert plain_column("owl", cells) is None


def test_what_was_around_numbers_is_a_finding(tmp_path: Path) -> None:
    path = tmp_path / "leaderboard.csv"
    path.write_text("model,MMLU,ARC\ngpt-4,**79.1** ± 0.3,80\nllama,60 ± 1,**81**\nmistral,50 ± 1,40\n")
    scores = bt.read(path)
    assert scores.reading is not None
    assert [str(each.message) for each in scores.reading.findings if each.code == "tidied-table"] == [
        "Left out or read in another notation: MMLU: **79.1** ± 0.3 is 79.1; ARC: **81** is 81."
    ]


def test_times_in_cells_say_that_less_is_better(tmp_path: Path) -> None:
    path = tmp_path / "times.csv"
    path.write_text("item,system,runtime\n1,owl,1m 5s\n1,yak,2m\n2,owl,50s\n2,yak,2m 3s\n")
    table = bt.read(path).tables[0]
    assert (table.metric, table.negated, table.as_given.tolist()) == (
        "runtime (s)",
        True,
        [[65.0, 120.0], [50.0, 123.0]],
    )
    path.write_text("item,system,score\n1,owl,65 ms\n1,yak,120 ms\n2,owl,50 ms\n2,yak,123 ms\n")
    with pytest.raises(bt.EvidenceError, match=r"cannot tell whether less or more of 'score \(ms\)' is better"):
        bt.read(path, score=["score (ms)"])
