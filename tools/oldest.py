"""Print the oldest version of every dependency that pyproject.toml allows, as constraints for pip.

`make test-oldest` installs these, so that a lower bound is a version that was tried and not one that was hoped for.
"""

import re
import sys
import tomllib
from pathlib import Path

PROJECT = Path(__file__).parent.parent / "pyproject.toml"
_BOUND = re.compile(r"(?P<name>[\w.-]+)(?:\[[\w,-]+\])?>=(?P<version>[\w.]+)")


def constraints(project: dict[str, object]) -> list[str]:
    """Return `name==version` for every lower bound of what a user installs.

    >>> constraints({"dependencies": ["numpy>=1.26"], "optional-dependencies": {"dask": ["dask[dataframe]>=2024.10"]}})
    ['dask==2024.10', 'numpy==1.26']
    """
    extras = project.get("optional-dependencies", {})
    assert isinstance(extras, dict)
    required = [*_listed(project["dependencies"]), *(each for extra in extras.values() for each in _listed(extra))]
    bounds = {match["name"]: match["version"] for each in required if (match := _BOUND.fullmatch(each))}
    return [f"{name}=={version}" for name, version in sorted(bounds.items())]


def _listed(value: object) -> list[str]:
    assert isinstance(value, list)
    return [str(each) for each in value]


if __name__ == "__main__":
    sys.stdout.write("\n".join(constraints(tomllib.loads(PROJECT.read_text(encoding="utf-8"))["project"])) + "\n")
