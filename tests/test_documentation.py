"""Documentation runs: console blocks print what they show, Python blocks, notebooks and examples work, docstrings are right."""

import doctest
import importlib
import os
import pkgutil
import re
import subprocess
import sys
from pathlib import Path

import pytest

import betterthan
from betterthan.base import spelling
from betterthan.cli.shared import result_output
from betterthan.findings.registry import all_kinds
from tests.scripts import load_script

ROOT = Path(__file__).parent.parent
MODULES = [module.name for module in pkgutil.walk_packages(betterthan.__path__, "betterthan.")]


EXAMPLES = load_script("tools/examples.py", "examples_tool")
PAGES = EXAMPLES.pages()


def _with(language: str) -> list[Path]:
    return [page for page in PAGES if any(block.runs for block in EXAMPLES.blocks(page, language))]


def _name(page: Path) -> str:
    return str(page.relative_to(ROOT))


@pytest.mark.parametrize("page", _with("console"), ids=_name)
def test_console_blocks_print_what_they_show(page: Path) -> None:
    assert EXAMPLES.refreshed(page).splitlines() == page.read_text("utf-8").splitlines(), "run: make docs"


def _run(arguments: list[str], folder: Path) -> str:
    """Run Python in a process of its own: examples register models and change what can be imported."""
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    return done.stdout


# What developers write registers a model of the same name as a guide does.
@pytest.mark.parametrize("developers", [False, True], ids=["users", "developers"])
def test_python_blocks_run(developers: bool) -> None:
    pages = [str(page) for page in _with("python") if ("contributing" in page.parts) == developers]
    _run(["tools/examples.py", "--run", *pages], ROOT)


def test_a_block_that_is_not_run_says_why_and_is_rare() -> None:
    left_out = [block for page in PAGES for block in EXAMPLES.blocks(page, "console", "python") if not block.runs]
    assert all(len(block.mark.split()) > 4 for block in left_out)
    assert len(left_out) <= 12


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("```console\n$ echo one\nold\n$ echo two\n```\n", "```console\n$ echo one\none\n$ echo two\ntwo\n```\n"),
        ("<!-- exit code 3 -->\n```console\n$ exit 3\n```\n", None),
        ("<!-- not run: for this test -->\n```console\n$ false\n```\n", None),
        ("```sh\n$ false\n```\n", None),
    ],
)
def test_a_page_gets_what_its_commands_print(tmp_path: Path, before: str, after: str | None) -> None:
    page = tmp_path / "page.md"
    page.write_text(before, "utf-8")
    assert EXAMPLES.refreshed(page) == (before if after is None else after)


@pytest.mark.parametrize("block", ["```console\n$ false\n```\n", "<!-- exit code 3 -->\n```console\n$ exit 2\n```\n"])
def test_a_command_that_fails_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, block: str) -> None:
    monkeypatch.setattr(EXAMPLES, "ROOT", tmp_path)
    (tmp_path / "examples").mkdir()
    page = tmp_path / "page.md"
    page.write_text(block, "utf-8")
    with pytest.raises(EXAMPLES.ExampleError, match=r"page\.md:\d: .* ended with exit code"):
        EXAMPLES.refreshed(page)


def test_progress_never_reaches_a_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = tmp_path / "page.md"
    page.write_text("```console\n$ betterthan rank examples/votes.csv --resamples 40 -o board.json\n```\n", "utf-8")
    quiet = EXAMPLES.refreshed(page)
    monkeypatch.setattr(result_output, "_BETWEEN_LINES", 0.0)
    with monkeypatch.context() as patched:
        patched.setattr(EXAMPLES, "without_progress", lambda printed: printed)
        assert " % after " in EXAMPLES.refreshed(page)  # there is something to leave out
    assert EXAMPLES.refreshed(page) == quiet


def test_what_a_carriage_return_overwrites_reaches_no_page() -> None:
    assert EXAMPLES.without_progress("10 %\r20 %\rdone\nnext: 5 % after 11 s\nlast\n") == "done\nlast\n"


def test_notebooks_show_what_they_compute() -> None:
    _run(["tools/notebooks.py", "--check"], ROOT)


def test_every_finding_has_a_page_that_says_what_explain_says() -> None:
    folder = ROOT / "docs" / "reference" / "findings"
    with spelling.spell_for("command line"):
        for code, kind in all_kinds().items():
            page = " ".join((folder / f"{code}.md").read_text("utf-8").replace("*", "").split())
            for told in str(kind).splitlines()[2:]:
                assert " ".join(told.partition(": ")[2].replace("*", "").split()) in page, code


@pytest.mark.parametrize("example", sorted((ROOT / "examples").glob("*.py")), ids=lambda path: path.name)
def test_examples_run(example: Path, tmp_path: Path) -> None:
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    assert _run([str(example)], tmp_path)


@pytest.mark.parametrize("module", MODULES)
def test_docstrings_are_right(module: str) -> None:
    loaded = importlib.import_module(module)
    names = {name: getattr(betterthan, name) for name in betterthan.__all__} | {"np": importlib.import_module("numpy")}
    failed, _ = doctest.testmod(loaded, extraglobs=names)
    assert failed == 0


def test_what_ci_runs_is_what_the_readme_says() -> None:
    commands = re.findall(r"^make \w+", (ROOT / "README.md").read_text("utf-8"), flags=re.M)
    assert commands == ["make demo", "make test"]
    ran = (ROOT / ".ci" / "run").read_text("utf-8").splitlines()
    assert set(commands) <= set(ran)
