"""Score outputs against references."""

from typing import Any

import numpy as np

from betterthan.base import PlanError, part_of, spelling
from betterthan.evidence import Outputs
from betterthan.findings import Finding, kinds, marked
from betterthan.metrics import FunctionMetric, Metric, ProgramMetric, build_metric
from betterthan.options import ScoreOptions, takes
from betterthan.readers import read_outputs
from betterthan.verbs.rank import board_findings as support
from betterthan.verbs.score.measure_outputs import ItemScores, measure
from betterthan.verbs.score.scored_result import Scored


@takes(ScoreOptions)
def score(evidence: Any, options: ScoreOptions) -> Scored:
    """Score outputs of systems against references by one metric or several.

    Outputs are a table with the columns item, system and output, a table with one column per system (`systems`), or
    files with a line per item, one file per system. References are a column, or files of their own. The result can be
    ranked and compared as it is, or from a file that it was saved to.

    >>> outputs = {"owl": ["the cat sat", "a dog"], "yak": ["the mat", "a dog"]}
    >>> found = score(outputs, "wer", ["the cat sat", "the dog"], systems=["owl", "yak"])
    >>> found["owl", "wer"], found["yak", "wer"]
    (0.2, 0.6)
    """
    metrics = [(text, build_metric(text)) for text in options.metric]
    _refuse_directions(metrics, options)
    read = read_outputs(evidence, options, compared=any(metric.references for _, metric in metrics))
    found = []
    for place, (outputs, (text, metric)) in enumerate((each, pair) for each in read.sets for pair in metrics):
        progress = part_of(options.progress, place, len(read.sets) * len(metrics))
        lower = metric.lower_is_better or text in options.lower_is_better
        found.append(measure(outputs, text, metric, lower=lower, progress=progress))
        progress(1, 1)
    about = (*read.reading.findings, *support.refused(read.account))
    findings = (*about, *_missing(read.sets), *_undefined(found, read.sets))
    return Scored(
        settings=options,
        data=read.digest,
        findings=findings,
        parts=tuple(found),
        reading=read.reading,
        rows=read.account.read,
        refused=read.account.refused,
    )


def _refuse_directions(metrics: list[tuple[str, Metric]], options: ScoreOptions) -> None:
    """Refuse to say about a metric that knows its direction which one it has."""
    known = [
        text
        for text, metric in metrics
        if text in options.lower_is_better and not isinstance(metric, FunctionMetric | ProgramMetric)
    ]
    if known:
        raise PlanError(
            f"{spelling.option('lower_is_better')} is for metrics of your own, and {known[0]} is known",
            remedy="Leave it out.",
        )


def _missing(sets: tuple[Outputs, ...]) -> list[Finding]:
    """Return which systems lack outputs."""
    missing = sum(each.lacking for each in sets)
    if not missing:
        return []
    systems = dict.fromkeys(
        system
        for each in sets
        for place, system in enumerate(each.systems)
        if any(not cells[place] for cells in each.cells)
    )
    outputs = sum(len(each.items) * len(each.systems) for each in sets)
    return [kinds.outputs.MISSING_OUTPUTS.found(missing=missing, outputs=outputs, systems=tuple(systems))]


def _undefined(found: list[ItemScores], sets: tuple[Outputs, ...]) -> list[Finding]:
    """Return which metrics give outputs no score."""
    findings = []
    for place, scores in enumerate(found):
        outputs = sets[place * len(sets) // len(found)]
        there = np.array([[bool(samples) for samples in row] for row in outputs.cells])
        lost = np.isnan(scores.scores) & there
        if np.any(lost):
            findings.append(
                kinds.outputs.UNDEFINED_SCORES.found(
                    metric=scores.metric, undefined=lost.sum(), systems=marked(scores.systems, lost.any(axis=0))
                )
            )
    return findings
