"""Anonymous reports: names of judges, their table and findings about them are removed."""

from dataclasses import replace

from betterthan.datasets import ScoredSet
from betterthan.findings import Finding
from betterthan.verbs.report.report_part import ReportPart


def without_judges(part: ReportPart) -> ReportPart:
    """Leave judges out of everything that a report says about a data set; the numbers stay as they are."""
    names = _judge_names(part)

    def kept(findings: tuple[Finding, ...]) -> tuple[Finding, ...]:
        return tuple(
            each for each in findings if not any(repr(name) in f"{each.message} {each.hint}" for name in names)
        )

    boards = tuple(replace(board, findings=kept(board.findings)) for board in part.boards)
    hidden = replace(
        part,
        pairs=replace(part.pairs, findings=kept(part.pairs.findings)),
        by_model=tuple(replace(pairs, findings=kept(pairs.findings)) for pairs in part.by_model),
        boards=replace(part.boards, boards=boards, findings=kept(part.boards.findings)),
        diagnosis=replace(part.diagnosis, findings=kept(part.diagnosis.findings), judges=None),
    )
    return replace(hidden, hidden=len(part.findings) - len(hidden.findings))


def _judge_names(part: ReportPart) -> tuple[str, ...]:
    found = [judge.name for judge in part.diagnosis.judges.judges] if part.diagnosis.judges is not None else []
    repeats = part.data.scores.repeats if isinstance(part.data, ScoredSet) else None
    return (*found, *(repeats.judge.labels if repeats is not None and repeats.judge is not None else ()))
