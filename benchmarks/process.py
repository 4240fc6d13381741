"""Scripts of this folder in processes of their own, so that this one stays small."""

import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent


def child(script: str, *arguments: str) -> str:
    """Run a script of this folder and return what it prints."""
    command = [sys.executable, str(HERE / script), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=HERE)
    if done.returncode:
        raise RuntimeError(f"{script} {' '.join(arguments)} failed:\n{done.stderr}")
    return done.stdout
