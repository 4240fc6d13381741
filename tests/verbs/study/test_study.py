"""What all studies share: names and settings, finished parts, the page and its files."""

import json
from pathlib import Path

import pytest

import betterthan as bt
from betterthan.verbs.study.experiments import base as experiments

SMALL = "mechanisms(types=1|3,outliers=0,systems=3|4,items=10|20,runs=2,kinds=ours)"


@pytest.mark.parametrize("name", experiments.known_studies())
def test_every_study_says_what_it_is(name: str) -> None:
    study = type(experiments.build_study(name))
    assert study.name == name
    assert study.about.endswith(".")
    assert study.paper
    assert study.place
    for quick in (False, True):
        made = experiments.build_study(name, quick=quick)
        assert experiments.build_study(experiments.written_out(made)) == made


def test_the_quick_form_is_a_matter_of_settings() -> None:
    quick = bt.study(SMALL, quick=True)
    assert bt.study(SMALL) == quick  # in other processes
    assert bt.study(quick.settings.study, level=0.95, seed=0) == quick
    assert bt.study(SMALL, seed=1).columns() != quick.columns()


def test_a_run_that_was_stopped_goes_on(tmp_path: Path) -> None:
    whole = bt.study(SMALL, quick=True)
    seen = []

    def stop(done: int, total: int) -> None:
        seen.append((done, total))
        if done == 8:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        bt.study(SMALL, quick=True, folder=str(tmp_path), progress=stop)
    assert not list(tmp_path.glob("parts/*"))  # a block of eight is written when it is finished
    assert bt.study(SMALL, quick=True, folder=str(tmp_path)) == whole
    (place,) = tmp_path.glob("parts/*.jsonl")
    lines = [line for line in place.read_text().splitlines() if line]
    assert [json.loads(line)["task"] for line in lines] == list(range(8))
    assert seen[0] == (1, 8)

    place.write_text("\n".join(lines[:5]) + "\n" + lines[5][:20])  # cut off while the sixth was being written
    seen.clear()
    assert bt.study(SMALL, quick=True, folder=str(tmp_path), progress=lambda *step: seen.append(step)) == whole
    assert seen == [(6, 8), (7, 8), (8, 8)]
    assert bt.study(SMALL, quick=True, folder=str(tmp_path), progress=pytest.fail) == whole

    planted = json.loads(lines[0]) | {"found": [[-1.0, -1.0, -1.0]] * 2}
    place.write_text("\n".join([json.dumps(planted), *lines[1:]]))
    assert bt.study(SMALL, quick=True, folder=str(tmp_path)) != whole
    assert bt.study(SMALL, quick=True, folder=str(tmp_path), seed=1) == bt.study(SMALL, quick=True, seed=1)
    assert len(list(tmp_path.glob("parts/*.jsonl"))) == 2


def test_the_page_and_its_files(tmp_path: Path) -> None:
    found = bt.study("pairing", quick=True)
    files = found.save_in(tmp_path / "new" / "folder")
    assert [file.name for file in files] == ["pairing.md", "pairing.csv", "pairing.json", "pairing.svg"]
    page = files[0].read_text(encoding="utf-8")
    for part in ("# pairing", "Table 2", "## Beside the paper", "| agreement |", found.command, str(found.signature)):
        assert part in page
    assert json.loads(files[2].read_text(encoding="utf-8")) == json.loads(found.to_json())
    assert files[1].read_text(encoding="utf-8").startswith("pairing,mean_difference")
    assert files[3].read_text(encoding="utf-8").startswith("<svg")
    with pytest.raises(bt.BetterthanError, match="no folder can be made there"):
        found.save_in(files[0] / "below")
    with pytest.raises(bt.BetterthanError, match="no statement begins with 'Other'"):
        found.claim("Other")


@pytest.mark.parametrize(
    ("name", "evidence", "message"),
    [
        ("mechanism", None, "Did you mean 'mechanisms'?"),
        ("mechanisms(run=5)", None, "mechanisms: unknown option 'run=5'; known: types,"),
        (
            "mechanisms(runs=1)",
            None,
            "mechanisms: runs must be a whole number of at least 2 and at most 100000, got 1.",
        ),
        (
            "mechanisms(types=0|3)",
            None,
            "mechanisms: types must be whole numbers from 1 to 1000 with | between them, got '0|3'.",
        ),
        ("mechanisms(types=a)", None, "types must be whole numbers"),
        ("mechanisms(models=mean|mean)", None, "models must name at least 1 with | between them, and none twice"),
        ("mechanisms(models=meen)", None, "unknown model 'meen'"),
        (
            "mechanisms(kinds=tame)",
            None,
            "kinds must be of paper, code, ours with | between them, and none twice, got 'tame'",
        ),
        (
            "mechanisms",
            {"A": [1.0], "B": [2.0]},
            "mechanisms simulates its own evidence and takes none. Leave the file out.",
        ),
        (3, None, "a study is named by a text"),
    ],
)
def test_what_is_refused(name: str, evidence: object, message: str) -> None:
    with pytest.raises(bt.BetterthanError) as refusal:
        bt.study(name, evidence)
    assert message in str(refusal.value)
