"""DuckDB's reports as sentences: where, what and what to do."""

import json
import re
from collections.abc import Sequence

from betterthan.engine.files import File


def sentence(message: str, files: Sequence[File]) -> str:
    """Turn DuckDB's report into where, what and what to do."""
    named = {str(file.path): file.name for file in files}
    file = next((shown for path, shown in named.items() if path in message), files[0].name)
    line = re.search(r"CSV Error on Line: (\d+)", message)
    counts = re.search(r"Expected Number of Columns: (\d+) Found: (\d+)", message)
    if "not utf-8 encoded" in message or "Invalid unicode" in message or "invalid UTF-8" in message:
        where = f", line {line[1]}" if line else ""
        return (
            f"{file}{where}: the text is not UTF-8. Say which encoding it has, for example "
            "--encoding latin-1 (encoding='latin-1')."
        )
    if line and counts:
        return (
            f"{file}, line {line[1]}: {counts[2]} columns instead of {counts[1]}. Quote values that contain the "
            "delimiter, or leave such lines out with --on-error skip (on_error='skip')."
        )
    if line:
        what = message.splitlines()[2].strip() if len(message.splitlines()) > 2 else "cannot be split into columns"
        return f"{file}, line {line[1]}: {what} Mend the line, or leave it out with --on-error skip (on_error='skip')."
    if "state machine reached an invalid state" in message:
        return f"{file}: lines end in two different ways (CRLF and LF). Make them alike, for example with dos2unix."
    if "Malformed JSON" in message or "not a JSON" in message:
        wrong = next((found for each in files if (found := _malformed_line(each))), file)
        return f"{wrong}: malformed JSON. Mend it; JSON lines can be left out with --on-error skip (on_error='skip')."
    first = message.strip().splitlines()[0]
    return f"{file}: cannot be read: {first} Check that the file is complete and write it again if not."


def _malformed_line(file: File) -> str | None:
    """Find the line itself: DuckDB's own count is off when it reads in parallel."""
    if file.layout != "jsonl":
        return None
    with file.path.open("rb") as stream:
        for number, line in enumerate(stream, start=1):
            try:
                json.loads(line or b"null")
            except ValueError:
                if line.strip():
                    return f"{file.name}, line {number}"
    return None
