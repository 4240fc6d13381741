"""Compare stored estimates with what R's packages give here: `python tests/reference/r/compare.py`.

It needs Rscript with prefmod, psychotools, BradleyTerry2, PlackettLuce and jsonlite; `--write` stores what they give.
Tests compare betterthan with the stored figures, so R itself is only needed here.
"""

import json
import math
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
TABLES = HERE.parent / "tables"
STORED = HERE / "estimates.json"
#: prefmod stops its iterations early: digits after the sixth differ between processors.
TOLERANCE = 1e-5


def main() -> int:
    """Run R, and print every figure that differs from the stored one."""
    if shutil.which("Rscript") is None:
        print("Rscript is not installed, so nothing was compared")
        return 2
    found = subprocess.run(["Rscript", HERE / "estimates.R", TABLES], capture_output=True, text=True, check=False)
    if found.returncode:
        print(found.stderr.strip())
        return 2
    given = json.loads(found.stdout)
    if "--write" in sys.argv:
        STORED.write_text(json.dumps(given, indent=1) + "\n", "utf-8")
        return 0
    stored = json.loads(STORED.read_text("utf-8"))
    numbers = dict(figures(given))
    wrong = [
        f"{name}: stored {value}, R gives {numbers.get(name)}"
        for name, value in figures(stored)
        if not math.isclose(value, numbers.get(name, math.nan), abs_tol=TOLERANCE)
    ]
    print("\n".join([*wrong, f"{len(numbers)} figures of {given['packages']}, {len(wrong)} differ"]))
    return 1 if wrong or len(numbers) != len(list(figures(stored))) else 0


def figures(found: Any, name: str = "") -> Iterator[tuple[str, float]]:
    """Return every number with its path."""
    if isinstance(found, dict):
        for key, value in found.items():
            yield from figures(value, f"{name}/{key}")
    elif isinstance(found, int | float):
        yield name, float(found)


if __name__ == "__main__":
    sys.exit(main())
