"""Count how often a command changes packages: the calls of `rank examples/votes.csv`, without those of libraries.

`python tools/trace.py [COMMAND …]` prints how many of our functions ran, in how many files, and how often a call or a
return led to another package. It shows whether the work goes down through the layers and up again, or back and forth.
"""

import contextlib
import io
import sys
from pathlib import Path
from types import FrameType
from typing import Any

from tools.interfaces import package_of

ROOT = Path(__file__).parent.parent
SOURCE = str(ROOT / "src" / "betterthan") + "/"


class Trace:
    """The functions of ours that ran, in the order of their calls."""

    def __init__(self) -> None:
        self.functions: set[tuple[str, str]] = set()
        self.changes = 0
        self._package = ""

    def __call__(self, frame: FrameType, event: str, _: Any) -> None:
        """Take note of a call or a return; code that runs while a module is imported is no call."""
        code = frame.f_code
        if event not in {"call", "return"} or not code.co_filename.startswith(SOURCE) or code.co_name == "<module>":
            return
        self.functions.add((code.co_filename, code.co_qualname))
        package = package_of(f"betterthan.{code.co_filename.removeprefix(SOURCE).replace('/', '.')}")
        self.changes += package != self._package
        self._package = package


def main() -> int:
    """Run the command and print the counts."""
    from betterthan.cli.main import main as betterthan  # noqa: PLC0415 (before tracing begins)

    command = sys.argv[1:] or ["rank", str(ROOT / "examples" / "votes.csv")]
    for _ in range(2):  # the first run imports modules, whose bodies make calls of their own
        trace = Trace()
        sys.setprofile(trace)
        with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit):
            betterthan(command)
        sys.setprofile(None)
    files = len({file for file, _ in trace.functions})
    print(f"{len(trace.functions)} functions in {files} files, {trace.changes} changes of package")
    return 0


if __name__ == "__main__":
    sys.exit(main())
