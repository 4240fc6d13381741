"""Rankings of PrefLib: complete and incomplete orders, with ties or without, each with the number of its voters."""

import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, ClassVar

from betterthan.base import EvidenceError
from betterthan.engine import PlacedFile, Places
from betterthan.evidence import Kind
from betterthan.findings import kinds
from betterthan.options import ReadOptions
from betterthan.readers.format import Format
from betterthan.readers.formats.rankings_as_text import FORMAT as ORDERS
from betterthan.readers.tool_parts.growing_columns import GrowingColumns
from betterthan.readers.tool_parts.tool_format import ToolEvidence, ToolFormat

_TYPES = ("soc", "soi", "toc", "toi")
_NAME = re.compile(r"#\s*ALTERNATIVE NAME\s+(\d+)\s*:\s*(.*)", re.IGNORECASE)
_VOTERS = re.compile(r"#\s*NUMBER VOTERS\s*:\s*(\d+)", re.IGNORECASE)
_LINE = re.compile(r"(\d+)\s*:\s*(.+)")
#: A place: one alternative, or several in braces that are tied.
_PLACE = re.compile(r"\s*(?:(\d+)|\{([\d\s,]*)\})\s*(?:,|$)")


class PrefLibFormat(ToolFormat):
    """A header with the names of alternatives, then lines 'voters: order' with alternatives by number."""

    name: ClassVar[str] = "preflib"
    kind: ClassVar[Kind] = "rankings"
    about: ClassVar[str] = "PrefLib's orders (.soc, .soi, .toc, .toi): 'voters: 1,{2,3},4' below a header of names"
    ranked_as: ClassVar[Format] = ORDERS

    def claims(self, file: PlacedFile) -> bool:
        """Check the suffix, or the data type in the header."""
        kind = re.search(rb"^#\s*DATA TYPE\s*:\s*(\w+)", file.head, re.IGNORECASE | re.MULTILINE)
        if kind is not None and b"ALTERNATIVE NAME" in file.head.upper():
            return kind[1].decode().lower() in _TYPES
        return file.path.suffix.lower().removeprefix(".") in _TYPES

    def load(self, files: Sequence[PlacedFile], places: Places, options: ReadOptions) -> ToolEvidence:
        """Read every line as an order and the number of its voters; every file is a data set."""
        del places, options
        rows, single = GrowingColumns(), 0
        for file in files:
            every = list(_orders(file))
            lines = [(voters, order) for voters, order in every if sum(map(len, order)) > 1]
            single += sum(voters for voters, _ in every) - sum(voters for voters, _ in lines)
            rows.add(
                order=[json.dumps(order, ensure_ascii=False) for _, order in lines],
                count=[str(n) for n, _ in lines],
                dataset=file.path.name.rsplit(".", 1)[0] if len(files) > 1 else None,
            )
        why = "they rank one alternative only"
        findings = (kinds.reading.ANNOTATIONS_LEFT_OUT.found(number=single, why=why),) if single else ()
        used = {"order": "lines", "count": "numbers of voters", "system": "ALTERNATIVE NAME"}
        return ToolEvidence(rows.columns(), findings=findings, used=used)

    def example(self, folder: Path) -> Any:
        """Write seven votes on three alternatives, some of them tied."""
        (folder / "votes.toc").write_text(
            "# FILE NAME: votes.toc\n# DATA TYPE: toc\n# NUMBER ALTERNATIVES: 3\n# NUMBER VOTERS: 7\n"
            "# ALTERNATIVE NAME 1: owl\n# ALTERNATIVE NAME 2: yak\n# ALTERNATIVE NAME 3: elk\n"
            "4: 1,2,3\n2: 2,{1,3}\n1: {3,2},1\n"
        )
        return folder / "votes.toc"


def _orders(file: PlacedFile) -> Iterator[tuple[int, list[list[str]]]]:
    """Yield the number of voters and the order of every line, and check their number."""
    names: dict[str, str] = {}
    expected, voters = None, 0
    for number, line in enumerate(file.plain.read_text(encoding="utf-8-sig").splitlines(), 1):
        where = f"{file.name}, line {number}"
        if line.startswith("#"):
            if match := _NAME.match(line):
                names[match[1]] = match[2].strip() or match[1]
            elif match := _VOTERS.match(line):
                expected = int(match[1])
            continue
        if not line.strip():
            continue
        if not names:
            raise EvidenceError(
                "there are no lines '# ALTERNATIVE NAME 1: …' before the first order",
                where=where,
                remedy="Older files of PrefLib have another header: download the current ones.",
            )
        match = _LINE.fullmatch(line.strip())
        order = _order(match[2], names, where) if match else None
        if match is None or order is None:
            raise EvidenceError("is no order of PrefLib", where=where, allowed="lines such as '12: 1,{2,3},4'")
        voters += int(match[1])
        yield int(match[1]), order
    if len(set(names.values())) < len(names):
        raise EvidenceError("two alternatives have the same name", where=file.name, remedy="Rename one of them.")
    if expected is not None and voters != expected:
        raise EvidenceError(
            f"the header says {expected:,} voters, the lines add up to {voters:,}",
            where=file.name,
            remedy="Check whether the file is whole.",
        )


def _order(text: str, names: dict[str, str], where: str) -> list[list[str]] | None:
    """Return the names of an order's places, None where it cannot be read."""
    places, start = [], 0
    while start < len(text):
        if (match := _PLACE.match(text, start)) is None:
            return None
        numbers = [match[1]] if match[1] else [each.strip() for each in match[2].split(",") if each.strip()]
        if unknown := [each for each in numbers if each not in names]:
            raise EvidenceError(f"the header has no name of the alternative {unknown[0]}", where=where)
        places += [[names[each] for each in numbers]] if numbers else []
        start = match.end()
    flat = [name for place in places for name in place]
    return places if flat and len(set(flat)) == len(flat) else None


FORMAT = PrefLibFormat()
