"""The page as PDF, printed by Chromium."""

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from betterthan.base import BetterthanError

_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "msedge")
#: Chromium's switches: it talks to nobody and asks nothing.
_QUIET = (
    "headless",
    "disable-gpu",
    "no-first-run",
    "disable-background-networking",
    "disable-component-update",
    "disable-sync",
    "disable-extensions",
    "no-pdf-header-footer",
)
_PATIENCE = 180


def printed(html: str) -> bytes:
    """Return a page as PDF."""
    browser = next((found for name in _NAMES if (found := shutil.which(name))), None)
    if browser is None:
        raise BetterthanError(
            "a PDF is printed by Chromium, which is not installed",
            remedy="Install Chromium or Chrome, or write the page as HTML and print it from a browser.",
        )
    with tempfile.TemporaryDirectory(prefix="betterthan-", ignore_cleanup_errors=True) as folder:
        page, paper = Path(folder, "page.html"), Path(folder, "page.pdf")
        page.write_text(html, encoding="utf-8", errors="replace")
        # As root, Chromium starts only without its sandbox; the page is our own and may load nothing.
        root = ["no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
        switches = [*_QUIET, *root, f"user-data-dir={folder}/profile", f"print-to-pdf={paper}"]
        command = [browser, *("--" + switch for switch in switches), page.as_uri()]
        try:
            # Chromium's own temporary files go with ours, also where it is ended before it can remove them.
            subprocess.run(
                command, capture_output=True, timeout=_PATIENCE, check=True, env={**os.environ, "TMPDIR": folder}
            )
            return paper.read_bytes()
        except subprocess.TimeoutExpired:
            problem = f"did not finish in {_PATIENCE} seconds"
        except (subprocess.CalledProcessError, OSError) as error:
            problem = f"failed ({type(error).__name__})"
    raise BetterthanError(
        f"{browser} {problem} while printing the page", remedy="Write it as HTML, and print it from a browser."
    )
