"""Rankings of the WMT shared tasks in Appraise's XML: up to five translations of a segment, ranked by one user."""

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar
from xml.etree.ElementTree import Element, ParseError, TreeBuilder, XMLParser

from betterthan.base import EvidenceError
from betterthan.engine import PlacedFile, Places
from betterthan.evidence import Kind
from betterthan.options import ReadOptions
from betterthan.readers.format import Format
from betterthan.readers.formats.wmt import FORMAT as WMT
from betterthan.readers.tool_parts.growing_columns import GrowingColumns
from betterthan.readers.tool_parts.tool_format import ToolEvidence, ToolFormat

_TAGS = re.compile(rb"<(WMT\d+-results|ranking-(task|item|result)|appraise-results)\b", re.IGNORECASE)
#: What holds one ranking: earlier files have no tasks around results.
_RANKINGS = frozenset({"ranking-result", "ranking-item"})
_BLOCK = 1 << 20


class WmtXmlFormat(ToolFormat):
    """HITs of ranking tasks; they are read as the CSV files with the same rankings are."""

    name: ClassVar[str] = "wmt-xml"
    kind: ClassVar[Kind] = "rankings"
    about: ClassVar[str] = "WMT's rankings in Appraise's XML: HIT, ranking-task, ranking-result, translation"
    ranked_as: ClassVar[Format] = WMT

    def claims(self, file: PlacedFile) -> bool:
        """Look for its tags."""
        return file.head.lstrip(b"\xef\xbb\xbf \r\n\t").startswith(b"<") and bool(_TAGS.search(file.head))

    def load(self, files: Sequence[PlacedFile], places: Places, options: ReadOptions) -> ToolEvidence:
        """Read every result as one row of WMT's tables."""
        del places, options
        found = [ranking for file in files for ranking in _rankings(file)]
        slots = max((len(ranking["slots"]) for ranking in found), default=0)
        if slots < 2:
            raise EvidenceError(
                "holds no ranking of at least two translations",
                where=files[0].name,
                remedy="Check whether the file is whole.",
            )
        rows = GrowingColumns()
        columns = {}
        for place in range(slots):
            pairs = [(*ranking["slots"], *[(None, "-1")] * slots)[place] for ranking in found]
            columns[f"system{place + 1}Id"] = [system for system, _ in pairs]
            columns[f"system{place + 1}rank"] = [rank for _, rank in pairs]
        about = {name: [ranking[name] for ranking in found] for name in ("srclang", "trglang", "segmentId", "judgeId")}
        rows.add(**about, **columns)
        used = {
            "system": "translation system",
            "rank": "translation rank",
            "item": "id",
            "judge": "user",
            "dataset": "source-language and target-language",
        }
        return ToolEvidence(rows.columns(), used=used, ignored=("hit-id", "duration"))

    def example(self, folder: Path) -> Any:
        """Write two rankings of three translations."""
        translations = [("owl", 1), ("yak", 2), ("elk", 2)], [("owl", 2), ("yak", 1), ("elk", -1)]
        tasks = "".join(
            f'<ranking-task id="{number}"><ranking-result user="ann" duration="20">'
            + "".join(f'<translation system="set.fr-en.{name}" rank="{rank}"/>' for name, rank in each)
            + "</ranking-result></ranking-task>"
            for number, each in enumerate(translations)
        )
        (folder / "results.xml").write_text(
            f'<?xml version="1.0"?><WMT15-results><HIT source-language="fra" target-language="eng" hit-id="h">{tasks}'
            "</HIT></WMT15-results>"
        )
        return folder / "results.xml"


class _Plain(TreeBuilder):
    """A tree builder without document types, because entities can name other files or grow without bounds."""

    def doctype(self, name: str, pubid: str | None, system: str | None) -> None:
        """Refuse every document type before anything in it is read."""
        raise EvidenceError(
            f"has a document type ({name!r}), which can name other files and entities",
            remedy="Remove the line that begins with <!DOCTYPE.",
        )


def _tree(file: PlacedFile) -> Element:
    parser = XMLParser(target=_Plain())
    try:
        with file.plain.open("rb") as stream:
            while block := stream.read(_BLOCK):
                parser.feed(block)
        return parser.close()
    except EvidenceError as error:
        raise EvidenceError(error.what, where=file.name, remedy=error.remedy) from None
    except (ParseError, LookupError, ValueError) as error:
        raise EvidenceError(
            f"is no whole XML file: {error}", where=file.name, remedy="Check whether the file is complete."
        ) from None


def _rankings(file: PlacedFile) -> Iterator[dict[str, Any]]:
    """Yield every ranking with its attributes, including those of the tasks and HITs around it."""
    waiting: list[tuple[Element, Mapping[str, str]]] = [(_tree(file), {})]
    while waiting:
        element, around = waiting.pop()
        known = {**around, **element.attrib}
        if element.tag in _RANKINGS and (slots := element.findall("translation")):
            yield {
                "srclang": known.get("source-language"),
                "trglang": known.get("target-language"),
                "segmentId": known.get("id"),
                "judgeId": known.get("user"),
                "slots": [(slot.get("system"), slot.get("rank", "-1")) for slot in slots],
            }
            continue
        waiting += [(child, known) for child in reversed(element)]


FORMAT = WmtXmlFormat()
