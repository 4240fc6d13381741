"""What the report shows equals what the verb of that name gives with the same options: numbers, rows and findings."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import betterthan as bt
from betterthan.datasets.data_sets_of import DataSets, data_sets
from betterthan.verbs.report.report_part import ReportPart
from betterthan.worlds.simulated import Arena

ARENA = Arena(strengths=(0.9, 0.5, 0.45, 0.0, -0.6), tie_width=0.5)


def _votes(tmp_path: Path) -> bt.Judgments:
    """Weighted judgments with ties in two data sets, some rows without a data set, and some that cannot be read."""
    rng = np.random.default_rng(5)
    columns = ARENA.simulate(rng, judgments=700, items=60, judges=9)
    columns["weight"] = rng.choice([1.0, 0.5, 2.0], 700)
    columns["dataset"] = np.where(rng.random(700) < 0.02, "", np.where(rng.random(700) < 0.5, "news", "talks"))
    names = list(columns)
    lines = [",".join(names), *(",".join(str(columns[name][row]) for name in names) for row in range(700))]
    lines[5:5] = ["p1,j1,aurora", "p1,j1,aurora,aurora,tie,1,news", "p1,j1,aurora,birch,perhaps,1,news"]
    (tmp_path / "votes.csv").write_text("\n".join(lines))
    return bt.read_judgments(tmp_path / "votes.csv", on_error="skip")


def _rankings(tmp_path: Path) -> bt.Rankings:
    rng = np.random.default_rng(6)
    ranks = {name: [int(value) for value in rng.integers(1, 5, 80)] for name in ("owl", "yak", "elk", "cat")}
    ranks["owl"] = [max(1, value - 1) for value in ranks["owl"]]
    judge = [f"j{number % 7}" for number in range(80)]
    return bt.read_rankings({"judge": judge, **ranks})


def _scores(tmp_path: Path) -> bt.Scores:
    rng = np.random.default_rng(7)
    rows = []
    for metric in ("bleu", "comet"):
        for item in range(60):
            ease = rng.normal()
            for system, strength in (("owl", 0.6), ("yak", 0.3), ("elk", 0.0)):
                value = round(ease + strength + rng.normal(), 1)
                rows.append(
                    {
                        "metric": metric,
                        "item": f"i{item:02d}",
                        "document": f"d{item // 5}",
                        "system": system,
                        "score": value,
                    }
                )
    rows.append({"metric": "bleu", "item": "i00", "document": "d0", "system": "owl", "score": 1.0})  # a second score
    return bt.read_scores(rows, group="document", on_error="skip")


CASES: list[tuple[Callable[[Path], Any], dict[str, Any]]] = [
    (_votes, {"ties": "drop", "seed": 3, "resamples": 120, "level": 0.9}),
    (_votes, {"model": "davidson,elo", "unit": "judge", "resamples": 60, "seed": 2}),
    (_rankings, {"resamples": 100, "anchor": "owl=1000", "scale": "elo"}),
    (_scores, {"tolerance": 0.2, "resamples": 100, "level": 0.8}),
    (_scores, {"model": "mean", "unit": "item", "resamples": 100, "measure": "hard"}),
]


@pytest.mark.parametrize(("make", "options"), CASES)
def test_the_report_says_what_the_verbs_say(
    tmp_path: Path, make: Callable[[Path], Any], options: dict[str, Any]
) -> None:
    page = bt.report(make(tmp_path), **options)
    evidence = make(tmp_path)
    of_rank = {name: value for name, value in options.items() if name != "measure"}
    of_diagnosis = {name: options[name] for name in ("measure", "unit", "tolerance", "seed") if name in options}
    diagnosis = bt.diagnose(evidence, **of_diagnosis)
    assert [part.diagnosis for part in page.parts] == list(diagnosis.sections)
    for part in page.parts:
        models = ",".join(part.boards.models)
        boards = bt.rank(evidence, **{**of_rank, "model": models})
        alone = [board for board in boards if board.title == part.title]
        assert [board.to_dict() for board in part.boards] == [board.to_dict() for board in alone]
        _pairs_are_those_of_compare_all(part, evidence, options)
        assert set(part.boards.findings) <= set(part.findings)
        for finding in part.findings:
            assert finding.message.split("'")[0] in page.html.replace("&#39;", "'").replace("&amp;", "&").replace(
                "&lt;", "<"
            )


def _pairs_are_those_of_compare_all(part: ReportPart, evidence: Any, options: dict[str, Any]) -> None:
    names = {"tolerance", "level", "seed", "resamples"}
    board = part.main
    assert board.mechanism == part.pairs.model
    pairs = bt.compare_all(
        DataSets((part.data,), data_sets(evidence).left_out),
        part.pairs.model,
        ties=board.settings.ties,
        **{name: value for name, value in options.items() if name in names},
    )
    settings = {"unit", "resamples"}  # asked of one, and settled by the evidence of the other
    one, two = pairs.to_dict(), part.pairs.to_dict()
    for found in (one, two):
        del found["signature"], found["findings"]
        found["settings"] = {name: value for name, value in found["settings"].items() if name not in settings}
    assert one == two
    ends = pairs.systems[0], pairs.systems[-1]
    if board.has_chances and all(board[name].score is not None for name in ends):
        assert pairs.values[0, -1] == pytest.approx(board.expected_score(*ends), abs=1e-12)


def test_the_board_and_the_matrix_of_a_page_agree_when_ties_are_dropped() -> None:
    """The board said .849 and the matrix .806: the matrix had lost the plan's ties."""
    page = bt.report("examples/votes.csv", ties="drop", model="bradley-terry", resamples=50)
    part = page.parts[0]
    best, worst = part.pairs.systems[0], part.pairs.systems[-1]
    assert part.pairs.values[0, -1] == pytest.approx(part.main.expected_score(best, worst), abs=1e-12)
    assert part.pairs.values[0, -1] != pytest.approx(
        bt.rank("examples/votes.csv", ci="none").board.expected_score(best, worst), abs=0.01
    )


def test_every_row_of_the_file_is_accounted_for_on_the_page(tmp_path: Path) -> None:
    """Rows without a data set were read, belong to no board, and must be said."""
    evidence = _votes(tmp_path)
    page = bt.report(evidence, resamples=50)
    lines = len((tmp_path / "votes.csv").read_text().splitlines()) - 1
    boards = [part.main.evidence for part in page.parts]
    left_out = evidence.left_out
    assert left_out is not None
    assert left_out.read == lines
    kept = sum(board.rows - board.refused for board in boards)
    refused = sum(board.refused for board in boards)
    assert kept + refused + left_out.refused == lines
    assert any(finding.code == "refused-rows" and "data set" in finding.message for finding in page.parts[0].findings)


def test_a_report_of_one_data_set_makes_each_statistic_once(monkeypatch: pytest.MonkeyPatch) -> None:
    from betterthan.datasets import PairCounts
    from betterthan.evidence.judgments import Judgments

    counted, tallied = [], []
    count, tally = PairCounts.of, Judgments.tally
    monkeypatch.setattr(PairCounts, "of", staticmethod(lambda *args: counted.extend(args[1:]) or count(*args)))
    monkeypatch.setattr(
        Judgments, "tally", lambda self, *by, **how: tallied.append((by, tuple(how.items()))) or tally(self, *by, **how)
    )
    bt.report("examples/votes.csv", resamples=50)
    assert len(counted) == len(set(counted))
    by_item = [each for each in tallied if each[0] == ("item",) and dict(each[1]).get("order") is None]
    assert len(by_item) == 1


def test_overview_of_page_and_boards_agree() -> None:
    """Systems that lack a data set came first on the page and last on the terminal."""
    rows = [
        {"dataset": "a", "item": str(item), "system": name, "score": value + item % 3}
        for item in range(6)
        for name, value in (("owl", 3), ("yak", 2), ("elk", 1))
    ]
    rows += [
        {"dataset": "b", "item": str(item), "system": name, "score": value + item % 3}
        for item in range(6)
        for name, value in (("owl", 2), ("yak", 3), ("fox", 9))
    ]
    page = bt.report(rows, resamples=50, model="mean")
    boards = bt.rank(rows, resamples=50, model="mean")
    shown = list(boards.overview.systems)
    assert shown[-2:] == ["fox", "elk"]
    places = [page.html.index(f'<span class="name">{name}</span></button></th>') for name in shown]
    assert places == sorted(places)
