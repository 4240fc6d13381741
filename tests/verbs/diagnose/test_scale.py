"""Evidence with more items than are kept one by one: the checks read it once, and say what they left out."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import betterthan as bt
from betterthan.datasets.data_sets_of import data_sets
from betterthan.datasets.units.hashed_units import HashedUnits
from betterthan.datasets.units.units import MANY
from betterthan.verbs.diagnose.examined_data import ExaminedData

SYSTEMS = ("aurora", "birch", "cedar", "dune", "elm", "fjord")
ROWS = 66_000


@pytest.fixture(scope="module")
def votes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return votes on 22,000 items by 2,000 judges, each of whom likes some systems better."""
    rng = np.random.default_rng(5)
    left = rng.integers(len(SYSTEMS), size=ROWS)
    right = (left + rng.integers(1, len(SYSTEMS), size=ROWS)) % len(SYSTEMS)
    item, judge = np.arange(ROWS) % (MANY + 2_000), rng.integers(2_000, size=ROWS)
    taste = rng.normal(0, 0.5, (2_000, len(SYSTEMS))) + np.linspace(1, 0, len(SYSTEMS))
    gap = taste[judge, left] - taste[judge, right]
    won = rng.random(ROWS) < 1 / (1 + np.exp(-gap))
    path = tmp_path_factory.mktemp("scale") / "votes.csv"
    rows = zip(left.tolist(), right.tolist(), won.tolist(), item.tolist(), judge.tolist(), strict=True)
    lines = [f"p{i},j{j},{SYSTEMS[a]},{SYSTEMS[b]},{'model_a' if w else 'model_b'}" for a, b, w, i, j in rows]
    path.write_text("\n".join(["prompt_id,judge,model_a,model_b,winner", *lines]) + "\n", encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def found(votes: Path) -> tuple[bt.Diagnosis, int]:
    """Return the diagnosis, and how often the file was scanned for it after recognition."""
    with bt.read(votes) as evidence:
        before = evidence.table.scans  # type: ignore[union-attr]
        return bt.diagnose(evidence), evidence.table.scans - before  # type: ignore[union-attr]


def test_chance_in_buckets_is_that_of_units_one_by_one(votes: Path) -> None:
    hashed = data_sets(votes).only("the test")
    assert isinstance(hashed.pairs().units, HashedUnits)
    sums = []
    for data in (hashed, hashed.in_buckets(0)):
        case = ExaminedData(data)
        noise = np.concatenate(list(case.noise()), axis=1)
        spread = case.met * case.expected * (1 - case.expected)
        sums.append(np.sum(noise**2 / spread[:, None], axis=0))
    in_buckets, one_by_one = sums
    assert in_buckets.mean() == pytest.approx(one_by_one.mean(), rel=0.1)
    assert in_buckets.std() == pytest.approx(one_by_one.std(), rel=0.25)


def test_checks_share_what_is_read(found: tuple[bt.Diagnosis, int]) -> None:
    # Units; pairs; judgments by item and judge; judgments in their order.
    assert found[1] <= 4


def test_a_sampled_check_says_so(found: tuple[bt.Diagnosis, int]) -> None:
    finding = found[0].finding("check-sampled")
    assert finding is not None
    assert finding.message == (
        f"Dependence on the order of judgments was checked on the last 20,000 of {ROWS:,} judgments."
    )


def test_small_evidence_is_checked_in_full() -> None:
    codes = {finding.code for finding in bt.diagnose("examples/votes.csv").findings}
    assert not codes & {"check-sampled", "check-skipped"}


def test_a_skipped_check_says_so() -> None:
    names = [f"system-{place:03d}" for place in range(151)]
    ring = [(one, two, "a") for one, two in zip(names, [*names[1:], names[0]], strict=True)]
    skipped = [finding.message for finding in bt.diagnose(ring).findings if finding.code == "check-skipped"]
    assert skipped == [
        "Dependence of the order on single systems was not checked: that takes at most 150 systems, and there are 151."
    ]


@pytest.mark.parametrize(
    "use",
    [
        lambda votes: bt.compare_all(votes).to_json(),
        lambda votes: bt.next_matches(votes, n=2).to_json(),
        lambda votes: bt.report(votes, resamples=40).html,
    ],
    ids=["compare_all", "next", "report"],
)
def test_other_verbs_take_many_items(votes: Path, use: Any) -> None:
    assert "aurora" in use(votes)


def test_a_board_is_the_same_after_a_diagnosis(votes: Path) -> None:
    with bt.read(votes) as evidence:
        fresh = bt.rank(evidence, resamples=100).to_json()
    with bt.read(votes) as evidence:
        bt.diagnose(evidence)
        assert bt.rank(evidence, resamples=100).to_json() == fresh
