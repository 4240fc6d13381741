"""Help, suggestions and completion: what people need when they do not know the command by heart."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import Answer

Run = Callable[..., Answer]
COMMAND = [sys.executable, "-m", "betterthan"]


def test_help_shows_a_verb_s_own_options_and_where_the_others_are(run: Run) -> None:
    own, reading = run("rank", "--help").out, run("rank", "--help-input").out
    assert "--resamples" in own
    assert "--outcome-map" not in own
    assert "--help-input lists the options for anything else" in " ".join(own.split())
    assert "--outcome-map" in reading
    assert "--resamples" not in reading
    assert len(own.splitlines()) < 90


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
        (["xyzzy"], "there is no verb 'xyzzy'. Known: rank, score, compare,"),
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
        COMMAND, capture_output=True, text=True, check=True,
        env={**os.environ, "_BETTERTHAN_COMPLETE": "bash_complete", "COMP_WORDS": words, "COMP_CWORD": str(len(asked) - 1)},
    )  # fmt: skip
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
