"""Numbers that are no scores: summaries among items and systems, codes for missing values, percentages beside shares."""

from pathlib import Path

import numpy as np
import pytest

import betterthan as bt
from betterthan.readers.columns.known_names import is_summary, summaries
from betterthan.readers.columns.plausible_scores import missing_codes

_WIDE = ("item,owl,yak", "q1,0.5,0.25", "q2,0.75,0.25", "q3,0.5,0.375", "q4,0.625,0.25")
_LONG = ("item,system,score", "q1,owl,0.5", "q1,yak,0.25", "q2,owl,0.75", "q2,yak,0.375", "q3,owl,0.5", "q3,yak,0.25")
_BOARD = ("model,MMLU,GSM8K", "gpt-4,0.75,0.5", "llama,0.5,0.25", "mistral,0.25,0.375")

#: Rows, the row that is put among them, what is said, and how it is read without that.
SUMMARIES = [
    (_WIDE, "mean,0.6,0.3", "'mean' seems to sum up other items", ["item!=mean"]),
    (_WIDE, "Average (all),0.6,0.3", "'Average (all)' seems to sum up other items", ["item!=Average (all)"]),
    (_WIDE, "std,0.1,0.05", "'std' seems to sum up other items", ["item!=std"]),
    (_WIDE, "max,0.75,0.375", "'max' seems to sum up other items", ["item!=max"]),
    (_WIDE, "Mittelwert,0.6,0.3", "'Mittelwert' seems to sum up other items", ["item!=Mittelwert"]),
    (_LONG, "overall,owl,0.6", "'overall' seems to sum up other items", ["item!=overall"]),
    (_BOARD, "Average,0.5,0.375", "'Average' seems to sum up other systems", ["model!=Average"]),
    (_BOARD, "median,0.5,0.375", "'median' seems to sum up other systems", ["model!=median"]),
    (_BOARD, "std. dev.,0.2,0.1", "'std. dev.' seems to sum up other systems", ["model!=std. dev."]),
]


def _file(folder: Path, lines: tuple[str, ...], name: str = "table.csv") -> Path:
    (folder / name).write_text("\n".join([*lines, ""]))
    return folder / name


def _refused(path: Path) -> bt.EvidenceError:
    with pytest.raises(bt.EvidenceError) as refusal:
        bt.read(path)
    return refusal.value


@pytest.mark.parametrize(("lines", "row", "why", "where"), SUMMARIES)
def test_a_summary_is_refused_wherever_it_stands(
    lines: tuple[str, ...], row: str, why: str, where: list[str], tmp_path: Path
) -> None:
    plain = bt.read(_file(tmp_path, lines, "plain.csv"))
    for place in (1, 3):
        path = _file(tmp_path, (*lines[:place], row, *lines[place:]))
        refusal = _refused(path)
        assert (refusal.what, [call for _, call in refusal.calls]) == (why, [f"bt.read({str(path)!r}, where={where})"])
        assert bt.read(path, where=where).tables == plain.tables


def test_a_column_that_sums_up_others_is_no_system(tmp_path: Path) -> None:
    for name in ("AVG", "overall", "macro avg", "Average (all)", "stddev"):
        path = _file(tmp_path, (f"item,owl,yak,{name}", "q1,0.5,0.25,0.375", "q2,0.75,0.25,0.5"))
        assert [call for _, call in _refused(path).calls] == [f"bt.read({str(path)!r}, systems=['owl', 'yak'])"]
    path = _file(tmp_path, ("item,owl,yak,all", "q1,0.5,0.25,0.375", "q2,0.75,0.25,0.5"))
    assert _refused(path).what == "'all' seems to sum up other systems"


def test_a_method_that_is_called_mean_is_a_system_with_a_warning(tmp_path: Path) -> None:
    rows = ("item,method,mase", "a,mean,1.5", "a,arima,1", "a,naive,2", "b,mean,1.25", "b,arima,1", "b,naive,1.75")
    scores = bt.read(_file(tmp_path, rows))
    assert scores.systems == ("arima", "mean", "naive")
    assert scores.reading is not None
    assert [str(each.message) for each in scores.reading.findings if each.code == "called-like-summaries"] == [
        "'mean' is a system here, although its name may sum up others."
    ]


def test_names_of_summaries() -> None:
    names = ("total", "Grand total", "AVG", "mean ± sd", "weighted avg", "Durchschnitt", "overall mean", "owl", "q_all")
    assert [is_summary(name) for name in names] == [True] * 7 + [False] * 2
    values = np.array([[10.0, 10], [0.5, 0.25], [0.1, 0.1], [0.75, 0.5]])
    assert summaries(["count", "mean", "std", "75%"], values) == {"count", "mean", "std", "75%"}
    assert summaries(["sorting", "max", "75%"], values) == set()


CODES = [("-999", "0.5"), ("-9999", "70"), ("-99", "3"), ("999", "0.5"), ("99", "3"), ("-1", "0.5"), ("-1", "70")]


@pytest.mark.parametrize(("code", "good"), CODES)
def test_codes_of_missing_values_are_asked_for(code: str, good: str, tmp_path: Path) -> None:
    rows = [
        f"q{number},{float(good) * (1 + number / 10):g},{float(good) * (1.2 - number / 10):g}" for number in range(6)
    ]
    path = _file(tmp_path, ("item,owl,yak", *rows, f"q6,{code},{good}"))
    refusal = _refused(path)
    assert refusal.what == f"{code} seems to stand for missing scores (1 of 14 cells)"
    assert [call for _, call in refusal.calls] == [
        f"bt.read({str(path)!r}, missing_codes=[{code!r}])",
        f"bt.read({str(path)!r}, missing_codes=['none'])",
    ]
    assert np.isnan(bt.read(path, missing_codes=[code]).tables[0].values).sum() == 1
    assert not np.isnan(bt.read(path, missing_codes=["none"]).tables[0].values).any()


def test_numbers_that_are_no_codes() -> None:
    for values in (
        [-1, 0, 1, 1],
        [-1, -0.5, 0.5, 0.25],
        [99, 97, 80, 100],
        [999, 500, 800, 1200],
        [-1.0] * 4,
        [-9, -8, 3],
    ):
        assert missing_codes(np.array(values, dtype=float)) == []
    assert missing_codes(np.array([-1.0, 0.2, 0.3, 0.4]), signed=True) == []
    with pytest.raises(bt.EvidenceError, match="takes numbers that stand for missing scores, got 'x'"):
        bt.read({"item": [1, 2], "owl": [0.5, 1], "yak": [1, 2]}, missing_codes=["x"])


MIXED = [
    (
        ("item,gpt-4,llama", "1,0.75,61", "2,0.8,58"),
        "'gpt-4' seems to be a share from 0 to 1, and 'llama' a percentage",
    ),
    (("item,gpt-4,llama", "1,0.75,0.6", "2,79,61"), "'1' seems to be a share from 0 to 1, and '2' a percentage"),
    (
        ("item,gpt-4,llama", "1,0.75,0.6", "2,0.7,61", "3,0.8,0.5"),
        "a score of 0.75 seems to be a share from 0 to 1, and one of 61 a percentage",
    ),
    (
        ("model,MMLU,ARC", "gpt-4,0.79,0.7", "llama,61,55", "mistral,60,50"),
        "'gpt-4' seems to be a share from 0 to 1, and 'llama' a percentage",
    ),
]


@pytest.mark.parametrize(("lines", "why"), MIXED)
def test_percentages_beside_shares_are_refused(lines: tuple[str, ...], why: str, tmp_path: Path) -> None:
    refusal = _refused(_file(tmp_path, lines))
    assert (refusal.what, refusal.calls) == (why, ())


def test_percentages_and_shares_in_two_files_are_refused(tmp_path: Path) -> None:
    one = _file(tmp_path, ("item,score", "1,0.79", "2,0.7"), "owl.csv")
    two = _file(tmp_path, ("item,score", "1,79", "2,70"), "yak.csv")
    why = "'owl' seems to be a share from 0 to 1, and 'yak' a percentage"
    for read in (lambda: bt.read([one, two]), lambda: bt.read_runs(one, two)):
        with pytest.raises(bt.EvidenceError, match=why):
            read()


@pytest.mark.parametrize(
    "lines",
    [
        ("item,system,seconds", "1,owl,0.5", "1,yak,50", "2,owl,0.75", "2,yak,60"),
        ("item,system,reward", "1,owl,0.5", "1,yak,50", "2,owl,0.75", "2,yak,60"),
        ("item,owl,yak", "1,0.5,2", "2,0.75,12"),
        ("item,owl,yak", "1,0,80", "2,1,90"),
    ],
)
def test_scores_that_differ_as_much_for_other_reasons_are_read(lines: tuple[str, ...], tmp_path: Path) -> None:
    score = ["seconds"] if "seconds" in lines[0] else None
    assert bt.read_scores(_file(tmp_path, lines), score=score).systems == ("owl", "yak")


def test_a_few_points_may_be_below_zero() -> None:
    few = {"owl": [0, 2, -1, 1], "yak": [1, 0, 2, 0]}
    assert bt.read(few).tables[0].values.min() == -1
    with pytest.raises(bt.EvidenceError, match="-1 seems to stand for missing scores"):
        bt.read({name: values * 5 for name, values in few.items()} | {"elk": [3] * 20})
