"""Correlate metrics with human scores and with each other."""

from collections.abc import Iterable
from itertools import combinations
from math import ceil
from os.path import isfile
from typing import Any

import numpy as np

from betterthan.base import EvidenceError, FloatArray, PlanError, Progress, nearest, parallel, part_of, spelling
from betterthan.datasets import DataSet, ScoredSet, data_sets, unit_draws
from betterthan.evidence import ScoreTable
from betterthan.findings import Finding, kinds
from betterthan.inference import Estimate, adjusted
from betterthan.options import CorrelateOptions, takes
from betterthan.readers import read_scores
from betterthan.verbs.correlate import metric_correlation
from betterthan.verbs.correlate.correlations_result import Agreement, Correlations, Versus
from betterthan.verbs.correlate.perm_both import perm_both
from betterthan.verbs.correlate.true_qualities import NoisyMeans
from betterthan.verbs.rank import board_findings as support

#: Resamples held at once.
_BATCH = 100
_MORE_JUDGES = "Collect ratings of more judges."


@takes(CorrelateOptions)
def correlate(evidence: Any, options: CorrelateOptions) -> Correlations:
    """Describe how far metrics order systems as people do, or as each other do, over a test set and item by item.

    `human` names the metric that holds people's scores, or a file of them. `observed` has the coefficients of these
    scores. `measures` has those of the systems' true qualities, which more items would give, with intervals that
    resample items. Metrics are tested against each other by swapping their scores (PERM-BOTH).

    >>> scores = {"item": [1, 1, 1, 2, 2, 2] * 2, "system": ["owl", "yak", "elk"] * 4,
    ...           "metric": ["chrf"] * 6 + ["human"] * 6, "score": [9, 5, 1, 8, 6, 2, 3, 2, 1, 3, 2, 1]}
    >>> found = correlate(scores, "human", resamples=100)
    >>> found["chrf"].observed["accuracy"]
    1.0
    """
    sets = data_sets(evidence)
    if not sets.scored:
        raise EvidenceError(
            f"metrics are correlated from scores, and this is {sets.kind}", remedy="Give scores of several metrics."
        )
    by_title = _by_data_set(sets.scored)
    digests, every = [data.digest for data in sets], list(sets.scored)
    if options.human is not None and isfile(options.human):
        given = data_sets(read_scores(options.human))
        given.only("a file of people's scores")
        read = given.scored[0]
        digests.append(read.digest)
        every.append(read)
        options = options.changed(human=read.scores.metric or read.title or "human")
        for tables in by_title.values():
            tables[str(options.human)] = read.scores
    _refuse_one(by_title)
    rows: list[Agreement] = []
    versus: list[Versus] = []
    with parallel.one_blas_thread():
        for place, (title, tables) in enumerate(by_title.items()):
            progress = part_of(options.progress, place, len(by_title))
            found, tested = _correlated(title, tables, options, progress)
            rows += found
            versus += tested
    return Correlations(
        settings=options,
        data="+".join(dict.fromkeys(digests)),
        findings=tuple(dict.fromkeys([*support.left_out(sets), *_other_units(every), *_findings(rows)])),
        rows=tuple(rows),
        versus=tuple(versus),
    )


def _other_units(sets: Iterable[DataSet]) -> list[Finding]:
    """Report where items are resampled although judges are dependent too."""
    others = [data.by_one_unit(None, "a correlation").other_units for data in sets]
    judges = [{"judge": other["judge"]} for other in others if "judge" in other]
    return [found for other in judges for found in support.not_resampled("item", other, hint=_MORE_JUDGES)]


def _findings(rows: Iterable[Agreement]) -> list[Finding]:
    """Report few items, and metrics by which the true order of systems is not determined."""
    rows = list(rows)
    items = min(row.items for row in rows)
    found = []
    if items < kinds.resampling.FEW_UNITS.thresholds["intervals"]:
        found.append(kinds.resampling.FEW_UNITS.found(units=items, unit="item"))
    close = [f"{row.metric} or {row.other}" for row in rows if row.measures["pearson"].value is None]
    return [*found, *([kinds.scores.INDISTINGUISHABLE.found(pairs=", ".join(close))] if close else [])]


def _by_data_set(sets: tuple[ScoredSet, ...]) -> dict[str, dict[str, ScoreTable]]:
    """Return the tables of every data set by their metric."""
    found: dict[str, dict[str, ScoreTable]] = {}
    for data in sets:
        metric = data.scores.metric or data.title
        title = data.title.removesuffix(metric).strip()
        found.setdefault(title, {})[metric] = data.scores
    return found


def _refuse_one(found: dict[str, dict[str, ScoreTable]]) -> None:
    for title, tables in found.items():
        if len(tables) < 2:
            raise EvidenceError(
                f"there is one metric only: {next(iter(tables)) or 'the scores'}",
                where=title,
                remedy=f"Give scores of several metrics, named in a column ({spelling.option('metric')}).",
            )


def _correlated(
    title: str, tables: dict[str, ScoreTable], options: CorrelateOptions, progress: Progress
) -> tuple[list[Agreement], list[Versus]]:
    systems, scores = _aligned(title, tables)
    human = options.human
    if human is not None and human not in scores:
        raise PlanError(
            f"there is no metric {human!r}{f' of {title}' if title else ''}", remedy=nearest(human, list(scores))
        )
    pairs = list(combinations(scores, 2)) if human is None else [(name, human) for name in scores if name != human]
    tested = [] if human is None else list(combinations([name for name, _ in pairs], 2))
    steps = len(pairs) + len(tested)
    rows = []
    for place, (one, other) in enumerate(pairs):
        rows.append(
            _agreement(
                title, one, other, metric_correlation.TwoMetrics.of(scores[one], scores[other]), len(systems), options
            )
        )
        progress(place + 1, steps)
    versus = []
    for place, (one, other) in enumerate(tested):
        rng = np.random.default_rng(options.seed)
        number = options.resamples
        if options.measure in metric_correlation.OF_SYSTEMS:  # enough for the correction, where that costs little
            number = max(number, ceil(2 * len(tested) / (1 - options.level)))
        found, test = perm_both(
            scores[one],
            scores[other],
            scores[str(human)],
            options.measure,
            number,
            rng,
            part_of(progress, len(pairs) + place, steps),
        )
        versus.append((one, other, found, test.p))
    p = adjusted(np.array([each[3] for each in versus]), options.correction) if versus else ()
    return rows, [
        Versus(title, one, other, options.measure, None if np.isnan(gap) else gap, raw, float(corrected))
        for (one, other, gap, raw), corrected in zip(versus, p, strict=True)
    ]


def _aligned(title: str, tables: dict[str, ScoreTable]) -> tuple[list[str], dict[str, FloatArray]]:
    """Return the systems that all metrics have, and scores on all items (items × systems), NaN where one is missing."""
    first = next(iter(tables.values()))
    systems = [name for name in first.systems if all(name in table.systems for table in tables.values())]
    if len(systems) < 3:
        raise EvidenceError(
            f"only {len(systems)} systems have scores by all metrics",
            where=title,
            remedy="A correlation needs at least three.",
        )
    items = {
        name: place for place, name in enumerate(dict.fromkeys(i for table in tables.values() for i in table.items))
    }
    scores = {}
    for metric, table in tables.items():
        values = np.full((len(items), len(systems)), np.nan)
        columns = [table.systems.index(name) for name in systems]
        values[[items[name] for name in table.items]] = table.values[:, columns]
        scores[metric] = values
    return systems, scores


def _agreement(  # noqa: PLR0917 (whose agreement, and how)
    title: str, one: str, other: str, two: metric_correlation.TwoMetrics, systems: int, options: CorrelateOptions
) -> Agreement:
    used = np.flatnonzero(two.there.any(axis=1))
    two = metric_correlation.TwoMetrics(two.one[used], two.other[used])
    if len(used) < 2 or np.any(~two.there.any(axis=0)):
        raise EvidenceError(
            f"{one} and {other} have too few scores in common",
            where=title,
            remedy="Both must have scored the same systems on the same items: check their names.",
        )
    pairs, means = metric_correlation.ItemPairs.of(two), NoisyMeans.of(two)
    all_once = np.ones((len(used), 1))
    observed = np.concatenate([two.of_systems(all_once), pairs.measures(all_once)])[:, 0]
    rng = np.random.default_rng(options.seed)
    sizes = [min(_BATCH, options.resamples - start) for start in range(0, options.resamples, _BATCH)]
    of_items, of_systems = [], [means.resampled(all_once)]
    for size in sizes:
        weights = unit_draws.draw_weights(rng, len(used), size)
        of_items.append(pairs.measures(weights))
        of_systems.append(means.resampled(weights))
    measures = means.qualities(np.concatenate(of_systems, axis=1)).estimates(options.level, rng)
    by_item = zip(metric_correlation.OF_ITEMS, np.concatenate(of_items, axis=1), strict=True)
    values = {
        name: None if np.isnan(value) else float(value)
        for name, value in zip(metric_correlation.MEASURES, observed, strict=True)
    }
    measures |= {name: _estimate(values[name], draws, options.level) for name, draws in by_item}
    return Agreement(title, one, other, systems, len(used), measures, values, pairs.threshold)


def _estimate(value: float | None, drawn: FloatArray, level: float) -> Estimate:
    """Return a measure of items with its percentile interval; where some resample leaves it undefined, it has none.

    Percentiles, because measures of ranks jump: correcting their bias does more harm than good.
    """
    if value is None or np.any(np.isnan(drawn)):
        return Estimate(value, None, None)
    low, high = np.quantile(drawn, [(1 - level) / 2, (1 + level) / 2])
    return Estimate(value, float(min(low, value)), float(max(high, value)))
