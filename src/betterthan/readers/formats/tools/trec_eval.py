"""Measures of trec_eval by query (-q): a line per measure and query, a file per run."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar

from betterthan.base import EvidenceError
from betterthan.engine import PlacedFile, Places
from betterthan.evidence import Kind
from betterthan.options import ReadOptions
from betterthan.readers.formats.scores_by_file import short_names
from betterthan.readers.tool_parts.growing_columns import GrowingColumns
from betterthan.readers.tool_parts.repeated_runs import distinct_names
from betterthan.readers.tool_parts.tool_format import ToolEvidence, ToolFormat

#: Other measures fill 22 characters with blanks.
_PADDED = re.compile(rb"(?=[^\t\n]{22}\t)[\w.+-]+ *\t\S+ *\t\S+")
#: Measures are followed by blanks up to the 23rd character, and by tabs.
_LINE = re.compile(r"(?P<measure>\w[\w.+-]*) *\t(?P<query>\S+) *\t(?P<value>.*)")
_FIRST = re.compile(
    rb"(runid|num_q|num_ret|map|P_5|ndcg|ndcg_cut_\d+|recip_rank|Rprec|bpref|recall_\d+|P_\d+) *\t\S+ *\t\S+"
)
_RUN, _ALL = "runid", "all"
#: Counts, and what is no number.
_NO_SCORES = ("num_", "relstring", _RUN)


class TrecEvalFormat(ToolFormat):
    """What `trec_eval -q QRELS RUN` prints; lines of all queries are left out, and so are counts of documents."""

    name: ClassVar[str] = "trec-eval"
    kind: ClassVar[Kind] = "scores"
    about: ClassVar[str] = "what trec_eval -q prints: measure, query and value per line, a file per run"

    def claims(self, file: PlacedFile) -> bool:
        """Look for a known measure in the first line."""
        return (_FIRST.match(file.head) or _PADDED.match(file.head)) is not None

    def load(self, files: Sequence[PlacedFile], places: Places, options: ReadOptions) -> ToolEvidence:
        """Read every measure of every query."""
        del places, options
        called = short_names([file.name for file in files])
        names, found = [], []
        for file in files:
            lines = _lines(file)
            names.append(next((value for measure, _, value in lines if measure == _RUN), called[file.name]))
            found.append([line for line in lines if line[1] != _ALL and not line[0].startswith(_NO_SCORES)])
        systems = distinct_names(names, [""] * len(files), [called[file.name] for file in files])
        if not any(found):
            raise EvidenceError(
                "there are no measures of single queries", where=files[0].name, remedy="Call trec_eval with -q."
            )
        rows = GrowingColumns()
        for file, system, lines in zip(files, systems, found, strict=True):
            if lines:
                rows.add(
                    system=system,
                    metric=[measure for measure, _, _ in lines],
                    item=[query for _, query, _ in lines],
                    score=[_score(value, file.name) for *_, value in lines],
                )
        used = {"system": "runid, or the file's name", "item": "query", "metric": "measure"}
        columns = rows.columns()
        higher = {("", metric): False for metric in set(columns["metric"])}
        return ToolEvidence(columns, higher, used=used, ignored=("counts", "all"))

    def example(self, folder: Path) -> Any:
        """Write the measures of two runs on two queries."""
        place = folder / "trec_eval"
        place.mkdir(exist_ok=True)
        for run, values in (("owl", (0.75, 0.5)), ("yak", (0.25, 0.5))):
            lines = [
                f"map                   \t{query}\t{value:.4f}" for query, value in zip((301, 302), values, strict=True)
            ]
            lines += [f"runid                 \tall\t{run}", "map                   \tall\t0.5000"]
            (place / f"{run}.txt").write_text("\n".join(lines))
        return place


def _lines(file: PlacedFile) -> list[tuple[str, str, str]]:
    found = []
    for number, line in enumerate(file.plain.read_text("utf-8").splitlines(), 1):
        match = _LINE.fullmatch(line)
        if match is None and line.strip():
            raise EvidenceError("is no line of measure, query and value", where=f"{file.name}, line {number}")
        if match is not None:
            found.append((match["measure"], match["query"], match["value"].strip()))
    return found


def _score(value: str, where: str) -> float:
    try:
        return float(value)
    except ValueError:
        raise EvidenceError(f"the value {value!r} is no number", where=where) from None


FORMAT = TrecEvalFormat()
