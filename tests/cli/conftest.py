"""How the command line is called in tests."""

from collections.abc import Callable
from typing import NamedTuple

import pytest

from betterthan.cli.main import main


class Answer(NamedTuple):
    """What a call printed and how it ended."""

    code: int
    out: str
    err: str


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Callable[..., Answer]:
    """Return a function that runs `betterthan` with arguments."""

    def call(*arguments: object) -> Answer:
        with pytest.raises(SystemExit) as leave:
            main([str(argument) for argument in arguments])
        captured = capsys.readouterr()
        return Answer(int(leave.value.code or 0), captured.out, captured.err)

    return call
