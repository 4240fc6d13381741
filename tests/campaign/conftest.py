"""A real PostgreSQL server, never run as root, for whoever asks for a database."""

import os
import pwd
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import mkdtemp

import pytest

from tests.cli.conftest import run

__all__ = ["run"]  # the command line, for campaigns in files and databases


def _server() -> Path | None:
    found = [*Path("/usr/lib/postgresql").glob("*/bin/initdb")]
    named = shutil.which("initdb")
    return found[-1].parent if found else Path(named).resolve().parent if named else None


class Server:
    """A server in a folder of its own, reached by a socket there."""

    def __init__(self, programs: Path, folder: str) -> None:
        self.programs, self.folder = programs, folder
        self.address = f"postgresql://judge@/{{name}}?host={folder}"
        if os.getuid() == 0:
            os.chmod(folder, 0o755)
            owner = pwd.getpwnam("postgres")
            os.chown(folder, owner.pw_uid, owner.pw_gid)
        self._run("initdb", "-D", f"{folder}/data", "-A", "trust", "-U", "judge", "--no-sync")

    def start(self) -> None:
        sockets = f"-c unix_socket_directories={self.folder} -c listen_addresses="
        self._run("pg_ctl", "-D", f"{self.folder}/data", "-o", sockets, "-l", f"{self.folder}/log", "-w", "start")

    def stop(self) -> None:
        self._run("pg_ctl", "-D", f"{self.folder}/data", "-m", "immediate", "-w", "stop")

    @contextmanager
    def stopped(self) -> Iterator[None]:
        self.stop()
        try:
            yield
        finally:
            self.start()

    def database(self) -> str:
        """Make an empty database, and return its address."""
        import psycopg

        name = f"c{os.getpid()}_{os.urandom(6).hex()}"
        with psycopg.connect(self.address.format(name="postgres"), autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}")
        return self.address.format(name=name)

    def _run(self, program: str, *arguments: str) -> None:
        told = [str(self.programs / program), *arguments]
        told = ["runuser", "-u", "postgres", "--", *told] if os.getuid() == 0 else told
        subprocess.run(told, check=True, capture_output=True, cwd=self.folder)


@contextmanager
def _running_server() -> Iterator[Server]:
    programs = _server()
    if programs is None:
        pytest.fail("PostgreSQL is not installed. Install it: sh tools/need.sh postgresql", pytrace=False)
    folder = mkdtemp(prefix="bt-pg-")
    with _ended_with_us(programs, folder):
        server = Server(programs, folder)
        server.start()
        yield server


@contextmanager
def _ended_with_us(programs: Path, folder: str) -> Iterator[None]:
    """Stop a server and remove its folder when this process closes the pipe, or ends in any way, killed included."""
    own = "runuser -u postgres -- " if os.getuid() == 0 else ""
    code = f'read _; cd /; {own}"$0" -D "$1/data" -m immediate -w stop; rm -rf "$1"'
    told = ["sh", "-c", code, str(programs / "pg_ctl"), folder]
    with subprocess.Popen(
        told, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
    ):
        yield


@pytest.fixture(scope="session")
def postgres() -> Iterator[Server]:
    """A server that nobody stops."""
    with _running_server() as server:
        yield server


@pytest.fixture
def own_postgres() -> Iterator[Server]:
    """A server that the test may stop."""
    with _running_server() as server:
        yield server


@pytest.fixture
def new_database(postgres: Server) -> Callable[[], str]:
    """Make an empty database, and return its address."""
    return postgres.database


@pytest.fixture(params=["sqlite", "postgres"])
def new_place(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[], str]:
    """Make a place for a campaign: a path, or an empty database."""
    if request.param == "postgres":
        make: Callable[[], str] = request.getfixturevalue("new_database")
        return make
    number = iter(range(10_000))
    return lambda: str(tmp_path / f"{next(number)}.campaign")
