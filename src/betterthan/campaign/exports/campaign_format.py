"""Recognise and read campaign files as evidence."""

import json
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np

from betterthan.base import EvidenceError
from betterthan.campaign.campaign_errors import CampaignError
from betterthan.campaign.exports.judgment_export import JudgmentRow, rows_of
from betterthan.campaign.log.campaign_state import CampaignState
from betterthan.campaign.log.replay_log import replayed_campaign
from betterthan.campaign.material.material import Material, MaterialItem
from betterthan.campaign.store.sqlite_store import APPLICATION, SqliteStore
from betterthan.engine import PlacedFile, Places
from betterthan.readers import tool_format

_MAGIC = b"SQLite format 3\x00"
#: Where SQLite keeps the number of the application that a file belongs to.
_AT = slice(68, 72)
_CHECK = "Check it with betterthan campaign check, or use a backup."


class CampaignFormat(tool_format.ToolFormat):
    """Campaigns that compare a given number of outputs at once."""

    ways: range
    watched = True

    def claims(self, file: PlacedFile) -> bool:
        """Look for our mark in the file's head, then at how many outputs were ranked at once."""
        head = file.head
        return head.startswith(_MAGIC) and head[_AT] == APPLICATION.to_bytes(4, "big") and _way(file.plain) in self.ways

    def rows(self, files: Sequence[PlacedFile], places: Places) -> list[JudgmentRow]:
        """Return the answers of the judges."""
        if len(files) > 1:
            raise EvidenceError("there are several campaigns", where=places.title, remedy="Give one at a time.")
        try:
            material, state = _replayed(files[0].plain)
            found = list(rows_of(state.kept, material))
        except CampaignError as error:
            what, remedy = f"the campaign cannot be read: {error.what}", error.remedy or _CHECK
            raise EvidenceError(what, where=files[0].name, remedy=remedy) from None
        except (sqlite3.Error, LookupError, TypeError, ValueError) as error:
            raise EvidenceError(f"the campaign cannot be read: {error}", where=files[0].name, remedy=_CHECK) from None
        if not found:
            raise EvidenceError("nothing was judged yet", where=files[0].name, remedy="Wait for the first answers.")
        return found

    def made(self, folder: Path, way: int) -> Any:
        """Make a small campaign that two judges answered."""
        from betterthan.campaign.service.campaign import Campaign  # noqa: PLC0415 (only for examples)
        from betterthan.campaign.service.tasks import Answer  # noqa: PLC0415
        from betterthan.options import CampaignOptions  # noqa: PLC0415

        systems = ("owl", "yak", "elk")
        outputs = {name: [f"{name} {place}" for place in range(6)] for name in systems}
        material = Material(tuple(MaterialItem(f"i{place}", "text") for place in range(6)), systems, outputs, outputs)
        path = folder / f"way-{way}.campaign"
        path.unlink(missing_ok=True)
        rng, seconds = np.random.default_rng(0), count()
        with Campaign.create(
            str(path), material, CampaignOptions(way=way), rng=rng, clock=lambda: float(next(seconds))
        ) as running:
            judges = [running.add_judge(name).result()[0].number for name in ("Ada", "Bob")]
            for number in range(8):
                judge = judges[number % 2]
                for task in running.hand_out(judge).result().tasks:
                    ranks = tuple(range(1, len(task.cards) + 1))
                    running.submit(judge, task.lease, f"example-{number}", Answer({"overall": ranks})).result()
        return path


def _replayed(path: Path) -> tuple[Material, CampaignState]:
    store = SqliteStore(path)
    try:
        material = store.material()
        return material, replayed_campaign(material, list(store.events()))
    finally:
        store.close()


def _way(path: Path) -> int:
    """Return how many outputs are ranked at once; 2 where that cannot be read, so that reading it says why."""
    try:
        with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as connection:
            (body,) = connection.execute("SELECT body FROM events WHERE number = 1").fetchone()
        return int(json.loads(body)["options"]["way"])
    except (sqlite3.Error, LookupError, TypeError, ValueError):
        return 2
