"""`betterthan open`: an address, a clean end, and one sentence where a part is missing."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from betterthan.web.server.http_server import ServingError
from betterthan.web.workbench.open_files import Files
from betterthan.web.workbench.session import WorkbenchSession
from betterthan.web.workbench.workbench_server import served_workbench
from tests.web.workbench.conftest import EXAMPLES

VOTES = EXAMPLES / "votes.csv"


def started(folder: Path, *words: str) -> "subprocess.Popen[str]":
    """Start the command with a folder of its own for temporary files."""
    return subprocess.Popen(
        [sys.executable, "-m", "betterthan", "open", *words],
        env={**os.environ, "TMPDIR": str(folder)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 143), (signal.SIGINT, 130)])
def test_it_ends_cleanly_also_amid_work(number: signal.Signals, code: int, tmp_path: Path) -> None:
    process = started(tmp_path, str(VOTES), "--no-browser", "--where", "judge!=J1")
    assert process.stdout is not None
    address = process.stdout.readline().split()[1]
    base = address.partition("/?")[0]
    assert base.startswith("http://127.0.0.1:")
    with httpx.Client(base_url=base, headers={"Origin": base}, follow_redirects=True) as client:
        assert "judge!=J1" in client.get(address).text  # what was said of reading is in the form
        client.post("/upload?name=mine.csv", content=VOTES.read_bytes())
        assert [place.name for place in tmp_path.rglob("*.csv")] == ["mine.csv"]
        state = {"files": ["f1"], "rank": {"resamples": "1000000"}}
        with pytest.raises(httpx.ReadTimeout):  # work that takes longer than anyone waits
            client.post("/panel/board", json={"state": state}, timeout=0.3)
    process.send_signal(number)
    _, said = process.communicate(timeout=20)
    assert (process.returncode, said) == (code, "")
    assert list(tmp_path.iterdir()) == []


def test_a_port_that_is_taken_is_told() -> None:
    with WorkbenchSession(Files()) as session:
        first = served_workbench(session)
        port = first.listening.getsockname()[1]
        first.listening.listen()
        with pytest.raises(ServingError, match=f"cannot listen on 127.0.0.1, port {port}"):
            served_workbench(session, port)
        first.listening.close()
    assert not session.files.folder.exists()


def test_without_the_extra_one_sentence_says_what_to_install() -> None:
    program = (
        "import sys; sys.modules['uvicorn'] = None\n"
        "import importlib.util as util; found = util.find_spec\n"
        "util.find_spec = lambda name, *rest: None if name == 'uvicorn' else found(name, *rest)\n"
        "from betterthan.cli.main import main; main(['open', '--no-browser'])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr == (
        "betterthan: the workbench needs uvicorn, which is not installed. Run: pip install 'betterthan[web]'\n"
    )
