"""What to judge next: limits, what is outstanding, every kind of evidence, and what is refused."""

import json
from collections import Counter
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import betterthan as bt
from betterthan import demo
from betterthan.inference import sequential
from betterthan.verbs.collect import collection_state
from betterthan.verbs.collect.collection_state import CollectionState
from betterthan.verbs.collect.judged_evidence import judged_data_set
from betterthan.verbs.collect.policy_advice import misfit
from betterthan.verbs.collect.trueskill_beliefs import trueskill_rating
from tests.arenas import arena, rows

VOTES = [("owl", "yak", "a")] * 40 + [("yak", "elk", "tie")] * 3
POLICIES = ("uniform", "wmt", "trueskill-quality", "uncertain", "information", "unresolved")


def _pairs(matches: Any) -> Counter[frozenset[str]]:
    return Counter(frozenset(pair) for match in matches for pair in combinations(match.systems, 2))


def _row(left: str, right: str, item: str, judge: str, outcome: str = "left") -> dict[str, str]:
    return {"left": left, "right": right, "item": item, "judge": judge, "outcome": outcome}


# --- what comes back ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("policy", POLICIES)
def test_every_policy_chooses_from_an_arena(policy: str) -> None:
    found = bt.next_matches(arena(), 12, policy=policy)
    assert isinstance(found, bt.Matches)
    assert len(found) == 12 == len(list(found))
    for match in found:
        assert len(set(match.systems)) == 2
        assert 0 < match.probability <= 1
        assert 0 <= match.low <= match.share <= match.high <= 1
    assert len(found.pairs) == 10
    assert sum(found.states.values()) == 10
    assert str(found.signature).startswith(
        f"betterthan {bt.__version__}|verb:next|n:12|policy:{policy}|way:2|unit:item+judge|level:0.95|seed:0|"
    )


def test_decisions_and_shares_are_those_of_the_units() -> None:
    rng = np.random.default_rng(4)
    votes, by_item = [], {}
    for _ in range(300):
        left, right = rng.choice(["owl", "yak", "elk"], 2, replace=False)
        item, outcome = f"i{rng.integers(30)}", rng.choice(["left", "tie", "right"], p=[0.5, 0.2, 0.3])
        votes.append(_row(left, right, item, "j", outcome))
        score = {"left": 1.0, "tie": 0.5, "right": 0.0}[outcome]
        pair = tuple(sorted((left, right), key=("owl", "yak", "elk").index))
        by_item.setdefault((pair, item), []).append(score if pair[0] == left else 1 - score)
    found = {(pair.first, pair.second): pair for pair in bt.next_matches(votes, 0, margin=0.2).pairs}
    names = list(dict.fromkeys(pair for pair, _ in by_item))
    units = [(names.index(pair), np.mean(scores)) for (pair, _), scores in by_item.items()]
    record = sequential.Record(
        *(np.array(column) for column in zip(*units, strict=True)), np.ones(len(units)), len(names)
    )  # type: ignore[call-arg]
    expected = sequential.decide(record, 0.95, 0.2)
    for place, pair in enumerate(names):
        turned = pair not in found
        one = found[pair[::-1] if turned else pair]
        share = 1 - one.share if turned else one.share
        assert (one.units, share) == (record.units[place], pytest.approx(record.share[place]))
        assert (one.p, one.p_equivalent) == (
            pytest.approx(expected.p[place]),
            pytest.approx(expected.p_equivalent[place]),
        )


def test_what_is_said_of_a_match_is_from_its_first_system_s_side() -> None:
    votes = [("owl", "yak", "a")] * 7 + [("owl", "yak", "b")] * 3
    sides = {match.systems: match for seed in range(6) for match in bt.next_matches(votes, 1, seed=seed)}
    assert set(sides) == {("owl", "yak"), ("yak", "owl")}, "who is shown first is left to chance"
    there, back = sides["owl", "yak"], sides["yak", "owl"]
    assert (there.units, there.share) == (10, pytest.approx(0.7))
    assert (back.units, back.share) == (10, pytest.approx(0.3))
    low, high = sequential.interval(sequential.Record.counted(np.array([[7.0], [0.0], [3.0]])))
    assert (there.low, there.high) == pytest.approx((low[0], high[0]))
    assert (back.low, back.high) == pytest.approx((1 - high[0], 1 - low[0]))


def test_the_same_seed_gives_the_same_and_another_one_does_not() -> None:
    def chosen(seed: int) -> dict[str, Any]:
        return bt.next_matches(arena(), 15, items="evidence", judges="evidence", seed=seed).to_dict()

    assert chosen(3) == chosen(3)
    assert chosen(3)["matches"] != chosen(4)["matches"]


def test_a_forecast_adds_up_what_the_pairs_need() -> None:
    found = bt.next_matches(arena(), 0)
    needs = sorted(float("inf") if pair.needed is None else pair.needed for pair in found.pairs)
    for share, number in ((0.5, 5), (0.9, 9), (1.0, 10)):
        total = sum(needs[:number])
        expected = None if total == float("inf") else total
        assert {one.share: one.judgments for one in found.forecast}[share] == expected


def test_json_is_plain_and_columns_are_those_of_a_table() -> None:
    found = bt.next_matches(arena(), 4, items="evidence", judges="evidence", margin=0.05)

    def refuse(constant: str) -> None:
        pytest.fail(f"{constant} is no JSON")

    document = json.loads(found.to_json(), parse_constant=refuse)
    assert document == json.loads(json.dumps(found.to_dict()))
    assert set(document) == {
        "betterthan",
        "schema",
        "signature",
        "settings",
        "policy",
        "matches",
        "states",
        "forecast",
        "pairs",
        "read_as",
        "findings",
    }
    assert list(found.columns()) == [
        "left",
        "right",
        "item",
        "judge",
        "probability",
        "item_probability",
        "units",
        "share",
        "low",
        "high",
        "needed",
    ]
    assert list(bt.next_matches(VOTES, 1).columns()) == [
        "left",
        "right",
        "probability",
        "units",
        "share",
        "low",
        "high",
        "needed",
    ]
    assert list(bt.next_matches(arena(), 1, way=3).columns()) == ["system_1", "system_2", "system_3", "probability"]


@pytest.mark.parametrize("choices", [{}, {"way": 4}, {"items": "evidence", "judges": "evidence", "margin": 0.05}])
def test_text_fits_into_eighty_columns(choices: dict[str, Any]) -> None:
    long = {
        f"system-with-a-rather-long-name-{number}": name
        for number, name in enumerate(("owl", "yak", "elk", "fox", "emu"))
    }
    back = {name: long_name for long_name, name in long.items()}
    votes = arena()
    votes["model_a"], votes["model_b"] = ([back[name] for name in votes[side]] for side in ("model_a", "model_b"))
    text = bt.next_matches(votes, 12, per_pair=90, **choices).to_text(80)
    assert all(len(line) <= 80 for line in text.split("\n")[:-1]), text
    assert text.split("\n")[-1].startswith("betterthan ")


# --- kinds of evidence ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("way", [2, 3])
def test_a_collection_can_begin_without_evidence(policy: str, way: int) -> None:
    found = bt.next_matches(None, 9, policy=policy, systems=["owl", "yak", "elk", "fox"], way=way)
    assert len(found) == 9
    assert found.evidence == "no judgments yet"
    assert found.states == {"separated": 0, "equivalent": 0, "undecided": 6}
    assert {name for match in found for name in match.systems} == {"owl", "yak", "elk", "fox"}


@pytest.mark.parametrize("policy", POLICIES)
def test_new_systems_are_asked_for(policy: str) -> None:
    found = bt.next_matches(arena(), 200, policy=policy, systems=["new", "owl"])
    assert len(found.pairs) == 15
    assert any("new" in match.systems for match in found)
    assert [pair.units for pair in found.pairs if "new" in (pair.first, pair.second)] == [0] * 5


def test_counted_judgments_are_as_good_as_single_ones() -> None:
    counted = bt.read(
        {"left": ["owl", "yak"], "right": ["yak", "elk"], "wins": [12, 3], "ties": [0, 4], "losses": [2, 3]},
        "judgments",
        counts=["wins", "ties", "losses"],
    )
    single = [("owl", "yak", "left")] * 12 + [("owl", "yak", "right")] * 2
    single += [("yak", "elk", "left")] * 3 + [("yak", "elk", "tie")] * 4 + [("yak", "elk", "right")] * 3
    for policy in ("unresolved", "information", "uniform"):
        one, other = (bt.next_matches(some, 8, policy=policy) for some in (counted, single))
        assert (one.matches, one.pairs) == (other.matches, other.pairs)
    for policy in ("wmt", "trueskill-quality", "uncertain"):
        assert len(bt.next_matches(counted, 8, policy=policy)) == 8


def test_rankings_are_asked_for_as_rankings() -> None:
    ranks = np.random.default_rng(2).integers(1, 6, size=(40, 6))
    names = ["owl", "yak", "elk", "fox", "emu", "cat"]
    rankings = bt.read_rankings({name: ranks[:, place] for place, name in enumerate(names)})
    for policy in POLICIES:
        found = bt.next_matches(rankings, 6, policy=policy, way=5)
        assert all(len(set(match.systems)) == 5 for match in found)
        assert all(match.share is None for match in found)
        assert found.unit == "ranking"


def test_judgments_with_weights_can_be_gone_on_from() -> None:
    votes = arena()
    for policy in POLICIES:
        assert len(bt.next_matches(votes, 5, policy=policy)) == 5
    plain = {name: values for name, values in votes.items() if name not in {"weight", "prompt_id", "judge"}}
    assert bt.next_matches(plain, 5).unit == "row"


def test_trueskill_s_beliefs_are_those_of_the_model_weights_and_all() -> None:
    """A judgment of weight 3 moves the model's means three times as far; what chooses the next pair must agree."""
    votes = {
        "left": ["owl", "yak", "elk"],
        "right": ["yak", "elk", "owl"],
        "outcome": ["left", "left", "tie"],
        "weight": [3.0, 1.0, 0.5],
    }
    board = bt.rank(votes, model="trueskill", ci="none").board
    ratings = trueskill_rating(judged_data_set(votes, None, "a test")[1], 3)("game")
    assert ratings.mean.tolist() == pytest.approx(board.fit.strength.tolist(), abs=1e-9)


def test_trueskill_s_beliefs_follow_the_order_of_the_file() -> None:
    votes = rows({name: values for name, values in arena().items() if name in {"model_a", "model_b", "winner"}})
    board = bt.rank(votes, model="trueskill(preset=wmt)", ci="none").board
    data = judged_data_set(votes, None, "a test")[1]
    ratings = trueskill_rating(data, 5)("wmt")
    assert ratings.mean.tolist() == pytest.approx(board.fit.strength.tolist(), abs=1e-12)


# --- limits ---------------------------------------------------------------------------------------------------------


@st.composite
def _collection(draw: st.DrawFn) -> dict[str, Any]:
    names, items, judges = ["owl", "yak", "elk", "fox"], ["i1", "i2", "i3"], ["ann", "bob"]
    asked = st.tuples(st.sampled_from(list(combinations(names, 2))), st.sampled_from(items), st.sampled_from(judges))
    done = draw(st.lists(asked, unique=True, min_size=1, max_size=12))
    open_tasks = draw(st.lists(asked.filter(lambda one: one not in done), unique=True, max_size=4))
    return {
        "evidence": [
            _row(*pair, item, judge, draw(st.sampled_from(["left", "tie", "right"]))) for pair, item, judge in done
        ],
        "outstanding": {
            "left": [pair[0] for pair, _, _ in open_tasks],
            "right": [pair[1] for pair, _, _ in open_tasks],
            "item": [item for _, item, _ in open_tasks],
            "judge": [judge for _, _, judge in open_tasks],
        }
        if open_tasks
        else None,
        "per_item": draw(st.sampled_from([None, 4, 7])),
        "per_judge": draw(st.sampled_from([None, 3, 8])),
        "seed": draw(st.integers(0, 9)),
        "policy": draw(st.sampled_from(["uniform", "wmt", "unresolved"])),
        "way": draw(st.sampled_from([2, 3])),
        "systems": names,
        "items": items,
        "judges": judges,
    }


def _table(rows_of: list[dict[str, str]]) -> dict[str, list[str]]:
    return {name: [row[name] for row in rows_of] for name in rows_of[0]}


@given(_collection())
@settings(max_examples=40)
def test_nobody_gets_more_than_the_limits_and_no_judge_the_same_twice(choices: dict[str, Any]) -> None:
    evidence = choices.pop("evidence")
    found = bt.next_matches(_table(evidence), 40, **choices)
    past = [((row["left"], row["right"]), row["item"], row["judge"]) for row in evidence]
    if choices["outstanding"]:
        past += list(
            zip(
                zip(choices["outstanding"]["left"], choices["outstanding"]["right"], strict=True),
                choices["outstanding"]["item"],
                choices["outstanding"]["judge"],
                strict=True,
            )
        )
    every = [*past, *((match.systems, match.item, match.judge) for match in found)]
    for place, limit in ((1, choices["per_item"]), (2, choices["per_judge"])):
        before = Counter(one[place] for one in past)
        for name, times in Counter(one[place] for one in every).items():
            assert limit is None or times <= max(limit, before[name])
    handed = Counter(
        (frozenset(pair), item, judge) for systems, item, judge in every for pair in combinations(systems, 2)
    )
    assert max(handed.values()) == 1
    if len(found) < 40:
        assert {finding.code for finding in found.findings} & {"limits", "nothing-left"}


def test_limits_hold_with_what_is_there_and_what_is_outstanding() -> None:
    votes = [("owl", "yak", "left")] * 3 + [("owl", "elk", "tie")]
    open_tasks = {"left": ["yak", "owl"], "right": ["owl", "elk"]}
    found = bt.next_matches(votes, 50, policy="uniform", per_pair=5, outstanding=open_tasks)
    assert _pairs(found) == {frozenset({"owl", "yak"}): 1, frozenset({"owl", "elk"}): 3, frozenset({"yak", "elk"}): 5}
    assert [finding.code for finding in found.findings][:1] == ["limits"]
    assert found.findings[0].message == "Limits and exclusions leave only 9 of 50 requested comparisons."


def test_judgments_of_one_item_all_count_towards_the_limit_of_a_pair() -> None:
    """`--per-pair`: most judgments of one pair; five judges of one item are five judgments, not one."""
    votes = _table([_row("owl", "yak", "i1", f"j{number}") for number in range(5)] + [_row("yak", "elk", "i2", "j1")])
    found = bt.next_matches(votes, 50, policy="uniform", per_pair=5)
    assert _pairs(found)[frozenset({"owl", "yak"})] == 0


def test_limits_hold_for_every_pair_of_a_set() -> None:
    found = bt.next_matches(None, 50, policy="uniform", way=3, systems=list("abcde"), per_pair=2)
    assert max(_pairs(found).values()) <= 2
    assert len(found) >= 4


def test_items_that_are_new_for_a_pair_come_first() -> None:
    votes = _table([_row("owl", "yak", item, "ann") for item in ("i1", "i2", "i3")] + [_row("owl", "elk", "i4", "ann")])
    for seed in range(8):
        found = bt.next_matches(
            votes, 1, systems=[], policy="uniform", items=["i1", "i2", "i3", "i4", "i5"], exclude=["elk"], seed=seed
        )
        assert (found[0].item, found[0].item_probability) == ("i5", 1.0)
    apart = [
        bt.next_matches(votes, 1, policy="uniform", items=["i1", "i5", "i6"], exclude=["elk"], seed=seed)[0]
        for seed in range(12)
    ]
    assert {match.item for match in apart} == {"i5", "i6"}
    assert {match.item_probability for match in apart} == {0.5}


def test_judges_share_the_work() -> None:
    found = bt.next_matches(None, 30, policy="uniform", systems=["owl", "yak", "elk"], judges=["ann", "bob", "eve"])
    assert Counter(match.judge for match in found) == {"ann": 10, "bob": 10, "eve": 10}
    busy = _table([_row("owl", "yak", f"i{number}", "ann") for number in range(10)])
    found = bt.next_matches(busy, 12, policy="uniform", judges=["ann", "bob"], per_judge=11)
    assert Counter(match.judge for match in found) == {"bob": 11, "ann": 1}


def test_a_set_that_nobody_may_judge_does_not_end_the_collection() -> None:
    """One judge has judged a,b on the only item; c may still meet a, b and d."""
    votes = _table([_row("a", "b", "i1", "ann")])
    found = bt.next_matches(votes, 20, policy="uniform", systems=["c", "d"], items=["i1"], judges=["ann"])
    assert set(_pairs(found)) == {frozenset(pair) for pair in combinations("abcd", 2)} - {frozenset("ab")}
    assert max(_pairs(found).values()) == 1


@pytest.mark.parametrize("seed", range(6))
def test_the_only_set_that_may_be_judged_is_found(seed: int) -> None:
    """The only judge has judged c with everybody on the only item; a, b and d are left."""
    votes = _table([_row(other, "c", "i1", "ann") for other in "abd"])
    found = bt.next_matches(votes, 5, policy="uniform", way=3, items=["i1"], judges=["ann"], seed=seed)
    assert [set(match.systems) for match in found] == [set("abd")]


def test_rankings_count_once_for_their_item_and_judge() -> None:
    ranks = {
        "item": ["i1", "i1", "i2"],
        "judge": ["ann", "bob", "ann"],
        "owl": [1, 2, 1],
        "yak": [2, 1, 3],
        "elk": [3, 3, 2],
    }
    rankings = bt.read_rankings(ranks, item="item", judge="judge", systems=["owl", "yak", "elk"])
    found = bt.next_matches(
        rankings, 20, policy="uniform", way=3, items="evidence", judges=["ann", "bob", "eve"], per_item=3, per_judge=3
    )
    assert Counter((match.item, match.judge) for match in found) in (
        {("i1", "eve"): 1, ("i2", "bob"): 1, ("i2", "eve"): 1},
        {("i1", "eve"): 1, ("i2", "eve"): 1, ("i2", "bob"): 1},
    )


def test_excluded_systems_and_pairs_never_come() -> None:
    for way in (2, 3):
        found = bt.next_matches(arena(), 60, policy="uniform", way=way, exclude=["owl", ("yak", "elk"), ["fox", "emu"]])
        met = set(_pairs(found))
        assert met <= {frozenset(pair) for pair in (("yak", "fox"), ("yak", "emu"), ("elk", "fox"), ("elk", "emu"))}
        assert len(met) == 4


def test_nothing_is_left_when_all_pairs_are_settled() -> None:
    votes = [("owl", "yak", "a")] * 80 + [("yak", "elk", "a")] * 80 + [("owl", "elk", "a")] * 80
    found = bt.next_matches(votes, 5)
    assert (len(found), found.findings[0].message) == (0, "All pairs that may be judged are settled.")
    found = bt.next_matches(VOTES, 5, exclude=["owl", "yak", "elk"])
    assert (len(found), found.findings[0].message) == (0, "No pair may be judged any more.")
    assert found.to_text(80)


def test_pending_judgments_spread_over_pairs() -> None:
    """In one batch a pair does not get many times what it needs while others wait."""
    votes = [("a", "b", "a")] * 14 + [("a", "b", "b")] * 4
    votes += [(first, second, side) for first, second in (("b", "c"), ("a", "c")) for side in "a" * 12 + "b" * 10]
    found = bt.next_matches(votes, 200, policy="unresolved(explore=0)")
    quick = next(pair for pair in found.pairs if (pair.first, pair.second) == ("a", "b"))
    assert quick.needed < 60
    assert _pairs(found)[frozenset("ab")] < 2 * quick.needed


# --- outstanding ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("way", [2, 3, 4])
def test_what_was_asked_for_counts_until_it_is_answered(way: int, tmp_path: Path) -> None:
    choices: dict[str, Any] = {
        "policy": "uniform",
        "way": way,
        "systems": list("abcde"),
        "exclude": [("a", "b"), ("a", "c")],
        "per_pair": 2,
        "items": ["i1", "i2", "i3"],
        "judges": ["ann", "bob"],
    }
    first = bt.next_matches(None, 2, **choices)
    table = first.columns()
    second = bt.next_matches(None, 40, outstanding=table, **choices)
    assert max((_pairs(first) + _pairs(second)).values()) == 2
    handed = Counter(
        (frozenset(pair), match.item, match.judge)
        for match in [*first, *second]
        for pair in combinations(match.systems, 2)
    )
    assert max(handed.values()) == 1
    place = tmp_path / "tasks.csv"
    pd.DataFrame(table).to_csv(place, index=False)
    again = bt.next_matches(None, 40, outstanding=place, **choices)
    assert again.matches == second.matches


def test_systems_that_are_only_outstanding_are_systems() -> None:
    found = bt.next_matches([("owl", "yak", "a")], 0, outstanding={"left": ["owl"], "right": ["elk"]})
    assert {name for pair in found.pairs for name in (pair.first, pair.second)} == {"owl", "yak", "elk"}


# --- refusals -------------------------------------------------------------------------------------------------------


def _scores() -> dict[str, list[float]]:
    return {"owl": [1.5, 2.0, 0.5], "yak": [1.0, 2.5, 0.1]}


@pytest.mark.parametrize(
    ("choices", "message"),
    [
        (
            {"policy": "best"},
            "unknown policy 'best'; known: information, sort, trueskill-quality, uncertain, uniform, unresolved, wmt.",
        ),
        (
            {"policy": "unresolved(explore=7)"},
            "unresolved: explore must be a number of at least 0 and at most 1, got 7.",
        ),
        ({"n": -1}, "n must be a whole number from 0 to 100,000, got -1."),
        ({"n": 2.5}, "n must be a whole number from 0 to 100,000, got 2.5."),
        ({"way": 4}, "way is 4, but there are 3 systems. Rank at most 3 at once."),
        ({"way": 1}, "way must be a whole number from 2 to 10, got 1."),
        ({"exclude": ["owll"]}, "the excluded system 'owll' does not exist. Did you mean 'owl'?"),
        ({"exclude": [("owl", "owl")]}, "exclude a system by its name or a pair by two names, got ['owl', 'owl']."),
        (
            {"exclude": [("owl", "yak", "elk")]},
            "exclude a system by its name or a pair by two names, got ['owl', 'yak', 'elk'].",
        ),
        ({"per_pair": 0}, "per_pair must be a whole number from 1 to 1,000,000,000, got 0."),
        ({"per_item": 2}, "per_item limits items, but no items are given. Name them with items."),
        ({"per_judge": 2}, "per_judge limits judges, but no judges are given. Name them with judges."),
        ({"items": "evidence"}, "the evidence has no item column. Name the items themselves, or leave them out."),
        ({"judges": "evidence"}, "the evidence has no judge column. Name the judges themselves, or leave them out."),
        (
            {"margin": 0.5},
            "margin must be a number above 0 and below 0.5, got 0.5; shares won (ties half) between 0.5 − margin and 0.5 + margin count as equivalent; 0.05 is common.",
        ),
        (
            {"margin": 0.0},
            "margin must be a number above 0 and below 0.5, got 0.0; shares won (ties half) between 0.5 − margin and 0.5 + margin count as equivalent; 0.05 is common.",
        ),
        (
            {"margin": float("nan")},
            "margin must be a number above 0 and below 0.5, got nan; shares won (ties half) between 0.5 − margin and 0.5 + margin count as equivalent; 0.05 is common.",
        ),
        ({"resample": "item+judge"}, None),
        ({"level": 1.0}, None),
        ({"level": 95}, None),
        ({"seed": -1}, "seed must be a whole number of at least 0, got -1."),
        ({"seed": "one"}, None),
        ({"items": []}, None),
        ({"judges": []}, None),
        ({"items": ""}, None),
    ],
)
def test_choices_that_cannot_be_are_refused(choices: dict[str, Any], message: str | None) -> None:
    with pytest.raises(bt.PlanError) as refusal:
        bt.next_matches(VOTES, **choices)
    assert str(refusal.value).endswith((".", "?"))
    if message is not None:
        assert str(refusal.value) == message


@pytest.mark.parametrize(
    ("evidence", "choices", "message"),
    [
        (None, {}, "there must be at least two systems. Give evidence, or name new systems: systems."),
        (
            None,
            {"systems": ["owl", "owl"]},
            "there must be at least two systems. Give evidence, or name new systems: systems.",
        ),
        (
            VOTES,
            {"outstanding": {"one": ["owl"], "two": ["yak"]}},
            "no columns for the systems to compare; the columns are",
        ),
        (
            VOTES,
            {"outstanding": {"left": ["owl"], "right": ["owl"]}},
            "row 1 must name at least two different systems, got ('owl', 'owl').",
        ),
        (
            VOTES,
            {"outstanding": {"left": ["owl", None], "right": ["yak", "elk"]}},
            "row 2 must name at least two different systems, got ('elk',).",
        ),
    ],
)
def test_evidence_that_cannot_be_gone_on_from_is_refused(evidence: Any, choices: dict[str, Any], message: str) -> None:
    with pytest.raises(bt.EvidenceError) as refusal:
        bt.next_matches(evidence, **choices)
    assert message in str(refusal.value)


def test_scores_are_refused() -> None:
    for scores in (_scores(), demo.path("scores.csv.gz")):
        with pytest.raises(bt.PlanError) as refusal:
            bt.next_matches(scores)
        assert str(refusal.value) == (
            "the next comparison is about judgments of pairs, but this evidence is scores. "
            "To plan how many items you need, use bt.power(...)."
        )


def test_several_data_sets_are_refused() -> None:
    votes = {"left": ["owl", "owl"], "right": ["yak", "yak"], "outcome": ["left", "tie"], "dataset": ["news", "chat"]}
    with pytest.raises(bt.PlanError) as refusal:
        bt.next_matches(bt.read(votes, dataset="dataset"))
    assert "the next comparison is of one metric and data set, and there are 2: " in str(refusal.value)
    assert "by the column 'dataset' with where" in str(refusal.value)
    assert "dataset" in str(refusal.value), "the way out must name what these data sets differ in"


@given(
    st.lists(
        st.tuples(*[st.sampled_from(["owl", "yak", "elk", "fox", "emu"])] * 2, st.sampled_from(["a", "b", "tie"])),
        min_size=1,
        max_size=12,
    ).filter(lambda votes: all(left != right for left, right, _ in votes)),
    st.sampled_from(POLICIES),
    st.sampled_from([2, 3]),
    st.sampled_from([None, 0.1]),
    st.integers(0, 5),
)
@settings(max_examples=60)
def test_whatever_was_judged_something_is_chosen(
    votes: list[tuple[str, str, str]], policy: str, way: int, margin: float | None, seed: int
) -> None:
    found = bt.next_matches(votes, 5, policy=policy, way=way, margin=margin, seed=seed, systems=["cat", "cow"])
    assert len(found) == 5
    assert all(len(set(match.systems)) == way for match in found)
    json.loads(found.to_json(), parse_constant=pytest.fail)
    assert found.to_text(80)


def test_the_chance_of_a_choice_knows_what_can_be_handed_out() -> None:
    votes = {
        "left": ["A", "A", "B"],
        "right": ["B", "C", "C"],
        "winner": ["a"] * 3,
        "item": ["i1", "i2", "i2"],
        "judge": ["ann", "bob", "bob"],
    }
    for seed in range(20):  # Ann has seen A and B on the only item
        (match,) = bt.next_matches(votes, 1, policy="uniform", items=["i1"], judges=["ann"], seed=seed)
        assert set(match.systems) != {"A", "B"}
        assert match.probability == pytest.approx(1 / 2)


def test_names_in_a_text_are_taken_apart_at_commas_unless_a_system_has_them() -> None:
    found = bt.next_matches(VOTES, 3, systems="new, newer")
    assert {name for pair in found.pairs for name in (pair.first, pair.second)} == {"owl", "yak", "elk", "new", "newer"}
    votes = [("a,b", "c", "a"), ("c", "d", "a"), ("a,b", "d", "a")]
    assert {frozenset(match.systems) for match in bt.next_matches(votes, 9, exclude="a,b")} == {frozenset("cd")}
    with pytest.raises(bt.PlanError, match=r"items must be a list of names"):
        bt.next_matches(VOTES, items=5)
    assert len(bt.next_matches(VOTES, 1, outstanding=[])) == 1


def test_units_judged_again_and_pairs_too_alike_are_said() -> None:
    again = {
        "left": ["A"] * 12,
        "right": ["B"] * 12,
        "winner": ["a", "b"] * 6,
        "item": [f"i{place // 2}" for place in range(12)],
    }
    codes = {finding.code: finding for finding in bt.next_matches(again).findings}
    assert codes["judged-again"].value == 1
    assert codes["alike"].value == 1
    assert "alike" not in {finding.code for finding in bt.next_matches(again, margin=0.05).findings}


def test_new_systems_do_not_make_a_model_fit_worse() -> None:
    data = judged_data_set(arena(judgments=800), "row", "a test")[1]
    counts = data.pairs()
    plain = CollectionState(collection_state.on_all_pairs(counts), trueskill_rating(None, 5))
    more = CollectionState(
        collection_state.on_all_pairs(replace(counts, systems=(*counts.systems, "new", "newer"))),
        trueskill_rating(None, 7),
    )
    assert misfit(plain) == pytest.approx(misfit(more), rel=1e-9)


def test_systems_without_judgments_are_not_called_alike() -> None:
    assert "alike" not in [finding.code for finding in bt.next_matches(systems=["a", "b", "c"], n=1).findings]
    even = [("a", "b", "left"), ("a", "b", "right")] * 20
    assert "alike" in [finding.code for finding in bt.next_matches(even, n=1).findings]
