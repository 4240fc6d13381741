"""The end of the process: quick, after everything is written and temporary files are removed."""

import atexit
import os
import sys
import threading


def leave(code: int) -> None:
    """End the process with an exit code, without taking its modules apart: of a small job that is a tenth of the time.

    Threads that still run are waited for, as Python does.
    """
    if threading.active_count() > 1:
        sys.exit(code)
    atexit._run_exitfuncs()
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except (OSError, ValueError):
        sys.exit(code)
    os._exit(code)
