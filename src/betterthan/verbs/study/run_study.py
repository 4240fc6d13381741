"""Run a study by name."""

import hashlib
from pathlib import Path
from typing import Any

from betterthan import __version__, demo
from betterthan.base import PlanError, Signature, silent
from betterthan.datasets import DataSets, data_sets
from betterthan.options import StudyOptions, StudySettings, takes_name
from betterthan.verbs.rank import board_findings as support
from betterthan.verbs.study.experiments.base import OfOutputs, Study, Work, build_study, written_out
from betterthan.verbs.study.resumable_run import FinishedParts
from betterthan.verbs.study.several_data_sets import run_each
from betterthan.verbs.study.study_result import StudyResult

#: The placeholder of the digest where there is no evidence.
_SIMULATED = "simulated"


@takes_name(StudyOptions)
def study(name: str, evidence: Any, options: StudyOptions) -> StudyResult:
    """Repeat an experiment of a paper, on simulated or on your own evidence, and set both figures side by side.

    `name` is the study, with its settings where they are not the usual ones: `mechanisms(runs=50,systems=5|10)`.
    `quick` is a small form. A study of one data set is run on each of several, and gives the means over them. With a
    `folder`, finished parts are kept there, and a run that was stopped continues.

    >>> found = study("pairing", quick=True)
    >>> found.claim("Permuting").agreement
    'agrees'
    """
    chosen = build_study(name, quick=options.quick)
    loaded = chosen.load(evidence) if isinstance(chosen, OfOutputs) and evidence is not None else None
    data = None if loaded is not None else _data(chosen, evidence)
    settings = StudySettings(
        study=written_out(chosen), quick=options.quick, level=options.level, seed=options.seed, folder=options.folder
    )
    digest = _SIMULATED if data is None else _digest([each.digest for each in data])
    if loaded is not None:
        digest = loaded.digest
    line = str(Signature(__version__, {**settings.facts(), "data": digest}))
    folder = None if options.folder is None else Path(options.folder)
    work = Work(options, data, FinishedParts(line, folder, options.progress, few=options.quick), loaded)
    means = getattr(chosen, "means", None)
    if data is not None and len(data) > 1 and means is not None:
        found = run_each(chosen, work, data, means)
    else:
        found = chosen.run(work)
    refused = (
        []
        if data is None
        else [*support.left_out(data), *(found for each in data for found in support.refused(each.account()))]
    )
    return StudyResult(
        settings=settings.changed(progress=silent),
        data=digest,
        findings=(*refused, *found.findings),
        reading=None if data is None else data.reading,
        claims=found.claims,
        summary=found.summary,
        given=evidence is not None,
        drawn=found.drawn,
        table={column: tuple(values) for column, values in found.columns.items()},
    )


def _digest(of: list[str]) -> str:
    """Return one digest for all data sets."""
    return of[0] if len(of) == 1 else hashlib.sha256("+".join(of).encode()).hexdigest()[: len(of[0])]


def _data(chosen: Study, evidence: Any) -> DataSets | None:
    """Return the data sets that a study is run on; refuse evidence that it has no use for, or its lack."""
    if evidence is None:
        if chosen.needs:
            raise PlanError(f"{chosen.name} is a study of {chosen.takes}", remedy="Give a file, or several.")
        return data_sets(demo.path(chosen.bundled)) if chosen.bundled else None
    if not chosen.takes:
        raise PlanError(f"{chosen.name} simulates its own evidence and takes none", remedy="Leave the file out.")
    return data_sets(evidence)
