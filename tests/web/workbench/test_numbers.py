"""One truth: what the page shows and writes is what the library returns, and its code repeats it."""

import io
import re
import runpy
import shlex
import subprocess
import threading
from collections.abc import Callable
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import betterthan as bt
from betterthan.cli.main import betterthan
from betterthan.options.fields.declare import declared_options
from betterthan.options.rank import Plan
from betterthan.options.read import ReadOptions
from betterthan.web.workbench.form_values import GROUPS
from betterthan.web.workbench.option_forms import form_of
from tests.web.workbench.conftest import EXAMPLES, Visitor

VOTES = str(EXAMPLES / "votes.csv")
CHOICES: list[dict[str, Any]] = [
    {},
    {"rank": {"model": "davidson,win-rate", "unit": "item", "resamples": "200", "level": "0.9", "seed": "3"}},
    {"rank": {"ties": "drop", "ci": "analytic", "scale": "elo", "anchor": "aurora=1000"}},
    {"read": {"where": "judge!=J1\nprompt_id!=P001", "exclude": "fjord", "judge": "judge"}, "rank": {"ci": "none"}},
    {
        "rank": {"resamples": "100"},
        "pairs": {"correction": "bonferroni", "by": "pair"},
        "duel": {"ties": "split"},
        "diagnose": {"chance": "symmetric"},
    },
]


def text_of(html: str) -> str:
    return unescape(re.sub(r"<[^>]+>", " ", html))


@pytest.mark.parametrize("state", CHOICES)
def test_code_of_both_kinds_repeats_what_is_downloaded(
    votes: Visitor, state: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    state = {**state, "a": "aurora", "b": "cedar", "kind": "matrix"}
    code = votes.download("code.py", **state).text
    # The quickest part of the report is its options; other tests make whole pages.
    script = tmp_path / "code.py"
    script.write_text(code.replace("page = ", "# "), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    found = runpy.run_path(str(script))
    for name, result in (("board", "boards"), ("pairs", "pairs"), ("duel", "duel"), ("diagnosis", "diagnosis")):
        downloaded = votes.download(f"{name}.csv", **state)
        assert downloaded.text == found[result].to_csv()
        assert votes.download(f"{name}.json", **state).json()["signature"] == str(found[result].signature)
    lines = votes.download("code.sh", **state).text.splitlines()
    main = [line for line in lines if line.startswith(("betterthan rank", "betterthan compare"))]
    assert len(main) == 3
    for line, result in zip(main, ("boards", "pairs", "duel"), strict=True):
        assert line_run(line, "--format", "csv", "-q") == found[result].to_csv()


def line_run(line: str, *more: str) -> str:
    """Run a command, taken apart as a shell does, in this process."""
    words = [*shlex.split(line)[1:], *more]
    return CliRunner().invoke(betterthan, words, catch_exceptions=False).stdout


def test_commands_write_pictures_and_reports(votes: Visitor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    lines = votes.download("code.sh", rank={"ci": "none"}, a="aurora", b="birch", kind="meetings").text.splitlines()
    assert [line.split()[1] for line in lines] == ["rank", "compare", "compare", "diagnose", "plot", "report"]
    for line in lines[-2:]:
        line_run(line)
    assert (tmp_path / "meetings.svg").read_bytes() == bt.plot("meetings", VOTES).render("svg")
    assert "<title>Report on judgments" in (tmp_path / "report.html").read_text("utf-8")


def test_no_name_can_leave_the_code(votes: Visitor, tmp_path: Path) -> None:
    """Names that a shell or Python could take for something else come out as they went in."""
    names = ["$(touch stolen)", "'; touch stolen; '", "--help", "a\nb", '"""', "`touch stolen`", "\u202eowl"]
    rows = "".join(f'"{one.replace(chr(34), chr(34) * 2)}",yak,a\n' for one in names)
    file = votes.upload("-odd $(x).csv", f"left,right,winner\n{rows}yak,--help,a\n".encode())
    assert file["name"] == "odd $(x).csv"
    for name in names:
        state = {"files": [file["key"]], "a": name, "b": "yak", "read": {"exclude": f"{names[0]}\n--help"}}
        duel = votes.download("code.sh", **state).text.split("betterthan diagnose")[0]
        program = 'betterthan() { printf "%s\\0" "$@"; printf "\\n\\0"; }\n' + duel
        done = subprocess.run(["bash", "-c", program], cwd=tmp_path, check=True, capture_output=True, text=True)
        words = done.stdout.split("\0\n\0")[2].split("\0")
        assert name in words
        assert file["name"] in words
        assert {"--exclude", names[0], "--exclude=--help"} <= set(words)
        assert repr(name) in votes.download("code.py", **state).text
    assert list(tmp_path.iterdir()) == []


def test_the_board_shows_the_librarys_numbers(votes: Visitor) -> None:
    board = bt.rank(VOTES, scale="elo").board
    shown = text_of(votes.panel("board", rank={"scale": "elo"})["html"])
    assert str(board.signature) in shown
    for row in board:
        for value in (row.score, row.low, row.high):
            assert board.shown(value) in shown


def test_scores_come_first_and_are_those_with_intervals(votes: Visitor) -> None:
    options = {"model": "davidson", "level": "0.9", "unit": "item", "resamples": "100"}
    quick = votes.panel("board", quick=True, rank=options)["html"]
    whole = votes.panel("board", rank=options)["html"]
    assert "follow in a moment" in quick
    assert "follow in a moment" not in whole
    board = bt.rank(VOTES, model="davidson", ci="none").board
    for row in board:
        assert board.shown(row.score) in text_of(quick)
        assert board.shown(row.score) in text_of(whole)
    # Scores that are means over runs have no quick version.
    assert votes.panel("board", quick=True, rank={"model": "elo", "ci": "runs", "resamples": "20"})["html"] == ""


def test_pairs_duel_diagnosis_and_pictures_are_the_librarys(votes: Visitor) -> None:
    pairs = bt.compare_all(VOTES, unit="item")
    said = {"rank": {"unit": "item"}, "a": "cedar", "b": "ember"}
    shown = text_of(votes.panel("pairs", **said)["html"])
    assert f"{pairs.separated()} of 15 pairs differ significantly." in shown
    assert str(pairs.signature) in shown
    assert bt.compare(VOTES, "cedar", "ember", unit="item").verdict in text_of(votes.panel("duel", **said)["html"])
    diagnosis = bt.diagnose(VOTES, unit="item")
    examined = text_of(votes.panel("diagnosis", **said)["html"])
    assert str(diagnosis.signature) in examined
    for finding in diagnosis.findings:
        assert finding.message in examined
    picture = bt.plot("meetings", VOTES).render("svg")
    assert votes.download("picture.svg", kind="meetings").content == picture


def test_how_it_was_read_is_shown_with_every_row_accounted_for(votes: Visitor) -> None:
    found = votes.panel("data")
    assert (found["kind"], found["systems"][0]) == ("judgments", "aurora")
    assert "winner" in found["columns"]
    shown = text_of(found["html"])
    assert str(bt.read(VOTES).reading) in shown
    assert "900 rows read, 900 kept, 0 refused." in shown


@pytest.mark.parametrize("ending", ["txt", "json", "jsonl", "csv", "md", "tex", "html", "parquet"])
def test_tables_in_every_format(votes: Visitor, ending: str, tmp_path: Path) -> None:
    place = tmp_path / f"board.{ending}"
    answer = votes.download(f"board.{ending}", rank={"ci": "none"})
    assert answer.headers["content-disposition"] == f'attachment; filename="board.{ending}"'
    boards = bt.rank(VOTES, ci="none")
    boards.save(place)
    if ending != "parquet":
        assert answer.text == place.read_text("utf-8")
        return
    import pyarrow.parquet as pq

    assert pq.read_table(io.BytesIO(answer.content)).to_pydict() == boards.to_arrow().to_pydict()


def test_the_report_is_the_librarys(votes: Visitor) -> None:
    page = votes.download("report.html", rank={"resamples": "100"}, report={"title": "Ours <b>"})
    assert page.text == bt.report(VOTES, title="Ours <b>", resamples=100).html
    assert "Ours &lt;b&gt;" in page.text


def test_forms_offer_every_option_of_the_command_line() -> None:
    for group, options in GROUPS.items():
        of_rank = set(declared_options(Plan)) if group == "report" else set()
        names = {name for name, option in declared_options(options).items() if option.about.line} - of_rank
        assert {field.name for part in form_of(group) for field in part.fields} == names
    assert set(declared_options(ReadOptions)) == {field.name for part in form_of("read") for field in part.fields}


def test_several_data_sets_are_ranked_and_compared_task_by_task(opened: Callable[..., Visitor]) -> None:
    visitor = opened(EXAMPLES / "metrics.csv")
    evidence = bt.read(str(EXAMPLES / "metrics.csv"))
    found = visitor.panel("data")
    assert len(found["titles"]) == len(evidence.tables) > 1
    shown = text_of(visitor.panel("board", rank={"ci": "none"})["html"])
    for title in found["titles"]:
        assert title in shown
    a, b = found["systems"][:2]
    duel = text_of(visitor.panel("duel", a=a, b=b)["html"])
    assert bt.compare_tasks(evidence, a, b).verdict in duel
    # All pairs are of one data set: the page says how to choose it, as the command line does.
    assert "by the column 'metric' with --where" in visitor.panel("pairs")["error"]


def test_eight_requests_at_once_answer_as_one(votes: Visitor) -> None:
    states = [
        {"rank": {"model": model, "resamples": "50", "seed": "9"}}
        for model in ("bradley-terry", "davidson", "win-rate", "elo", "borda", "newman", "rao-kupper", "pagerank")
    ]
    found: dict[int, str] = {}

    def ask(number: int) -> None:
        found[number] = votes.panel("board", tab=f"tab {number}", **states[number])["html"]

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for number, state in enumerate(states):
        boards = bt.rank(VOTES, model=state["rank"]["model"], resamples=50, seed=9)
        assert str(boards.signature) in text_of(found[number])


def test_a_newer_request_of_the_same_tab_stops_the_older_one(votes: Visitor) -> None:
    answers: dict[str, Any] = {}
    begun = threading.Event()

    def old() -> None:
        begun.set()
        answers["old"] = votes.panel("board", tab="one", rank={"model": "elo", "resamples": "20000"})

    thread = threading.Thread(target=old)
    thread.start()
    begun.wait()
    while "old" not in answers and ("one", "board") not in votes.session.turns._newest:
        pass  # until the server has begun with it
    other = votes.panel("board", tab="two", rank={"resamples": "50"})  # another tab overtakes nobody
    answers["new"] = votes.panel("board", tab="one", rank={"resamples": "60"})
    thread.join()
    assert answers["old"] == {"overtaken": True}
    assert "resamples:60" in answers["new"]["html"]
    assert "resamples:50" in other["html"]
