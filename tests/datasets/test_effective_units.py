"""How many units say as much about the difference of two systems."""

import csv
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

import betterthan as bt
from betterthan.datasets import data_sets
from betterthan.datasets.units.effective_units import effective_numbers

Row = tuple[str, str, str, str]


def votes(rng: np.random.Generator, systems: str, judges: Sequence[str], each: int, taste: float = 0.0) -> list[Row]:
    """Draw judgments of equal systems by judges who each prefer some of them."""
    rows = []
    for judge in judges:
        liking = rng.normal(0, taste, len(systems))
        for _ in range(each):
            one, two = rng.choice(len(systems), 2, replace=False)
            won = rng.random() < 1 / (1 + np.exp(liking[two] - liking[one]))
            rows.append((systems[one], systems[two], "left" if won else "right", judge))
    return rows


def columns(rows: Sequence[Row]) -> dict[str, list[str]]:
    return dict(zip(("left", "right", "winner", "judge"), map(list, zip(*rows, strict=True)), strict=True))


def numbers(rows: Sequence[Row]) -> tuple[list[str], np.ndarray]:
    (data,) = data_sets(bt.read_judgments(columns(rows)))
    counts = data.settled("judge", 0.0).pairs()
    return list(counts.systems), np.asarray(effective_numbers(counts)[0])


def test_units_that_share_the_work_count_fully() -> None:
    rows = [(one, two, "left", judge) for judge in "uvwxyz" for one, two in ("ab", "bc", "ca") for _ in range(4)]
    _, found = numbers(rows)
    np.testing.assert_allclose(found, 6.0)


def test_units_count_by_kish_for_each_system() -> None:
    rows = [("a", "b", "left", "u")] * 3 + [("a", "b", "right", "v")] + [("b", "c", "left", "w")] * 4
    systems, found = numbers(rows)
    a, b, c = (systems.index(name) for name in "abc")
    assert found[a, a] == pytest.approx(4**2 / (3**2 + 1**2))
    assert found[b, b] == pytest.approx(8**2 / (3**2 + 1**2 + 4**2))
    assert found[c, c] == pytest.approx(1.0)
    # By hand: contributions of u, v and w to the variance of a − b are 3/16 + 3/64, 1/16 + 1/64 and 4/64.
    parts = np.array([3 / 16 + 3 / 64, 1 / 16 + 1 / 64, 4 / 64])
    assert found[a, b] == found[b, a] == pytest.approx(parts.sum() ** 2 / np.sum(parts**2))


def test_judges_of_other_systems_make_nothing_more_certain(tmp_path: Path) -> None:
    rng = np.random.default_rng(5)
    few = votes(rng, "abcd", ["p", "q", "r"], 60, taste=0.8)
    others = votes(rng, "xy", [f"judge {place}" for place in range(60)], 5)
    p = []
    for name, rows in (("few", few), ("island", few + others)):
        with (tmp_path / f"{name}.csv").open("w", newline="") as file:
            csv.writer(file).writerows([("left", "right", "winner", "judge"), *rows])
        pairs = bt.compare_all(tmp_path / f"{name}.csv").pairs
        p.append({(pair.a, pair.b): pair.p for pair in pairs if {pair.a, pair.b} <= set("abcd")})
    assert all(p[1][pair] > 0.9 * p[0][pair] for pair in p[0])


def test_a_newcomer_judged_by_few_is_named() -> None:
    rng = np.random.default_rng(6)
    rows = votes(rng, "abcd", [f"judge {place}" for place in range(40)], 20)
    rows += [
        ("e", "abcd"[place % 4], "left" if rng.random() < 0.5 else "right", f"judge {place % 3}") for place in range(90)
    ]
    board = bt.rank(columns(rows), unit="judge").board
    (found,) = [finding for finding in board.findings if finding.code == "few-units-of-system"]
    assert found.value == 3
    assert found.numbers["systems"] == "e"
