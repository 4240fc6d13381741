"""Read evidence from any input: detect its format and the roles of its columns."""

from dataclasses import replace
from pathlib import Path
from typing import Any, TypeGuard, TypeVar

from betterthan.base import EvidenceError, PlanError, UnclearError, names_a_file, spelling
from betterthan.engine import Places, Table
from betterthan.evidence import Judgments, Kind, Rankings, Reading, Scores
from betterthan.findings import kinds
from betterthan.options import DescribedEvidence, ReadOptions, declared_options, takes
from betterthan.readers.format import AnyEvidence, Format
from betterthan.readers.open_tables import places_of
from betterthan.readers.recognition import find_format

#: Options that can be given for evidence that was read already.
_AFTERWARDS = ("fixed", "random")
#: Files that a finding names.
_SHOWN = 5
_E = TypeVar("_E", Judgments, Rankings, Scores)


@takes(ReadOptions)
def read(evidence: Any, options: ReadOptions) -> AnyEvidence:
    """Read evidence of any kind; without `kind` or `format`, the columns and values must make it clear.

    >>> read({"model_a": ["owl"], "model_b": ["yak"], "winner": ["tie"]}).kind
    'judgments'
    """
    return read_as(evidence, options)


def read_as(source: Any, options: ReadOptions) -> AnyEvidence:
    """Read evidence as options that were checked already say."""
    if _was_read(source) and options == ReadOptions(fixed=options.fixed, random=options.random):
        _need_tasks(source.kind, options)
        return _with_sources_of_variation(source, options)
    if _was_read(source):
        every = declared_options(ReadOptions).items()
        said = next(name for name, each in every if getattr(options, name) != each.default and name not in _AFTERWARDS)
        raise EvidenceError(
            f"{spelling.option(said)} says how evidence is read, and these {source.kind} were read already",
            where=source.name,
            remedy="Give it to bt.read with the files.",
        )
    if _labels_elsewhere(options):
        from betterthan.readers.gold_labels import read_with_labels  # noqa: PLC0415 (few have labels)

        return read_with_labels(source, options, read_as)
    chosen, found = find_format(source, options)
    held = None
    try:
        _need_tasks(chosen.kind, options)
        evidence = _evidence_in(chosen, found, source, options)
        held = getattr(evidence, "table", None)  # judgments continue asking their table, also for a part of it
        if options.exclude or options.since is not None or options.until is not None:
            from betterthan.readers.subsets import chosen as choose  # noqa: PLC0415 (all rows are the rule)

            evidence = choose(evidence, options)
    finally:
        # A table that was given is not ours to close, nor one whose files the evidence still reads.
        if isinstance(found, Places) or (
            isinstance(found, Table) and not isinstance(source, Table) and not isinstance(held, type(found))
        ):
            found.close()
    reading = evidence.reading or Reading(chosen.name, {})
    changes = found.changes if isinstance(found, Table) else ()
    around = [kinds.reading.TIDIED_TABLE.found(changes="; ".join(changes))] if changes else []
    others = found.other_files if isinstance(found, Table) else ()
    if others:
        listed = ", ".join(others[:_SHOWN]) + (f" and {len(others) - _SHOWN} more" if len(others) > _SHOWN else "")
        around.append(kinds.reading.OTHER_FILES.found(number=len(others), files=listed))
    reading = replace(reading, from_files=places_of(source) is not None, findings=(*around, *reading.findings))
    read_now = replace(evidence, reading=reading)
    if options.names is not None:
        from betterthan.readers.system_names import renamed  # noqa: PLC0415 (few boards have names of their own)

        read_now = renamed(read_now, options.names)
    return _with_sources_of_variation(read_now, options)


def _labels_elsewhere(options: ReadOptions) -> bool:
    """Whether labels are in another file, or are those of a judge."""
    return options.gold_judge is not None or (
        options.gold is not None and names_a_file(options.gold) and Path(options.gold).exists()
    )


def _evidence_in(chosen: Format, found: Any, source: Any, options: ReadOptions) -> AnyEvidence:
    """Read with a format; a refusal of columns gets readings of others that work."""
    try:
        return chosen.read(found, options)
    except UnclearError as error:
        if isinstance(found, Table):
            from betterthan.readers.hints.advice import advise  # noqa: PLC0415 (only for refusals)

            advise(error, found, places_of(source), options)
        raise


def _need_tasks(kind: str, options: ReadOptions) -> None:
    """Refuse random tasks of evidence that is never pooled over tasks."""
    if options.random and kind != "scores":
        raise PlanError(
            f"{spelling.option('random', 'task')} is for scores on several tasks, but these are {kind}",
            remedy="Leave it out.",
        )


def _with_sources_of_variation(evidence: AnyEvidence, options: ReadOptions) -> AnyEvidence:
    """Return evidence with the units that are taken as given, and with random tasks where requested."""
    fixed = tuple(options.fixed or ())
    if isinstance(evidence, Scores):
        return replace(evidence, fixed=fixed, random=tuple(options.random or ()))
    return replace(evidence, fixed=fixed)


@takes(ReadOptions)
def read_judgments(evidence: Any, options: ReadOptions) -> Judgments:
    """Read pairwise judgments: one row per judgment, or counted rows.

    Columns are recognised by name (model_a/model_b/winner, left/right, system1/system2, item_x …) and can always
    be given. `counts` names one column (how often the row occurred), two (left wins, right wins) or three (left
    wins, ties, right wins). `outcomes` maps your own words to left, tie or right. `time` says when a judgment was
    made, for models in which the order matters. Several data sets in one table (`dataset`) give one leaderboard each.

    >>> print(read_judgments([("owl", "yak", "left"), ("yak", "elk", "tie")]))
    2 judgments · 3 systems · 50 % ties · 0 refused
    """
    return _of_kind(evidence, options, "judgments", Judgments)


@takes(ReadOptions)
def read_rankings(evidence: Any, options: ReadOptions) -> Rankings:
    """Read rankings: wide (a column per system), long (ranking, system, rank) or WMT's own layout; rank 1 is best.

    >>> print(read_rankings({"owl": [1, 1], "yak": [2, 2], "elk": [3, None]}))
    2 rankings · 3 systems · 0 refused
    """
    return _of_kind(evidence, options, "rankings", Rankings)


@takes(ReadOptions)
def read_scores(evidence: Any, options: ReadOptions) -> Scores:
    """Read item-level scores: wide (a column per system) or long (item, system, score, perhaps metric).

    `score` may name several columns, one per metric; `lower_is_better` is True or names the metrics it holds for.
    `group` names the column that says which items are dependent (documents, prompts). `repeat` names the column that
    distinguishes repeated scores of a system on an item (runs, seeds, judges): their mean is used.

    >>> print(read_scores({"owl": [0.5, 0.7], "yak": [0.4, None]}))
    3 scores · 2 systems · 2 items · 1 missing · 0 refused
    """
    return _of_kind(evidence, options, "scores", Scores)


def _of_kind(source: Any, options: ReadOptions, kind: Kind, wanted: type[_E]) -> _E:
    if options.kind not in {None, kind}:
        raise EvidenceError(
            f"{spelling.option('kind', options.kind)} contradicts read_{kind}", remedy="Leave it out, or use bt.read."
        )
    found = read_as(source, replace(options, kind=kind))
    if not isinstance(found, wanted):
        raise EvidenceError(f"the format gave {found.kind}, not {kind}", where=found.name, remedy="Use bt.read.")
    return found


def as_evidence(source: Any) -> AnyEvidence:
    """Return evidence as it is, and read anything else."""
    if isinstance(source, DescribedEvidence):
        return read_as(source.evidence, source.reading)
    return source if _was_read(source) else read(source)


def _was_read(source: Any) -> TypeGuard[AnyEvidence]:
    return isinstance(source, (Judgments, Rankings, Scores))
