"""From outputs and references to scores."""

from typing import Any

import numpy as np

from betterthan.errors import PlanError
from betterthan.findings import Finding, marked
from betterthan.findings.outputs import MISSING_OUTPUTS, UNDEFINED_SCORES
from betterthan.leaderboard import support
from betterthan.metrics.base import Metric, build
from betterthan.metrics.outputs.outputs import Outputs
from betterthan.metrics.outputs.read import read_outputs
from betterthan.metrics.own.function import FunctionMetric
from betterthan.metrics.own.program import ProgramMetric
from betterthan.options.score import ScoreOptions
from betterthan.options.verb import takes
from betterthan.progress import part_of
from betterthan.scoring.measure import ItemScores, measure
from betterthan.scoring.scored import Scored
from betterthan.spelling import option


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
    metrics = [(text, build(text)) for text in options.metric]
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
        settings=options, data=read.digest, findings=findings, parts=tuple(found), reading=read.reading,
        rows=read.account.read, refused=read.account.refused,
    )  # fmt: skip


def _refuse_directions(metrics: list[tuple[str, Metric]], options: ScoreOptions) -> None:
    """Refuse to say of a metric that knows its direction which one it has."""
    known = [
        text
        for text, metric in metrics
        if text in options.lower_is_better and not isinstance(metric, FunctionMetric | ProgramMetric)
    ]
    if known:
        raise PlanError(
            f"{option('lower_is_better')} is for metrics of your own, and {known[0]} is known",
            remedy="Leave it out.",
        )


def _missing(sets: tuple[Outputs, ...]) -> list[Finding]:
    """Say which systems lack outputs."""
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
    return [MISSING_OUTPUTS.found(missing=missing, outputs=outputs, systems=tuple(systems))]


def _undefined(found: list[ItemScores], sets: tuple[Outputs, ...]) -> list[Finding]:
    """Say which metrics give outputs no score."""
    findings = []
    for place, scores in enumerate(found):
        outputs = sets[place * len(sets) // len(found)]
        there = np.array([[bool(samples) for samples in row] for row in outputs.cells])
        lost = np.isnan(scores.scores) & there
        if np.any(lost):
            findings.append(UNDEFINED_SCORES.found(
                metric=scores.metric, undefined=lost.sum(), systems=marked(scores.systems, lost.any(axis=0))
            ))  # fmt: skip
    return findings
