"""Call the command line with hostile files and options until time is up: `python -m fuzz.run [--seconds 120] [--seed 0]`.

Two processes answer; one that hangs or dies is replaced, and the call is reported. `--case N` repeats one call.
"""

import argparse
import json
import os
import random
import select
import shlex
import shutil
import subprocess
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory, mkdtemp
from time import monotonic

from fuzz.checks import Answer, complaints
from fuzz.commands import call, spoiled
from fuzz.files import written
from fuzz.plausible import plausible, wrong
from fuzz.tables import seeds

#: Seconds after which a call is said to hang.
PATIENCE = 60.0
ROOT = Path(__file__).parents[1]
KEPT = Path("fuzz-failures")
#: The share of calls with a table as people have it, and a known order of its systems.
PLAUSIBLE = 0.25


class Worker:
    """A process that answers calls; it is started anew after one that it did not survive.

    It works in a folder of its own, because options name files to write.
    """

    def __init__(self) -> None:
        self._folder = TemporaryDirectory()
        self._process: subprocess.Popen[str] | None = None

    def answer(self, words: list[str]) -> Answer:
        """Return how a call ended."""
        if self._process is None or self._process.poll() is not None:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "fuzz.worker"],
                cwd=self._folder.name,
                env={**os.environ, "PYTHONPATH": str(ROOT)},
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
                encoding="utf-8",
            )
        process = self._process
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(json.dumps(words) + "\n")
        process.stdin.flush()
        if not select.select([process.stdout], [], [], PATIENCE)[0]:
            self._stop()
            return Answer(None, "", "")
        line = process.stdout.readline()
        if not line:
            return Answer(process.wait(), "", "")
        code, out, err = json.loads(line)
        return Answer(int(code), out, err)

    def close(self) -> None:
        """End the process, and remove what it wrote."""
        self._stop()
        self._folder.cleanup()

    def _stop(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None


def case(number: int, seed: int, folder: Path, worker: Worker) -> tuple[list[str], list[str], int | None]:
    """Make one call from its number; return its words, what is wrong with the answer, and its exit code."""
    rng = random.Random(f"{seed} {number}")
    if rng.random() < PLAUSIBLE:
        return _plausible(folder, rng, worker)
    table = seeds(rng)
    for _ in range(rng.choice((0, 0, 1, 1, 1, 2, 4))):
        table = table.spoiled(rng)
    path, rows = written(table, folder, rng)
    words = call(path, rng)
    if rng.random() < 0.1:
        first = worker.answer(["rank", str(path), "--resamples", "20", "--format", "json"])
        if first.code == 0:
            words = ["rank", str(path), "--plan", spoiled(json.loads(first.out)["signature"], rng), "--format", "json"]
            rows = None
    answer = worker.answer(words)
    return words, complaints(words, answer, rows), answer.code


def _plausible(folder: Path, rng: random.Random, worker: Worker) -> tuple[list[str], list[str], int | None]:
    """Rank a table as people have it, and paste the hints of a refusal."""
    made = plausible(folder, rng)
    words = ["rank", str(made.path), "--resamples", "20", "--format", "json"]
    answer = worker.answer(words)
    return words, complaints(words, answer, None) or wrong(made, answer, worker.answer), answer.code


def _share(first: int, step: int, seed: int, end: float, most: int) -> tuple[Counter[str], list[str]]:
    """Go through every second case until time is up; count how calls ended."""
    worker, bad, number, ended = Worker(), [], first, Counter[str]()
    while monotonic() < end and number < most:
        folder = Path(mkdtemp())
        words, found, code = case(number, seed, folder, worker)
        ended[{0: "answered", 1: "found something", 2: "refused"}.get(code, "broke")] += 1
        if found:
            KEPT.mkdir(exist_ok=True)
            kept = KEPT / f"{seed}-{number}"
            shutil.copytree(folder, kept, dirs_exist_ok=True)
            bad.append(
                f"case {number}: {'; '.join(found)}\n    betterthan {shlex.join(words)[:600]}\n    files in {kept}"
            )
            print(bad[-1], flush=True)
        shutil.rmtree(folder, ignore_errors=True)
        number += step
    worker.close()
    return ended, bad


def main() -> int:
    """Run until time is up; return 1 if something was found."""
    parser = argparse.ArgumentParser(prog="fuzz")
    parser.add_argument("--seconds", type=float, default=120.0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--cases", type=int, default=10**9)
    parser.add_argument("--case", type=int)
    asked = parser.parse_args()
    if asked.case is not None:
        with TemporaryDirectory() as name:
            worker = Worker()
            words, found, _ = case(asked.case, asked.seed, Path(name), worker)
            print(shlex.join(words), worker.answer(words), *found, sep="\n")
            worker.close()
        return bool(found)
    end = monotonic() + asked.seconds
    with ThreadPoolExecutor(2) as pool:
        done = list(pool.map(lambda first: _share(first, 2, asked.seed, end, asked.cases), (0, 1)))
    ended, bad = sum((each for each, _ in done), Counter[str]()), [line for _, lines in done for line in lines]
    told = ", ".join(f"{number:,} {how}" for how, number in ended.most_common())
    print(f"{ended.total():,} calls ({told}), {len(bad)} with something wrong (seed {asked.seed}).")
    return bool(bad)


if __name__ == "__main__":
    sys.exit(main())
