"""The tool that plants defects, on a package of a few lines: what is noticed, what is not, and what is refused."""

from pathlib import Path

import pytest

from tests.scripts import load_script

ROOT = Path(__file__).parent.parent
SOURCE = """LIMIT = 3


def clipped(value):
    if value > LIMIT:
        return LIMIT
    return value


def untested(value):
    return value + 1


def doubled(value):
    return 2 * value
"""
TESTS = """from toy.clip import clipped, doubled


def test_clipped():
    assert [clipped(2), clipped(9)] == [2, 3]


def test_doubled():
    assert doubled(2) > 3


def test_wrong_anyway():
    assert doubled(1) == 3
"""
DEFECT = '[[defect]]\nfile = "clip.py"\nold = "{}"\nnew = "{}"\nbreaks = "{}"\n'


mutants = load_script("tools/mutants.py", "mutants_tool")


@pytest.fixture
def project(tmp_path: Path) -> "mutants.Project":
    for name, text in {"src/toy/__init__.py": "", "src/toy/clip.py": SOURCE, "tests/test_clip.py": TESTS}.items():
        place = tmp_path / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8")
    return mutants.Project(tmp_path, "toy")


def _list(project: "mutants.Project", *defects: tuple[str, str, str]) -> Path:
    place = project.root / "defects.toml"
    place.write_text("".join(DEFECT.format(*each) for each in defects), encoding="utf-8")
    return place


def test_defects_are_told_by_what_tests_notice(
    project: "mutants.Project", capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Tests that fail anyway notice nothing; whoever runs no line of a defect does not meet it."""
    defects = _list(
        project, ("LIMIT = 3", "LIMIT = 4", "constant"), ("value > LIMIT", "value < LIMIT", "condition"),
        ("value + 1", "value - 1", "never run"), ("2 * value", "3 * value", "weak test"),
    )  # fmt: skip
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")  # other plugins take a second to start
    before = {path: path.read_bytes() for path in project.root.rglob("*.py")}
    arguments = ["--list", str(defects), "--quick", "tests", "--workers", "2", "--least", "2", "--least-quick", "2"]
    assert mutants.main(arguments, project) == 0
    out = capsys.readouterr().out
    assert "fails without any defect, and is left out: tests/test_clip.py::test_wrong_anyway" in out
    assert "constant: killed by tests/test_clip.py::test_clipped" in out
    assert "condition: killed by tests/test_clip.py::test_clipped" in out
    assert "never run: uncovered" in out
    assert "weak test: survived (2 tests" in out
    assert "2 of 4 defects were noticed, 2 of them by quick tests." in out
    assert {path: path.read_bytes() for path in project.root.rglob("*.py")} == before


def test_a_module_of_constants_has_those_who_take_it_from_its_folder(project: "mutants.Project") -> None:
    """Constants are run when they are imported, before any test: tests of what uses them must meet their defects."""
    users = {
        "by_folder.py": "from toy import kinds\n\n\ndef least():\n    return kinds.sizes.LEAST\n",
        "by_name.py": "from toy.kinds.sizes import LEAST\n",
        "of_another.py": "from toy import other\n\n\ndef least():\n    return other.kinds.sizes.LEAST + kinds.sizes_\n",
    }
    for name, text in {"kinds/__init__.py": "", "kinds/sizes.py": "LEAST = 2\n", **users}.items():
        place = project.package_folder / name
        place.parent.mkdir(exist_ok=True)
        place.write_text(text, encoding="utf-8")
    assert project.importers("kinds/sizes.py") == ["by_folder.py", "by_name.py"]


def test_constants_meet_the_tests_of_their_folder(
    project: "mutants.Project", capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """No test runs the line of a constant that was imported before."""
    for name, text in {
        "src/toy/kinds/__init__.py": "",
        "src/toy/kinds/sizes.py": "LEAST = 2\n",
        "tests/kinds/test_sizes.py": "from toy.kinds.sizes import LEAST\n\n\ndef test_least():\n    assert LEAST == 2\n",
    }.items():
        place = project.root / name
        place.parent.mkdir(exist_ok=True)
        place.write_text(text, encoding="utf-8")
    place = project.root / "defects.toml"
    place.write_text(DEFECT.replace("clip.py", "kinds/sizes.py").format("LEAST = 2", "LEAST = 3", "constant"))
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    arguments = ["--list", str(place), "--quick", "tests", "--workers", "1", "--least", "1", "--least-quick", "1"]
    assert mutants.main(arguments, project) == 0
    assert "constant: killed by tests/kinds/test_sizes.py::test_least" in capsys.readouterr().out


def test_a_list_that_is_out_of_date_is_refused(project: "mutants.Project", capsys: pytest.CaptureFixture[str]) -> None:
    defects = _list(
        project, ("LIMIT = 5", "LIMIT = 4", "gone"), ("return", "raise", "many"), ("2 * value", "2 * (value)", "same"),
        ("def doubled", "def", "syntax"),
    )  # fmt: skip
    assert mutants.main(["--list", str(defects)], project) == 2
    err = capsys.readouterr().err
    assert "defects.toml, defect 1 (gone): 'LIMIT = 5' occurs 0 times in clip.py, not once" in err
    assert "defects.toml, defect 2 (many): 'return' occurs 4 times in clip.py, not once" in err
    assert "defects.toml, defect 3 (same): it changes nothing but the layout" in err
    assert "defects.toml, defect 4 (syntax): with it, clip.py is no Python any more" in err
    assert not (project.root / ".mutants").exists()


def test_the_list_of_this_package_is_up_to_date() -> None:
    own = mutants.Project()
    assert len(mutants.read_defects(ROOT / "tools" / "mutants.toml", own.package_folder)) >= 100


def test_the_least_numbers_are_below_what_is_planted() -> None:
    assert mutants.LEAST_QUICK <= mutants.LEAST <= 100
