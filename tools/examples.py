"""Run the examples of the documentation.

`python tools/examples.py` runs every ```console block and puts what the commands print below them; `--check` changes
nothing and fails when a block is out of date. `--run` runs every ```python block, each with names of its own. `--types`
checks them with mypy --strict. Names of pages limit it to those.

The blocks of a page run in order and share a folder in which examples/ is. In a console block, lines that begin with
`$ ` are commands. A comment above a block says what is unusual about it:

    <!-- not run: needs files of yours -->
    <!-- exit code 1 -->
"""

import argparse
import contextlib
import io
import os
import re
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from betterthan.cli.main import main as command_line

ROOT = Path(__file__).parent.parent
_BLOCK = re.compile(
    r"(?:^<!-- (?P<mark>not run: [^\n]+|exit code \d+) -->\n)?^```(?P<language>\w+)\n(?P<body>.*?)^```$", re.S | re.M
)
#: A line on standard error that tells how far a long computation is; whether there is one depends on the machine.
_PROGRESS = re.compile(r"^[^\n]*: \d+ % after \d+ s\n", re.M)


@dataclass(frozen=True)
class Block:
    """A fenced block of a page, with what the comment above it says."""

    page: Path
    line: int
    language: str
    body: str
    mark: str

    @property
    def runs(self) -> bool:
        """Whether it is executed."""
        return not self.mark.startswith("not run")

    @property
    def code(self) -> int:
        """The exit code that its last command must have."""
        return int(self.mark.split()[-1]) if self.mark.startswith("exit code") else 0

    def __str__(self) -> str:
        return f"{self.page.relative_to(ROOT)}:{self.line}"


class ExampleError(Exception):
    """An example does not work."""


def pages() -> list[Path]:
    """Return the pages with examples: all that people write."""
    docs = ROOT / "docs"
    written = [page for page in sorted(docs.rglob("*.md")) if docs / "reference" / "findings" not in page.parents]
    return [ROOT / "README.md", *written]


def blocks(page: Path, *languages: str) -> Iterator[Block]:
    """Return the blocks of a page in these languages."""
    text = page.read_text(encoding="utf-8")
    for found in _BLOCK.finditer(text):
        if found["language"] in languages:
            line = text.count("\n", 0, found.start("body"))
            yield Block(page, line, found["language"], found["body"], found["mark"] or "")


@contextlib.contextmanager
def clone() -> Iterator[Path]:
    """Work in a folder that looks like the repository, in which commands may write."""
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        Path("examples").symlink_to(ROOT / "examples")
        yield Path(folder)


def refreshed(page: Path) -> str:
    """Return the page with what its commands print now."""
    text = page.read_text(encoding="utf-8")
    with clone():
        for block in blocks(page, "console"):
            if block.runs:
                text = text.replace(f"```console\n{block.body}```", f"```console\n{_answered(block)}```")
    return text


def _answered(block: Block) -> str:
    commands = re.findall(r"^\$ ((?:.*\\\n)*.*)$", block.body, flags=re.M)
    shown = []
    for number, command in enumerate(commands, start=1):
        code, printed = _run(command.replace("\\\n", ""))
        if code != (block.code if number == len(commands) else 0):
            raise ExampleError(f"{block}: {command} ended with exit code {code}:\n{printed}")
        shown.append(f"$ {command}\n{printed}")
    return "".join(shown)


def _run(command: str) -> tuple[int, str]:
    """Run a command: betterthan in this process, because it starts a hundred times faster, others in a shell."""
    words = shlex.split(command)
    if words[0] != "betterthan":
        done = subprocess.run(
            command, shell=True, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False
        )
        return done.returncode, without_progress(done.stdout)
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
        try:
            command_line(words[1:])
        except SystemExit as leave:
            return int(leave.code or 0), without_progress(printed.getvalue())
    return 0, without_progress(printed.getvalue())


def without_progress(printed: str) -> str:
    """Return what a command printed without lines of progress, and without what a carriage return overwrites.

    >>> without_progress("resampling: 40 % after 12 s\\nworking …\\rdone\\n")
    'done\\n'
    """
    return _PROGRESS.sub("", re.sub(r"^[^\n]*\r(?!\n)", "", printed, flags=re.M))


def run_python(page: Path) -> None:
    """Run the Python blocks of a page in order; what they print is not looked at."""
    with clone(), contextlib.redirect_stdout(io.StringIO()):
        for block in blocks(page, "python"):
            if block.runs:
                try:
                    # The line numbers of an error are those of the page.
                    exec(compile("\n" * block.line + block.body, str(page), "exec"), {"__name__": "__main__"})
                except Exception as error:
                    raise ExampleError(f"{block}: {type(error).__name__}: {error}") from error


def wrong_types(checked: list[Path]) -> str:
    """Return what mypy --strict says of the Python blocks of pages, by page and line; nothing where all are right."""
    with tempfile.TemporaryDirectory() as folder:
        places: dict[str, Block] = {}
        for block in (block for page in checked for block in blocks(page, "python")):
            name = f"{block.page.stem.replace('-', '_').lower()}_{len(places)}"
            places[name] = block
            (Path(folder) / f"{name}.py").write_text(block.body, encoding="utf-8")
        command = [
            sys.executable,
            "-m",
            "mypy",
            "--strict",
            "--no-error-summary",
            "--config-file",
            "pyproject.toml",
            "--allow-redefinition",
            *sorted(str(path) for path in Path(folder).iterdir()),
        ]
        said = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
        lines = (said.stdout + said.stderr).splitlines()
    return "\n".join(_in_page(line, places) for line in lines)


def _in_page(line: str, places: dict[str, Block]) -> str:
    found = re.match(r".*?(\w+)\.py:(\d+): (.*)", line)
    if found is None or found[1] not in places:
        return line
    block = places[found[1]]
    return f"{block.page.relative_to(ROOT)}:{block.line + int(found[2])}: {found[3]}"


def main() -> int:
    """Run or check; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--run", action="store_true")
    parser.add_argument("--types", action="store_true")
    parser.add_argument("pages", nargs="*", type=Path)
    given = parser.parse_args()
    chosen = [path.resolve() for path in given.pages] or pages()
    if given.types:
        said = wrong_types(chosen)
        print(said or f"examples: the Python blocks of {len(chosen)} pages keep their types")
        return 1 if said else 0
    if given.run:
        for page in chosen:
            run_python(page)
        return 0
    stale = []
    for page in chosen:
        now = refreshed(page)
        if now != page.read_text(encoding="utf-8"):
            stale.append(page.relative_to(ROOT))
            if not given.check:
                page.write_text(now, encoding="utf-8")
    for each in stale:
        print(f"{each} {'is out of date; run: make docs' if given.check else 'was refreshed'}")
    return 1 if stale and given.check else 0


if __name__ == "__main__":
    os.environ.pop("COLUMNS", None)
    sys.exit(main())
