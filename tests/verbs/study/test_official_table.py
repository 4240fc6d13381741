"""The official table of WMT13: clusters depend on what is resampled."""

import numpy as np
import pytest

import betterthan as bt
from betterthan.verbs.study.published_figures import WMT13_TABLE, published_places
from tests.verbs.study.rankings import ballots

OFFICIAL = [f"{row.system}.{place}" for place, row in enumerate(WMT13_TABLE)]


def test_the_units_of_the_evidence_are_compared() -> None:
    rankings, _ = ballots(300)
    found = bt.study("official-table(resamples=50,repeats=3)", rankings)
    columns = found.columns()
    assert columns["unit"] == ["row", "ranking", "judge"]
    boards = [
        bt.rank(rankings, model="expected-wins", clusters="wmt", unit="ranking", resamples=50, seed=n).board
        for n in range(3)
    ]
    assert columns["clusters"][1] == pytest.approx(np.mean([len(board.clusters) for board in boards]))
    assert columns["official"] == [None] * 3
    assert [claim.what for claim in found.claims] == ["Clusters by ranking − by row", "Clusters by judge − by row"]
    assert found.plot().to_svg().startswith("<svg")


def test_dependent_judgments_separate_fewer_systems() -> None:
    """Every ranking is there ten times: single judgments pretend to know ten times as much."""
    _, rows = ballots(60, noise=2.0, apart=0.3)
    entries = [
        (row["ballot"], copy, system, rank)
        for row in rows
        for copy in range(10)
        for system, rank in row["ranks"].items()
    ]  # type: ignore[attr-defined]
    columns = {
        "ranking": [f"{ballot}-{copy}" for ballot, copy, _, _ in entries],
        "item": [ballot for ballot, _, _, _ in entries],
        "system": [system for _, _, system, _ in entries],
        "rank": [rank for _, _, _, rank in entries],
    }
    found = bt.study(
        "official-table(units=row|item,resamples=100,repeats=3)",
        bt.read_rankings(columns, ranking="ranking", item="item"),
    )
    by_row, by_item = found.columns()["clusters"]
    assert by_item < by_row
    assert found.claim("Clusters by item").agreement == "agrees"


def test_the_systems_of_the_official_table_are_recognised() -> None:
    places = published_places(OFFICIAL)
    assert places is not None
    assert places.tolist() == list(range(13))
    assert published_places(OFFICIAL[:12]) is None
    assert published_places([*OFFICIAL[:12], "owl"]) is None
    assert published_places([*OFFICIAL[:12], "kit.2"]) is None


def test_its_scores_order_and_clusters_are_compared() -> None:
    rng = np.random.default_rng(0)
    rows = []
    for number in range(600):
        chosen = rng.choice(13, size=5, replace=False)
        seen = -0.25 * chosen + rng.normal(size=5)
        rows += [
            (f"r{number}", OFFICIAL[system], int(1 + np.sum(seen > value)))
            for system, value in zip(chosen, seen, strict=True)
        ]
    columns = dict(
        zip(("ranking", "system", "rank"), (list(values) for values in zip(*rows, strict=True)), strict=True)
    )
    found = bt.study("official-table(resamples=50,repeats=2)", bt.read_rankings(columns, ranking="ranking"))
    assert found.columns()["official"] == [8, 8]
    assert found.claim("Expected Wins").agreement == "differs"  # other judgments
    order = found.claim("Systems in the order").ours.known
    board = bt.rank(bt.read_rankings(columns, ranking="ranking"), model="expected-wins", ci="none").board
    assert order == sum(row.system == name for row, name in zip(board, OFFICIAL, strict=True))
    assert [row[3] for row in found.summary.rows if row[0].startswith("online-a")] == ["5–6"]


def test_what_is_refused() -> None:
    with pytest.raises(bt.PlanError) as refusal:
        bt.study("official-table(units=ranking)", ballots(5)[0])
    assert str(refusal.value) == (
        "official-table: units must name row and others with | between them, and none twice, got 'ranking'."
    )
