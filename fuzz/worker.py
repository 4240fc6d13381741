"""Runs calls one after the other in a process of its own, which may be killed: a line of JSON in, a line out."""

import gc
import io
import json
import os
import resource
import sys
import warnings

#: No call needs more memory than this.
MEMORY = 6 * 2**30


def main() -> None:
    """Answer until nobody asks any more."""
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
    from betterthan.cli.main import main as betterthan

    asked, told = sys.stdin, os.fdopen(os.dup(1), "w", encoding="utf-8")
    nothing = open(os.devnull, "r+", encoding="utf-8")  # noqa: SIM115 (as long as the process lives)
    os.dup2(nothing.fileno(), 1)
    for number, line in enumerate(asked):
        words = json.loads(line)
        out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8", errors="replace", newline="\n") for _ in range(2))
        sys.stdout, sys.stderr, sys.stdin = out, err, nothing
        warnings.resetwarnings()
        warnings.simplefilter("default")
        try:
            betterthan(words)
            code: object = 0
        except SystemExit as leave:
            code = leave.code or 0
        except BaseException as error:  # noqa: BLE001 (what main lets through is what is searched for)
            code = 3
            err.write(f"Traceback (most recent call last): {type(error).__name__}: {error}")
        texts = []
        for stream in (out, err):
            stream.flush()
            texts.append(stream.buffer.getvalue().decode("utf-8", "replace"))
        told.write(json.dumps([code, texts[0][:2_000_000], texts[1][:200_000]]) + "\n")
        told.flush()
        if number % 10 == 0:
            gc.collect()  # the command line puts that off, as a process of its own ends before it is worth it


if __name__ == "__main__":
    main()
