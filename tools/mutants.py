"""Plant defects in a copy of the package, one at a time, and see whether a test notices.

`python tools/mutants.py` takes the defects of `tools/mutants.toml`. First it runs the quick tests with coverage and
keeps in `.mutants/` which test runs which lines. Each defect then meets only tests that run its line, until one fails.
Every worker has a copy of the package, so the work tree is never changed, whatever ends the program.

A defect is a file, a text that occurs in it exactly once, another text in its place, and what that breaks. A text that
does not occur once is refused: whoever changes such a line writes its defect anew. The program returns 1 when too few
defects are noticed, and 2 when the list or the tests need repair.
"""

import argparse
import ast
import hashlib
import json
import os
import re
import shlex
import shutil
import sqlite3
import subprocess
import sys
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import zip_longest
from pathlib import Path
from queue import SimpleQueue
from time import monotonic

from coverage.numbits import numbits_to_nums

ROOT = Path(__file__).parent.parent
QUICK = '-m "not slow and not spark" --ignore tests/browser'
SLOW = '-m "slow and not spark" --ignore tests/browser --ignore tests/spark'
#: So many defects must be noticed, and so many of them by quick tests.
LEAST, LEAST_QUICK = 85, 60
#: Tests that a defect meets at most, how many of them because they are near, and the seconds they take without it.
MOST_TESTS, NEAREST, MOST_SECONDS = 150, 40, 60.0
_TABLES = """
CREATE TABLE IF NOT EXISTS facts (name TEXT PRIMARY KEY, value TEXT);
CREATE TABLE IF NOT EXISTS files (file TEXT, quick INTEGER, digest TEXT, PRIMARY KEY (file, quick));
CREATE TABLE IF NOT EXISTS tests (test TEXT PRIMARY KEY, file TEXT, quick INTEGER, seconds REAL, outcome TEXT);
CREATE TABLE IF NOT EXISTS lines (source TEXT, test TEXT, numbits BLOB);
CREATE INDEX IF NOT EXISTS lines_of_source ON lines (source);
"""


class RefusedError(Exception):
    """The list of defects, or the tests, must be repaired first."""


@dataclass(frozen=True)
class Project:
    """Where the package and its tests are."""

    root: Path = ROOT
    package: str = "betterthan"
    source: str = "src"
    tests: str = "tests"

    @property
    def package_folder(self) -> Path:
        """The package itself."""
        return self.root / self.source / self.package

    def importers(self, file: str) -> list[str]:
        """Return the files that import a module, or take it from its folder, such as `kinds.judges` in `kinds/`."""
        *folders, name = (re.escape(part) for part in (self.package, *Path(file).with_suffix("").parts))
        folder = r"\.".join(folders)
        pattern = re.compile(
            rf"^\s*(?:from {folder}\.{name} import|import {folder}\.{name}\b|from {folder} import .*\b{name}\b)"
            rf"|(?<![\w.]){folders[-1]}\.{name}\.",
            re.MULTILINE,
        )
        every = sorted(self.package_folder.rglob("*.py"))
        found = [path for path in every if pattern.search(path.read_text(encoding="utf-8"))]
        return [path.relative_to(self.package_folder).as_posix() for path in found]

    @property
    def store(self) -> Path:
        """Everything that this program writes."""
        return self.root / ".mutants"

    @cached_property
    def source_digest(self) -> str:
        """What the lines of a map belong to."""
        return _digest(sorted(self.package_folder.rglob("*.py")))

    @cached_property
    def test_digests(self) -> dict[str, str]:
        """Return the digest of every file of tests, by its path; all depend on the helpers beside them."""
        every = sorted((self.root / self.tests).rglob("*.py"))
        helpers = _digest(path for path in every if not path.name.startswith("test_"))
        named = {str(path.relative_to(self.root)): path for path in every if path.name.startswith("test_")}
        return {name: f"{helpers}-{_digest([path])}" for name, path in named.items()}


def _digest(paths: Iterable[Path]) -> str:
    made = hashlib.sha256()
    for path in paths:
        made.update(str(path.name).encode() + b"\0" + path.read_bytes() + b"\0")
    return made.hexdigest()[:16]


@dataclass(frozen=True)
class Defect:
    """One defect: in `file` (within the package) the text `old` becomes `new`, which `breaks` something."""

    number: int
    file: str
    old: str
    new: str
    breaks: str

    def planted(self, text: str) -> str:
        """Return a file's text with the defect."""
        return text.replace(self.old, self.new)

    def lines(self, text: str) -> range:
        """Return the numbers of the lines that change, from 1 on."""
        start = text.index(self.old)
        first = text.count("\n", 0, start) + 1
        return range(first, first + self.old.strip("\n").count("\n") + 1)


def read_defects(path: Path, package: Path) -> list[Defect]:
    """Read the list, refusing every defect that cannot be planted."""
    entries = tomllib.loads(path.read_text(encoding="utf-8")).get("defect", [])
    defects = [Defect(number, **entry) for number, entry in enumerate(entries, 1)]
    problems = [f"{path.name}, defect {each.number} ({each.breaks}): {why}" for each in defects
                if (why := _problem(each, package))]  # fmt: skip
    known = Counter((each.file, each.old, each.new) for each in defects)
    problems += [
        f"{path.name}: the same defect twice in {file}: {old!r}" for (file, old, _), n in known.items() if n > 1
    ]
    if problems:
        raise RefusedError("\n".join([*problems, "Write these defects anew, for the code as it is now."]))
    return defects


def _problem(defect: Defect, package: Path) -> str | None:
    place = package / defect.file
    if not place.is_file():
        return f"there is no file {defect.file}"
    text = place.read_text(encoding="utf-8")
    number = text.count(defect.old)
    if number != 1:
        return f"{defect.old!r} occurs {number} times in {defect.file}, not once"
    try:
        after = ast.parse(defect.planted(text))
    except SyntaxError as error:
        return f"with it, {defect.file} is no Python any more: {error.msg}, line {error.lineno}"
    letters = [re.sub(r"[\s(),]", "", each) for each in (defect.old, defect.new)]  # a dump takes a while
    same = letters[0] == letters[1] and ast.dump(ast.parse(text)) == ast.dump(after)
    return "it changes nothing but the layout" if same else None


def environment(project: Project, source: Path, record: Path, **more: str) -> dict[str, str]:
    """Return what a run of pytest needs to import the package from `source`, and to write nothing elsewhere."""
    paths = [str(source), str(Path(__file__).parent)]
    return {
        **os.environ, "PYTHONPATH": os.pathsep.join(paths), "MUTANTS_SOURCE": str(source),
        "MUTANTS_PACKAGE": project.package, "MUTANTS_RECORD": str(record),
        "HYPOTHESIS_STORAGE_DIRECTORY": str(project.store / "hypothesis"), **more,
    }  # fmt: skip


_PYTEST = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "mutants_plugin"]


class Map:
    """Which test runs which lines, how long it takes, and whether it passes: kept from one run to the next."""

    def __init__(self, project: Project) -> None:
        self.project = project
        project.store.mkdir(exist_ok=True)
        (project.store / ".gitignore").write_text("*\n", encoding="utf-8")
        self._tables = sqlite3.connect(project.store / "map.sqlite", check_same_thread=False)
        self._tables.executescript(_TABLES)

    def close(self) -> None:
        """Close the file."""
        self._tables.close()

    def collect(self, selection: str, *, quick: bool, workers: int) -> None:
        """Run the selected tests whose files, or whose package, changed since they were run last."""
        self._forget_other_sources()
        known = dict(self._tables.execute("SELECT file, digest FROM files WHERE quick = ?", (quick,)))
        wanted = self.project.test_digests
        stale = [file for file, digest in wanted.items() if known.get(file) != digest]
        self._forget([file for file in known if file not in wanted] + stale, quick=quick)
        if not stale:
            return
        print(f"Running the {'quick' if quick else 'slow'} tests of {len(stale)} files with coverage …", flush=True)
        folder = self.project.store / "coverage"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        record = folder / "outcomes.json"
        many = ["-n", str(workers)] if workers > 1 and len(stale) > 3 else []
        done = subprocess.run(
            [*_PYTEST, *many, *shlex.split(selection), *([] if len(stale) == len(wanted) else stale)],
            cwd=self.project.root, check=False, capture_output=True, text=True,
            env=environment(self.project, self.project.root / self.project.source, record,
                            MUTANTS_COVERAGE=str(folder / "data")),
        )  # fmt: skip
        if done.returncode not in {0, 1, 5}:
            raise RefusedError(f"the tests cannot be run:\n{(done.stdout + done.stderr)[-3000:]}")
        self._store(json.loads(record.read_text(encoding="utf-8")), sorted(folder.glob("data*")), quick=quick)
        with self._tables:
            self._tables.executemany(
                "INSERT OR REPLACE INTO files VALUES (?, ?, ?)", [(file, quick, wanted[file]) for file in stale]
            )
        shutil.rmtree(folder)

    def _forget_other_sources(self) -> None:
        """Lines of another state of the package are others."""
        now = self.project.source_digest
        with self._tables:
            if self._tables.execute("SELECT value FROM facts WHERE name = 'source'").fetchone() != (now,):
                for table in ("files", "tests", "lines", "facts"):
                    self._tables.execute(f"DELETE FROM {table}")
                self._tables.execute("INSERT INTO facts VALUES ('source', ?)", (now,))

    def _forget(self, files: Iterable[str], *, quick: bool) -> None:
        with self._tables:
            for file in files:
                key = (file, quick)
                of_file = "SELECT test FROM tests WHERE file = ? AND quick = ?"
                self._tables.execute(f"DELETE FROM lines WHERE test IN ({of_file})", key)
                self._tables.execute("DELETE FROM tests WHERE file = ? AND quick = ?", key)
                self._tables.execute("DELETE FROM files WHERE file = ? AND quick = ?", key)

    def _store(self, outcomes: dict[str, dict[str, object]], measured: Sequence[Path], *, quick: bool) -> None:
        rows = [
            (test, test.partition("::")[0], quick, each["seconds"], each["outcome"]) for test, each in outcomes.items()
        ]
        with self._tables:
            self._tables.executemany("INSERT OR REPLACE INTO tests VALUES (?, ?, ?, ?, ?)", rows)
        base = f"{self.project.package_folder.resolve()}{os.sep}"
        for path in measured:
            with closing(sqlite3.connect(path)) as found, self._tables:
                self._tables.executemany(
                    "INSERT INTO lines VALUES (?, ?, ?)",
                    (
                        (str(Path(file).resolve()).removeprefix(base), test, bits)
                        for file, test, bits in found.execute(
                            "SELECT path, context, numbits FROM line_bits JOIN file ON file.id = file_id "
                            "JOIN context ON context.id = context_id WHERE context != ''"
                        )
                    ),
                )

    def failing(self) -> list[str]:
        """Return tests that fail without any defect."""
        return [
            test for (test,) in self._tables.execute("SELECT test FROM tests WHERE outcome = 'failed' ORDER BY test")
        ]

    def tests_of(self, file: str, lines: range | None, *, quick: bool) -> list[tuple[str, float]]:
        """Return tests that run some of the lines of a file, and their seconds: those that run little else first.

        Without lines, all tests that run something of the file count, those that run most of it first.
        """
        found: dict[str, tuple[float, float]] = {}
        breadth = self._breadth
        for test, bits, seconds in self._tables.execute(
            "SELECT lines.test, numbits, seconds FROM lines JOIN tests ON lines.test = tests.test "
            "WHERE source = ? AND quick = ? AND outcome = 'passed'",
            (file, quick),
        ):
            run = set(numbits_to_nums(bits))
            if lines is None or not run.isdisjoint(lines):
                # What a test costs against how much of what it runs is this file.
                found[test] = (seconds + 0.05) * breadth[test] / len(run), seconds
        return [(test, found[test][1]) for test in sorted(found, key=lambda test: (found[test][0], test))]

    @cached_property
    def _breadth(self) -> dict[str, int]:
        """How many bytes the lines take that a test runs: about how much of the package that is."""
        return dict(self._tables.execute("SELECT test, sum(length(numbits)) FROM lines GROUP BY test"))

    def neighbours(self, tests: Iterable[str], *, quick: bool) -> list[tuple[str, float]]:
        """Return the other tests of the same files: any may look at what a fixture or a cache computed once."""
        files = list(dict.fromkeys(test.partition("::")[0] for test in tests))
        return [row for file in files[:5] for row in self._tests_in(file, quick=quick)]

    def beside(self, file: str, *, quick: bool) -> list[tuple[str, float]]:
        """Return the tests in the folder that mirrors a module's, or in the nearest one above it."""
        folders = [folder.as_posix() for folder in Path(file).parents][:-1]
        every = (self._tests_in(f"{self.project.tests}/{folder}/*", quick=quick) for folder in folders)
        return next((found for found in every if found), [])

    def _tests_in(self, files: str, *, quick: bool) -> list[tuple[str, float]]:
        """Return the tests of files, the fastest first."""
        return self._tables.execute(
            "SELECT test, seconds FROM tests WHERE file GLOB ? AND quick = ? AND outcome = 'passed' ORDER BY seconds",
            (files, quick),
        ).fetchall()


def inside_functions(text: str, lines: range) -> bool:
    """Say whether some of the lines are run when a function is, not when its module is imported."""
    return any(
        isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda))
        and (body := node.body if isinstance(node.body, list) else [node.body])
        and body[0].lineno <= lines[-1]
        and lines[0] <= (body[-1].end_lineno or body[-1].lineno)
        for node in ast.walk(ast.parse(text))
    )


def chosen(known: Map, defect: Defect, text: str, *, quick: bool) -> list[str]:
    """Choose the tests that a defect meets."""
    lines = defect.lines(text)
    inside = inside_functions(text, lines)
    found = known.tests_of(defect.file, lines if inside else None, quick=quick)
    if not inside and len(found) < NEAREST:  # constants are set before any test, and used by whoever imports them
        users = known.project.importers(defect.file)
        found += known.beside(defect.file, quick=quick)
        found += [each for file in users for each in known.tests_of(file, None, quick=quick)]
    # The nearest ones first, then one test after the other of every file: tests of one file are often alike.
    by_file: dict[str, list[tuple[str, float]]] = {}
    for test, seconds in found[NEAREST:]:
        by_file.setdefault(test.partition("::")[0], []).append((test, seconds))
    spread = [each for row in zip_longest(*by_file.values()) for each in row if each is not None]
    beside = known.neighbours((test for test, _ in found[:NEAREST]), quick=quick)
    taken: dict[str, float] = {}
    for test, seconds in [*found[:NEAREST], *spread, *beside]:
        if test not in taken and len(taken) < MOST_TESTS and sum(taken.values(), seconds) <= MOST_SECONDS:
            taken[test] = seconds
    return list(taken)


@dataclass(frozen=True)
class Verdict:
    """What became of a defect: `killed` by a test, `hung`, `survived`, `uncovered` by any test, or `broken` at once."""

    defect: Defect
    outcome: str
    by: str = ""
    quick: bool = True
    tests: int = 0
    seconds: float = 0.0

    @property
    def noticed(self) -> bool:
        """Was it?"""
        return self.outcome in {"killed", "hung"}


class Worker:
    """A copy of the package in which one defect at a time is planted."""

    def __init__(self, project: Project, number: int) -> None:
        self.project = project
        self.folder = project.store / f"copy-{number}"
        shutil.rmtree(self.folder, ignore_errors=True)
        ignore = shutil.ignore_patterns("__pycache__")
        shutil.copytree(project.package_folder, self.folder / project.package, ignore=ignore)

    def try_out(self, defect: Defect, known: Map, *, slow: bool) -> Verdict:
        """Plant a defect, run tests until one fails, and take it out again."""
        began = monotonic()
        text = (self.project.root / self.project.source / self.project.package / defect.file).read_text(
            encoding="utf-8"
        )
        place = self.folder / self.project.package / defect.file
        verdict = Verdict(defect, "uncovered")
        try:
            _write(place, defect.planted(text))
            for quick in (True, False) if slow else (True,):
                tests = chosen(known, defect, text, quick=quick)
                if tests and not verdict.noticed:
                    verdict = self._run(defect, tests, quick=quick)
        finally:
            _write(place, text)
        return replace(verdict, seconds=monotonic() - began)

    def _run(self, defect: Defect, tests: list[str], *, quick: bool) -> Verdict:
        record, names = self.folder / "outcomes.json", self.folder / "tests.txt"
        record.unlink(missing_ok=True)
        names.write_text("\n".join(tests), encoding="utf-8")
        try:
            done = subprocess.run(
                [*_PYTEST, "-x", f"@{names}"],
                cwd=self.project.root,
                env=environment(self.project, self.folder, record),
                timeout=60 + 6 * MOST_SECONDS,
                check=False,
                capture_output=True,
                text=True,
            )
        except subprocess.TimeoutExpired:
            return Verdict(defect, "hung", quick=quick, tests=len(tests))
        outcomes = json.loads(record.read_text(encoding="utf-8")) if record.is_file() else {}
        failed = [test for test, each in outcomes.items() if each["outcome"] == "failed"]
        if done.returncode == 1 and failed:
            return Verdict(defect, "killed", failed[0], quick, len(outcomes))
        if done.returncode == 0:
            return Verdict(defect, "survived", quick=quick, tests=len(outcomes))
        if done.returncode == 4:
            raise RefusedError(f"tests cannot be found: {done.stdout[-1000:]}{done.stderr[-1000:]}")
        return Verdict(defect, "broken", (done.stdout + done.stderr).strip().rpartition("\n")[2], quick, len(outcomes))


def _write(place: Path, text: str) -> None:
    """Write a module and remove what was compiled: of the same second and length, it would be taken for the new one."""
    place.write_text(text, encoding="utf-8")
    for compiled in place.parent.glob(f"__pycache__/{place.stem}.*.pyc"):
        compiled.unlink()


def try_all(
    project: Project, defects: Sequence[Defect], known: Map, *, workers: int, slow: bool = False
) -> Iterator[Verdict]:
    """Try every defect, several side by side, and yield what became of each in order."""
    free: SimpleQueue[Worker] = SimpleQueue()
    for number in range(workers):
        free.put(Worker(project, number))

    def work(defect: Defect) -> Verdict:
        worker = free.get()
        try:
            return worker.try_out(defect, known, slow=slow)
        finally:
            free.put(worker)

    with ThreadPoolExecutor(workers) as pool:
        yield from pool.map(work, defects)
    for number in range(workers):
        shutil.rmtree(project.store / f"copy-{number}", ignore_errors=True)


def summary(verdicts: Sequence[Verdict]) -> list[str]:
    """Return a table by package, and who survived."""
    kinds = {
        "quick tests": lambda each: each.noticed and each.quick,
        "other tests": lambda each: each.noticed and not each.quick,
        "not noticed": lambda each: not each.noticed,
    }
    folders = list(dict.fromkeys(_folder(each.defect) for each in sorted(verdicts, key=lambda each: each.defect.file)))
    lines = ["", f"{'package':<20}" + "".join(f"{name:>14}" for name in ("defects", *kinds))]
    for folder in [*folders, "all"]:
        own = [each for each in verdicts if folder in {"all", _folder(each.defect)}]
        counts = [len(own), *(sum(map(test, own)) for test in kinds.values())]
        lines.append(f"{folder:<20}" + "".join(f"{number:>14}" for number in counts))
    missed = [each for each in verdicts if not each.noticed]
    return [*lines, *([""] if missed else []), *(
        f"{each.outcome}: {each.defect.file}: {each.defect.old!r} → {each.defect.new!r} ({each.defect.breaks})"
        f"{f'; {each.by}' if each.by else ''}"
        for each in missed
    )]  # fmt: skip


def _folder(defect: Defect) -> str:
    parts = Path(defect.file).parts
    return "/".join(parts[: 2 if parts[0] in {"verbs", "web"} else 1])


def main(arguments: Sequence[str] | None = None, project: Project | None = None) -> int:
    """Read the list, run tests with coverage where that is needed, try every defect, and say what became of them."""
    project = project or Project()
    parser = argparse.ArgumentParser(
        description="Plant defects in a copy of the package, and see whether a test notices."
    )
    parser.add_argument("--list", type=Path, default=project.root / "tools" / "mutants.toml", help="the defects")
    parser.add_argument("--quick", default=QUICK, help="how pytest selects the quick tests")
    parser.add_argument("--all", action="store_true", help="let slow tests look at what quick ones did not notice")
    parser.add_argument("--only", metavar="TEXT", help="only defects whose file or description has this in it")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--least", type=int, default=LEAST, help="so many defects must be noticed")
    parser.add_argument("--least-quick", type=int, default=LEAST_QUICK, help="so many of them by quick tests")
    chosen_options = parser.parse_args(arguments)
    try:
        return _tried(project, chosen_options)
    except RefusedError as error:
        print(error, file=sys.stderr)
        return 2


def _tried(project: Project, options: argparse.Namespace) -> int:
    defects = read_defects(options.list, project.package_folder)
    some = [each for each in defects if options.only is None or options.only in f"{each.file} {each.breaks}"]
    with closing(Map(project)) as known:
        known.collect(options.quick, quick=True, workers=options.workers)
        if options.all:
            known.collect(SLOW, quick=False, workers=options.workers)
        for test in known.failing():
            print(f"fails without any defect, and is left out: {test}")
        verdicts = []
        for each in try_all(project, some, known, workers=options.workers, slow=options.all):
            verdicts.append(each)
            by = f" by {each.by}" if each.noticed and each.by else ""
            where = f"{each.defect.number:>3} {each.defect.file}: {each.defect.breaks}"
            print(f"{where}: {each.outcome}{by} ({each.tests} tests, {each.seconds:.0f} s)", flush=True)
    print("\n".join(summary(verdicts)))
    noticed = [each for each in verdicts if each.noticed]
    quick = sum(each.quick for each in noticed)
    print(f"\n{len(noticed)} of {len(verdicts)} defects were noticed, {quick} of them by quick tests.")
    if options.only is not None:
        return 0
    if len(noticed) < options.least or quick < options.least_quick:
        print(f"At least {options.least} must be, and {options.least_quick} by quick tests.", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
