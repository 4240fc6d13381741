"""Google's MQM annotations: one row per error that a judge marked in a segment."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

from betterthan.base import EvidenceError
from betterthan.engine import PlacedFile, Places
from betterthan.evidence import Kind
from betterthan.findings import kinds
from betterthan.options import ReadOptions
from betterthan.readers.tool_parts.growing_columns import GrowingColumns
from betterthan.readers.tool_parts.tool_format import ToolEvidence, ToolFormat

_HEADER = ("system", "doc", "rater", "category", "severity")
_SEVERITIES = {"major": 5.0, "minor": 1.0, "neutral": 0.0, "no-error": 0.0}
_NON_TRANSLATION = 25.0
_PUNCTUATION = 0.1
#: Side-by-side annotation has errors that were planted, to see whether judges notice.
_CONTROL = "hotw"
AVERAGES = b"system mqm_avg_score seg_id"


class GoogleMqmFormat(ToolFormat):
    """Errors with category and severity; a segment's score is minus the sum of their weights, per judge."""

    name: ClassVar[str] = "google-mqm"
    kind: ClassVar[Kind] = "scores"
    # words: these are the columns of the file
    about: ClassVar[str] = "Google's MQM annotations: a TSV with a row per error (system, seg_id, rater, severity)"

    def claims(self, file: PlacedFile) -> bool:
        """Check the header."""
        names = _header(file)
        return all(name in names for name in _HEADER)

    def belongs(self, file: PlacedFile) -> bool:
        """Take published averages for its own."""
        return file.head.startswith(AVERAGES)

    def load(self, files: Sequence[PlacedFile], places: Places, options: ReadOptions) -> ToolEvidence:
        """Add up the weights of every judge's errors in every segment."""
        del places, options
        total = defaultdict[tuple[str, str, str], float](float)
        document: dict[str, str] = {}
        controls = 0
        for file in files:
            for line in _lines(file):
                if line["severity"].lower().startswith(_CONTROL):
                    controls += 1
                    continue
                segment = line.get("globalSegId") or line.get("seg_id") or line.get("docSegId", "")
                total[line["system"], segment, line["rater"]] -= _weight(line, file.name)
                document[segment] = line["doc"]
        rows = GrowingColumns()
        keys = list(total)
        rows.add(
            metric="MQM",
            system=[key[0] for key in keys],
            item=[key[1] for key in keys],
            judge=[key[2] for key in keys],
            score=list(total.values()),
            # Segments of one document alone are no sample of documents.
            group=[document[key[1]] for key in keys] if len(set(document.values())) > 1 else None,
        )
        used = {
            "system": "system",
            "item": "seg_id",
            "judge": "rater",
            "group": "doc",
            "score": "minus the weights of category and severity",
        }
        told = {("", "MQM"): False}
        findings = (kinds.reading.CONTROLS_LEFT_OUT.found(number=controls),) if controls else ()
        return ToolEvidence(rows.columns(), told, findings, used, ("source", "target", "comment"))

    def example(self, folder: Path) -> Any:
        """Write the errors of two systems in two segments by two judges."""
        lines = ["system\tdoc\tdoc_id\tseg_id\trater\tsource\ttarget\tcategory\tseverity\tcomment"]
        for system, severities in (("owl", ("No-error", "Minor")), ("yak", ("Major", "Minor"))):
            for segment, severity in enumerate(severities, 1):
                for rater in ("rater1", "rater2"):
                    category = "No-error" if severity == "No-error" else "Fluency/Grammar"
                    lines.append(f'{system}\ttalk\t1\t{segment}\t{rater}\tan "odd\tein "\t{category}\t{severity}\t')
        (folder / "mqm_ende.tsv").write_text("\n".join(lines))
        return folder / "mqm_ende.tsv"


def _header(file: PlacedFile) -> list[str]:
    first = file.head.split(b"\n", 1)[0]
    return first.decode("utf-8", "replace").rstrip("\r").split("\t") if b"\t" in first else []


def _lines(file: PlacedFile) -> Iterator[dict[str, str]]:
    """Yield rows; quotation marks are part of the text, and a last heading may be a comment."""
    names = _header(file)
    with file.plain.open(encoding="utf-8", newline="\n") as stream:
        next(stream)
        for number, line in enumerate(stream, 2):
            cells = line.rstrip("\r\n").split("\t")
            if len(cells) < len(_HEADER) or not cells[0]:
                raise EvidenceError(
                    f"{len(cells)} columns instead of {len(names)}",
                    where=f"{file.name}, line {number}",
                    remedy="Check whether the file is whole.",
                )
            yield dict(zip(names, cells, strict=False))


def _weight(line: Mapping[str, str], where: str) -> float:
    """Return the weight of an error as Google's own scores have it."""
    category, severity = line["category"].lower(), line["severity"].lower()
    if severity not in _SEVERITIES:
        raise EvidenceError(
            f"the severity {line['severity']!r} has no weight", where=where, allowed=", ".join(_SEVERITIES)
        )
    if category.startswith("non-translation") and severity == "major":
        return _NON_TRANSLATION
    if category == "fluency/punctuation" and severity == "minor":
        return _PUNCTUATION
    return _SEVERITIES[severity]


FORMAT = GoogleMqmFormat()
