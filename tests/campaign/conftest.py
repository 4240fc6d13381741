"""A real PostgreSQL server, never run as root, for whoever asks for a database."""

import os
import pwd
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest


def _server() -> Path | None:
    found = [*Path("/usr/lib/postgresql").glob("*/bin/initdb")]
    named = shutil.which("initdb")
    return found[-1].parent if found else Path(named).resolve().parent if named else None


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """The address of a server, without a database."""
    programs = _server()
    if programs is None:
        if os.environ.get("CI"):
            pytest.fail("PostgreSQL must be there in CI: tools/need.sh postgresql installs it")
        pytest.skip("PostgreSQL is not installed")
    root = os.getuid() == 0
    with TemporaryDirectory(prefix="bt-pg-") as folder:
        if root:
            os.chmod(folder, 0o755)
            owner = pwd.getpwnam("postgres")
            os.chown(folder, owner.pw_uid, owner.pw_gid)

        def run(*command: str) -> None:
            told = ["runuser", "-u", "postgres", "--", *command] if root else [*command]
            subprocess.run(told, check=True, capture_output=True, cwd=folder)

        run(str(programs / "initdb"), "-D", f"{folder}/data", "-A", "trust", "-U", "judge", "--no-sync")
        sockets = f"-c unix_socket_directories={folder} -c listen_addresses="
        run(str(programs / "pg_ctl"), "-D", f"{folder}/data", "-o", sockets, "-l", f"{folder}/log", "-w", "start")
        try:
            yield f"postgresql://judge@/{{name}}?host={folder}"
        finally:
            run(str(programs / "pg_ctl"), "-D", f"{folder}/data", "-m", "immediate", "stop")


@pytest.fixture
def new_database(postgres: str) -> Callable[[], str]:
    """Make an empty database, and return its address."""
    import psycopg

    number = iter(range(10_000))

    def make() -> str:
        name = f"c{os.getpid()}_{next(number)}_{os.urandom(4).hex()}"
        with psycopg.connect(postgres.format(name="postgres"), autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}")
        return postgres.format(name=name)

    return make


@pytest.fixture(params=["sqlite", "postgres"])
def new_place(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[], str]:
    """Make a place for a campaign: a path, or an empty database."""
    if request.param == "postgres":
        make: Callable[[], str] = request.getfixturevalue("new_database")
        return make
    number = iter(range(10_000))
    return lambda: str(tmp_path / f"{next(number)}.campaign")
