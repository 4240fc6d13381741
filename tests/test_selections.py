"""What the lists of slow and long tests name is there, and every folder has tests that are quick."""

from pathlib import Path

import pytest

TESTS = Path(__file__).parent
#: Folders whose tests all start another program.
OTHER_PROGRAMS = {"browser", "spark"}


def _lines(name: str) -> list[str]:
    lines = (TESTS / name).read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("#")]


@pytest.mark.parametrize("name", ["slow.txt", "long.txt"])
def test_every_line_names_a_test(name: str) -> None:
    for line in _lines(name):
        file, _, test = line.removeprefix("!").partition("::")
        assert (TESTS.parent / file).exists(), line
        function, bracket, _ = test.partition("[")
        text = (TESTS.parent / file).read_text(encoding="utf-8") if test else ""
        assert f"def {function}{'(' if bracket else ''}" in text or not test, line


def test_every_exception_is_one() -> None:
    slow = tuple(line for line in _lines("slow.txt") if not line.startswith("!"))
    assert [line for line in _lines("slow.txt") if line.startswith("!") and not line[1:].startswith(slow)] == []


def test_every_folder_has_quick_tests() -> None:
    lines = _lines("slow.txt")
    exceptions = [line.removeprefix("!") for line in lines if line.startswith("!")]
    whole = [line for line in lines if "::" not in line and not any(each.startswith(line) for each in exceptions)]
    quick = {
        path.parent
        for path in TESTS.rglob("test_*.py")
        if not path.relative_to(TESTS.parent).as_posix().startswith(tuple(whole))
    }
    folders = {path.parent for path in TESTS.rglob("test_*.py")}
    assert {path.relative_to(TESTS).as_posix() for path in folders - quick} <= OTHER_PROGRAMS
