"""A campaign's file is written so that what was answered survives a power cut."""

from pathlib import Path

from tests.campaign.worlds import campaign


def test_every_commit_is_synced_in_full(tmp_path: Path) -> None:
    with campaign(tmp_path / "c.campaign") as running:
        connection = running.store._connection

        def pragma(name: str) -> object:
            return connection.execute(f"PRAGMA {name}").fetchone()[0]

        found = running.writer.ask(lambda _: (pragma("synchronous"), pragma("journal_mode"))).result()
    assert found == (2, "wal")  # 0 is OFF, 1 is NORMAL, which may lose the last answers
