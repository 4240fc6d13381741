"""A wide table is one by evidence or on request: no leftover column of numbers becomes a system."""

from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pytest

import betterthan as bt

GOOD = {"item": ["1", "2"], "owl": [0.5, 0.25], "yak": [0.75, 0.5]}
CANNOT = "cannot tell what kind of evidence this is: columns {} hold numbers, but {}"
CHOSEN = (
    "\n2 systems (owl, yak): every row is an item, and each of the columns 'owl', 'yak' is a system; more is better:"
    "\n  bt.read(evidence, systems=['owl', 'yak'])"
)
NAME = ". If columns are systems, name them with systems. If they are metrics of one system per file, name them with score."
_OWL = "'owl', 'yak', {!r}"
DOUBTFUL: list[tuple[dict[str, list[Any]], str]] = [
    (
        {**GOOD, "latency_ms": [5300, 4100]},
        CANNOT.format(_OWL.format("latency_ms"), "'latency_ms' does not sound like a system's name") + CHOSEN,
    ),
    ({**GOOD, "n": [3, 4]}, CANNOT.format(_OWL.format("n"), "'n' does not sound like a system's name") + CHOSEN),
    (
        {**GOOD, "tstamp": [1e9, 2e9]},
        CANNOT.format(_OWL.format("tstamp"), "'tstamp' does not sound like a system's name") + CHOSEN,
    ),
    (
        {"SEX": [1, 2], "AGE": [30, 40], "V1": [0, 1]},
        CANNOT.format("'SEX', 'AGE', 'V1'", "'SEX', 'AGE' do not sound like a system's name") + NAME,
    ),
    ({**GOOD, "answers": ["Paris", "Rome"]}, CANNOT.format("'owl', 'yak'", "'answers' holds texts") + CHOSEN),
    (
        {"item": ["1", "2"], "acc": [1, 0], "faithfulness": [0.5, 1]},
        "these are scores of one system by 'acc', 'faithfulness'. Give the file of another system as well, with the "
        "same items.",
    ),
    (
        {**GOOD, "elk": [500.0, 900.0]},
        CANNOT.format(_OWL.format("elk"), "their scales differ too much: 'elk' goes up to 900, 'owl' to 0.5") + NAME,
    ),
    (
        {"AIRC": [1.0, 2.0], "-1.0": [0.5, 2.0]},
        "the first line holds numbers ('-1.0'), so the file seems to have no header. Add a first line with the names "
        "of the columns.",
    ),
]


@pytest.mark.parametrize(("table", "message"), DOUBTFUL)
def test_columns_that_may_be_no_systems_are_refused(table: dict[str, list[Any]], message: str) -> None:
    with pytest.raises(bt.EvidenceError) as refusal:
        bt.read(table)
    assert str(refusal.value) == f"the given arrays: {message}"


def test_systems_on_request() -> None:
    scores = bt.read_scores({**GOOD, "latency_ms": [5300, 4100]}, systems=["owl", "yak"])
    assert scores.systems == ("owl", "yak")
    assert str(scores.reading) == "Read as scores-wide: item = item, systems = owl, yak; ignored: latency_ms."
    assert bt.read_scores({**GOOD, "n": [3, 4]}, systems=["owl", "n"]).systems == ("n", "owl")


def test_columns_that_describe_the_item_are_ignored_and_said() -> None:
    scores = bt.read({**GOOD, "source": ["a", "b"], "category": ["x", "y"]})
    assert scores.systems == ("owl", "yak")
    assert scores.reading is not None
    assert scores.reading.ignored == ("source", "category")


@pytest.mark.parametrize(
    ("right", "wrong"), [("yes", "no"), ("pass", "fail"), ("True", "False"), (True, False), ("correct", "incorrect")]
)
def test_right_and_wrong_in_words(right: object, wrong: object) -> None:
    scores = bt.read_scores({"item": [1, 2, 3], "owl": [right, wrong, right], "yak": [wrong, wrong, None]})
    assert scores.tables[0].values[:2].tolist() == [[1.0, 0.0], [0.0, 0.0]]
    long = {"item": ["1", "1", "2", "2"], "system": ["owl", "yak"] * 2, "score": [right, wrong, wrong, right]}
    assert bt.read_scores(long).tables[0].values.tolist() == [[1.0, 0.0], [0.0, 1.0]]


def test_words_and_other_numbers_are_not_mixed() -> None:
    with pytest.raises(bt.EvidenceError, match="row 2: the score 'no' of 'owl' is not a finite number"):
        bt.read_scores({"owl": [2, "no"], "yak": [0, 1]})


@pytest.mark.parametrize(
    ("cells", "meant"),
    [
        (["yes", "ja", "1", "x", "No", "nein", "0"], [1, 1, 1, 1, 0, 0, 0]),
        (["✓", "✗", "✓", "✗", "✓", "✗", "✓"], [1, 0, 1, 0, 1, 0, 1]),
        (["oui", "non", "1", "0", "si", "no", "TRUE"], [1, 0, 1, 0, 1, 0, 1]),
    ],
)
def test_words_for_right_and_wrong_are_mixed(cells: list[str], meant: list[int]) -> None:
    scores = bt.read_scores({"item": list("abcdefg"), "owl": cells, "yak": [1, 0, 1, 0, 1, 0, 1]})
    assert scores.tables[0].values[:, 0].tolist() == meant


@pytest.mark.parametrize("cells", [["x", "✓"], ["x", "0"], ["x", "1"], ["x", "yes"], ["x", "no"]])
def test_a_cross_alone_may_mean_wrong(cells: list[str]) -> None:
    with pytest.raises(bt.EvidenceError):
        bt.read_scores({"owl": cells, "yak": [1, 0]}, systems=["owl", "yak"])


def test_a_named_role_excludes_all_others() -> None:
    long = {"task": ["1", "2"] * 2, "system": ["owl", "owl", "yak", "yak"], "score": [1, 2, 3, 4]}
    assert [table.title for table in bt.read_scores(long, item="task").tables] == [""]
    data = {**GOOD, "dataset": ["a", "b"]}
    votes = {"left": ["owl", "yak"], "right": ["yak", "owl"], "winner": ["left", "left"], "dataset": ["a", "b"]}
    assert len(bt.read(votes).data_sets()) == 2
    assert len(bt.read(votes, dataset="none").data_sets()) == 1
    assert data["dataset"] == ["a", "b"]


def test_lower_is_better_by_name_with_a_finding() -> None:
    long = {"item": ["1", "1"], "system": ["owl", "yak"], "metric": ["WER", "WER"], "score": [0.1, 0.2]}
    scores = bt.read_scores(long)
    assert scores.tables[0].negated
    assert [str(each) for each in scores.reading.findings] == [  # type: ignore[union-attr]
        "i lower-is-better: Less is better for 'WER', going by the name. If more is better, pass "
        "lower_is_better='none'."
    ]
    assert not bt.read_scores(long, lower_is_better=False).tables[0].negated
    assert bt.read_scores(long, lower_is_better=True).reading.findings == ()  # type: ignore[union-attr]


def test_items_that_nobody_scored_are_not_missing_scores() -> None:
    board = bt.rank({"owl": [0.5, None, 0.25], "yak": [0.75, None, 0.5]}, model="mean", ci="none").board
    assert not {"missing-scores", "adjusted-means"} & {finding.code for finding in board.findings}
    board = bt.rank({"owl": [0.5, 0.5, 0.25], "yak": [0.75, None, 0.5]}, model="mean", ci="none").board
    assert "adjusted-means" in [finding.code for finding in board.findings]


def test_columns_of_metrics_beside_systems_are_all_read() -> None:
    table = {
        "id": ["1", "2"] * 2,
        "model": ["owl", "owl", "yak", "yak"],
        "prompt": ["a", "b"] * 2,
        "exact_match": [1, 0, 0, 1],
        "bleu": [30.5, 12.0, 20.0, 3.5],
        "latency_ms": [5, 6, 7, 8],
    }
    scores = bt.read(table)
    assert [each.title for each in scores.tables] == ["exact_match", "bleu"]
    assert scores.reading is not None
    assert scores.reading.ignored == ("id", "latency_ms") or scores.reading.ignored == ("prompt", "latency_ms")


def test_systems_in_rows_and_benchmarks_in_columns() -> None:
    board = {"model": ["yak", "owl"], "Average": [60.0, 65.5], "MMLU": [70.5, 60.25], "GSM8K": [49.5, 70.75]}
    scores = bt.read(board)
    assert scores.tables[0].items == ("GSM8K", "MMLU")
    assert scores.tables[0].systems == ("owl", "yak")
    assert scores.tables[0].values.tolist() == [[70.75, 49.5], [60.25, 70.5]]
    assert str(scores.reading) == "Read as scores-by-benchmark: system = model, items = MMLU, GSM8K; ignored: Average."
    mixed = {"model": ["yak", "owl"], "win_rate": [0.5, 0.75], "n_total": [805, 805], "avg_length": [2000, 1500]}
    with pytest.raises(bt.EvidenceError, match="long scores need a column for item"):
        bt.read(mixed)


def test_no_column_of_a_system_vanishes(tmp_path: Path) -> None:
    """Truth values are scores, times are not, and what cannot be told is refused."""
    columns = "i % 2 = 0 AS owl, i % 3 = 0 AS yak, CASE WHEN i % 5 THEN i % 4 = 0 END AS elk"
    duckdb.sql(f"COPY (SELECT i AS item, {columns} FROM range(1, 20) t(i)) TO '{tmp_path}/right.parquet'")
    assert bt.read(tmp_path / "right.parquet").systems == ("elk", "owl", "yak")
    zoned = "TIMESTAMPTZ '2024-01-01 00:00:00+00' + INTERVAL (i) MINUTE AS made"
    duckdb.sql(
        f"COPY (SELECT i AS item, i / 9 AS owl, i % 4 AS yak, {zoned} FROM range(9) t(i)) TO '{tmp_path}/z.parquet'"
    )
    with pytest.raises(bt.EvidenceError, match="columns 'owl', 'yak' hold numbers, but 'made' holds texts"):
        bt.read(tmp_path / "z.parquet")
    for cells, why in (
        (['"1,1"', '"2,2"'], "'elk' may hold numbers, but they are written as '1,1', '2,2'"),
        (["", ""], "'elk' holds nothing"),
        (["timeout", "timeout"], "'elk' holds texts"),
        (["timeout", "0.2"], "the score 'timeout' of 'elk'"),
        (['"0,9"', "0.2"], "the score '0,9' of 'elk'"),
    ):
        rows = [f"{n},0.{n},0.{3 - n},{cell}" for n, cell in enumerate(cells)]
        (tmp_path / "scores.csv").write_text("\n".join(["item,owl,yak,elk", *rows]) + "\n")
        with pytest.raises(bt.EvidenceError, match=why):
            bt.read(tmp_path / "scores.csv")
    (tmp_path / "scores.csv").write_text("item,owl,yak,elk\n1,0.1,0.2,\n2,0.2,0.1,0.3\n")
    assert bt.read(tmp_path / "scores.csv").systems == ("elk", "owl", "yak")


@pytest.mark.parametrize("value", [1.0, 0.0, 2.0, 0.7])
def test_systems_with_one_score_on_every_item_are_read_as_scores(value: float) -> None:
    """All ones could be shared first ranks, which would say nothing; perfect systems are common."""
    duel = bt.compare({"item": [f"i{place}" for place in range(20)], "owl": [value] * 20, "yak": [value] * 20})
    assert (duel.kind, duel.p, duel.mean_difference) == ("scores", 1.0, 0.0)
    assert "identical" in [finding.code for finding in duel.findings]


def test_perfect_runs_in_files_of_their_own(tmp_path: Path) -> None:
    for name in ("owl", "yak"):
        (tmp_path / f"{name}.csv").write_text("item,score\n" + "".join(f"i{place},1.0\n" for place in range(20)))
    duel = bt.compare([str(tmp_path / "owl.csv"), str(tmp_path / "yak.csv")])
    assert (duel.kind, duel.ties) == ("scores", 20)


def test_ranks_stay_ranks() -> None:
    assert bt.read({"owl": [1, 2, 1], "yak": [2, 1, 3], "elk": [3, 3, 2]}).kind == "rankings"
    with pytest.raises(bt.EvidenceError, match="this may be rankings"):
        bt.read({"owl": [1, 1, 1], "yak": [1, 2, 1]})
    with pytest.raises(bt.EvidenceError, match="this may be rankings"):  # the best system alone was named
        bt.read({"owl": [1, None, 1], "yak": [None, 1, None]})


@pytest.mark.parametrize("lower", [False, True])
def test_rows_without_names_may_come_in_any_order(*, lower: bool) -> None:
    """The same scores have the same draws, so the same intervals, whatever the order of rows."""
    rng = np.random.default_rng(1)
    scores = np.round(rng.lognormal(size=(12, 3)), 2)
    scores[3, 1] = np.nan
    orders = [np.arange(12), rng.permutation(12), np.arange(12)[::-1]]
    found = [
        bt.rank(
            bt.read_scores(
                dict(zip(("owl", "yak", "elk"), scores[order].T.tolist(), strict=True)), lower_is_better=lower
            ),
            model="mean",
            resamples=200,
        ).board
        for order in orders
    ]
    for board in found[1:]:
        assert [(row.system, row.score, row.interval) for row in board] == [
            (row.system, row.score, row.interval) for row in found[0]
        ]
        assert board.draws is not None
        assert np.array_equal(board.draws.strength, found[0].draws.strength)


def test_sizes_and_times_beside_benchmarks_are_no_benchmarks(tmp_path: Path) -> None:
    (tmp_path / "board.csv").write_text(
        "model,params,MMLU,GSM8K,ARC,average,latency_ms,cost\n"
        "Llama-2-7b,7B,60.1,50.2,55.0,55.1,120,0.2\nMistral-7B,7B,65.1,55.2,57.0,59.1,720,0.9\n"
    )
    read = bt.read(tmp_path / "board.csv")
    assert read.tables[0].items == ("ARC", "GSM8K", "MMLU")
    assert set(read.reading.ignored) == {"params", "average", "latency_ms", "cost"}


def test_a_column_that_numbers_the_rows_is_no_system(tmp_path: Path) -> None:
    for header in ("#", "lfd. Nr.", "sentence no", "Zeile", "key"):
        rows = [f"{n},0.8{n},0.6{n}" for n in range(1, 8)]
        (tmp_path / "scores.csv").write_text("\n".join([f"{header},gpt-4,claude", *rows]) + "\n")
        assert bt.read(tmp_path / "scores.csv").tables[0].systems == ("claude", "gpt-4")


def test_benchmarks_are_compared_in_the_direction_of_their_names(tmp_path: Path) -> None:
    lines = ["Model,LibriSpeech WER,TED WER,AMI WER", "whisper-large,5,6,7", "conformer,9,10,11", "wav2vec2,20,21,22"]
    (tmp_path / "wer.csv").write_text("\n".join(lines) + "\n")
    board = bt.rank(tmp_path / "wer.csv", model="mean", ci="none").board
    assert [row.system for row in board] == ["whisper-large", "conformer", "wav2vec2"]
    (tmp_path / "both.csv").write_text("\n".join([lines[0].replace("TED WER", "TED accuracy"), *lines[1:]]) + "\n")
    with pytest.raises(bt.EvidenceError):
        bt.read(tmp_path / "both.csv")


@pytest.mark.parametrize("word", ["points", "rating", "votes"])
def test_points_are_no_ranks(word: str, tmp_path: Path) -> None:
    rows = ["1,3,2,1", "2,3,1,2", "3,3,2,1", "4,2,3,1"]
    (tmp_path / "points.csv").write_text("\n".join([f"item,a_{word},b_{word},c_{word}", *rows]) + "\n")
    read = bt.read(tmp_path / "points.csv")
    assert read.kind == "scores"


def test_what_is_computed_from_other_columns_is_no_system(tmp_path: Path) -> None:
    rows = [f"d{n},0.7{n},0.8{n},14.{n}" for n in range(1, 6)]
    (tmp_path / "gain.csv").write_text("\n".join(["Dataset,Baseline,Ours,Improvement (%)", *rows]) + "\n")
    with pytest.raises(bt.EvidenceError, match="Improvement"):
        bt.read(tmp_path / "gain.csv")
