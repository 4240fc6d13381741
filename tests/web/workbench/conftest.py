"""A real workbench on a port of this machine, and a visitor who was let in."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import httpx
import pytest

from betterthan.base import spelling
from betterthan.web.workbench.open_files import MOST_BYTES, Files
from betterthan.web.workbench.session import WorkbenchSession
from betterthan.web.workbench.workbench_server import served_workbench

EXAMPLES = Path(__file__).parents[3] / "examples"


class Visitor:
    """A browser without a window: it has the cookie, and says where its requests come from."""

    def __init__(self, session: WorkbenchSession, address: str) -> None:
        self.session = session
        self.address = address
        self.base = address.partition("/?")[0]
        self.client = httpx.Client(base_url=self.base, headers={"Origin": self.base}, follow_redirects=True, timeout=60)
        self.client.get(address)

    def post(self, path: str, body: Any) -> httpx.Response:
        return self.client.post(path, json=body)

    def panel(self, name: str, tab: str = "tab", *, quick: bool = False, **state: Any) -> dict[str, Any]:
        answer = self.post(f"/panel/{name}", {"state": {"files": ["f1"], **state}, "tab": tab, "quick": quick})
        assert answer.status_code == 200, answer.text
        return answer.json()

    def download(self, name: str, **state: Any) -> httpx.Response:
        return self.post(f"/download/{name}", {"state": {"files": ["f1"], **state}})

    def upload(self, name: str, content: bytes) -> dict[str, Any]:
        return self.client.post("/upload", params={"name": name}, content=content).json()


@pytest.fixture(scope="module")
def opened() -> Iterator[Callable[..., Visitor]]:
    """Return a function that opens files in a workbench of their own."""
    with ExitStack() as stack:
        stack.enter_context(spelling.spell_for("command line"))

        def open_files(*files: str | Path, most_bytes: int = MOST_BYTES) -> Visitor:
            session = stack.enter_context(WorkbenchSession(Files([str(file) for file in files], most_bytes)))
            bench = served_workbench(session, most_bytes=most_bytes)
            stack.enter_context(bench.in_background())
            visitor = Visitor(session, bench.address)
            stack.callback(visitor.client.close)
            return visitor

        yield open_files


@pytest.fixture(scope="module")
def votes(opened: Callable[..., Visitor]) -> Visitor:
    return opened(EXAMPLES / "votes.csv")
