"""Build the documentation site, offline and strictly, into a folder for this version.

`python tools/site.py` writes site/VERSION/ and site/index.html, which lists all versions that are there, the newest
first. Build another version from its own checkout into the same folder (`--into`), and the list has both.
"""

import argparse
import html
import logging
import re
import sys
import tempfile
from pathlib import Path

from mkdocs.commands.build import build
from mkdocs.config import load_config

import betterthan
from betterthan.present import atomic_files

ROOT = Path(__file__).parent.parent
_LIST = """<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>betterthan: documentation</title></head>
<body style="font-family: sans-serif; max-width: 40rem; margin: 2rem auto; padding: 0 1rem">
<h1>betterthan: documentation</h1>
<p>Choose a version. The newest comes first.</p>
<ul>
{entries}
</ul>
</body>
</html>
"""


def main() -> int:
    """Build; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--into", type=Path, default=ROOT / "site", help="the folder of all versions")
    parser.add_argument("--check", action="store_true", help="build it elsewhere and throw it away")
    given = parser.parse_args()
    if given.check:
        with tempfile.TemporaryDirectory() as folder:
            built(Path(folder))
        print("site: built without warnings")
        return 0
    site = built(given.into)
    print(f"Open {site / 'index.html'} in a browser; it works without a server.")
    return 0


def built(into: Path) -> Path:
    """Build this version below a folder, and list all versions there; return the folder of this one.

    A link that leads nowhere, a page that is missing in the navigation, or an anchor that does not exist is an error.
    """
    logging.basicConfig(level=logging.WARNING, format="%(levelname)s: %(message)s")
    site = into / betterthan.__version__
    config = load_config(str(ROOT / "mkdocs.yml"), site_dir=str(site), strict=True)
    config.plugins.on_startup(command="build", dirty=False)
    build(config)
    config.plugins.on_shutdown()
    atomic_files.write_text(into / "index.html", version_list(into))
    return site


def version_list(into: Path) -> str:
    """Return the page that lists the versions of a folder, the newest first."""
    versions = [path.parent.name for path in into.glob("*/index.html")]
    versions.sort(key=lambda name: [int(part) for part in re.findall(r"\d+", name)], reverse=True)
    entries = (f'<li><a href="{name}/index.html">{name}</a></li>' for name in map(html.escape, versions))
    return _LIST.format(entries="\n".join(entries))


if __name__ == "__main__":
    sys.exit(main())
