"""Run the full form of every study, and write what differs from the papers into docs/studies/index.md.

`python tools/studies.py --run` runs all of them on the data of BETTERTHAN_DATA (`../shared`), or those that are
named, and writes their pages to docs/studies/. Without it only the table of the index is written, from the pages;
`--check` changes nothing and fails where the table is out of date.
"""

import argparse
import os
import re
import resource
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parent.parent
PAGES = ROOT / "docs" / "studies"
DATA = Path(os.environ.get("BETTERTHAN_DATA", ROOT.parent / "shared")) / "data"
#: Finished parts, so that a run that was stopped continues.
PARTS = ROOT / ".studies"
_WMT, _TABLES = ("wmt13-fr-en/rankings.csv.gz",), ("tac/scores.parquet", "dialogue/scores.parquet")
_CEVAL = ("ceval-imdb/reference-metrics.csv.gz",)


@dataclass(frozen=True)
class Run:
    """One full run: the study, its files, what is chosen of them, and the folder of its page."""

    study: str
    files: tuple[str, ...] = ()
    where: str = ""
    folder: str = ""
    options: tuple[str, ...] = ()

    @property
    def page(self) -> Path:
        """The page that it writes."""
        return PAGES / self.folder / f"{self.study.partition('(')[0]}.md"


RUNS = (
    Run("mechanisms"),
    Run("disagreement", _TABLES, "metric != human_pyramid"),
    Run("tests-agree", _TABLES, "metric != human_pyramid"),
    Run("pairing"),
    Run("official-table", _WMT),
    Run("prediction", _WMT),
    Run("free-for-all", _WMT),
    Run("elicitation", _WMT),
    Run("decision-values", ("sst5/predictions.csv.gz",)),
    Run("decision-values(outputs=gen_text,expert=expert)", ("ceval-imdb/outputs.csv.gz",), folder="texts"),
    Run("ties", _CEVAL, "metric=chrF_vs_expert"),
    Run("stability", _CEVAL, "metric=chrF_vs_expert"),
    Run("detection"),
    Run(
        "subsets",
        ("sst5/predictions.csv.gz",),
        options=("--as", "scores", "--score", "correct", "--dataset", "truth"),
    ),
    Run("log-linear"),
    Run("coverage"),
    Run("type-one"),
)
_MARK, _END = "<!-- differences: written by tools/studies.py -->\n", "<!-- end -->"
_ROW = re.compile(r"^\| (?P<cells>.+) \|$", re.MULTILINE)
_ESCAPED = re.compile(r"(?<!\\)\|")


def main() -> int:
    """Run, write or check; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--run", nargs="*", metavar="STUDY")
    parser.add_argument("--check", action="store_true")
    given = parser.parse_args()
    if given.run is not None:
        run_all([run for run in RUNS if not given.run or run.page.stem in given.run])
    index = PAGES / "index.md"
    text = index.read_text(encoding="utf-8")
    written = index_text(text)
    if given.check:
        print(f"studies: {0 if written == text else 1} problems")
        return int(written != text)
    index.write_text(written, encoding="utf-8")
    return 0


def run_all(runs: list[Run]) -> None:
    """Run studies one after the other, and print the time of each."""
    whole, used = time.perf_counter(), _processor_time()
    for run in runs:
        started, before = time.perf_counter(), _processor_time()
        command = [sys.executable, "-m", "betterthan", "study", run.study, *(str(DATA / name) for name in run.files)]
        command += [*(["--where", run.where] if run.where else []), *run.options]
        kept = PARTS / run.folder
        subprocess.run([*command, "-o", str(kept)], check=True, stdout=subprocess.DEVNULL)
        run.page.parent.mkdir(exist_ok=True)
        for ending in (".md", ".csv", ".svg"):
            shutil.copy(kept / run.page.with_suffix(ending).name, run.page.parent)
        print(f"{run.study}: {time.perf_counter() - started:.0f} s, {_processor_time() - before:.0f} s of one core")
    print(f"all: {time.perf_counter() - whole:.0f} s, {_processor_time() - used:.0f} s of one core")


def _processor_time() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


@dataclass(frozen=True)
class Statement:
    """One statement of a page that does not agree with the paper, or of which that cannot be told."""

    study: str
    what: str
    paper: str
    ours: str
    agreement: str
    cause: str


def index_text(text: str) -> str:
    """Return the index with the table of statements that differ or cannot be told, grouped by paper."""
    before, mark, rest = text.partition(_MARK)
    papers: dict[str, list[Statement]] = {}
    counts: dict[str, int] = {}
    for run in RUNS:
        page = run.page.read_text(encoding="utf-8")
        paper = page.split("\n\n")[2].partition(":")[0]
        papers.setdefault(paper, []).extend(statements(run, page))
        counts[paper] = counts.get(paper, 0) + len(list(_rows(page)))
    parts = []
    for paper, found in papers.items():
        differing = sum(each.agreement == "differs" for each in found)
        agreeing = counts[paper] - len(found)
        parts.append(
            f"### {paper}\n\nOf {counts[paper]} statements {agreeing} agree, {differing} differ, and "
            f"{len(found) - differing} cannot be told.\n\n{_table(found)}"
        )
    return f"{before}{mark}\n{''.join(parts)}{rest[rest.index(_END) :]}"


def statements(run: Run, page: str) -> Iterator[Statement]:
    """Return the statements of a page that do not agree, with the likely cause that the page gives."""
    causes = [
        line[2:]
        for line in page.partition("## What differs")[2].partition("\nRepeated by")[0].splitlines()
        if line.startswith("- ")
    ]
    link = f"[{run.page.stem}]({run.page.relative_to(PAGES).as_posix()})"
    for what, paper, ours, interval, _, _, agreement in _rows(page):
        if agreement == "agrees":
            continue
        line = next(each for each in causes if f"{what}." in each or f"{what};" in each)
        names = [row[0] for row in _rows(page) if f"{row[0]}." in line or f"{row[0]};" in line]
        end = max(line.index(name) + len(name) for name in names)
        shown = f"{ours} ({interval})" if interval and interval != "exact" else ours
        yield Statement(link, what, paper, shown, agreement, line[end:].lstrip(". "))


def _rows(page: str) -> Iterator[list[str]]:
    table = page.partition("## Beside the paper")[2].partition("\n## ")[0]
    for place, row in enumerate(_ROW.finditer(table)):
        if place > 1:
            yield [cell.strip() for cell in _ESCAPED.split(row["cells"])]


def _table(found: list[Statement]) -> str:
    """Return a table for every agreement and cause, so that a cause is written once."""
    if not found:
        return ""
    heads = "<!-- words: a table of the studies' pages, whose wording is kept -->\n"
    heads += "| study | statement | paper | ours | agreement | likely cause |\n|---|---|---|---|---|---|\n"
    shown: set[str] = set()
    lines: list[tuple[str, str]] = []
    for each in sorted(found, key=lambda one: one.agreement != "differs"):
        cause = "as above" if each.cause in shown and lines and lines[-1][1] == each.cause else each.cause
        shown.add(each.cause)
        lines.append(
            (f"| {each.study} | {each.what} | {each.paper} | {each.ours} | {each.agreement} | {cause} |\n", each.cause)
        )
    return heads + "".join(line for line, _ in lines) + "\n"


if __name__ == "__main__":
    sys.exit(main())
