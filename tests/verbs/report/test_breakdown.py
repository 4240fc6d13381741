"""Views by judge and by group show plain averages of what each system did there."""

from collections import defaultdict

import numpy as np
import pytest

import betterthan as bt
from betterthan.verbs.report.breakdown import breakdowns
from tests.arenas import arena


def test_win_rates_by_judge_are_counted_judgment_by_judgment() -> None:
    votes = arena(judgments=300)
    part = bt.report(votes, resamples=40).parts[0]
    [found] = breakdowns(part)
    points: dict[tuple[str, str], list[tuple[float, float]]] = defaultdict(list)
    judgments: dict[str, float] = defaultdict(float)
    columns = (votes[name] for name in ("model_a", "model_b", "winner", "judge", "weight"))
    for left, right, outcome, judge, weight in zip(*columns, strict=True):
        won = {"model_a": 1.0, "model_b": 0.0, "tie": 0.5}[outcome]
        points[left, judge].append((won, weight))
        points[right, judge].append((1 - won, weight))
        judgments[judge] += weight
    assert found.number == len(judgments)
    assert list(found.parts) == sorted(judgments, key=lambda judge: (-judgments[judge], judge))[:12]
    assert found.systems == tuple(row.system for row in part.main)
    for system, row in zip(found.systems, found.values, strict=True):
        for judge, value in zip(found.parts, row, strict=True):
            own = points[system, judge]
            expected = sum(won * weight for won, weight in own) / sum(weight for _, weight in own) if own else None
            assert value == (None if expected is None else pytest.approx(expected))


def test_scores_by_group_are_means_and_documents_are_no_categories() -> None:
    rng = np.random.default_rng(0)
    rows = [
        {
            "item": f"i{item}",
            "domain": f"d{item % 3}",
            "document": f"t{item // 2}",
            "system": system,
            "score": float(rng.normal()),
        }
        for item in range(30)
        for system in ("owl", "yak")
    ]
    [found] = breakdowns(bt.report(bt.read_scores(rows, group="domain"), resamples=40).parts[0])
    assert found.by == "domain"
    assert set(found.parts) == {"d0", "d1", "d2"}
    for system, row in zip(found.systems, found.values, strict=True):
        for domain, value in zip(found.parts, row, strict=True):
            own = [each["score"] for each in rows if (each["system"], each["domain"]) == (system, domain)]
            assert value == pytest.approx(np.mean(own))
    documents = bt.report(bt.read_scores(rows, group="document"), resamples=40).parts[0]
    assert list(breakdowns(documents)) == []
