"""A second process that recomputes the table of chances while judges continue."""

import contextlib
import multiprocessing
import threading
import time
from dataclasses import dataclass
from typing import Any

from betterthan.base import FloatArray
from betterthan.campaign.exports.judgment_export import JudgmentRow, columns_of, deciding
from betterthan.campaign.policies.chance_table import Chances
from betterthan.campaign.service.campaign import Campaign
from betterthan.options import CampaignOptions

#: A new table after this many answers or seconds; the interval of checks; and the interval of new boards.
ANSWERS, SECONDS, _LOOK, _BOARD = 20, 2.0, 0.1, 10.0
#: The process may use this share of one core.
_SHARE = 0.5


class Choosing:
    """Keeps a campaign's table of chances up to date until it is stopped."""

    def __init__(self, campaign: Campaign) -> None:
        self.campaign = campaign
        self.seconds = 0.0  # that the last table took
        self.trouble = ""
        self._sent = (0, -1)  # how many rows the process knows, and since which withdrawal
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, name="campaign-choosing", daemon=True)
        # Nothing of this process, its threads and its open files, is taken over.
        self._context = multiprocessing.get_context("spawn")
        self._process: Any = None
        self._line: Any = None
        self._thread.start()

    def stop(self) -> None:
        """End the process."""
        self._stopped.set()
        self._thread.join()
        self._end()

    def _end(self) -> None:
        if self._process is not None:
            self._line.close()
            self._process.terminate()
            self._process.join()
            self._process = None

    def _start(self) -> None:
        self._end()
        self._line, other = self._context.Pipe()
        self._process = self._context.Process(target=_work, args=(other,), daemon=True, name="campaign-policy")
        self._process.start()
        other.close()

    def _run(self) -> None:
        seen: Any = None
        at, shown = float("-inf"), float("-inf")
        while not self._stopped.wait(_LOOK):
            self.campaign.writer.refresh()
            state = self.campaign.writer.state
            now = time.monotonic()
            key = (state.answers, state.taken_back, state.options_number)
            if key == seen:
                continue
            new = seen is None or key[1:] != seen[1:] or state.answers - seen[0] >= ANSWERS
            if now - at < max(0.0 if new else SECONDS, self.seconds / _SHARE):
                continue
            board = now - shown >= _BOARD
            try:
                self._refresh(board)
            except Exception as error:  # noqa: BLE001 (whatever it was, judges go on, and a new process tries again)
                self.trouble = (
                    f"the process that chooses comparisons ended ({type(error).__name__}); it is started again"
                )
                self._end()
                continue
            seen, at = key, time.monotonic()
            shown = at if board else shown

    def _refresh(self, board: bool) -> None:
        if self._process is None or not self._process.is_alive():
            self._start()
            self._sent = (0, -1)
        campaign = self.campaign
        with campaign.writer.lock:
            state = campaign.writer.state
            kept, sent = state.kept, self._sent[0] if self._sent[1] == state.taken_back else 0
            number, held, version, options = len(kept), state.load.held.astype(float), state.number, state.options
            self._sent = (number, state.taken_back)
        rows = deciding(kept[sent:number], campaign.material, options)
        self._line.send(_Asked(sent, rows, campaign.material.systems, options, held, version, board))
        while not self._line.poll(_LOOK):
            if self._stopped.is_set() or not self._process.is_alive():
                raise EOFError
        table, found, self.seconds, self.trouble = self._line.recv()
        if table is not None:
            campaign.chances = table
        campaign.board = found or campaign.board


@dataclass(frozen=True)
class _Asked:
    """The input of a new table: rows added after the first `known` ones."""

    known: int
    rows: list[JudgmentRow]
    systems: tuple[str, ...]
    options: CampaignOptions
    held: FloatArray
    version: int
    board: bool


def _work(line: Any) -> None:
    """Answer with tables, until nobody asks any more."""
    rows: list[JudgmentRow] = []
    with contextlib.suppress(EOFError, KeyboardInterrupt, OSError):  # the server is gone
        while True:
            asked: _Asked = line.recv()
            rows = rows[: asked.known] + asked.rows
            line.send(_answer(asked, rows))


def _answer(asked: _Asked, rows: list[JudgmentRow]) -> tuple[Chances | None, dict[str, Any], float, str]:
    from betterthan.campaign.policies.policy_chances import board_of, table_of  # noqa: PLC0415 (of the other process alone)

    start = time.perf_counter()
    try:
        columns = columns_of(rows, asked.options)
        table = table_of(columns, asked.systems, asked.options, asked.held, asked.version)
        found = board_of(columns, asked.options) if asked.board else {}
    except Exception as error:  # noqa: BLE001 (judges go on with the last table; the organiser sees why)
        return None, {}, time.perf_counter() - start, f"{type(error).__name__}: {error}"
    return table, found, time.perf_counter() - start, ""
