"""Many items and judges in buckets: the same bits on every engine, intervals as wide as those by exact units."""

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import betterthan as bt
import betterthan.datasets.judged_data as judged_data
from betterthan.engine.duckdb import file_table as scan
from betterthan.engine.duckdb.sql import units_of
from betterthan.engine.table import Coded

SYSTEMS = ("owl", "yak", "elk", "cow")


def _world(rows: int, items: int, judges: int, seed: int = 0, effect: float = 0.0) -> dict[str, list[Any]]:
    """Return judgments in which every item and every judge may like systems of its own."""
    rng = np.random.default_rng(seed)
    strength = np.array([0.6, 0.3, 0.0, -0.5])
    left = rng.integers(4, size=rows)
    right = (left + rng.integers(1, 4, size=rows)) % 4
    item, judge = rng.integers(items, size=rows), rng.integers(judges, size=rows)
    likes = [rng.normal(0, effect, size=(number, 4)) for number in (items, judges)]
    gap = strength[left] - strength[right]
    for liked, unit in zip(likes, (item, judge), strict=True):
        gap = gap + liked[unit, left] - liked[unit, right]
    drawn = rng.random(rows)
    win = 0.8 / (1 + np.exp(-gap))
    outcome = np.where(drawn < win, "model_a", np.where(drawn < 0.8, "model_b", "tie"))
    names = np.array(SYSTEMS)
    return {
        "model_a": names[left].tolist(),
        "model_b": names[right].tolist(),
        "winner": outcome.tolist(),
        "item": [f"item {number}" for number in item],
        "judge": judge.tolist(),
    }


COLUMNS = _world(3_000, 400, 90)


def _dask() -> Any:
    import dask.dataframe as dd

    return dd.from_pandas(pd.DataFrame(COLUMNS), npartitions=3)


def _relation() -> Any:
    connection = duckdb.connect()
    connection.register("world", pa.table(COLUMNS))
    return connection.sql("SELECT * FROM world")


ENGINES: dict[str, Callable[[], Any]] = {
    "columns": lambda: COLUMNS,
    "pandas": lambda: pd.DataFrame(COLUMNS),
    "polars": lambda: pl.DataFrame(COLUMNS),
    "polars-lazy": lambda: pl.LazyFrame(COLUMNS),
    "pyarrow": lambda: pa.table(COLUMNS),
    "duckdb": _relation,
    "dask": _dask,
}


@pytest.fixture(scope="module")
def expected() -> dict[str, Any]:
    return {unit: _ranked(COLUMNS, unit) for unit in ("item", "item+judge")}


def _ranked(source: Any, unit: str, **options: Any) -> Any:
    return bt.rank(source, unit=unit, buckets=64, resamples=100, **options).board


def _same(board: Any, other: Any) -> None:
    assert np.array_equal(board.draws.strength, other.draws.strength)
    assert str(board.signature) == str(other.signature)
    assert "|buckets:64|" in str(board.signature)


@pytest.mark.parametrize("unit", ["item", "item+judge"])
@pytest.mark.parametrize("engine", ENGINES)
def test_every_engine_gives_the_same_bits(engine: str, unit: str, expected: dict[str, Any]) -> None:
    _same(_ranked(ENGINES[engine](), unit), expected[unit])


@pytest.mark.parametrize("unit", ["item", "item+judge"])
def test_files_give_the_same_bits(unit: str, tmp_path: Path, expected: dict[str, Any]) -> None:
    pq.write_table(pa.table(COLUMNS), tmp_path / "world.parquet")
    pd.DataFrame(COLUMNS).to_csv(tmp_path / "world.csv", index=False)
    for name in ("world.parquet", "world.csv"):
        _same(_ranked(tmp_path / name, unit), expected[unit])


@pytest.mark.long
@pytest.mark.spark
def test_spark_gives_the_same_bits(spark: Any, expected: dict[str, Any]) -> None:
    rows = list(zip(*COLUMNS.values(), strict=True))
    votes = bt.read_judgments(spark.createDataFrame(rows, list(COLUMNS)).repartition(3))
    _same(_ranked(votes, "item+judge"), expected["item+judge"])
    _only_sums_left(votes.explain())


def test_only_counts_and_sums_leave_a_dask_frame() -> None:
    votes = bt.read_judgments(_dask())
    assert votes.explain() == "The dask frame was not asked yet. Rank first, then ask again."
    _ranked(votes, "item+judge")
    _only_sums_left(votes.explain())
    assert (
        bt.read_judgments(COLUMNS).explain()
        == "The rows of the given arrays are read in this process and go nowhere else."
    )


def _only_sums_left(said: str) -> None:
    first, _, *answers = said.splitlines()
    assert first.endswith("Nothing else left its engine.")
    pairs = 4 * 3 * 3
    most = {"how": pairs, "sums": 3 * 64 * 4}  # pairs × outcomes; ways × buckets × systems
    assert [line.split(maxsplit=3)[2] for line in answers] == ["how", "how", "how", "how", "sums"]
    for line in answers:
        rows, _, what, _ = line.split(maxsplit=3)
        assert int(rows.replace(",", "")) <= most[what]


def test_units_of_many_rows_are_counted_and_hashed_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scan, "MANY_ROWS", 1)
    pq.write_table(pa.table(COLUMNS), tmp_path / "world.parquet")
    with bt.read_judgments(tmp_path / "world.parquet") as votes:
        before = votes.table.scans
        board = _ranked(votes, "item+judge")
        # Rows, items, judges, pairs, and what they add to buckets.
        assert votes.table.scans - before == 5
    assert (board.evidence.items, board.evidence.judges) == (len(set(COLUMNS["item"])), len(set(COLUMNS["judge"])))
    _same(board, _ranked(COLUMNS, "item+judge"))


def test_without_intervals_items_and_judges_of_many_rows_are_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pq.write_table(pa.table(COLUMNS), tmp_path / "world.parquet")
    few = bt.rank(tmp_path / "world.parquet", ci="none")
    monkeypatch.setattr(judged_data, "_MANY_ROWS", 1)
    with bt.read_judgments(tmp_path / "world.parquet") as votes:
        before = votes.table.scans
        many = bt.rank(votes, ci="none")
        assert votes.table.scans - before == 1
    assert few.board.evidence.items == len(set(COLUMNS["item"]))
    assert many.board.evidence.items is None
    assert [row.score for row in many.board] == [row.score for row in few.board]
    # A plan taken from there does not decide by which units a later call makes its intervals.
    assert bt.rank(COLUMNS, plan=str(many.signature), ci="bootstrap", resamples=50).settings.unit == "item+judge"


@cache
def _large_world() -> Any:
    return bt.read_judgments(_world(30_000, 3_000, 1_500, seed=3, effect=0.6))


@cache
def _wide_by_rows(model: str) -> float:
    return _wide(bt.rank(_large_world(), model=model, unit="row", resamples=400, scale="log"))


@pytest.mark.parametrize("model", ["bradley-terry", "davidson", "rao-kupper"])
@pytest.mark.parametrize("unit", ["item", "judge", "item+judge"])
def test_intervals_are_as_wide_as_by_exact_units(model: str, unit: str) -> None:
    world = _large_world()
    widths = []
    for buckets in (0, 1024):
        boards = [
            bt.rank(world, model=model, unit=unit, buckets=buckets, resamples=400, seed=seed, scale="log").board
            for seed in range(3)
        ]
        assert all((f"|buckets:{buckets}|" in str(board.signature)) for board in boards)
        widths.append(np.mean([[row.high - row.low for row in board] for board in boards]))
    exact, hashed = widths
    # What two crossed factors have in common is known from 200 resamples only, by both ways.
    assert hashed == pytest.approx(exact, rel=0.06 if "+" in unit else 0.04)
    assert _wide_by_rows(model) < 0.95 * exact  # units matter here


def test_analytic_intervals_take_buckets_too() -> None:
    exact, hashed = (
        _wide(bt.rank(_world(20_000, 3_000, 1_500, effect=0.6), ci="analytic", buckets=buckets, scale="log"))
        for buckets in (0, 1024)
    )
    assert hashed == pytest.approx(exact, rel=0.05)


def _wide(boards: Any) -> float:
    return float(np.mean([row.high - row.low for row in boards.board]))


def test_few_units_are_exact_by_default() -> None:
    board = bt.rank(COLUMNS, resamples=50).board
    assert board.draws.buckets == 0
    assert "buckets" not in str(board.signature)


def test_many_units_are_in_buckets_by_default_and_the_signature_repeats_it() -> None:
    world = _world(50_000, 25_000, 300)
    boards = bt.rank(world, resamples=50)
    assert "|unit:item+judge|buckets:4096|" in str(boards.signature)
    again = bt.rank(world, str(boards.signature))
    assert np.array_equal(again.board.draws.strength, boards.board.draws.strength)
    other = bt.rank(world, resamples=50, seed=1).board
    assert not np.array_equal(other.draws.strength, boards.board.draws.strength)


@pytest.mark.parametrize("model", ["win-rate", "plackett-luce"])
def test_models_without_gradients_keep_units_one_by_one(model: str) -> None:
    board = bt.rank(COLUMNS, model=model, unit="item", buckets=64, resamples=30).board
    exact = bt.rank(COLUMNS, model=model, unit="item", buckets=0, resamples=30).board
    assert np.array_equal(board.draws.strength, exact.draws.strength)
    assert board.draws.buckets == 0


def test_systems_that_never_lose_keep_units_one_by_one() -> None:
    world = {**COLUMNS, "model_a": [*COLUMNS["model_a"]], "winner": [*COLUMNS["winner"]]}
    for place, (a, b) in enumerate(zip(COLUMNS["model_a"], COLUMNS["model_b"], strict=True)):
        if "owl" in {a, b}:
            world["winner"][place] = "model_a" if a == "owl" else "model_b"
    board, exact = (bt.rank(world, unit="item", buckets=buckets, resamples=30).board for buckets in (64, 0))
    assert board["owl"].high is None
    assert np.array_equal(board.draws.strength, exact.draws.strength)


def test_a_row_without_its_unit_is_refused_as_ever(tmp_path: Path) -> None:
    world = {**COLUMNS, "item": [None, *COLUMNS["item"][1:]]}
    pq.write_table(pa.table(world), tmp_path / "world.parquet")
    import dask.dataframe as dd

    frame = pd.DataFrame(world)
    for source in (world, tmp_path / "world.parquet", frame, dd.from_pandas(frame, npartitions=2)):
        with pytest.raises(bt.EvidenceError, match="the item is missing"):
            bt.rank(source, unit="item", buckets=64)
    kept = bt.rank(bt.read_judgments(tmp_path / "world.parquet", on_error="skip"), unit="item", resamples=30).board
    assert kept.evidence.refused == 1


#: Engines write small numbers in different ways, such as 1e-05 and 0.00001.
WEIGHTED = {**COLUMNS, "weight": [(1e-5, 0.1, 0.7, 1.0)[place % 4] for place in range(len(COLUMNS["item"]))]}


@pytest.mark.parametrize("largest", [1.0, 1e-9, 1e9])
def test_weights_are_added_up_too(largest: float) -> None:
    world = {**WEIGHTED, "weight": [largest * weight for weight in WEIGHTED["weight"]]}
    board, exact = (bt.rank(world, unit="item", buckets=buckets, resamples=2000).board for buckets in (128, 0))
    assert board.draws.buckets == 128
    assert np.allclose([row.score for row in board], [row.score for row in exact], atol=1e-9)
    wide = [np.mean([row.high - row.low for row in each]) for each in (board, exact)]
    assert wide[0] == pytest.approx(wide[1], rel=0.05)
    # Half of the judgments decide most: intervals are wider than without weights.
    assert wide[0] > 1.02 * np.mean([row.high - row.low for row in _ranked(COLUMNS, "item")])


def _gradients(world: Any, **options: Any) -> Any:
    """Return what buckets and few judges add to the gradients at the estimate."""
    from betterthan.datasets.data_sets_of import data_sets
    from betterthan.models.bradley_terry import BradleyTerry

    (data,) = data_sets(bt.read_judgments(world, **options), unit="item+judge", tolerance=0.0, units=True)
    counts = data.in_buckets(128).pairs()
    model = BradleyTerry()
    fit = model.fit(counts)
    return counts.units.at(model.refitter(fit, counts).terms, 3)


def test_weight_two_is_the_judgment_twice() -> None:
    twice = {name: [value for value in values for _ in range(2)] for name, values in COLUMNS.items()}
    double = {**COLUMNS, "weight": [2.0] * len(COLUMNS["item"])}
    for one, two in zip(_gradients(twice).crossed, _gradients(double).crossed, strict=True):
        assert np.allclose(one.gradients, two.gradients, atol=1e-7)


def test_counts_are_judgments() -> None:
    world = {**COLUMNS, "n": [1 + place % 3 for place in range(len(COLUMNS["item"]))]}
    many = {
        name: [value for value, number in zip(values, world["n"], strict=True) for _ in range(number)]
        for name, values in COLUMNS.items()
    }
    for one, two in zip(_gradients(world, counts=["n"]).crossed, _gradients(many).crossed, strict=True):
        assert np.array_equal(one.gradients, two.gradients)


def test_fractions_of_judgments_are_kept_one_by_one() -> None:
    world = {**COLUMNS, "n": [1.5] * len(COLUMNS["item"])}
    assert (
        bt.rank(bt.read_judgments(world, counts=["n"]), unit="item", buckets=64, resamples=30).board.draws.buckets == 0
    )


def test_numbers_that_no_sum_can_hold_are_kept_one_by_one() -> None:
    plenty = {**COLUMNS, "n": [10**9] * len(COLUMNS["item"])}
    for one, two in zip(_gradients(plenty, counts=["n"]).crossed, _gradients(COLUMNS).crossed, strict=True):
        assert np.allclose(one.gradients / 1e9, two.gradients, atol=1e-3)
    world = {**COLUMNS, "n": [10**12] * len(COLUMNS["item"])}
    assert (
        bt.rank(bt.read_judgments(world, counts=["n"]), unit="item", buckets=64, resamples=30).board.draws.buckets == 0
    )


def test_shares_for_both_sides_are_parts_of_one_judgment() -> None:
    share = {"model_a": 0.75, "model_b": 0.25, "tie": 0.5}
    soft = {**COLUMNS, "winner": [share[outcome] for outcome in COLUMNS["winner"]]}
    board, exact = (bt.rank(soft, unit="item", buckets=buckets, resamples=2000).board for buckets in (128, 0))
    assert board.draws.buckets == 128
    wide = [np.mean([row.high - row.low for row in each]) for each in (board, exact)]
    assert wide[0] == pytest.approx(wide[1], rel=0.05)


@cache
def _weighted() -> Any:
    return _ranked(WEIGHTED, "item+judge")


@pytest.mark.parametrize("engine", ENGINES)
def test_every_engine_adds_up_weights_alike(engine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = _weighted()
    monkeypatch.setitem(globals(), "COLUMNS", WEIGHTED)
    board = _ranked(ENGINES[engine](), "item+judge")
    assert board.draws.buckets == 64
    # Adding 0.1 three times is not 3 · 0.1: the estimates differ in the last digit.
    assert np.allclose(board.draws.strength, expected.draws.strength, rtol=0, atol=1e-9)


#: Some outcomes are missing; judge 1000 has no others.
HOLES = {
    **COLUMNS,
    "winner": [None if place % 50 == 0 else outcome for place, outcome in enumerate(COLUMNS["winner"])],
    "judge": [1000 if place % 50 == 0 else judge for place, judge in enumerate(COLUMNS["judge"])],
}


@cache
def _without_holes(unit: str) -> Any:
    good = {name: [value for place, value in enumerate(values) if place % 50] for name, values in COLUMNS.items()}
    return bt.rank(good, unit=unit, buckets=128, resamples=100).board


@pytest.mark.parametrize("unit", ["item", "item+judge"])
@pytest.mark.parametrize("engine", ENGINES)
def test_refused_rows_add_nothing(engine: str, unit: str, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = _without_holes(unit)
    monkeypatch.setitem(globals(), "COLUMNS", HOLES)
    votes = bt.read_judgments(ENGINES[engine](), on_error="skip")
    board = bt.rank(votes, unit=unit, buckets=128, resamples=100).board
    assert (board.evidence.rows, board.evidence.refused) == (3_000, 60)
    if engine == "dask" and "judge" in unit:  # few units of rows that are not all kept
        assert board.draws.buckets == 0
        return
    assert board.draws.buckets == 128
    assert np.array_equal(board.draws.strength, expected.draws.strength)


def test_rows_without_a_unit_are_refused_and_counted_as_ever(tmp_path: Path) -> None:
    holes = {**COLUMNS, "item": [None if place % 100 == 0 else item for place, item in enumerate(COLUMNS["item"])]}
    pq.write_table(pa.table(holes), tmp_path / "world.parquet")
    for source in (holes, pd.DataFrame(holes), pl.DataFrame(holes), pa.table(holes), tmp_path / "world.parquet"):
        board = bt.rank(bt.read_judgments(source, on_error="skip"), unit="item", buckets=64, resamples=30).board
        assert (board.evidence.refused, board.draws.buckets) == (30, 0)


def test_buckets_are_for_judgments() -> None:
    with pytest.raises(bt.PlanError, match="buckets=64 is for judgments, but this evidence is scores"):
        bt.rank({"owl": [1, 2], "yak": [2, 3]}, buckets=64)
    with pytest.raises(bt.PlanError, match="buckets=64 has no effect with ci='none'"):
        bt.rank(COLUMNS, buckets=64, ci="none")


def test_units_whose_hashes_are_alike_are_kept_one_by_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pq.write_table(pa.table(COLUMNS), tmp_path / "world.parquet")

    def colliding(source: str, column: str, kind: str) -> str:
        return f"SELECT k, full_hash FROM ({units_of(source, column, kind)}) UNION ALL (SELECT k, full_hash + 1 FROM ({units_of(source, column, kind)}) LIMIT 1)"

    monkeypatch.setattr(scan, "units_of", colliding)
    board, exact = (
        _ranked(tmp_path / "world.parquet", "item")
        if buckets
        else bt.rank(COLUMNS, unit="item", buckets=0, resamples=100).board
        for buckets in (64, 0)
    )
    assert board.draws.buckets == 0
    assert np.array_equal(board.draws.strength, exact.draws.strength)


@pytest.mark.parametrize("engine", ["pandas", "polars", "polars-lazy", "pyarrow"])
def test_texts_of_many_rows_never_become_python_objects(engine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    encoded: list[int] = []
    plain = Coded.of

    def counting(values: Any) -> Coded:
        found = plain(values)
        encoded.append(len(found.codes))
        return found

    monkeypatch.setattr(Coded, "of", counting)
    board = _ranked(ENGINES[engine](), "item+judge")
    assert board.draws.buckets == 64
    assert max(encoded) <= 4 * 3 * 3  # pairs × outcomes


def test_categories_and_numbers_name_units_too(expected: dict[str, Any]) -> None:
    frame = pd.DataFrame(COLUMNS).astype({"item": "category", "model_a": "category", "winner": "category"})
    _same(_ranked(frame, "item+judge"), expected["item+judge"])
    _same(_ranked(pl.from_pandas(frame), "item+judge"), expected["item+judge"])
    _same(_ranked(pa.Table.from_pandas(frame), "item+judge"), expected["item+judge"])
    _same(_ranked(pd.DataFrame(COLUMNS).astype({"judge": "float64"}), "item+judge"), expected["item+judge"])


def test_rankings_go_into_buckets_too() -> None:
    rng = np.random.default_rng(0)
    order = np.argsort(np.array([0.6, 0.3, 0.0, -0.5]) + rng.gumbel(size=(2_000, 4)))[:, ::-1]
    ranks = np.argsort(order) + 1
    rankings = bt.read_rankings({name: ranks[:, place].tolist() for place, name in enumerate(SYSTEMS)})
    board, exact = (bt.rank(rankings, unit="ranking", buckets=buckets, resamples=2000).board for buckets in (512, 0))
    assert (board.draws.buckets, exact.draws.buckets) == (512, 0)
    wide = [np.mean([row.high - row.low for row in each]) for each in (board, exact)]
    assert wide[0] == pytest.approx(wide[1], rel=0.05)


def test_rows_of_a_text_file_are_never_held_for_a_join(tmp_path: Path) -> None:
    from betterthan.engine.duckdb.file_table import open_files

    pd.DataFrame(COLUMNS).to_csv(tmp_path / "world.csv", index=False)
    with open_files([tmp_path / "world.csv"]) as table, table._asking() as ask:
        ask("CREATE TABLE many AS SELECT hash(i) AS k, i FROM range(100000) AS r(i)")
        plan = ask(f"EXPLAIN SELECT i FROM {table.source} JOIN many ON k = hash(item)").fetchall()[0][1]
    # The side that is held stands on the right. DuckDB expects 42 rows of any text file, and would hold those.
    assert plan.index("Read Csv") < plan.index("Seq Scan")


def test_eight_threads_keep_one_table_of_pairs(tmp_path: Path) -> None:
    from concurrent.futures import ThreadPoolExecutor

    from betterthan.engine.duckdb.file_table import open_files

    pq.write_table(pa.table(COLUMNS), tmp_path / "world.parquet")
    with open_files([tmp_path / "world.parquet"]) as table:
        with ThreadPoolExecutor(8) as pool:
            found = list(pool.map(lambda _: table.distinct(["model_a", "model_b"]), range(16)))
        with table._asking() as ask:
            kept = ask("SELECT count(*) FROM duckdb_tables() WHERE table_name LIKE 'betterthan_grouped%'").fetchall()
    assert {int(each.times.sum()) for each in found} == {3_000}
    assert kept == [(1,)]


def _many_items(weights: np.ndarray[Any, Any], each: int) -> dict[str, list[Any]]:
    """Return a world of so many judgments of every item, all of the item's weight."""
    world = _world(len(weights) * each, 10, 5, seed=5)
    item = np.repeat(np.arange(len(weights)), each)
    return {**world, "item": item.tolist(), "weight": weights[item].tolist()}


def test_units_of_weight_nothing_are_no_units() -> None:
    weights = np.zeros(300)
    weights[:30] = 1.0
    board, exact = (
        bt.rank(_many_items(weights, 20), unit="item", buckets=buckets, resamples=200).board for buckets in (128, 0)
    )
    assert (board.draws.buckets, board.draws.units) == (0, 30)
    assert np.array_equal(board.draws.strength, exact.draws.strength)


def test_few_units_that_decide_everything_are_kept_one_by_one() -> None:
    weights = np.ones(900)
    weights[:5] = 2_000.0
    board = bt.rank(_many_items(weights, 4), unit="item", buckets=256, resamples=200).board
    assert board.draws.buckets == 0
    light = bt.rank(_many_items(np.where(weights > 1, 2.0, 1.0), 4), unit="item", buckets=256, resamples=200).board
    assert light.draws.buckets == 256


@pytest.mark.parametrize(("smallest", "buckets"), [(1e-3, 64), (1e-10, 0)])
def test_no_system_is_rounded_away(smallest: float, buckets: int) -> None:
    weight = [smallest if "cow" in pair else 1.0 for pair in zip(COLUMNS["model_a"], COLUMNS["model_b"], strict=True)]
    wide = {64: 0.0, 0: 0.0}
    for seed in range(6):  # the ends of a single run vary by a tenth: so few buckets are few units
        for number in wide:
            plan = {"unit": "item", "buckets": number, "resamples": 400, "seed": seed}
            board = bt.rank({**COLUMNS, "weight": weight}, **plan).board
            assert board.draws.buckets == (buckets if number else 0)
            wide[number] += board["cow"].high - board["cow"].low
    assert wide[64] == pytest.approx(wide[0], rel=0.1)


def _newcomer() -> dict[str, list[Any]]:
    """Return a world with a system of twelve judgments, eleven of them won."""
    new = {
        "model_a": ["new"] * 12,
        "model_b": [SYSTEMS[place % 4] for place in range(12)],
        "winner": ["model_b", *["model_a"] * 11],
        "item": [f"item {place}" for place in range(12)],
        "judge": list(range(12)),
    }
    return {name: [*COLUMNS[name], *new[name]] for name in COLUMNS}


def test_systems_of_which_little_is_known_are_refitted() -> None:
    board, exact = (bt.rank(_newcomer(), unit="item", buckets=buckets, resamples=200).board for buckets in (64, 0))
    assert np.array_equal(board.draws.strength, exact.draws.strength)
    assert "little-known" not in {finding.code for finding in board.findings}


def test_systems_of_which_little_is_known_are_named_where_refits_take_long(monkeypatch: pytest.MonkeyPatch) -> None:
    from betterthan.uncertainty import resampling as resample

    monkeypatch.setattr(resample, "_REFITTED", 1)
    board = bt.rank(_newcomer(), unit="item", buckets=64, resamples=200).board
    (told,) = [finding for finding in board.findings if finding.code == "little-known"]
    assert told.message == (
        "new has few judgments, so its confidence interval is approximate: one Newton step makes it too symmetric."
    )
    assert board.draws.buckets == 64


def test_sums_of_other_rows_are_noticed() -> None:
    from betterthan.engine import bucket_sums

    amounts = bucket_sums.Amounts.of(
        np.array([0, 0]), np.array([1, 2]), np.array([0.5, -0.5]), None, weight=np.ones(2), times=np.array([2.0, 1.0])
    )
    times = np.array([2, 1])
    for rows, right in (([0, 1, 0], True), ([0, 1], False), ([0, 1, 1], False), ([0, 0, 1, 1], False)):
        sums = bucket_sums.Sums(amounts, [4], buckets=4, systems=3)
        sums.add(np.array(rows), [bucket_sums.UnitHashes(np.arange(len(rows)))])
        if right:
            sums.need(times)
            assert np.allclose(sums.found[0].sum(axis=0), [0.5, -1.0, 0.5])
        else:
            with pytest.raises(bucket_sums.NoBucketsError):
                sums.need(times)


def test_judges_of_whom_all_rows_are_refused_leave_too_few(tmp_path: Path) -> None:
    world = {
        **COLUMNS,
        "judge": [place % 2 for place in range(3_000)],
        "winner": [None if place % 2 else outcome for place, outcome in enumerate(COLUMNS["winner"])],
    }
    pq.write_table(pa.table(world), tmp_path / "world.parquet")
    votes = bt.read_judgments(tmp_path / "world.parquet", on_error="skip")
    with pytest.raises(bt.PlanError, match="resampling needs at least two units, but there is only one"):
        bt.rank(votes, unit="item+judge", buckets=8)


def test_columns_may_be_called_as_ours_are(tmp_path: Path, expected: dict[str, Any]) -> None:
    names = {"model_a": "k", "model_b": "row", "winner": "winner", "item": "u", "judge": "look"}
    pq.write_table(pa.table({names[name]: values for name, values in COLUMNS.items()}), tmp_path / "world.parquet")
    votes = bt.read_judgments(
        tmp_path / "world.parquet", left="k", right="row", outcome="winner", item="u", judge="look"
    )
    _same(_ranked(votes, "item+judge"), expected["item+judge"])


def test_a_relation_in_an_open_transaction_stays_usable() -> None:
    connection = duckdb.connect()
    connection.register("world", pa.table(COLUMNS))
    connection.execute("SET default_order = 'DESC'")
    connection.begin()
    connection.execute("CREATE TABLE votes AS SELECT * FROM world")
    board = _ranked(connection.sql("SELECT * FROM votes"), "item+judge")
    connection.commit()
    assert connection.sql("SELECT count(*) FROM votes").fetchall() == [(3_000,)]
    assert np.array_equal(board.draws.strength, _ranked(COLUMNS, "item+judge").draws.strength)


@pytest.mark.parametrize("kind", ["FLOAT", "DOUBLE", "TIMESTAMP"])
def test_fractions_and_times_name_units_alike_in_files_and_memory(kind: str, tmp_path: Path) -> None:
    with duckdb.connect() as connection:
        connection.register("world", pa.table(COLUMNS))
        unit = "to_timestamp(judge + 0.25)::TIMESTAMP" if kind == "TIMESTAMP" else f"CAST(judge / 7 AS {kind})"
        connection.execute(f"COPY (SELECT * REPLACE ({unit} AS judge) FROM world) TO '{tmp_path}/world.parquet'")
    first = bt.read_judgments(tmp_path / "world.parquet")
    second = bt.read_judgments(tmp_path / "world.parquet")
    second.tally("judge")  # what was read before must not decide
    boards = [bt.rank(votes, unit="judge", buckets=32, resamples=50).board for votes in (first, second)]
    assert np.array_equal(boards[0].draws.strength, boards[1].draws.strength)
