"""Segment scores in the folders of mt-metrics-eval: people's and metrics', one block of lines per system."""

import math
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar

from betterthan.base import EvidenceError
from betterthan.engine import PlacedFile, Places
from betterthan.evidence import Kind
from betterthan.options import ReadOptions
from betterthan.readers.tool_parts.growing_columns import GrowingColumns
from betterthan.readers.tool_parts.tool_format import ToolEvidence, ToolFormat

_SCORES = ".seg.score"
_FOLDERS = frozenset({"documents", "human-scores", "metric-scores", "references", "sources", "system-outputs"})


class MtMetricsEvalFormat(ToolFormat):
    """human-scores/SRC-TGT.NAME.seg.score and metric-scores/SRC-TGT/NAME.seg.score; more is always better."""

    name: ClassVar[str] = "mt-metrics-eval"
    kind: ClassVar[Kind] = "scores"
    about: ClassVar[str] = "mt-metrics-eval folders: human-scores/ and metric-scores/ with *.seg.score"

    def claims(self, file: PlacedFile) -> bool:
        """Go by the ending, and two columns without a header."""
        if not file.path.name.endswith(_SCORES):
            return False
        first = file.head.split(b"\n", 1)[0].split()
        return len(first) == 2 and _is_score(first[1].decode("utf-8", "replace"))

    def belongs(self, file: PlacedFile) -> bool:
        """Take everything in the folders of a test set for its own."""
        return bool(_FOLDERS & {*file.path.parts[-3:-1]})

    def load(self, files: Sequence[PlacedFile], places: Places, options: ReadOptions) -> ToolEvidence:
        """Number the segments of every system as its lines come; documents group them where they are known."""
        del options
        documents = {file.path.stem: _documents(file) for file in places if file.path.suffix == ".docs"}
        rows, higher = GrowingColumns(), {}
        for file in files:
            pair, metric = _named(file)
            systems, scores = _read(file)
            seen = Counter[str]()
            numbers = []
            for system in systems:
                seen[system] += 1
                numbers.append(seen[system])
            known = documents.get(pair)
            if known is not None and max(numbers) > len(known):
                raise EvidenceError(
                    f"a system has {max(numbers)} segments, but there are documents for {len(known)}",
                    where=file.name,
                    remedy="Check whether the files are of one test set.",
                )
            higher[pair, metric] = False
            rows.add(
                dataset=pair,
                metric=metric,
                system=systems,
                item=[str(number) for number in numbers],
                score=scores,
                group=None if known is None else [known[number - 1][1] for number in numbers],
                category=None if known is None else [known[number - 1][0] for number in numbers],
            )
        used = {
            "dataset": "the language pair",
            "metric": "the file's name",
            "item": "the line within a system's block",
            "system": "first column",
            "score": "second column",
            **({"group": "documents"} if documents else {}),
        }
        return ToolEvidence(rows.columns(), higher, used=used)

    def example(self, folder: Path) -> Any:
        """Write scores of two systems on three segments of two documents."""
        place = folder / "testset"
        for name, lines in {
            "documents/en-de.docs": ["news\tone", "news\tone", "speech\ttwo"],
            "human-scores/en-de.mqm.seg.score": [
                "owl\t-1.0",
                "owl\t0.0",
                "owl\tNone",
                "yak\t-5.0",
                "yak\t-1.0",
                "yak\t0.0",
            ],
        }.items():
            (place / name).parent.mkdir(parents=True, exist_ok=True)
            (place / name).write_text("\n".join(lines))
        return place


def _is_score(text: str) -> bool:
    if text == "None":
        return True
    try:
        return math.isfinite(float(text))
    except ValueError:
        return False


def _named(file: PlacedFile) -> tuple[str, str]:
    """Return language pair and metric."""
    name = file.path.name.removesuffix(_SCORES)
    if file.path.parent.parent.name == "metric-scores":
        return file.path.parent.name, name
    pair, _, metric = name.partition(".")
    return (pair, metric) if metric else ("", name)


def _read(file: PlacedFile) -> tuple[list[str], list[float]]:
    systems, scores = [], []
    for number, line in enumerate(file.plain.read_text("utf-8").split("\n"), 1):
        cells = line.split()
        if not cells:
            continue
        if len(cells) != 2 or not _is_score(cells[1]):
            raise EvidenceError("is no line of system and score", where=f"{file.name}, line {number}")
        systems.append(cells[0])
        scores.append(math.nan if cells[1] == "None" else float(cells[1]))
    return systems, scores


def _documents(file: PlacedFile) -> list[tuple[str, str]]:
    """Return domain and document of every segment."""
    lines = [line.split("\t") for line in file.plain.read_text("utf-8").split("\n") if line.strip()]
    if any(len(line) != 2 for line in lines):
        raise EvidenceError("has lines that are not domain and document", where=file.name)
    return [(domain, document) for domain, document in lines]


FORMAT = MtMetricsEvalFormat()
