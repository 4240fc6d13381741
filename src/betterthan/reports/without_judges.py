"""A data set without its judges: no names, no table of them, and no finding that names one, in any format."""

from dataclasses import replace

from betterthan.findings import Finding
from betterthan.reports.parts import Part


def without_judges(part: Part) -> Part:
    """Leave judges out of everything that a report says of a data set; the numbers stay as they are."""
    names = _judge_names(part)

    def kept(findings: tuple[Finding, ...]) -> tuple[Finding, ...]:
        return tuple(
            each for each in findings if not any(repr(name) in f"{each.message} {each.hint}" for name in names)
        )

    boards = tuple(replace(board, findings=kept(board.findings)) for board in part.boards)
    hidden = replace(
        part, pairs=replace(part.pairs, findings=kept(part.pairs.findings)),
        boards=replace(part.boards, boards=boards, findings=kept(part.boards.findings)),
        diagnosis=replace(part.diagnosis, findings=kept(part.diagnosis.findings), judges=None),
    )  # fmt: skip
    return replace(hidden, hidden=len(part.findings) - len(hidden.findings))


def _judge_names(part: Part) -> tuple[str, ...]:
    found = [judge.name for judge in part.diagnosis.judges.judges] if part.diagnosis.judges is not None else []
    repeats = part.data.scores.repeats if part.data.scores is not None else None
    return (*found, *(repeats.judge.labels if repeats is not None and repeats.judge is not None else ()))
