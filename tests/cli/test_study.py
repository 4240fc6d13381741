"""`betterthan study`: the list, files in a folder, formats, and what is refused."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

import betterthan as bt
from betterthan import demo
from betterthan.verbs.study.experiments import base as experiments
from tests.cli.conftest import Answer

Run = Callable[..., Answer]


def test_the_list_names_every_study(run: Run) -> None:
    answer = run("study", "--list")
    assert answer.code == 0
    assert [line.split()[0] for line in answer.out.splitlines()[1:]] == list(experiments.known_studies())


def test_simulated_and_own_evidence(run: Run, tmp_path: Path) -> None:
    answer = run("study", "pairing", "--quick", "-o", tmp_path / "out", "--seed", "3")
    assert answer.code == 0
    assert answer.out == bt.study("pairing", quick=True, seed=3).to_text() + "\n"
    assert {place.name for place in (tmp_path / "out").iterdir()} == {
        "pairing.md",
        "pairing.csv",
        "pairing.json",
        "pairing.svg",
        "parts",
    }
    scores = demo.path("scores.csv.gz")
    document = json.loads(run("study", "pairing(runs=20)", scores, "--format", "json").out, parse_constant=pytest.fail)
    assert document == json.loads(bt.study("pairing(runs=20)", bt.read(str(scores))).to_json())


def test_a_study_of_predictions_reads_them_itself(run: Run, tmp_path: Path) -> None:
    rows = [
        f"{item},{system},{item % 2},{(item + place) % 2},{0.9 if (item + place) % 2 else 0.2}"
        for item in range(12)
        for place, system in enumerate(("owl", "yak", "elk"))
    ]
    file = tmp_path / "predictions.csv"
    file.write_text("\n".join(["item,system,truth,pred,p", *rows]))
    answer = run("study", "decision-values(values=p,runs=20)", str(file), "--quick", "-q")
    assert answer.code == 0, answer.err
    assert "3 systems on 12 items" in answer.out
    refused = run("study", "decision-values(values=p)", str(file), "--quick", "--score", "pred")
    assert refused.code == 2
    assert "--score is for judgments, rankings and scores. Name columns in the study's settings." in refused.err


def test_a_stopped_run_says_where_its_parts_are(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("betterthan.verbs.study.experiments.pairing._compared", stop)
    answer = run("study", "pairing", "--quick", "-o", tmp_path)
    assert (answer.code, answer.out) == (130, "")
    assert answer.err == f"betterthan: stopped; {tmp_path} keeps the finished parts. Run the same command to go on.\n"
    assert run("study", "pairing", "--quick").err.lstrip() == "betterthan: stopped; nothing was written.\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["pairings"], "unknown study 'pairings'; known: "),
        (["pairing", "--item", "id"], "--item describes evidence, and there is none. Leave it out, or give a file."),
        (["mechanisms", "scores.csv"], "mechanisms simulates its own evidence and takes none."),
        (["pairing", "--level", "95"], "--level"),
        ([], "Missing argument 'NAME'."),
    ],
)
def test_what_is_refused(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("scores.csv").write_text("item,A,B\n1,2,3\n2,4,3\n")
    answer = run("study", *arguments)
    assert (answer.code, answer.out) == (2, "")
    assert message in answer.err
    assert "Traceback" not in answer.err
