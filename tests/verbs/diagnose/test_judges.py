"""Judges: simulated ones with known habits, and what must not change anything."""

import time
from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np
import pytest

import betterthan as bt
from betterthan.engine.table import Coded
from betterthan.evidence.judgments import judgments_from_columns
from betterthan.inference import rater_agreement
from betterthan.present import json_document
from betterthan.verbs.diagnose.judges.examine_judges import judges
from betterthan.verbs.diagnose.judges.judge_report import Judge, JudgeReport
from tests.reference.r_estimates import TABLES

SYSTEMS = np.array(["owl", "yak", "elk", "fox", "emu", "ant"], dtype=object)
STRENGTH = np.array([1.0, 0.6, 0.2, -0.2, -0.6, -1.0])
HABITS = ("random", "left", "ties", "copy")
COLUMNS = ("model_a", "model_b", "winner", "prompt_id", "judge")
Columns = dict[str, list[Any]]


def _world(
    seed: int,
    *,
    habits: tuple[str, ...] = (),
    honest: int = 8,
    each: int = 150,
    items: int = 60,
    lean: float = 0.0,
) -> Columns:
    """Honest judges who differ a little, and one judge with each habit; a judge sees a comparison once."""
    rng = np.random.default_rng(seed)
    first, second = np.triu_indices(len(SYSTEMS), 1)
    particular = rng.normal(0, 0.6, size=(items, len(SYSTEMS)))
    rows: list[tuple[Any, ...]] = []
    source: list[tuple[Any, ...]] = []
    for judge in [*(f"honest{number}" for number in range(honest)), *habits]:
        if judge == "copy":
            rows += [(a, b, winner, item, judge) for a, b, winner, item, _ in source]
            continue
        chosen = rng.choice(items * len(first), size=each, replace=False)
        item, pair = np.divmod(chosen, len(first))
        flip = rng.random(each) < 0.5
        left, right = np.where(flip, second[pair], first[pair]), np.where(flip, first[pair], second[pair])
        quality = STRENGTH + particular
        gap = rng.uniform(0.9, 1.6) * (quality[item, left] - quality[item, right])
        gap = {"random": 0.0 * gap, "left": gap + 1.5}.get(judge, gap) + lean
        wide = 1.6 if judge == "ties" else 0.3
        draw = rng.logistic(size=each) + gap
        winner = np.where(draw > wide, "model_a", np.where(draw < -wide, "model_b", "tie"))
        made = list(
            zip(
                SYSTEMS[left], SYSTEMS[right], winner.tolist(), [f"p{n:03d}" for n in item], [judge] * each, strict=True
            )
        )
        source = source or made
        rows += made
    return dict(zip(COLUMNS, map(list, zip(*rows, strict=True)), strict=True))


def _report(columns: Columns, **choices: Any) -> JudgeReport:
    found = judges(bt.read_judgments(columns), **choices)
    assert found is not None
    return found


def _doubts(report: JudgeReport) -> dict[str, set[str]]:
    codes = {code for judge in report.judges for code in judge.doubts}
    return {code: {judge.name for judge in report.judges if code in judge.doubts} for code in codes}


def _codes(report: JudgeReport) -> set[str]:
    return {finding.code for finding in report.findings}


def _finding(report: JudgeReport, code: str) -> bt.Finding:
    return next(finding for finding in report.findings if finding.code == code)


def _judge(report: JudgeReport, name: str) -> Judge:
    return next(judge for judge in report.judges if judge.name == name)


def test_every_habit_is_found_and_nobody_else_is() -> None:
    found: dict[str, list[set[str]]] = {}
    for seed in range(10):
        report = _report(_world(seed, habits=HABITS))
        for code in ("judge-against-rest", "judge-left-bias", "judge-ties", "judge-copies"):
            found.setdefault(code, []).append(_doubts(report).get(code, set()))
    assert sum("random" in names for names in found["judge-against-rest"]) >= 9
    assert sum("left" in names for names in found["judge-left-bias"]) >= 9
    assert sum("ties" in names for names in found["judge-ties"]) >= 9
    assert found["judge-copies"] == [{"honest0", "copy"}] * 10
    honest = [name for names in found.values() for each in names for name in each if name.startswith("honest")]
    assert len(honest) - 10 <= 1  # who was copied is one of the two


def test_honest_judges_are_rarely_doubted() -> None:
    reports = [_report(_world(seed, each=80)) for seed in range(50)]
    assert sum(bool(_doubts(report)) for report in reports) <= 3
    assert sum(finding.level == "warning" for report in reports for finding in report.findings) <= 3


def test_a_leaning_that_all_share_is_nobody_s_habit() -> None:
    reports = [_report(_world(seed, lean=1.5, each=400)) for seed in range(5)]
    assert min(judge.left or 0.0 for report in reports for judge in report.judges) > 0.65
    assert not any("judge-left-bias" in _doubts(report) for report in reports)


def test_good_judges_among_bad_ones_are_no_copies() -> None:
    rng = np.random.default_rng(0)
    better = rng.random(300) < 0.5
    rows = []
    for judge, skill in {"expert1": 0.95, "expert2": 0.95, **dict.fromkeys(["a", "b", "c", "d"], 0.6)}.items():
        said = np.where(rng.random(300) < skill, better, ~better)
        rows += [("owl", "yak", "model_a" if one else "model_b", f"p{n}", judge) for n, one in enumerate(said)]
    report = _report(dict(zip(COLUMNS, map(list, zip(*rows, strict=True)), strict=True)))
    assert "judge-copies" not in _codes(report)


@pytest.mark.parametrize("chance", ["observed", "symmetric"])
def test_alpha_is_that_of_the_verdicts(chance: str) -> None:
    columns, symmetric = _world(1, habits=("ties",)), chance == "symmetric"
    report = _report(columns, chance=chance)
    comparisons: dict[Any, dict[str, int]] = {}
    for a, b, winner, item, judge in zip(*columns.values(), strict=True):
        said = {"model_a": 0, "tie": 1, "model_b": 2}[winner]
        comparisons.setdefault((item, *sorted((a, b))), {})[judge] = said if a < b else 2 - said
    names = sorted(set(columns["judge"]))
    ratings = np.array([[verdicts.get(name, -1) for name in names] for verdicts in comparisons.values()])
    assert report.comparisons == len(ratings)
    assert report.agreement is not None
    assert report.agreement.items == np.sum(np.sum(ratings >= 0, axis=1) > 1)
    assert report.agreement.alpha == pytest.approx(
        rater_agreement.krippendorff(rater_agreement.counted(ratings), symmetric=symmetric), abs=1e-12
    )
    assert report.agreement.fleiss == pytest.approx(
        rater_agreement.fleiss(rater_agreement.counted(ratings), symmetric=symmetric), abs=1e-12
    )
    said_how = "both sides taken as equally likely by chance" in _finding(report, "judge-agreement").message
    assert said_how == report.agreement.symmetric == symmetric
    # One judge's kappa, pair by pair with everybody else who judged the same.
    table, mine = np.zeros((3, 3)), names.index("honest3")
    for row in ratings[ratings[:, mine] >= 0]:
        others = np.delete(row, mine)
        for said in others[others >= 0]:
            table[row[mine], said] += 1 / np.sum(others >= 0)
    table = ((table + table[::-1, ::-1]) / 2 if symmetric else table) / table.sum()
    chance = table.sum(axis=0) @ table.sum(axis=1)
    assert _judge(report, "honest3").kappa == pytest.approx((np.trace(table) - chance) / (1 - chance))


def test_following_is_measured_on_the_pairs_a_judge_saw() -> None:
    columns = _world(2, habits=("random",))
    report, board = _report(columns), bt.rank(columns, model="bradley-terry(ties=drop)", ci="none").board
    hits, chances = [], []
    for a, b, winner, _, judge in zip(*columns.values(), strict=True):
        if judge == "random" and winner != "tie":
            chance = board.probability(a, b)[0]
            chances.append(max(chance, 1 - chance))
            hits.append((winner == "model_a") == (chance > 0.5))
    random = _judge(report, "random")
    assert random.follows == pytest.approx(np.mean(hits))
    assert random.expected == pytest.approx(np.mean(chances), abs=1e-6)
    plain = (sum(hits) - sum(chances)) / np.sqrt(sum(chance * (1 - chance) for chance in chances))
    assert random.z is not None
    assert 0.7 * plain >= random.z >= plain * 1.000001  # judgments of one item hang together a little
    assert report.judges[0].name == "random"


@pytest.mark.parametrize("change", ["rows", "sides", "systems", "judges"])
def test_what_must_not_matter(change: str) -> None:
    columns = _world(3, habits=HABITS)
    rng = np.random.default_rng(0)
    size = len(columns["judge"])
    rows = list(zip(*columns.values(), strict=True))
    back = {name: name for name in set(columns["judge"])}
    if change == "rows":
        rows = [rows[place] for place in rng.permutation(size)]
    if change == "sides":
        other = {"model_a": "model_b", "model_b": "model_a", "tie": "tie"}
        rows = [
            (b, a, other[winner], *rest) if turn else (a, b, winner, *rest)
            for (a, b, winner, *rest), turn in zip(rows, rng.random(size) < 0.5, strict=True)
        ]
    if change == "systems":
        name = dict(zip(SYSTEMS, ["f", "z", "b", "y", "a", "e"], strict=True))
        rows = [(name[a], name[b], *rest) for a, b, *rest in rows]
    if change == "judges":
        back = {f"x{len(name)}{name[::-1]}": name for name in back}
        new = {old: name for name, old in back.items()}
        rows = [(*rest, new[judge]) for *rest, judge in rows]
    # With more than two systems, the usual alpha depends on which system of a pair is called first.
    chance = "symmetric" if change == "systems" else "observed"
    changed = dict(zip(COLUMNS, map(list, zip(*rows, strict=True)), strict=True))
    one, other_report = _report(columns, chance=chance), _report(changed, chance=chance)
    assert one.agreement is not None
    assert other_report.agreement is not None
    expected, found = one.agreement.to_dict(), other_report.agreement.to_dict()
    assert found.pop("note") == expected.pop("note")
    assert found == pytest.approx(expected, abs=1e-9)
    hidden = ("left", "doubts") if change == "sides" else ()
    for judge in other_report.judges:
        before, after = _judge(one, back[judge.name]).to_dict(), judge.to_dict()
        for name in ("name", *hidden):
            before.pop(name), after.pop(name)
        if not hidden:
            assert after.pop("doubts") == before.pop("doubts")
        assert after == pytest.approx(before, abs=1e-6)


def test_who_is_doubted_does_not_depend_on_names_or_on_the_correction() -> None:
    columns = _world(3, habits=HABITS)
    name = dict(zip(SYSTEMS, ["f", "z", "b", "y", "a", "e"], strict=True))
    renamed = {**columns, **{side: [name[one] for one in columns[side]] for side in ("model_a", "model_b")}}
    usual, symmetric, other = _report(columns), _report(columns, chance="symmetric"), _report(renamed)
    assert _doubts(usual) == _doubts(symmetric) == _doubts(other)
    assert usual.agreement != symmetric.agreement


def test_collins_by_the_usual_coefficients() -> None:
    cells = [row.split(",") for row in (TABLES / "collins_counts.csv").read_text().split()[1:]]
    annotated = [(one, other) for one, other, sentences in cells for _ in range(int(sentences))]
    said = [(f"s{number}", *both) for number, both in enumerate(annotated)]
    kinds = sorted({word for _, *words in said for word in words})
    words = dict(zip(kinds, ("model_a", "tie", "model_b"), strict=False))
    table = [("owl", "yak", words[word], item, f"ann{n}") for item, *both in said for n, word in enumerate(both)]
    columns = dict(zip(COLUMNS, map(list, zip(*table, strict=True)), strict=True))
    diagnosis = bt.diagnose(columns)
    report = diagnosis.judges
    assert report is not None
    assert report.agreement is not None
    assert report.cohen is not None
    figures = [report.agreement.alpha, report.cohen.unweighted, report.agreement.fleiss, report.judges[0].kappa]
    assert figures == pytest.approx([0.5785, 0.5768, 0.5764, 0.5768], abs=5e-5)
    message = _finding(report, "judge-agreement").message
    assert "Krippendorff's alpha is 0.58 (" in message
    assert "Cohen's kappa 0.58" in message
    symmetric = bt.diagnose(columns, chance="symmetric").judges
    assert symmetric is not None
    assert symmetric.agreement is not None
    assert symmetric.agreement.alpha == pytest.approx(0.5946, abs=5e-5)
    assert diagnosis.settings.chance == "observed"


def test_one_frequent_outcome_is_no_lack_of_agreement() -> None:
    rng = np.random.default_rng(0)
    rows = [
        ("owl", "yak", "model_a" if rng.random() < 0.95 else "model_b", f"p{n}", judge)
        for n in range(300)
        for judge in ("cat", "dog", "hen")
    ]
    report = _report(dict(zip(COLUMNS, map(list, zip(*rows, strict=True)), strict=True)))
    assert report.agreement is not None
    assert report.agreement.high is not None
    assert report.agreement.high < 0.2  # the usual alpha is near 0, though nine of ten judgments are equal
    assert _finding(report, "judge-agreement").level == "info"


def test_repeats_of_one_judge_are_no_agreement_between_judges() -> None:
    rows = [("owl", "yak", winner, f"p{n}", "cat") for n in range(30) for winner in ("model_a", "model_a", "model_b")]
    report = _report(dict(zip(COLUMNS, map(list, zip(*rows, strict=True)), strict=True)))
    assert report.agreement is None
    assert (report.repeated, report.consistent) == (30, 0.0)
    assert {"no-overlap", "judge-inconsistent"} <= _codes(report)
    assert next(each for each in report.findings if each.code == "judge-inconsistent").level == "warning"
    # A second judge meets the verdict that the first gave most often, once per item.
    rows += [("yak", "owl", "model_b", f"p{n}", "dog") for n in range(30)]
    report = _report(dict(zip(COLUMNS, map(list, zip(*rows, strict=True)), strict=True)))
    assert report.agreement is not None
    assert (report.agreement.items, report.agreement.share) == (30, 1.0)
    # Said both ways as often: a tie.
    rows = [("owl", "yak", winner, f"p{n}", "cat") for n in range(30) for winner in ("model_a", "model_b")]
    rows += [("owl", "yak", "tie", f"p{n}", "dog") for n in range(30)]
    report = _report(dict(zip(COLUMNS, map(list, zip(*rows, strict=True)), strict=True)))
    assert report.agreement is not None
    assert (report.agreement.share, report.agreement.alpha) == (1.0, None)
    assert "perfect agreement" in next(f for f in report.findings if f.code == "judge-agreement").message


def test_equal_repeats_are_consistent() -> None:
    rows = [("owl", "yak", "model_a", f"p{n}", "cat") for n in range(30)] * 2 + [("owl", "yak", "tie", "p0", "dog")]
    report = _report(dict(zip(COLUMNS, map(list, zip(*rows, strict=True)), strict=True)))
    assert (report.repeated, report.consistent) == (30, 1.0)
    assert "judge-inconsistent" not in _codes(report)


def _one_more(columns: Columns, rows: list[tuple[Any, ...]]) -> Columns:
    more = zip(*rows, strict=True)
    return {name: [*values, *new] for (name, values), new in zip(columns.items(), more, strict=True)}


def test_small_differences_are_no_doubt_however_sure() -> None:
    rng = np.random.default_rng(0)
    first, second = np.triu_indices(len(SYSTEMS), 1)
    pair, size = rng.integers(len(first), size=40_000), 40_000
    flip = rng.random(size) < 0.5
    left, right = np.where(flip, second[pair], first[pair]), np.where(flip, first[pair], second[pair])
    judge = np.arange(size) % 8
    gap = (STRENGTH[left] - STRENGTH[right]) * np.where(judge == 0, 0.75, 1.0) + np.where(judge == 1, 0.3, 0.0)
    won = rng.logistic(size=size) + gap > 0
    columns = {
        "model_a": SYSTEMS[left].tolist(),
        "model_b": SYSTEMS[right].tolist(),
        "winner": np.where(won, "model_a", "model_b").tolist(),
        "judge": [f"j{one}" for one in judge],
    }
    report = _report(columns)
    dull, leaning = _judge(report, "j0"), _judge(report, "j1")
    assert dull.z is not None
    assert leaning.left is not None
    assert dull.z < -4.5
    assert leaning.left - 0.5 > 5 * np.sqrt(0.25 / 5000)
    assert not _doubts(report)


def test_few_unusual_items_make_no_doubtful_judge() -> None:
    columns = _world(10, honest=8, each=300)
    ranked = SYSTEMS[::-1]  # the worst first, in rankings of two items: thirty judgments that hang together
    odd = [
        (ranked[a], ranked[b], "model_a", item, "odd")
        for item in ("x1", "x2")
        for a in range(6)
        for b in range(a + 1, 6)
    ]
    report = _report(_one_more(columns, odd))
    assert (_judge(report, "odd").follows, _judge(report, "odd").judgments) == (0.0, 30.0)
    assert "judge-against-rest" not in _codes(report)


def test_who_agrees_with_others_about_unusual_items_is_not_doubted() -> None:
    columns = _world(11, honest=8, each=300)
    unusual = [(SYSTEMS[5], SYSTEMS[0], "model_a", f"x{n}") for n in range(40)]
    alone = _report(_one_more(columns, [(*row, "odd") for row in unusual]))
    assert _doubts(alone)["judge-against-rest"] == {"odd"}
    seen = [(*row, f"honest{n % 8}") for n, row in enumerate(unusual)]
    together = _report(_one_more(columns, [*((*row, "odd") for row in unusual), *seen]))
    assert "judge-against-rest" not in _codes(together)


def test_without_overlap_random_clicks_are_found_all_the_same() -> None:
    columns = _world(4, habits=("random",), items=4000, each=250)
    columns["prompt_id"] = [
        f"{judge}-{item}" for judge, item in zip(columns["judge"], columns["prompt_id"], strict=True)
    ]
    report = _report(columns)
    assert report.agreement is None
    assert "no-overlap" in _codes(report)
    assert all(judge.kappa is None and judge.shared == 0 for judge in report.judges)
    assert _doubts(report)["judge-against-rest"] == {"random"}


def test_without_items_pairs_are_what_is_judged() -> None:
    columns = _world(5, habits=("left",))
    del columns["prompt_id"]
    report = _report(columns)
    assert not report.by_item
    assert report.comparisons == 15
    assert (report.repeated, report.consistent) == (0, None)  # other things were judged, nobody knows which
    assert report.agreement is not None
    assert "different things" in report.findings[0].hint
    assert _doubts(report)["judge-left-bias"] == {"left"}


def test_disagreeing_judges_are_a_warning() -> None:
    rng = np.random.default_rng(0)
    rows = [("owl", "yak", rng.choice(["model_a", "model_b"]), f"p{n}", judge) for n in range(200) for judge in "abc"]
    report = _report(dict(zip(COLUMNS, map(list, zip(*rows, strict=True)), strict=True)))
    assert report.agreement is not None
    assert report.agreement.alpha == pytest.approx(0.0, abs=0.15)
    assert report.findings[0].level == "warning"
    assert report.findings[0].value == report.agreement.alpha


def test_few_judges_who_gave_most() -> None:
    columns = _world(6, honest=20, each=20)
    assert "judge-few" not in _codes(_report(columns))
    assert "judge-few" not in _codes(_report(_world(6, honest=4)))
    busy = _world(7, honest=2, each=300)
    both = {name: columns[name] + busy[name] for name in columns}
    report = _report(both)
    finding = next(finding for finding in report.findings if finding.code == "judge-few")
    assert finding.message == "2 of 20 judges gave 64 % of judgments."
    assert "unit='judge'" in finding.hint


@pytest.mark.parametrize("form", ["numbers", "dates"])
def test_hasty_judges_are_found_by_their_times(form: str) -> None:
    columns = _world(8)
    rng = np.random.default_rng(0)
    clock = dict.fromkeys(columns["judge"], 1_700_000_000.0)
    times = []
    for judge in columns["judge"]:
        clock[judge] += rng.lognormal(np.log(2.0 if judge == "honest5" else 40.0), 0.5)
        times.append(clock[judge])
    stamps = [np.datetime64(int(1000 * moment), "ms") for moment in times]
    columns["timestamp"] = [f"{stamp}Z" for stamp in stamps] if form == "dates" else times
    report = _report(columns)
    assert _doubts(report).get("judge-speed") == {"honest5"}
    assert _judge(report, "honest5").pace == pytest.approx(2.0, rel=0.2)
    columns["timestamp"] = [7] * len(times) if form == "numbers" else ["soon"] * len(times)
    assert "judge-speed" not in _codes(_report(columns))


def test_missing_times_stop_nothing() -> None:
    columns = _world(8)
    columns["timestamp"] = [None, *range(1, len(columns["judge"]))]
    assert {judge.pace for judge in _report(columns).judges} == {None}


def test_sides_that_a_conversion_chose_are_nobody_s_habit() -> None:
    rng = np.random.default_rng(0)
    entries = {
        "ranking": np.repeat(np.arange(400), 3),
        "system": np.tile(["owl", "yak", "elk"], 400),
        "rank": rng.permuted(np.tile([1, 2, 3], (400, 1)), axis=1).ravel(),
        "item": np.repeat(np.arange(400) % 50, 3),
        "judge": np.repeat(np.arange(400) // 50, 3),
    }
    found = judges(bt.read_rankings(entries).to_judgments())
    assert found is not None
    assert {judge.left for judge in found.judges} == {None}
    assert found.agreement is not None
    assert found.agreement.items == 150


def test_nobody_judges_where_no_judge_is_named() -> None:
    columns = _world(0)
    del columns["judge"]
    assert judges(bt.read_judgments(columns)) is None


@pytest.mark.parametrize(
    "rows",
    [
        [("owl", "yak", "model_a", "p", "cat")],
        [("owl", "yak", "tie", "p", "cat"), ("owl", "yak", "tie", "q", "dog")],
        [("owl", "yak", "tie", "p", "cat"), ("owl", "yak", "tie", "p", "dog")],
        [("owl", "yak", "model_a", "p", "cat"), ("elk", "fox", "model_b", "p", "dog")],
        [("owl", "yak", "model_a", "p", "cat"), ("yak", "owl", "model_a", "p", "dog")],
    ],
)
def test_the_smallest_evidence_has_a_report(rows: list[tuple[str, ...]]) -> None:
    report = _report(dict(zip(COLUMNS, map(list, zip(*rows, strict=True)), strict=True)))
    assert sum(judge.judgments for judge in report.judges) == len(rows)
    assert not _doubts(report)
    assert json_document.to_json(json_document.plain(report))  # which refuses NaN
    assert report.to_text(80)


def test_weights_change_the_common_order_only() -> None:
    columns = _world(9)
    plain = _report(columns)
    weighted = _report({**columns, "weight": np.random.default_rng(0).choice([0.5, 1.0, 3.0], size=1200).tolist()})
    assert weighted.agreement == plain.agreement
    for judge in plain.judges:
        other = _judge(weighted, judge.name)
        common = {"z": None, "expected": None, "follows": None}
        assert replace(other, **common) == replace(judge, **common)
        assert other.expected != judge.expected


def test_the_table_has_one_line_per_judge_and_fits() -> None:
    report = _report(_world(0, habits=HABITS, honest=30))
    table = report.table()
    assert len(table.rows) == 34
    assert [row[0] for row in table.rows] == [judge.name for judge in report.judges]
    scores = [judge.z for judge in report.judges if judge.z is not None]
    assert scores == sorted(scores)
    text = report.to_text(80)
    assert max(map(len, text.split("\n"))) <= 80
    assert "and 14 more judges" in text


def test_a_million_judgments(capsys: pytest.CaptureFixture[str]) -> None:
    rng = np.random.default_rng(0)
    size, number, items = 1_000_000, 5_000, 200_000
    item = rng.integers(items, size=size)
    left, right = item % 20, (item + 1) % 20
    outcome = rng.choice(3, size=size, p=[0.5, 0.3, 0.2])
    systems = tuple(f"s{place:02d}" for place in range(20))
    evidence = judgments_from_columns(
        {
            "left": Coded(left, systems),
            "right": Coded(right, systems),
            "outcome": Coded(outcome, ("left", "right", "tie")),
            "item": Coded(item, tuple(f"i{place:06d}" for place in range(items))),
            "judge": Coded(rng.integers(number, size=size), tuple(f"j{place:04d}" for place in range(number))),
        },
        "many",
        "",
    )
    evidence.tally("item", "judge")
    start = time.perf_counter()
    report = judges(evidence)
    with capsys.disabled():
        print(f"\n{size:,} judgments of {number:,} judges: {time.perf_counter() - start:.2f} s")
    assert report is not None
    assert len(report.judges) == number
    assert sum(judge.judgments for judge in report.judges) == size
    assert not _doubts(report)


def test_rankings_are_examined_pair_by_pair() -> None:
    """Judges rank the same items; alpha is that of all pairs, and one judge reverses every order."""
    rng = np.random.default_rng(2)
    rows = []
    for item in range(40):
        seen = STRENGTH[:4] * 2 + rng.normal(0, 0.7, 4)
        for judge in ("ann", "bob", "cat", "odd"):
            noisy = seen + rng.normal(0, 0.3, 4)
            order = np.argsort(noisy if judge == "odd" else -noisy)
            rows += [
                (f"{judge}-{item}", f"i{item}", judge, SYSTEMS[system], place + 1) for place, system in enumerate(order)
            ]
    names = ("ranking", "item", "judge", "system", "rank")
    columns = dict(zip(names, map(list, zip(*rows, strict=True)), strict=True))
    report = judges(bt.read_rankings(columns).to_judgments())
    assert report is not None
    assert report.agreement is not None
    ranks = {(judge, item, system): rank for _, item, judge, system, rank in rows}
    pairs = [(f"i{item}", one, other) for item in range(40) for one, other in combinations(sorted(SYSTEMS[:4]), 2)]
    before = [
        [int(ranks[judge, item, one] < ranks[judge, item, other]) for judge in ("ann", "bob", "cat", "odd")]
        for item, one, other in pairs
    ]
    assert (len(report.judges), report.agreement.items) == (4, 240)
    assert report.agreement.alpha == pytest.approx(
        rater_agreement.krippendorff(rater_agreement.counted(np.array(before))), abs=1e-9
    )
    assert _doubts(report)["judge-against-rest"] == {"odd"}
