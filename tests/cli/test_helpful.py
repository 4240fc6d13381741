"""Help, suggestions and completion: what people need when they do not know the command by heart."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import betterthan as bt
from betterthan.cli.main import QUESTIONS, VERBS
from betterthan.cli.shared.result_output import progress_bar
from tests.cli.conftest import Answer

Run = Callable[..., Answer]
VOTES = Path(__file__).parents[2] / "examples" / "votes.csv"
COMMAND = [sys.executable, "-m", "betterthan"]


def test_help_shows_a_verb_s_own_options_and_where_the_others_are(run: Run) -> None:
    own, reading = run("rank", "--help").out, run("rank", "--help-input").out
    assert "--resamples" in own
    assert "--outcome-map" not in own
    assert "--outcome-map" in reading
    assert "--resamples" not in reading
    assert len(own.splitlines()) < 100


def test_what_people_need_first_is_on_the_first_screen_of_help(run: Run) -> None:
    first = "\n".join(run("rank", "--help").out.splitlines()[:40])
    for option in ("--where", "--exclude", "--dataset", "--score", "--item", "--help-input"):
        assert f"  {option}" in first, option


@pytest.mark.parametrize("words", [(), ("campaign",)])
def test_without_arguments_help_is_printed(words: tuple[str, ...], run: Run) -> None:
    answer = run(*words)
    assert (answer.code, answer.err) == (0, "")
    assert answer.out == run(*words, "--help").out


def test_a_file_without_a_verb_is_ranked(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ranked = run("rank", str(VOTES))
    assert run(str(VOTES)) == ranked
    assert run(str(VOTES.parent / "vot*.csv")).code == 0
    monkeypatch.chdir(tmp_path)
    (tmp_path / "rank").write_bytes(VOTES.read_bytes())  # a verb wins over a file of the same name
    assert "FILE" in run("rank", "--help").out
    (tmp_path / "mine").write_bytes(VOTES.read_bytes())
    assert run("mine").out.splitlines()[0] == ranked.out.splitlines()[0]
    assert run("vote.csv") == (2, "", "betterthan: there is no file 'vote.csv'. Check the name and the folder.\n")


def test_every_verb_answers_one_question() -> None:
    verbs = [verb for verbs in QUESTIONS.values() for verb in verbs]
    assert len(verbs) == len(set(verbs)) == len(VERBS)
    assert {path.stem for path in Path(bt.__file__).parent.glob("cli/*.py")} >= set(verbs)


@pytest.mark.parametrize(
    "verb", ["rank", "compare", "diagnose", "power", "fit", "select", "next", "replay", "report", "plot", "study"]
)
def test_every_verb_that_reads_has_both_pages(verb: str, run: Run) -> None:
    assert run(verb, "--help-input").out.startswith("Options that say how files are read:")
    assert "--delimiter" not in run(verb, "--help").out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["rnak", "votes.csv"], "there is no verb 'rnak'. Did you mean 'rank'?"),
        (["xyzzy"], "there is no verb 'xyzzy'. Known: rank, compare, gate, report,"),
        (["rank", "v.csv", "--scale", "eol"], "'expected'. Did you mean 'elo'?"),
        (["rank", "v.csv", "--modle", "elo"], "--model"),
    ],
)
def test_what_was_meant_is_named(arguments: list[str], message: str, run: Run) -> None:
    answer = run(*arguments)
    assert answer.code == 2
    assert message in answer.err


def _completed(words: str) -> list[str]:
    asked = words.split(" ")
    found = subprocess.run(
        COMMAND,
        capture_output=True,
        text=True,
        check=True,
        env={
            **os.environ,
            "_BETTERTHAN_COMPLETE": "bash_complete",
            "COMP_WORDS": words,
            "COMP_CWORD": str(len(asked) - 1),
        },
    )
    return [line.partition(",")[2] for line in found.stdout.splitlines() if line]


def test_the_shell_completes_verbs_models_and_columns(tmp_path: Path) -> None:
    file = tmp_path / "votes.csv"
    file.write_text("model_a,model_b,winner,judge,judge_kind\nowl,yak,model_a,ann,x\n")
    assert _completed("betterthan ra") == ["rank"]
    assert _completed("betterthan rank --model mean,el") == ["mean,elo"]
    assert _completed(f"betterthan rank {file} --judge ju") == ["judge", "judge_kind"]
    assert _completed(f"betterthan rank {tmp_path / 'none.csv'} --judge ju") == []
    assert _completed("betterthan next --policy so") == ["sort"]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_is_installed_where_the_shell_looks(
    shell: str, tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("SHELL", f"/usr/bin/{shell}")
    done = run("completion", "install")
    assert done.code == 0, done.err
    (written,) = (path for path in tmp_path.rglob("*") if path.is_file())
    assert written.read_text().strip() == run("completion", "show", shell).out.strip()
    assert "_BETTERTHAN_COMPLETE" in written.read_text()


def test_an_unknown_shell_is_told(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SHELL", "/bin/tcsh")
    answer = run("completion", "install")
    assert (answer.code, "Name it: --shell bash" in answer.err) == (2, True)


def test_quiet_is_the_answer_alone_and_verbose_says_more(run: Run, tmp_path: Path) -> None:
    usual, quiet, verbose = (run("rank", VOTES, *flags) for flags in ((), ("-q",), ("-v",)))
    assert quiet.out.startswith("  #  range  system")
    assert quiet.err == ""
    assert "betterthan " not in quiet.out
    assert usual.out.startswith(
        "aurora ranks first, but not significantly: 95 % rank range 1–4 for items and judges like these; cedar, birch and dune may"
    )
    assert "  Why it matters: " in verbose.out
    assert "Why it matters" not in usual.out
    assert run("rank", VOTES, "-q", "-o", tmp_path / "board.csv").err == ""
    assert "few-units" in run("rank", VOTES, "-o", tmp_path / "board.csv").err
    assert run("rank", VOTES, "-q", "-v") == (
        2,
        "",
        "betterthan: --quiet and --verbose contradict each other. Leave one of them out.\n",
    )
    assert run("rank", VOTES, "-v", "--format", "json").err == (
        "betterthan: --verbose is for text; json holds everything already. Leave one of them out.\n"
    )


def test_progress_is_a_line_now_and_then_where_nobody_watches(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    clock = iter([0.0, 3.0, 11.0, 12.0, 22.0])
    monkeypatch.setattr("betterthan.cli.shared.result_output.time.monotonic", lambda: next(clock))
    with progress_bar("resampling", quiet=False) as progress:
        for done in (10, 20, 30, 40):
            progress(done, 100)
    assert capsys.readouterr().err == "resampling: 20 % after 11 s\nresampling: 40 % after 22 s\n"
    with progress_bar("resampling", quiet=True) as progress:
        progress(1, 2)
    assert capsys.readouterr().err == ""


def test_columns_and_systems_that_are_not_shown_are_said(run: Run) -> None:
    board = bt.rank(VOTES, resamples=20).board
    assert "  Not shown at this width: tied, score vs next." in board.table().to_text(52)
    many = {f"s{place:02d}": [float(place), float(place % 7), 3.0] for place in range(14)}
    text = bt.compare_all(many).to_text(80)
    assert "12 of 14 systems are shown, the best ones. CSV and JSON have all pairs." in " ".join(text.split())
    assert max(map(len, text.split("\n")[:-1])) <= 80


def test_names_cannot_steer_the_terminal(run: Run, tmp_path: Path) -> None:
    (tmp_path / "votes.csv").write_text("a,b,winner\n" + "ow\x1b[31ml,yak,a\nyak,ow\x1b[31ml,a\n" * 3)
    answer = run("rank", tmp_path / "votes.csv", "--model", "bradley-terry")
    assert answer.code == 0
    assert "\x1b" not in answer.out
    assert "ow?[31ml" in answer.out
    assert "\x1b" not in run("compare", tmp_path / "votes.csv", "ow\x1b[31m", "yak").err
