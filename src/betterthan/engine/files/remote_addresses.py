"""Remote addresses: they are not read, and the refusal has the command that fetches them."""

import re
import shlex
from pathlib import PurePosixPath

from betterthan.base import EvidenceError

_ADDRESS = re.compile(r"(?P<scheme>[A-Za-z][A-Za-z0-9+.-]+)://(?P<rest>.*)")
#: What fetches a file, by how its address begins: {0} is the address, {1} a name for the file.
_COMMANDS = {
    "http": "curl -fL -o {1} {0}",
    "https": "curl -fL -o {1} {0}",
    "ftp": "curl -f -o {1} {0}",
    "s3": "aws s3 cp {0} {1}",
    "gs": "gcloud storage cp {0} {1}",
}
_DATA_SET = re.compile(r"datasets/(?P<owner>[^/]+)/(?P<name>[^/@]+)(@[^/]+)?(/.*)?")


def refuse_address(name: str) -> None:
    """Refuse what is an address and no path."""
    if (found := _ADDRESS.fullmatch(name)) is None:
        return
    fetch = _fetching(name, found["scheme"].lower(), found["rest"])
    error = EvidenceError(
        "is a remote address, and only local files are read",
        where=name,
        remedy="" if fetch else "Download it first, and give the path of the file.",
    )
    error.calls = (("Fetch it first, and give the path of the file", fetch),) if fetch else ()
    raise error


def _fetching(name: str, scheme: str, rest: str) -> str | None:
    """Return the command that fetches an address, None where no usual one does."""
    if scheme == "hf":
        data_set = _DATA_SET.fullmatch(rest)
        wanted = None if data_set is None else f"{data_set['owner']}/{data_set['name']}"
        folder = None if data_set is None else data_set["name"]
        return wanted and shlex.join(["hf", "download", wanted, "--repo-type", "dataset", "--local-dir", f"{folder}"])
    file = PurePosixPath(re.split(r"[?#]", rest)[0]).name if "/" in rest else ""
    template = _COMMANDS.get(scheme)
    return template and template.format(shlex.quote(name), shlex.quote(file or "evidence.csv"))
