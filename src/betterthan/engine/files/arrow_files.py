"""Validate Arrow files and streams completely before use, because damaged ones can crash the process."""

from pathlib import Path
from typing import Any

from betterthan.base import EvidenceError, MissingExtraError

#: How a stream begins: a continuation marker, then the length of the schema.
STREAM = b"\xff\xff\xff\xff"


def read_arrow(path: Path, shown: str) -> Any:
    """Read an Arrow file or stream into memory as a PyArrow table."""
    try:
        import pyarrow as pa  # noqa: PLC0415
    except ImportError:
        raise MissingExtraError("pyarrow", "arrow", f"{shown}: reading Arrow files") from None
    try:
        with pa.OSFile(str(path), "rb") as source:
            stream = source.read(4) == STREAM
            source.seek(0)
            with (pa.ipc.open_stream if stream else pa.ipc.open_file)(source) as reader:
                table = reader.read_all()
        table.validate(full=True)
        _ = table.column_names  # a damaged name is no text
    except (pa.ArrowException, OSError, ValueError, KeyError, IndexError) as error:
        what = (str(error).strip().splitlines() or [type(error).__name__])[0]
        raise EvidenceError(f"the Arrow file is damaged: {what}", where=shown, remedy="Write it again.") from None
    return table


def arrow_metadata(path: Path, shown: str) -> dict[str, str]:
    """Return the metadata of an Arrow file or stream, such as the features of a Hugging Face data set."""
    found = read_arrow(path, shown).schema.metadata or {}
    return {key.decode(errors="replace"): value.decode(errors="replace") for key, value in found.items()}
