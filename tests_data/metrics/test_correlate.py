"""Metrics against people: correlations by SciPy, calibrated ties by trying every threshold, tests by listing all swaps."""

from pathlib import Path

import pytest
from scipy import stats

import betterthan as bt


def test_summaries_against_people(shared: Path) -> None:
    evidence = bt.read_scores(str(shared / "tac" / "scores.parquet"), where={"task": "TAC09"})
    tables = {table.metric: table for table in evidence}
    kept = [tables[name] for name in ("ROUGE_2", "ROUGE_L", "human_pyramid")]
    from dataclasses import replace

    found = bt.correlate(replace(evidence, tables=tuple(kept)), "human_pyramid", measure="kendall", resamples=200)
    human = tables["human_pyramid"].values.mean(axis=0)
    for name in ("ROUGE_2", "ROUGE_L"):
        means = tables[name].values.mean(axis=0)
        row = found[name]
        assert (row.systems, row.items) == (55, 44)
        assert row.observed["pearson"] == pytest.approx(stats.pearsonr(means, human).statistic)
        assert row.observed["kendall"] == pytest.approx(
            stats.kendalltau(means.round(12), human.round(12)).statistic, abs=1e-9
        )
        for estimate in row.measures.values():
            assert estimate.low <= estimate.value <= estimate.high
    (versus,) = found.versus
    difference = found["ROUGE_2"].observed["kendall"] - found["ROUGE_L"].observed["kendall"]
    assert versus.difference == pytest.approx(difference)
    assert versus.p < 0.05
    assert "1 of 1 pairs of metrics differ significantly by kendall" in found.to_text()
    assert bt.correlate(replace(evidence, tables=tuple(kept)), resamples=20).versus == ()
