"""Circular triples: a beats b, b beats c, c beats a."""

from typing import Any

import numpy as np

from betterthan.base import BoolArray, FloatArray
from betterthan.findings import Finding, kinds
from betterthan.verbs.diagnose.examined_data import RESAMPLES, ExaminedData

#: Where its findings stand among those of other checks.
PLACE = 130


def check(case: ExaminedData) -> list[Finding]:
    """Count the circles, and how many chance would make if the systems stood in line."""
    size, limits = case.counts.size, kinds.fitting.INTRANSITIVE.thresholds
    most = int(kinds.evidence.CHECK_SKIPPED.thresholds["systems_in_cycles"])
    if size > most:
        return [
            kinds.evidence.CHECK_SKIPPED.found(check="Cycles of three systems", most=most, what="system", number=size)
        ]
    if size < 3 or case.counts.units.size < limits["units"]:
        return []
    leads = _leads(case, case.residual)
    found = circles(leads > 0)
    if found == 0:
        return []
    number, clearer = 0, 0
    for noise in case.noise():
        for column in noise.T:
            by_chance = _leads(case, column)
            number += circles(by_chance > 0)
            clearer += bool(_clarity(by_chance) >= _clarity(leads))
    p = (1 + clearer) / (RESAMPLES + 1)
    known: dict[str, Any] = {"cycles": found, "by_chance": number / RESAMPLES, "p": p}
    if p > limits["p"]:
        return [kinds.fitting.INTRANSITIVE.noted(**known, example="")]
    a, b, c = (case.name(place) for place in example(leads))
    return [
        kinds.fitting.INTRANSITIVE.found(
            **known, example=f"; for example, {a} beats {b}, {b} beats {c} and {c} beats {a}"
        )
    ]


def _leads(case: ExaminedData, residual: FloatArray) -> FloatArray:
    """Return winners × losers: by how much more than half of the comparisons were won, 0 where they were not."""
    won = case.expected * case.met + residual
    if np.all(case.met == np.round(case.met)):  # wins come in halves at least, and so may be even
        won = np.round(2 * won) / 2
    often = case.met >= kinds.fitting.INTRANSITIVE.thresholds["judgments_of_a_pair"]
    lead = np.where(often, won / np.maximum(case.met, 1e-300) - 0.5, 0.0)
    lead = np.where(np.abs(lead) > 1e-9, lead, 0.0)
    matrix = np.zeros((case.counts.size, case.counts.size))
    matrix[case.counts.first, case.counts.second] = np.maximum(lead, 0)
    matrix[case.counts.second, case.counts.first] = np.maximum(-lead, 0)
    return matrix


def circles(beats: BoolArray) -> int:
    """Count circles of three: ways of coming back after three steps, each counted from its three starts."""
    return round(_clarity(beats.astype(np.float64)))


def _clarity(leads: FloatArray) -> float:
    """Add up the products of the three leads of every circle."""
    return float(np.sum((leads @ leads) * leads.T)) / 3


def example(leads: FloatArray) -> tuple[int, int, int]:
    """Return one of the clearest circles."""
    ways = (leads @ leads) * leads.T
    start, end = np.unravel_index(int(np.argmax(ways)), ways.shape)
    through = int(np.argmax(leads[start] * leads[:, end]))
    return int(start), through, int(end)
