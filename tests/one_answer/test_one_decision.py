"""One decision: boards, all pairs, reports, pictures and the workbench decide every pair of systems alike."""

import csv
import io
import json
import re
import tempfile
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import betterthan as bt
from betterthan.verbs.report.page.figures.pair_matrix import Matrix
from betterthan.verbs.report.pair_explorer import pair_table
from betterthan.verbs.report.report_part import ReportPart
from betterthan.web.workbench.form_values import Said
from betterthan.web.workbench.open_files import Files
from betterthan.web.workbench.panels import board_panel, pairs_panel
from betterthan.web.workbench.session import WorkbenchSession
from tests.one_answer.random_evidence import DESIGNS, TABLES, Design, Table, scores_from

#: Better (1), worse (−1) or open (0), by the names of two systems.
Decided = dict[tuple[str, str], int]
_OPTIONS = st.fixed_dictionaries({"level": st.sampled_from([0.8, 0.95]), "seed": st.integers(0, 2)})


def of_board(board: bt.Leaderboard) -> Decided:
    """Read the decisions of a board."""
    assert board.decisions is not None
    above, names = board.decisions.above, board.fit.systems
    size = range(len(names))
    return {(names[a], names[b]): int(above[a, b]) - int(above[b, a]) for a in size for b in size if a != b}


def of_pairs(pairs: bt.AllPairs) -> Decided:
    """Read the decisions of a comparison of all pairs."""
    size = range(len(pairs.systems))
    return {
        (pairs.systems[a], pairs.systems[b]): int(pairs.better[a, b]) - int(pairs.better[b, a])
        for a in size for b in size if a != b
    }  # fmt: skip


def ranges_of(decided: Decided, apart: set[str]) -> dict[str, tuple[int, int]]:
    """Count the systems that are better and worse; who cannot be compared may have any rank."""
    names = sorted({name for pair in decided for name in pair})
    others = {name: [decided[name, other] for other in names if other != name] for name in names}
    return {
        name: (1, len(names))
        if name in apart
        else (1 + others[name].count(-1), len(names) - len(apart) - others[name].count(1))
        for name in names
    }


def clusters_of(board: bt.Leaderboard) -> list[int]:
    """Number the clusters by their definition: all rank ranges above a boundary lie above all those below it."""
    rows = [row for row in board if row.rank is not None]
    numbers = [1] * len(rows)
    for place in range(1, len(rows)):
        cut = max(row.rank_high or 0 for row in rows[:place]) < min(row.rank_low or 0 for row in rows[place:])
        numbers[place] = numbers[place - 1] + cut
    return numbers


def check_board(board: bt.Leaderboard) -> None:
    """Rank ranges and clusters follow from the decisions."""
    apart = {name for name in board.fit.systems if not board.can_place(name)}
    ranges = ranges_of(of_board(board), apart)
    assert {row.system: (row.rank_low, row.rank_high) for row in board} == ranges
    assert [row.cluster for row in board if row.rank is not None] == clusters_of(board)
    assert all(row.cluster is None for row in board if row.rank is None)
    shown = [ranges[row.system] for row in board]
    texts = [str(low) if low == high else f"{low}–{high}" for low, high in shown]
    assert [row[1] for row in board.table().rows] == texts
    assert re.findall(r"^\| \d* \| ([\d–]+) \|", board.to_markdown(), re.MULTILINE) == texts
    assert re.findall(r"^\d* & ([\d-]+) &", board.to_latex(), re.MULTILINE) == [
        text.replace("–", "--") for text in texts
    ]
    records = [(row["rank_low"], row["rank_high"]) for row in json.loads(board.to_json())["rows"]]
    lines = [(int(row["rank_low"]), int(row["rank_high"])) for row in csv.DictReader(io.StringIO(board.to_csv()))]
    assert records == lines == shown


def check_pairs(pairs: bt.AllPairs, decided: Decided) -> None:
    """Every number, star, bar and format of all pairs says what was decided."""
    assert of_pairs(pairs) == decided
    size, alpha = len(pairs.systems), 1 - pairs.level
    number = sum(decided[a, b] != 0 for a, b in combinations(pairs.systems, 2))
    assert pairs.separated() == number
    assert pairs.verdict.startswith(f"{number:,} of {size * (size - 1) // 2:,} pair")
    found = json.loads(pairs.to_json())["pairs"]
    lines = [*csv.DictReader(io.StringIO(pairs.to_csv()))]
    for each, line in zip(found, lines, strict=True):
        assert (
            (each["p_adjusted"] <= alpha)
            == (float(line["p_adjusted"]) <= alpha)
            == (decided[each["a"], each["b"]] != 0)
        )
        assert each["p"] is None or each["p"] <= each["p_adjusted"]
        if each["value"] is not None and decided[each["a"], each["b"]]:
            even = 0.5 if pairs.shares else 0.0
            assert np.sign(each["value"] - even) == decided[each["a"], each["b"]]
    latex = [line.split(" & ") for line in pairs.to_latex().splitlines() if line.startswith(pairs.systems)]
    markdown = [line.split(" | ") for line in pairs.markdown_tables().splitlines() if line.startswith("| ")][1:]
    for table in (pairs.table().rows, latex, markdown):
        for row, column in _places(size):
            cell = table[row][column + 1]
            assert ("*" in cell) == (
                decided[pairs.systems[row], pairs.systems[column]] != 0 and "–" not in cell and "--" not in cell
            )
    check_pictures(pairs, decided)


def check_pictures(pairs: bt.AllPairs, decided: Decided) -> None:
    """The matrix is strong where a pair is decided, and bars join the largest runs of systems without such a pair."""
    matrix = pairs.plot.matrix().columns
    for row, column, significant in zip(matrix["row"], matrix["column"], matrix["significant"], strict=True):
        assert significant == (decided[row, column] != 0)
    if pairs.ranks is not None:
        order = sorted(pairs.ranks, key=lambda system: (pairs.ranks[system], system))  # type: ignore[index]
        alike = [
            (first, last)
            for first, last in combinations(range(len(order)), 2)
            if not any(decided[a, b] for a, b in combinations(order[first : last + 1], 2))
        ]
        largest = [
            (first, last)
            for first, last in alike
            if not any(low <= first and last <= high and (low, high) != (first, last) for low, high in alike)
        ]
        assert pairs.indistinct(order) == largest


def check_part(part: ReportPart, decided: Decided) -> None:
    """The report's pairs, explorer and matrix say what was decided."""
    check_pairs(part.pairs, decided)
    explored = pair_table(part)["significant"]
    assert explored == [decided[a, b] for a, b in combinations(part.pairs.systems, 2)]
    page = Matrix.of(part.pairs)
    pale = _cells([shade.path for shade in page.shades if shade.name.endswith("pale")])
    strong = _cells([shade.path for shade in page.shades if not shade.name.endswith("pale")])
    for row, column in pale | strong:
        assert ((row, column) in strong) == (decided[page.systems[row], page.systems[column]] != 0)


def check_panels(boards: bt.Leaderboards, pairs: bt.AllPairs, decided: Decided) -> None:
    """The workbench marks what was decided, and shows the ranges of the board."""
    words = {1: "better", 0: "", -1: "worse"}
    for name in pairs.systems:
        (panel,) = pairs_panel(pairs, name)["models"]
        assert panel["separated"] == pairs.separated()
        assert {each["name"]: each["mark"] for each in panel["against"]} == {
            other: words[decided[name, other]] for other in pairs.systems if other != name
        }
    shown = board_panel(boards)["parts"][0]["boards"][0]
    place = shown["head"].index("range")
    assert [row["cells"][place].text for row in shown["rows"]] == [row[1] for row in boards.boards[0].table().rows]


def _places(size: int) -> list[tuple[int, int]]:
    return [(row, column) for row in range(size) for column in range(size) if row != column]


def _cells(paths: list[str]) -> set[tuple[int, int]]:
    """Return rows and columns that paths of horizontal strokes cover."""
    strokes = [map(int, each) for path in paths for each in re.findall(r"M(\d+) (\d+)h(\d+)", path)]
    return {(row, column + step) for column, row, long in strokes for step in range(long)}


@given(TABLES, _OPTIONS)
def test_every_surface_decides_every_pair_alike(table: Table, options: dict[str, Any]) -> None:
    options = {**options, "resamples": 100}
    boards, pairs = bt.rank(table.read(), **options), bt.compare_all(table.read(), **options)
    board, decided = boards.boards[0], of_board(boards.boards[0])
    assert (pairs.model, pairs.unit, pairs.data) == (board.mechanism, board.settings.unit, board.data)
    for each in boards:
        check_board(each)
        check_pairs(bt.compare_all(table.read(), model=each.mechanism, **options), of_board(each))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "table.csv"
        table.save(path)
        with WorkbenchSession(Files([str(path)])) as session:
            said = Said(("f1",), {"read": {"kind": table.kind, **table.roles}, "rank": options})
            part = session.report(said, _silent).parts[0]
            assert of_board(part.main) == decided
            check_part(part, decided)
            seen = session.pairs(said, _silent)
            assert np.array_equal(seen.p_adjusted, pairs.p_adjusted)
            check_panels(session.boards(said, _silent), seen, decided)


def _silent(*_: object) -> None:
    pass


@given(TABLES, st.integers(0, 20))
def test_boards_and_pairs_of_any_model_decide_alike(table: Table, place: int) -> None:
    known = {
        "judgments": ("davidson", "bradley-terry(ties=drop)", "win-rate", "elo", "trueskill", "rank-centrality", "thurstone"),
        "rankings": ("plackett-luce", "borda", "average-rank", "win-rate", "rao-kupper", "pagerank"),
        "scores": ("mean(trim=0.1)", "median", "median(of=differences)", "davidson", "win-rate", "average-rank"),
    }[table.kind]  # fmt: skip
    model = known[place % len(known)]
    board = bt.rank(table.read(), model=model, resamples=60).board
    check_board(board)
    check_pairs(bt.compare_all(table.read(), model=model, resamples=60), of_board(board))


@given(DESIGNS)
def test_a_pair_alone_has_the_p_value_of_compare(design: Design) -> None:
    table = scores_from(replace(design, second=False))
    evidence = table.read()
    pairs = bt.compare_all(evidence, model="mean", resamples=60)
    for one, two in combinations(range(len(pairs.systems)), 2):
        duel = bt.compare(evidence, pairs.systems[one], pairs.systems[two])
        assert pairs.p[one, two] == pytest.approx(duel.p, rel=1e-9), (pairs.systems[one], pairs.systems[two])


def _votes(*records: tuple[str, str, int, int]) -> Table:
    rows = [
        {"model_a": a, "model_b": b, "winner": winner}
        for a, b, won, lost in records
        for winner in ["model_a"] * won + ["model_b"] * lost
    ]
    return Table("judgments", tuple(rows))


#: By the model owl is far better than yak, but yak won two of their three judgments.
UPSET = _votes(("owl", "elk", 90, 10), ("elk", "yak", 90, 10), ("owl", "yak", 1, 2))


def test_a_record_of_a_pair_does_not_change_the_direction_of_a_decision() -> None:
    boards, pairs = bt.rank(UPSET.read(), resamples=200), bt.compare_all(UPSET.read(), resamples=200)
    decided = of_board(boards.board)
    assert decided["owl", "yak"] == 1
    assert pairs.share[0, 2] < 0.5
    check_pairs(pairs, decided)
    check_panels(boards, pairs, decided)
    check_part(bt.report(UPSET.read(), resamples=200).parts[0], decided)
