"""Runs and relevance judgments in the formats of trec_eval."""

import json
import re
from collections.abc import Collection, Iterator, Mapping, Sequence

from betterthan.base import EvidenceError

_NUMBER = r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?"
_RUN = re.compile(rf"(\S+)\s+Q0\s+(\S+)\s+(\d+)\s+({_NUMBER})\s+(\S+)\s*")
_QREL = re.compile(r"(\S+)\s+(?:0|Q0)\s+(\S+)\s+(-?\d+)\s*")

#: A document and its score or grade, by query.
Ranked = dict[str, dict[str, float]]


def is_run(lines: Sequence[str]) -> bool:
    """Whether lines are a TREC run: query, Q0, document, rank, score, tag.

    >>> is_run(["q1 Q0 d7 1 12.5 bm25"]), is_run(["A sentence of six words here."])
    (True, False)
    """
    return bool(lines) and _RUN.fullmatch(lines[0].strip()) is not None


def is_qrels(lines: Sequence[str], queries: Collection[str]) -> bool:
    """Whether lines are relevance judgments of known queries: query, 0, document, grade.

    >>> is_qrels(["q1 0 d7 2"], {"q1"}), is_qrels(["5 0 7 3"], {"1", "2"})
    (True, False)
    """
    first = _QREL.fullmatch(lines[0].strip()) if lines else None
    return first is not None and any(line.split(maxsplit=1)[0] in queries for line in lines if line.strip())


def read_runs(files: Mapping[str, tuple[str, Sequence[str]]]) -> dict[str, Ranked]:
    """Return the ranked documents of every system; files are places and lines by name.

    Systems are called by their tags, unless files share one: then each is called by its file's name.
    """
    found: list[tuple[str, str, Ranked]] = []
    for name, (place, lines) in files.items():
        by_tag: dict[str, Ranked] = {}
        for match, where in _matches(_RUN, lines, place, "query, Q0, document, rank, score and tag"):
            query, document, _, score, *_, tag = match.groups()
            _enter(by_tag.setdefault(tag, {}), query, document, float(score), where)
        found += [(name, tag, ranked) for tag, ranked in by_tag.items()]
    tags = [tag for _, tag, _ in found]
    if len(set(tags)) == len(tags):
        return {tag: ranked for _, tag, ranked in found}
    if len({name for name, _, _ in found}) < len(found):
        raise EvidenceError(
            "some files hold several systems and share tags",
            where=next(iter(files.values()))[0],
            remedy="Give a file per system.",
        )
    return {name: ranked for name, _, ranked in found}


def outputs_of(runs: Mapping[str, Ranked]) -> Iterator[tuple[str, str, str]]:
    """Yield query, system and documents with scores; a system that returned nothing for a query has found nothing."""
    queries = dict.fromkeys(query for ranked in runs.values() for query in ranked)
    for query in queries:
        for system, ranked in runs.items():
            yield query, system, json.dumps(ranked.get(query, {}))


def read_qrels(lines: Sequence[str], place: str) -> Iterator[tuple[str, str]]:
    """Yield query and grades; a query without a relevant document can measure nothing, and is left out."""
    graded: Ranked = {}
    for match, where in _matches(_QREL, lines, place, "query, 0, document and grade"):
        query, document, grade = match.groups()
        _enter(graded, query, document, int(grade), where)
    for query, grades in graded.items():
        if any(grade > 0 for grade in grades.values()):
            yield query, json.dumps(grades)


def _matches(
    pattern: re.Pattern[str], lines: Sequence[str], place: str, what: str
) -> Iterator[tuple[re.Match[str], str]]:
    """Yield what every line holds and where it is; empty lines hold nothing."""
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        if (match := pattern.fullmatch(line.strip())) is None:
            raise EvidenceError(
                f"{line[:60]!r} is not {what}", where=f"{place}, line {number}", remedy="Correct or remove the line."
            )
        yield match, f"{place}, line {number}"


def _enter(ranked: Ranked, query: str, document: str, value: float, where: str) -> None:
    held = ranked.setdefault(query, {})
    if document in held:
        raise EvidenceError(
            f"the document {document!r} stands twice for the query {query!r}",
            where=where,
            remedy="Remove one of the lines.",
        )
    held[document] = value
