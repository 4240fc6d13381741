"""Every hint is a command that is right: refusals of awkward files are pasted into a shell, and messages are parsed."""

import ast
import json
import re
import shlex
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import click
import pytest

import betterthan as bt
from betterthan.base import BetterthanError, spelling
from betterthan.cli.main import VERBS, main
from betterthan.cli.shared.unknown_options import _command
from betterthan.engine import MemoryTable, Table
from betterthan.readers import open_table
from betterthan.readers.hints import advice, trial
from betterthan.readers.hints.seen_columns import ROWS
from tests.readers.hints.awkward_files import AWKWARD, PAIRS, Awkward, csv, judged, long

Call = Callable[..., tuple[int, str, str]]
SOURCE = Path(bt.__file__).parent


@pytest.fixture
def call(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Call:
    """Return a function that runs a command in a folder of its own."""
    monkeypatch.chdir(tmp_path)

    def run(*words: str) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as leave:
            main(list(words))
        captured = capsys.readouterr()
        return int(leave.value.code or 0), captured.out, captured.err

    return run


def _write(case: Awkward) -> None:
    for name, text in case.files.items():
        Path(name).write_text(text)


def _commands(message: str) -> list[list[str]]:
    return [shlex.split(line)[1:] for line in message.splitlines() if line.startswith("  betterthan ")]


def _best(answer: str) -> set[str]:
    boards = json.loads(answer)["leaderboards"]
    return {board["rows"][0]["system"] for board in boards}


@pytest.mark.parametrize("name", AWKWARD)
def test_a_hint_that_is_pasted_gives_a_right_board(call: Call, name: str) -> None:
    case = AWKWARD[name]
    _write(case)
    fast = ("--ci", "none", "--format", "json") if case.verb == "rank" else ("--format", "json")
    code, out, err = call(case.verb, *case.files, *case.options, *fast)
    if code == 0:
        assert _best(out) <= {*case.first}
        return
    assert code == 2
    commands = _commands(err)
    assert bool(commands) is bool(case.first), err
    for command in commands:
        code, out, pasted = call(*command)
        assert (code, pasted) == (0, "")
        if case.verb == "rank":
            assert _best(out) <= {*case.first}


@pytest.mark.parametrize("name", [name for name, case in AWKWARD.items() if case.first and not case.options])
def test_a_hint_in_python_is_a_call_that_works(call: Call, name: str) -> None:
    del call  # it changes the folder
    case = AWKWARD[name]
    _write(case)
    try:
        bt.read(list(case.files))
    except BetterthanError as error:
        calls = error.calls
        assert calls
        for _, text in calls:
            assert len(eval(text, {"bt": bt}).systems) >= 2


def test_both_of_two_plausible_readings_are_shown_with_their_meaning(call: Call) -> None:
    _write(AWKWARD["goals without a name for it"])
    assert call("rank", "games.csv", "-q")[2] == (
        "betterthan: games.csv: cannot tell what kind of evidence this is: columns 'g1', 'g2' hold numbers, but 'team1', "
        "'team2' hold texts\n"
        "3 systems (elk, owl, yak): 'team1' against 'team2', the higher of 'g1' and 'g2' wins:\n"
        "  betterthan rank games.csv -q --left team1 --right team2 --scores-of g1,g2\n"
        "3 systems (elk, owl, yak): 'team1' against 'team2', 'g1' and 'g2' count how often each side won:\n"
        "  betterthan rank games.csv -q --left team1 --right team2 --counts g1,g2\n"
    )


def test_a_wrong_option_is_replaced_in_the_command(call: Call) -> None:
    _write(AWKWARD["a typo in an option"])
    err = call("runs.csv", "--system", "engin", "--item=problem", "--score", "grade")[2]
    assert _commands(err) == [["runs.csv", "--item=problem", "--score", "grade", "--system", "engine"]]


def test_words_without_a_known_meaning_are_listed_and_never_mapped(call: Call) -> None:
    Path("votes.csv").write_text(judged("model_a,model_b,winner", "first is nicer", "both fine", "second is nicer"))
    err = call("rank", "votes.csv")[2]
    assert "'first is nicer' (5), 'second is nicer' (4), 'both fine' (1)" in err
    assert not re.search(r"--outcome-map \S", err)
    assert "=left" not in err


def test_no_column_that_may_be_a_system_is_left_out_of_a_hint(call: Call) -> None:
    rows = [(f"text number {n}", 0.5 + n / 10, 0.4, "timeout") for n in range(4)]
    Path("scores.csv").write_text(csv("passage,owl,yak,elk", rows))
    assert not _commands(call("rank", "scores.csv")[2])
    rows = [(f"text number {n}", 0.5 + n / 10, 0.4, f'"1,{n}"') for n in range(4)]
    Path("scores.csv").write_text(csv("passage,owl,yak,elk", rows))
    code, _, err = call("rank", "scores.csv")
    assert code == 2
    assert "'elk' may hold numbers, but they are written as '1,0', '1,1', '1,2'" in err


@pytest.mark.parametrize(
    ("table", "message"),
    [
        (
            {"model": ["owl", "yak"], "accuracy": [0.9, 0.8]},
            "there is one number per system ('accuracy'), and nothing about single items. Give a row per system and "
            "item: totals alone cannot show how certain a difference is.",
        ),
        (
            {"lr": [0.1], "layers": [12], "optimizer": ["adam"]},
            "a single row ('lr', 'layers', 'optimizer') is a setting or a total, not evidence. Give one row per "
            "judgment, per ranking, or per score of a system on an item.",
        ),
        (
            {"segment": ["s1", "s2"], "bleu": [0.5, 0.4], "chrf": [0.6, 0.7]},
            "these are scores of one system by 'bleu', 'chrf'. Give the file of another system as well, with the same "
            "items.",
        ),
    ],
)
def test_what_is_no_evidence_is_named_with_what_is_needed(table: dict[str, list[object]], message: str) -> None:
    with pytest.raises(bt.EvidenceError) as refusal:
        bt.read(table)
    assert str(refusal.value) == f"the given arrays: {message}"


def test_advice_costs_nothing_where_files_can_be_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(advice, "advise", pytest.fail)
    monkeypatch.setattr(trial, "tried", pytest.fail)
    assert bt.read({"model_a": ["owl"], "model_b": ["yak"], "winner": ["a"]}).kind == "judgments"


def test_trials_are_bounded_and_trigger_none(monkeypatch: pytest.MonkeyPatch) -> None:
    sizes, advised = [], []
    once = advice.tried
    table = open_table({"llm": ["owl", "yak"] * 30_000, "problem": list(range(60_000)), "grade": [1, 0] * 30_000})

    def tried(candidate: object, sample: Table, options: object) -> object:
        sizes.append(sample.unique([])[0])
        return once(candidate, sample, options)  # type: ignore[arg-type]

    real = advice.advise
    monkeypatch.setattr(advice, "tried", tried)
    monkeypatch.setattr(advice, "advise", lambda *given: (advised.append(given), real(*given)))
    with pytest.raises(bt.EvidenceError):
        bt.read(table)
    assert len(advised) == 1
    assert 1 <= len(sizes) <= 30
    assert max(sizes) <= ROWS


def test_rows_on_other_machines_are_not_collected_for_advice(monkeypatch: pytest.MonkeyPatch) -> None:
    table = {"llm": ["owl", "yak"] * 3, "problem": [1, 1, 2, 2, 3, 3], "grade": [3, 1, 2, 1, 3, 2]}
    with pytest.raises(bt.EvidenceError) as refusal:
        bt.read(table)
    assert len(refusal.value.calls) == 1
    monkeypatch.setattr(MemoryTable, "ordered", False)
    with pytest.raises(bt.EvidenceError) as refusal:
        bt.read(table)
    assert refusal.value.calls == ()


def test_a_command_that_nobody_could_paste_is_not_shown() -> None:
    names = {f"a column with a long name, number {number:03d}": [0.5, 0.25] for number in range(120)}
    with pytest.raises(bt.EvidenceError) as refusal:
        bt.read({"passage": ["some text", "another text"], **names})
    assert not refusal.value.calls
    assert str(refusal.value).endswith("name them with score.")
    assert len(str(refusal.value)) < 1_000


def test_a_file_without_a_header_gets_no_reading(call: Call) -> None:
    Path("scores.csv").write_text("some text,0.5,0.25\nanother text,0.75,0.5\nthe last text,0.125,0.25\n")
    err = call("rank", "scores.csv")[2]
    assert "the first line holds numbers ('0.5'), so the file seems to have no header" in err
    assert not _commands(err)


def test_standard_input_is_read_and_explained_like_a_file(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    import io

    text = long("llm,problem,grade", "siv")
    for words in (("rank", "-"), ("convert", "-", "--explain")):
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
        _, out, err = call(*words)
        assert _commands(out + err) == [[*words, "--item", "problem", "--score", "grade"]]


def test_every_readable_file_is_explained(call: Call) -> None:
    Path("one.csv").write_text("model,item,score\nowl,1,2\nowl,2,2\n")
    code, out, _ = call("convert", "one.csv", "--explain")
    assert code == 0
    assert "item    whole numbers       2  1, 2" in out
    assert "a ranking needs scores of at least two systems" in out
    Path("votes.csv").write_text(judged("model_a,model_b,winner", "a", "tie", "b"))
    code, out, _ = call("convert", "votes.csv", "--explain")
    assert code == 0
    assert "Read as judgments: left = model_a, right = model_b, outcome = winner." in out
    assert not _commands(out)
    Path("games.csv").write_text(
        "home,away,result,home_goals,away_goals\nowl,yak,H,2,1\nyak,elk,D,1,1\nelk,owl,A,0,3\n"
    )
    assert _commands(call("convert", "games.csv", "--explain")[1]) == [
        [
            *[
                "convert",
                "games.csv",
                "--explain",
                "--left",
                "home",
                "--right",
                "away",
                "--scores-of",
                "home_goals,away_goals",
            ]
        ]
    ]
    Path("words.csv").write_text(judged("model_a,model_b,winner", "eins", "zwei", "drei"))
    code, out, _ = call("convert", "words.csv", "--explain")
    assert code == 0
    assert "This cannot be read so: words.csv" in out
    assert "'eins' (5), 'drei' (4), 'zwei' (1)" in out


@cache
def _messages() -> list[tuple[str, ast.AST]]:
    """Return every string of the package that is no docstring, and every call, with their places."""
    return list(_nodes())


def _nodes() -> Iterator[tuple[str, ast.AST]]:
    for path in sorted(SOURCE.rglob("*.py")):
        tree = ast.parse(path.read_text())
        docs = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
        for node in ast.walk(tree):
            if (isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docs) or isinstance(
                node, ast.Call
            ):
                yield f"{path.relative_to(SOURCE)}:{node.lineno}", node


def _all_flags() -> set[str]:
    found = {"--help", "--version"}
    groups = [_command(verb) for verb in VERBS]
    while groups:
        command = groups.pop()
        found |= {flag for param in command.params for flag in (*param.opts, *param.secondary_opts)}
        groups += list(command.commands.values()) if isinstance(command, click.Group) else []
    return found


#: Options of other programs that messages name.
_OF_OTHERS = {"--repo-type", "--local-dir", "--force-reinstall", "--upgrade"}


def test_messages_name_options_that_there_are() -> None:
    known = _all_flags() | _OF_OTHERS
    wrong = []
    for place, node in _messages():
        if isinstance(node, ast.Constant):
            named = {flag.rstrip("-") for flag in re.findall(r"(?<![\w-])--[a-z][a-z-]+", str(node.value))}
            wrong += [f"{place}: {flag}" for flag in named - known]
        elif isinstance(node, ast.Call) and ast.unparse(node.func) == "spelling.option" and node.args:
            name = node.args[0]
            if isinstance(name, ast.Constant) and spelling.flag(str(name.value)) not in known:
                wrong.append(f"{place}: {name.value}")
    assert not wrong


def test_messages_name_no_columns_that_are_placeholders() -> None:
    """Pasted, a placeholder is a column that is absent."""
    wrong = []
    for place, node in _messages():
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "spelling.option":
            values = [
                each.value for value in node.args[1:] for each in ast.walk(value) if isinstance(each, ast.Constant)
            ]
            wrong += [f"{place}: {value}" for value in values if isinstance(value, str) and value.isupper()]
    assert not wrong


def test_commands_in_messages_begin_with_a_verb() -> None:
    wrong = []
    for place, node in _messages():
        if isinstance(node, ast.Constant):
            for verb in re.findall(r"(?:^|[`:] )betterthan ([a-z]+) [A-Z-]", str(node.value)):
                wrong += [] if verb in VERBS else [f"{place}: {verb}"]
    assert not wrong


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ("rank", "votes.csv", "--fail-unless-better"),
            "betterthan rank has no option --fail-unless-better. A result becomes an exit code by a gate: "
            "betterthan gate NEW OLD --not-worse-than MARGIN",
        ),
        (("rank", "votes.csv", "--rerun", "x"), "betterthan rank has no option --rerun; gate has it."),
        (("rank", "votes.csv", "--outcme", "x"), "betterthan rank has no option --outcme. Did you mean --outcome?"),
        (
            ("rank", "votes.csv", "--scale", "Elo"),
            "Invalid value for '--scale': 'Elo' is not one of 'worth', 'log', 'elo', 'winrate', 'expected'. "
            "Did you mean 'elo'?",
        ),
    ],
)
def test_options_that_a_verb_lacks(call: Call, words: tuple[str, ...], message: str) -> None:
    assert call(*words)[2] == f"betterthan: {message}\n"


def test_the_pairs_of_the_awkward_files_have_one_order() -> None:
    """Else a hint that turns a board upside down would pass."""
    words = {"win": "left", "tie": "tie", "loss": "right"}
    board = bt.rank([(left, right, words[how]) for left, right, how in PAIRS], ci="none").board
    assert [row.system for row in board] == ["owl", "yak", "elk"]


@pytest.mark.parametrize(
    ("left", "right"), [("system1", "system2"), ("model_a", "model_b"), ("left", "right"), ("X", "Y")]
)
def test_the_first_side_is_the_one_that_is_called_first_wherever_its_column_is(
    left: str, right: str, call: Call
) -> None:
    rows = [("first wins", f"{('owl', 'yak', 'elk')[n % 3]}", f"{('yak', 'elk', 'owl')[n % 3]}") for n in range(12)]
    Path("votes.csv").write_text(csv(f"better,{right},{left}", rows))
    for command in _commands(call("rank", "votes.csv")[2]):
        assert [command[command.index(option) + 1] for option in ("--left", "--right")] == [left, right]


def test_numbers_of_batches_are_not_offered_as_systems(call: Call) -> None:
    rows = [(f"q{n}", 0.5 + n / 100, 0.4, n % 3 + 1, 2000 + n) for n in range(8)]
    Path("scores.csv").write_text(csv("item,owl,yak,batch,year", rows))
    (command,) = _commands(call("rank", "scores.csv")[2])
    assert command[command.index("--systems") + 1] == "owl,yak"


@pytest.mark.parametrize(
    ("header", "cells"),
    [
        ("model_a,model_b,loser", ("b", "a")),
        ("model_a,model_b,worse", ("b", "a")),
        ("model_a,model_b,wer_a,wer_b", ("0.2,0.4", "0.4,0.2")),
        ("model_a,model_b,rank_a,rank_b", ("1,2", "2,1")),
    ],
)
def test_what_says_who_lost_is_not_offered_as_who_won(header: str, cells: tuple[str, str], call: Call) -> None:
    rows = [f"{('owl', 'yak')[n % 2]},{('yak', 'owl')[n % 2]},{cells[n % 2]}" for n in range(8)]
    Path("votes.csv").write_text("\n".join([header, *rows]) + "\n")
    code, _, err = call("rank", "votes.csv")
    assert (code, _commands(err)) == (2, [])


def test_files_with_an_id_are_files_of_systems(call: Call) -> None:
    for name, shares in (("new", "0110"), ("old", "0100")):
        Path(f"{name}.csv").write_text("id,correct\n" + "".join(f"{n},{x}\n" for n, x in enumerate(shares)))
    code, out, _ = call("rank", "new.csv", "old.csv", "--format", "csv")
    assert code == 0
    assert "new" in out
