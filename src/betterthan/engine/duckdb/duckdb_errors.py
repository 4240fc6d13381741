"""Convert DuckDB's errors to ours."""

import json
import re
import tempfile
from collections.abc import Sequence

from betterthan.base import EvidenceError, spelling
from betterthan.engine.files.input_files import File


def complaint(message: str, files: Sequence[File]) -> EvidenceError:
    """Turn DuckDB's report into where, what and what to do."""
    skip = spelling.option("on_error", "skip")
    named = {str(file.path): file.name for file in files}
    file = next((shown for path, shown in named.items() if path in message), files[0].name)
    line = re.search(r"CSV Error on Line: (\d+)", message)
    counts = re.search(r"Expected Number of Columns: (\d+) Found: (\d+)", message)
    where = f"{file}, line {line[1]}" if line else file
    if "not utf-8 encoded" in message or "Invalid unicode" in message or "invalid UTF-8" in message:
        remedy = f"Name its encoding, for example with {spelling.option('encoding', 'latin-1')}."
        return EvidenceError("the text is not UTF-8", where=where, remedy=remedy)
    if line and counts:
        remedy = f"Quote values that contain the delimiter, or leave out such lines with {skip}."
        return EvidenceError(f"{counts[2]} columns instead of {counts[1]}", where=where, remedy=remedy)
    if line:
        lines = message.splitlines()
        what = lines[2].strip() if len(lines) > 2 else "cannot be split into columns"
        return EvidenceError(what, where=where, remedy=f"Correct the line, or leave it out with {skip}.")
    if "No space left" in message or "not enough disk space" in message.lower():
        remedy = "Make room in it, or choose another folder with the environment variable TMPDIR."
        return EvidenceError("the temporary folder is full", where=tempfile.gettempdir(), remedy=remedy)
    if "state machine reached an invalid state" in message:
        remedy = "Make them alike, for example with dos2unix."
        return EvidenceError("lines end in two different ways (CRLF and LF)", where=file, remedy=remedy)
    if "Malformed JSON" in message or "not a JSON" in message:
        wrong = next((found for each in files if (found := _malformed_line(each))), file)
        remedy = f"Correct it; JSON lines can be left out with {skip}."
        return EvidenceError("malformed JSON", where=wrong, remedy=remedy)
    first = message.strip().splitlines()[0]
    remedy = "Check that the file is complete, and write it again if not."
    return EvidenceError(f"cannot be read: {first}", where=file, remedy=remedy)


def _malformed_line(file: File) -> str | None:
    """Find the line itself: DuckDB's own count is off when it reads in parallel."""
    if file.layout != "jsonl":
        return None
    with file.path.open("rb") as stream:
        for number, line in enumerate(stream, start=1):
            try:
                json.loads(line or b"null")
            except (ValueError, RecursionError):
                if line.strip():
                    return f"{file.name}, line {number}"
    return None
