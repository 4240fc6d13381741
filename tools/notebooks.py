"""Run the notebooks in docs/notebooks/ in a real kernel, and store what they show.

`--check` changes nothing and fails when the stored output of a notebook is out of date.
"""

import argparse
import json
import sys
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient
from traitlets.config import Config

ROOT = Path(__file__).parent.parent
NOTEBOOKS = ROOT / "docs" / "notebooks"


def executed(path: Path) -> str:
    """Return a notebook with what its cells show now; an error in a cell is raised."""
    notebook: Any = nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]
    # Through files instead of ports: nobody else on the machine can listen.
    files = Config({"KernelManager": {"transport": "ipc"}})
    resources = {"metadata": {"path": str(ROOT)}}
    NotebookClient(notebook, config=files, kernel_name="python3", timeout=120, resources=resources).execute()
    notebook.metadata.pop("widgets", None)
    notebook.metadata["language_info"] = {"name": "python"}  # not the version of this Python
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)  # when it ran
    return json.dumps(notebook, indent=1, ensure_ascii=False) + "\n"


def main() -> int:
    """Run or check; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true")
    check = parser.parse_args().check
    stale = []
    for path in sorted(NOTEBOOKS.glob("*.ipynb")):
        now = executed(path)
        if now != path.read_text(encoding="utf-8"):
            stale.append(path.relative_to(ROOT))
            if not check:
                path.write_text(now, encoding="utf-8")
    for each in stale:
        print(f"{each} {'is out of date; run: make docs' if check else 'was refreshed'}")
    return 1 if stale and check else 0


if __name__ == "__main__":
    sys.exit(main())
