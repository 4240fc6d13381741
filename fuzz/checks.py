"""What must hold of every call, whatever it was given."""

import json
import re
import unicodedata
from dataclasses import dataclass
from typing import Any

#: Exit codes that are promised: done, a check failed, bad input.
PROMISED = {0, 1, 2}
#: Lines of a refusal, which may show two readings with their commands, and letters beside the commands.
LINES, LETTERS = 6, 2000


@dataclass(frozen=True)
class Answer:
    """How a call ended: `code` is None where it did not end in time, below zero where a signal ended it."""

    code: int | None
    out: str
    err: str


def complaints(words: list[str], answer: Answer, rows: int | None) -> list[str]:
    """Return everything that is wrong with an answer; `rows` is how many the file has, where that is known."""
    if answer.code is None:
        return ["did not end in time"]
    found = []
    if answer.code not in PROMISED:
        found.append(f"exit code {answer.code}, {answer.err[-300:].strip()!r}")
    if "Traceback (most recent call last)" in answer.err + answer.out:
        found.append("a traceback")
    if answer.code == 2:
        told = [line for line in answer.err.splitlines() if line.strip()]
        letters = sum(len(line) for line in told if not line.startswith("  betterthan "))
        if len(told) > LINES or letters > LETTERS:
            found.append(f"a message of {len(told)} lines, {letters} characters")
        if not told:
            found.append("no message")
    if re.search(r"Warning: ", answer.err):
        found.append("a Python warning")
    for name, text in (("standard output", answer.out), ("standard error", answer.err)):
        odd = {letter for letter in text if unicodedata.category(letter) == "Cc" and letter not in "\n\t"}
        if odd and "--format" not in words:
            found.append(f"control characters on {name}: {sorted(odd)!r}")
    if answer.code == 0 and _format(words) == "json":
        found += _of_json(words, answer.out, rows)
    return found


def _format(words: list[str]) -> str:
    return words[words.index("--format") + 1] if "--format" in words[:-1] else "text"


def _of_json(words: list[str], out: str, rows: int | None) -> list[str]:
    def refused(word: str) -> Any:
        raise ValueError(word)

    try:
        told = json.loads(out, parse_constant=refused)
    except ValueError as error:
        return [f"JSON that cannot be read: {error}"]
    evidence = told.get("evidence") if isinstance(told, dict) else None
    if words[0] != "rank" or not isinstance(evidence, dict) or rows is None:
        return []
    narrowed = {"--where", "--dataset", "--metric", "--plan", "--unanswered", "--on-error"} & set(words)
    if evidence["kind"] == "judgments" and not narrowed and evidence["rows"] != rows:
        return [f"{rows} rows in the file, {evidence['rows']} accounted for"]
    return []
