"""Whatever a campaign is exported to ranks as the campaign itself does; archives and backups are the whole campaign."""

import json
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

import betterthan as bt
from betterthan.campaign.campaign_errors import CampaignError, ConflictError
from betterthan.campaign.exports.archive import read_archive, write_archive
from betterthan.campaign.exports.export_files import write_export
from betterthan.campaign.log.replay_log import replayed_campaign
from betterthan.campaign.planning.simulated_judges import judge_all
from betterthan.campaign.service.campaign import Campaign
from betterthan.campaign.store.campaign_store import open_store
from tests.campaign.worlds import campaign, material


@pytest.fixture(scope="module", params=[2, 4])
def judged(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("judged") / "c.campaign"
    about = material(30, 5, same=3)
    with campaign(place, about, way=request.param, gold=0.1, repeats=0.1, overlap=2, criteria=["overall"]) as running:
        assert judge_all(running, 4, most=120) == 120
        running.exclude(2, "too quick").result()
        running.undo(1).result()
    return place


def _board(source: Path) -> list[tuple[str, float]]:
    return [(row.system, row.score) for row in bt.rank(source, ci="none").board.rows]


@pytest.mark.parametrize("name", ["j.jsonl", "j.csv", "j.tsv", "j.parquet"])
def test_exports_rank_as_the_campaign(judged: Path, name: str, tmp_path: Path) -> None:
    with Campaign.open(str(judged)) as running:
        number = write_export(running, tmp_path / name)
        assert number == running.writer.state.answers > 50
        assert all(lease.judge != 2 and lease.purpose == "judgment" for lease in running.writer.state.kept)
    assert _board(tmp_path / name) == _board(judged)


def test_every_answer_has_the_settings_under_which_it_was_asked_for(tmp_path: Path) -> None:
    with campaign(tmp_path / "c.campaign", material(10, 3)) as running:
        judge_all(running, 1, most=3)
        running.change(budget=20).result()
        changed = running.writer.state.number
        judge_all(running, 1, most=2)
        write_export(running, tmp_path / "j.jsonl")
    lines = (tmp_path / "j.jsonl").read_text(encoding="utf-8").splitlines()
    assert [json.loads(line)["settings"] for line in lines] == [1, 1, 1, changed, changed]


def test_the_spreadsheet_and_the_log(judged: Path, tmp_path: Path) -> None:
    with Campaign.open(str(judged)) as running:
        write_export(running, tmp_path / "s.csv", spreadsheet=True)
        number = write_export(running, tmp_path / "a.log.jsonl")
        lines = (tmp_path / "a.log.jsonl").read_text().splitlines()
        assert number == len(lines) == running.writer.state.number
        assert json.loads(lines[0])["kind"] == "created"
        with pytest.raises(CampaignError, match="only an archive"):
            write_export(running, tmp_path / "j.csv", identities=True)
    assert _board(tmp_path / "s.csv") == _board(judged)


def test_an_archive_is_the_whole_campaign(judged: Path, new_place: Callable[[], str], tmp_path: Path) -> None:
    with Campaign.open(str(judged)) as running:
        write_export(running, tmp_path / "all.zip", identities=True)
        write_export(running, tmp_path / "blind.zip")
        there = running.writer.state
        names = [running.identity(judge.number) for judge in running.judges()]
    place = new_place()
    read_archive(tmp_path / "all.zip", place).close()
    with Campaign.open(place) as again:
        assert [lease.name for lease in again.writer.state.kept] == [lease.name for lease in there.kept]
        with Campaign.open(str(judged)) as original:
            assert again.material == original.material
        assert [again.identity(judge.number) for judge in again.judges()] == names
        again.store.backup(tmp_path / f"backup-{len(place)}.campaign")
    assert _board(tmp_path / f"backup-{len(place)}.campaign") == _board(judged)
    blind = zipfile.ZipFile(tmp_path / "blind.zip")
    assert not any(b"simulated judge" in blind.read(name) for name in blind.namelist())
    with pytest.raises(ConflictError):
        read_archive(tmp_path / "all.zip", place)


def test_damaged_archives_are_refused(judged: Path, tmp_path: Path) -> None:
    store = open_store(str(judged))
    write_archive(store, tmp_path / "all.zip")
    events, about = list(store.events()), store.material()
    store.close()
    (tmp_path / "cut.zip").write_bytes((tmp_path / "all.zip").read_bytes()[:-100])
    with pytest.raises(CampaignError, match="not an archive of a campaign"):
        read_archive(tmp_path / "cut.zip", str(tmp_path / "x.campaign"))
    assert not (tmp_path / "x.campaign").exists()
    with pytest.raises(ConflictError, match="jumps from line 3 to line 5"):
        replayed_campaign(about, events[:3] + events[4:])
