"""A column per pair, as R's prefmod has it: the same board and the same fit as one judgment per row."""

import csv
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import betterthan as bt
from tests.readers.tools.boards import found, refused

SCHOOLS = ["LO", "PA", "MI", "SG", "BA", "ST"]
CODE = {"a": "0", "tie": "1", "b": "2", "NA": "NA"}
MAP = {"0": "left", "1": "tie", "2": "right"}


PAIRS = [(first, second) for place, second in enumerate(SCHOOLS) for first in SCHOOLS[:place]]


@pytest.fixture
def long(tmp_path: Path) -> Path:
    """Write invented comparisons of six schools by 80 students, one per row; some answers are missing."""
    rng = np.random.default_rng(1)
    path = tmp_path / "long.csv"
    with path.open("w", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow(["subject", "item_a", "item_b", "outcome", "ENG", "SEX"])
        for student in range(80):
            about = [1 + student % 2, 1 + student % 3 // 2]
            for first, second in PAIRS:
                gap = SCHOOLS.index(second) - SCHOOLS.index(first) + rng.logistic(scale=2) - 2 * (about[0] - 1)
                word = "NA" if rng.random() < 0.02 else "tie" if abs(gap) < 0.5 else "a" if gap > 0 else "b"
                writer.writerow([student, first, second, word, *about])
    return path


@pytest.fixture
def schools(long: Path) -> Path:
    """Write the same as R's prefmod has it: a row per student, 0, 1 and 2, then covariates."""
    with long.open() as stream:
        rows = list(csv.DictReader(stream))
    students: dict[str, dict[str, str]] = {}
    for row in rows:
        student = students.setdefault(row["subject"], {"ENG": row["ENG"], "SEX": row["SEX"]})
        student[f"{row['item_a']}-{row['item_b']}"] = CODE[row["outcome"]]
    path = long.with_name("schools.csv")
    with path.open("w", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow([*(f"V{number}" for number in range(1, 16)), "ENG", "SEX"])
        writer.writerows(
            [*(student[f"{first}-{second}"] for first, second in PAIRS), student["ENG"], student["SEX"]]
            for student in students.values()
        )
    return path


def test_the_fit_is_that_of_one_judgment_per_row(schools: Path, long: Path) -> None:
    wide = bt.read(schools, pairs=SCHOOLS, outcomes=MAP)
    missing = long.read_text().count(",NA,")
    assert missing > 5
    assert found(schools, pairs=SCHOOLS, outcomes=MAP)["unscored"].startswith(
        f"{missing} results are missing: the judge did not"
    )
    for subject in (None, "~ C(ENG)"):
        one = bt.fit(wide, subject=subject, unit="row")
        other = bt.fit(long, subject=subject, unit="row")
        assert [each.term for each in one.coefficients] == [each.term for each in other.coefficients]
        np.testing.assert_allclose(
            [each.estimate for each in one.coefficients], [each.estimate for each in other.coefficients], atol=1e-9
        )
    judges = bt.rank(wide, unit="judge", seed=1, resamples=100).board
    by_row = bt.rank(bt.read(long, on_error="skip"), unit="judge", seed=1, resamples=100).board
    assert [row.system for row in judges.rows] == [row.system for row in by_row.rows]
    assert [row.score for row in judges.rows] == pytest.approx([row.score for row in by_row.rows])


def test_nothing_is_guessed(schools: Path) -> None:
    assert "cannot tell what kind of evidence this is" in refused(schools)
    assert refused(schools, pairs=SCHOOLS) == (
        f"{schools}: cannot tell what the values 0, 1, 2 of pairs mean. "
        "Say whether each means left, right or tie: outcomes."
    )
    assert "7 systems have 21 pairs, but there are 17 columns of pairs." in refused(schools, pairs=[*SCHOOLS, "XX"])
    assert "needs at least two different names, got LO, LO" in refused(schools, pairs=["LO", "LO"])


WIDE = {"V12": [1, -1, 0], "V13": [1, 1, None], "V23": [0, -1, 1], "SEX": [1, 2, 1]}


def _triples(evidence: Any) -> list[tuple[str, str, int]]:
    tally = evidence.tally("judge")
    names = tally.systems
    rows = zip(tally.units["judge"], tally.left, tally.right, tally.outcome, strict=True)
    return sorted((str(judge), f"{names[left]}{names[right]}", int(outcome)) for judge, left, right, outcome in rows)


def test_complete_numbered_pairs_are_recognised() -> None:
    expected = [
        ("1", "12", 0),
        ("1", "13", 0),
        ("1", "23", 1),
        ("2", "12", 2),
        ("2", "13", 0),
        ("2", "23", 2),
        ("3", "12", 1),
        ("3", "23", 0),
    ]
    evidence = bt.read(WIDE)
    assert evidence.reading.format == "pairs-wide"
    assert _triples(evidence) == expected
    shuffled = {name: WIDE[name] for name in ("SEX", "V23", "V12", "V13")}
    assert _triples(bt.read(shuffled)) == expected
    assert [
        (judge, pair.translate(str.maketrans("abc", "123")), said)
        for judge, pair, said in _triples(bt.read(shuffled, pairs=["a", "b", "c"]))
    ] == expected
    assert bt.read(WIDE, where={"SEX": "2"}).tally().times.sum() == 3


def test_counted_patterns_are_so_many_judges() -> None:
    counted = bt.read({"V12": [1, -1], "V13": [1, 1], "V23": [-1, 1], "n": [3, 2]})
    assert counted.unit_sizes["judge"] == 5
    one_by_one = bt.read({"V12": [1] * 3 + [-1] * 2, "V13": [1] * 5, "V23": [-1] * 3 + [1] * 2})
    assert _triples(counted) == _triples(one_by_one)
    assert "the count '0.5' is not a whole number" in refused({"V12": [1], "V13": [1], "V23": [-1], "n": [0.5]})


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"V12": [1, 0], "V13": [1, 1], "V23": [0, 1]}, "cannot tell whether 0 is a tie or one of the systems."),
        ({"V12": [1, 0], "V13": [1, 2], "V23": [0, 1]}, "cannot tell what the values 0, 1, 2 of pairs mean."),
        ({"V12": [1, 0], "V13": [1, 2], "V23": [-1, 1]}, "cannot tell what the values -1, 0, 1, 2 of pairs mean."),
    ],
)
def test_codings_that_leave_a_doubt_are_refused(columns: dict[str, Any], message: str) -> None:
    assert message in refused(columns)
    assert bt.read(columns, outcomes={"0": "left", "1": "tie", "2": "right", "-1": "right"}).kind == "judgments"


def test_an_incomplete_set_is_no_set_of_pairs() -> None:
    assert bt.read({"V12": [0.5, 1], "V13": [0.25, 1], "V24": [0.5, 0.75]}).reading.format == "scores-wide"
