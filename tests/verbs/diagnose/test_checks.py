"""Every check finds what was put into the evidence, and keeps quiet where there is nothing."""

import json
from collections.abc import Callable
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from scipy import stats

import betterthan as bt
from betterthan.datasets.data_sets_of import data_sets
from betterthan.findings import Finding
from betterthan.verbs.diagnose import rating_reliability
from betterthan.verbs.diagnose.checks import influence
from betterthan.verbs.diagnose.checks import model_disagreement as mechanisms
from betterthan.verbs.diagnose.checks.circular_triples import circles
from betterthan.verbs.diagnose.checks.influence import _parts, _pulls
from betterthan.verbs.diagnose.checks.pairing_gain import shares
from betterthan.verbs.diagnose.diagnose_evidence import checks
from betterthan.verbs.diagnose.examined_data import ExaminedData

NAMES = ["owl", "yak", "elk", "fox", "bee"]


def case_of(evidence: Any, **choices: Any) -> ExaminedData:
    return ExaminedData(data_sets(evidence, **choices).sets[0])


def found(evidence: Any, **choices: Any) -> dict[str, Finding]:
    case = case_of(evidence, **choices)
    return {finding.code: finding for check in checks() for finding in check(case)}


def scores(seed: int = 0, items: int = 200, noise: float = 1.0) -> dict[str, Any]:
    """Five systems a little apart, on instances of differing difficulty."""
    rng = np.random.default_rng(seed)
    hard = rng.normal(0, 1, items)
    return {name: hard + 0.3 * place + rng.normal(0, noise, items) for place, name in enumerate(NAMES)}


def votes(seed: int = 0, judgments: int = 2000, left: float = 0.0, gap: float = 0.5) -> dict[str, Any]:
    """Bradley–Terry judgments, the left side favoured by `left` on the log scale."""
    rng = np.random.default_rng(seed)
    one = rng.integers(5, size=judgments)
    two = (one + rng.integers(1, 5, size=judgments)) % 5
    wins = rng.random(judgments) < 1 / (1 + np.exp(-(gap * (one - two) + left)))
    names = np.array(NAMES)
    return {"model_a": names[one], "model_b": names[two], "winner": np.where(wins, "model_a", "model_b")}


def test_clean_evidence_raises_no_warning() -> None:
    assert [finding for finding in found(scores()).values() if finding.level == "warning"] == []
    assert [finding for finding in found(votes()).values() if finding.level == "warning"] == []


def test_outliers_are_found_where_they_are() -> None:
    evidence = scores()
    evidence["elk"][:20] += 50
    finding = found(evidence)["outliers"]
    assert finding.level == "warning"
    assert "'elk'" in finding.message
    assert "'owl'" not in finding.message
    assert finding.value == pytest.approx(20 / 1000, abs=0.012)


def test_pairing_equals_the_two_way_analysis_of_variance() -> None:
    rng = np.random.default_rng(1)
    values = rng.normal(size=(40, 1)) * 2 + rng.normal(size=(1, 4)) + rng.normal(size=(40, 4))
    split = shares(values)
    assert split is not None
    assert split.system + split.item + split.rest == pytest.approx(1)
    correlations = [stats.pearsonr(values[:, a], values[:, b]).statistic for a in range(4) for b in range(a)]
    assert split.correlation == pytest.approx(np.mean(correlations))
    # Means of squares by hand.
    rest = values - values.mean(0) - values.mean(1, keepdims=True) + values.mean()
    error = (rest**2).sum() / (39 * 3)
    item = (4 * values.mean(1).var(ddof=1) - error) / 4
    system = (40 * values.mean(0).var(ddof=1) - error) / 40
    assert split.item == pytest.approx(item / (item + system + error))


def test_weak_pairing_is_a_warning() -> None:
    rng = np.random.default_rng(2)
    finding = found({name: rng.normal(size=300) for name in NAMES})["weak-pairing"]
    assert finding.level == "warning"
    assert abs(finding.value or 0) < 0.1


def test_kinds_of_items_with_other_winners_are_found() -> None:
    rng = np.random.default_rng(3)
    kind = rng.random(200) < 0.4
    taste = np.array([2.0, 1.0, 0.0, -1.0, -2.0])
    values = rng.normal(size=(200, 5)) + np.where(kind[:, None], taste, -taste)
    finding = found(dict(zip(NAMES, values.T, strict=True)))["item-types"]
    assert finding.level == "warning"
    assert finding.value == 1.0  # every pair that was looked at


@pytest.mark.parametrize("better", ["A", "B"])
def test_types_of_items_are_found_with_two_systems(better: str) -> None:
    """80 % are easy, and one system is a little better there; on the hard ones it is much worse."""
    rng = np.random.default_rng(4)
    hard = np.arange(200) < 40
    level = np.where(hard, 20.0, 80.0)
    scores = {name: level + rng.normal(size=200) for name in "AB"}
    scores[better] = scores[better] + np.where(hard, -10.0, 1.0)
    findings = found(scores)
    finding = findings["item-types"]
    share = {"A": "80 %", "B": "20 %"}[better]  # the text says where A wins
    assert f"'A' beats 'B' on one type of items ({share}) and loses on the rest" in str(finding)
    assert "can be told from how high the scores are" in str(finding)
    assert "it wins fewer items by more" in str(findings["mechanisms-disagree"])
    assert "outliers decide" not in str(findings["mechanisms-disagree"])


def test_levels_of_scores_alone_are_no_types() -> None:
    """One system is better on low and on high instances alike, or there is no gap between levels."""
    alarms = 0
    for seed in range(60):
        rng = np.random.default_rng(seed)
        level = np.where(rng.random(60) < 0.3, 20.0, 80.0) if seed % 2 else 10 * rng.normal(size=60)
        noise = rng.normal(size=(2, 60)) * np.array([[3.0], [1.0 if seed % 2 else 6.0]])
        alarms += "item-types" in found({"A": level + noise[0], "B": level + noise[1]})
    assert alarms <= 1


def _clean(seed: int, items: int = 48, systems: int = 20) -> dict[str, Any]:
    rng = np.random.default_rng(seed)
    hard = rng.normal(size=items)
    return {f"s{place:02d}": hard + 0.05 * place + rng.normal(size=items) for place in range(systems)}


def test_clean_scores_of_many_systems_raise_few_alarms() -> None:
    alarms: dict[str, int] = {}
    for seed in range(24):
        for code, finding in found(_clean(seed)).items():
            alarms[code] = alarms.get(code, 0) + (finding.level == "warning")
    # About 5 % of each, and the tests are corrected for the number of pairs or systems.
    for code in (
        "outliers",
        "mechanisms-disagree",
        "item-types",
        "mean-hangs-on",
        "intransitive",
        "lack-of-fit",
        "lead-hangs-on",
    ):
        assert alarms.get(code, 0) <= 4, code


def test_rights_and_wrongs_have_no_outliers_that_a_mean_hangs_on() -> None:
    """It warned in 77 % of tables of four equal systems that are right on 90 % of 50 items."""
    for seed in range(8):
        right = np.random.default_rng(seed).random((4, 50)) < 0.9
        assert "mean-hangs-on" not in found({name: row.astype(float) for name, row in zip("abcd", right, strict=True)})


def test_a_noisier_system_makes_no_kinds_of_items() -> None:
    alarms = 0
    for seed in range(30):
        evidence = _clean(seed, 100, 6)
        evidence["s03"] = evidence["s03"] + np.random.default_rng(1000 + seed).normal(0, 3, 100)
        alarms += "item-types" in found(evidence)
    assert alarms <= 3


def test_thin_judgments_make_no_circles() -> None:
    alarms = {"intransitive": 0, "lack-of-fit": 0}
    for seed in range(30):
        rng = np.random.default_rng(seed)
        one = rng.integers(20, size=400)
        two = (one + rng.integers(1, 20, size=400)) % 20
        wins = rng.random(400) < 1 / (1 + np.exp(-0.1 * (one - two)))
        names = np.array([f"s{place}" for place in range(20)])
        codes = found({"left": names[one], "right": names[two], "winner": np.where(wins, "left", "right")})
        for code in alarms:
            alarms[code] += code in codes and codes[code].level == "warning"
    assert max(alarms.values()) <= 4


def test_right_and_wrong_have_no_outliers() -> None:
    rng = np.random.default_rng(11)
    assert "outliers" not in found({name: (rng.random(500) < 0.9).astype(float) for name in NAMES})


def test_bold_systems_are_found_also_where_they_are_half_of_all() -> None:
    rng = np.random.default_rng(12)
    evidence = {name: rng.beta(4, 4, size=300) for name in NAMES[:4]}
    for name in NAMES[:2]:
        evidence[name] = np.round(evidence[name])
    assert "'owl'" in found(evidence)["over-confident"].message
    silent = {**{name: rng.beta(4, 4, size=300) for name in NAMES[:3]}, "empty": np.zeros(300)}
    assert "over-confident" not in found(silent)  # one end only: nothing bold


def test_missing_scores_are_named_and_paired_differences_take_shared_items() -> None:
    rng = np.random.default_rng(13)
    hard = np.where(np.arange(100) < 50, 0.0, -4.0)
    evidence = {
        "a": hard + rng.normal(size=100),
        "b": hard + rng.normal(size=100) + 0.7,
        "c": hard + rng.normal(size=100),
    }
    evidence["a"][50:] = np.nan  # scored on easy instances only
    finding = found(evidence)["missing-scores"]
    assert "'a'" in finding.message
    assert finding.value == pytest.approx(50 / 300)
    pairs = bt.compare_all(evidence, "mean", by="pair")
    a, b = pairs.systems.index("a"), pairs.systems.index("b")
    duel = bt.compare(evidence, "a", "b").effect("mean_difference")
    assert duel is not None
    assert pairs.values[a, b] == pytest.approx(duel.value)
    assert pairs.values[a, b] < 0
    board = bt.rank(evidence, model="mean").board  # adjusted for the items that "a" lacks
    assert board["a"].score < board["b"].score
    assert "adjusted-means" in [finding.code for finding in board.findings]


def test_a_side_is_not_blamed_twice_for_judgments_of_one_item() -> None:
    alarms = 0
    for seed in range(40):
        rng = np.random.default_rng(seed)
        item = np.repeat(np.arange(30), 20)
        lean = rng.normal(0, 1.5, size=30)  # what is shown left on an item may well be better there
        one = rng.integers(5, size=600)
        two = (one + rng.integers(1, 5, size=600)) % 5
        wins = rng.random(600) < 1 / (1 + np.exp(-lean[item]))
        names = np.array(NAMES)
        evidence = {
            "left": names[one],
            "right": names[two],
            "winner": np.where(wins, "left", "right"),
            "item": item.astype(str),
        }
        alarms += "position-effect" in found(evidence)
    assert alarms <= 4


def test_weights_do_not_make_a_side_more_certain() -> None:
    evidence = votes(left=0.2, judgments=600)
    texts = []
    for weight in (1.0, 10.0, 0.1):
        codes = found({**evidence, "weight": [weight] * 600})
        finding = codes.get("position-effect") or codes["position"]
        texts.append(finding.message)
    assert len(set(texts)) == 1


def test_kinds_of_items_are_not_made_up() -> None:
    alarms = ["item-types" in found(scores(seed, items=60)) for seed in range(60)]
    assert sum(alarms) <= 4  # at .01, with what two-sided luck allows


def test_items_that_tell_nothing_apart() -> None:
    evidence = {name: np.where(np.arange(200) < 150, 1.0, values) for name, values in scores().items()}
    finding = found(evidence)["easy-items"]
    assert (finding.level, finding.value) == ("warning", 0.75)


def test_bold_systems_are_named() -> None:
    rng = np.random.default_rng(4)
    evidence = {name: rng.uniform(size=300) for name in NAMES}
    evidence["fox"] = np.round(evidence["fox"])
    finding = found(evidence)["over-confident"]
    assert finding.message.startswith("'fox' has ")
    assert bt.advise(evidence).mechanism == "mean"


def test_right_and_wrong_are_not_bold() -> None:
    rng = np.random.default_rng(5)
    assert "over-confident" not in found({name: rng.integers(2, size=300) for name in NAMES})


def test_identical_and_nearly_identical_systems() -> None:
    evidence = scores()
    evidence["twin"] = evidence["owl"].copy()
    evidence["cousin"] = np.where(np.arange(200) < 4, evidence["yak"] + 1, evidence["yak"])
    codes = found(evidence)
    assert "'owl' and 'twin'" in codes["identical"].message
    assert (
        "'cousin' and 'yak'" in codes["near-identical"].message
        or "'yak' and 'cousin'" in codes["near-identical"].message
    )


def test_ties_say_what_they_cost() -> None:
    evidence = votes()
    evidence["winner"] = np.where(np.arange(2000) % 5 < 3, "tie", evidence["winner"])
    finding = found(evidence)["many-ties"]
    assert finding.value == pytest.approx(0.6)
    assert "2.5 × as many" in finding.message


def test_a_left_bias_is_found_and_an_unbalanced_design_is_not_mistaken_for_one() -> None:
    finding = found(votes(left=0.4))["position-effect"]
    assert f"the odds of winning by {finding.numbers['odds']:.2f})." in finding.message
    assert finding.numbers["odds"] == pytest.approx(np.exp(0.4), rel=0.2)
    unbalanced = votes()
    better_left = unbalanced["model_a"] > unbalanced["model_b"]
    keep = better_left | (np.arange(2000) % 4 == 0)
    kept = {name: column[keep] for name, column in unbalanced.items()}
    assert "position-effect" not in found(kept)


def test_position_equals_mantel_haenszel_of_scipy() -> None:
    evidence = votes(left=0.3, judgments=800)
    tables = []
    for one in range(5):
        for two in range(one + 1, 5):
            cells = np.zeros((2, 2))
            for a, b, winner in zip(*evidence.values(), strict=True):
                if {a, b} == {NAMES[one], NAMES[two]}:
                    first = min(NAMES[one], NAMES[two])
                    cells[int(a == first), int((winner == "model_a") == (a == first))] += 1
            tables.append(cells)
    gain = sum(t[1, 1] * t[0, 0] / t.sum() for t in tables)
    loss = sum(t[1, 0] * t[0, 1] / t.sum() for t in tables)
    odds = found(evidence)["position-effect"].numbers["odds"]
    assert odds == pytest.approx(np.sqrt(gain / loss))


def test_one_way_pairs_cannot_tell_the_side() -> None:
    evidence = [("owl", "yak", "a")] * 30 + [("yak", "elk", "a")] * 30 + [("owl", "elk", "b")] * 30
    finding = found(evidence)["fixed-sides"]
    assert "no pair was shown both ways" in finding.message


def test_circles_are_counted_as_by_hand() -> None:
    rng = np.random.default_rng(6)
    beats = np.triu(rng.random((7, 7)) < 0.5, 1)
    beats |= np.tril(~beats.T, -1)
    by_hand = sum(
        bool(beats[a, b] * beats[b, c] * beats[c, a] or beats[b, a] * beats[c, b] * beats[a, c])
        for a in range(7)
        for b in range(a + 1, 7)
        for c in range(b + 1, 7)
    )
    assert circles(beats) == by_hand > 0


def test_rock_paper_scissors() -> None:
    evidence = (
        [("rock", "scissors", "a")] * 70
        + [("rock", "scissors", "b")] * 30
        + [("scissors", "paper", "a")] * 70
        + [("scissors", "paper", "b")] * 30
        + [("paper", "rock", "a")] * 70
        + [("paper", "rock", "b")] * 30
    )
    codes = found(evidence)
    assert codes["intransitive"].level == "warning"
    assert codes["lack-of-fit"].level == "warning"
    assert "the results of all pairs, because there are cycles" in str(bt.advise(evidence))


@pytest.mark.parametrize("code", ["lack-of-fit", "intransitive"])
def test_false_alarms_are_rare_also_where_judgments_hang_together(code: str) -> None:
    alarms = 0
    for seed in range(60):
        rng = np.random.default_rng(seed)
        particular = rng.normal(0, 1, size=(40, 5)) + 0.1 * np.arange(5)
        item, one = rng.integers(40, size=1200), rng.integers(5, size=1200)
        two = (one + rng.integers(1, 5, size=1200)) % 5
        wins = rng.random(1200) < 1 / (1 + np.exp(particular[item, two] - particular[item, one]))
        names = np.array(NAMES)
        evidence = {
            "item": item.astype(str),
            "left": names[one],
            "right": names[two],
            "winner": np.where(wins, "a", "b"),
        }
        finding = found(evidence).get(code)
        alarms += finding is not None and finding.level == "warning"
    assert alarms <= 8  # 3 expected at .05; 8 or more has a chance of .01


def test_duplicates_need_item_and_judge() -> None:
    evidence = votes(judgments=100)
    assert "duplicates" not in found(evidence)
    named = {**evidence, "item": np.arange(100).astype(str), "judge": np.array(["j"] * 100)}
    doubled = {name: np.concatenate([column, column[:30]]) for name, column in named.items()}
    finding = found(doubled)["duplicates"]
    assert finding.value == pytest.approx(30 / 130)
    assert "30 judgments" in finding.message


def test_graph_with_a_bridge_and_a_thin_system() -> None:
    def met(a: str, b: str, times: int) -> list[tuple[str, str, str]]:
        return [(a, b, "a")] * (times - times // 3) + [(a, b, "b")] * (times // 3)

    evidence = met("a", "b", 30) + met("b", "c", 30) + met("a", "c", 30) + met("c", "d", 30)
    evidence += met("d", "e", 30) + met("e", "f", 30) + met("d", "f", 30) + met("f", "thin", 3)
    codes = found(evidence)
    assert "'c' and 'd'" in codes["thin-graph"].message
    assert codes["thin-graph"].value == 1
    assert "'thin'" in codes["few-comparisons"].message
    assert codes["never-met"].value == pytest.approx(13 / 21)


def test_islands_leave_no_single_ranking() -> None:
    evidence = [("a", "b", "a"), ("a", "b", "b"), ("c", "d", "a"), ("c", "d", "b")] * 10
    assert found(evidence)["islands"].level == "warning"
    advice = bt.advise(evidence)
    assert advice.mechanism is None
    assert "never compared with the rest" in str(advice)


def test_one_huge_score_is_not_explained_by_missing_ones() -> None:
    yak = np.random.default_rng(4).normal(0, 0.01, 60) + np.arange(60)
    owl = yak - 0.1
    owl[:2] += 40  # means differ in owl's favour, because of two instances
    told = [
        mechanisms._why(case_of(bt.read_scores({"owl": values, "yak": yak})), 0, 1)
        for values in (owl, np.where(np.arange(60) == 30, np.nan, owl))
    ]
    assert told == ["2 outliers decide the mean"] * 2


def test_missing_scores_are_named_where_they_decide() -> None:
    yak = np.arange(60.0)
    owl = np.where(yak < 10, np.nan, yak - 0.1)  # owl lacks the instances on which scores are low
    why = mechanisms._why(case_of(bt.read_scores({"owl": owl, "yak": yak})), 0, 1)
    assert why == "the means are over different items, because scores are missing"


def test_why_mechanisms_disagree() -> None:
    rng = np.random.default_rng(7)
    base = rng.normal(size=100)
    evidence = {"steady": base + 0.5, "wild": base + rng.normal(0, 0.3, 100), "low": base - 3}
    evidence["wild"][:5] += 40
    finding = found(evidence)["mechanisms-disagree"]
    assert finding.level == "warning"
    assert "outliers decide the mean" in finding.message
    assert bt.advise(evidence).mechanism == "bradley-terry"


def test_removing_the_named_items_changes_the_lead() -> None:
    """Refitted without all items that the finding lists, another system leads: the one that it names."""
    rng = np.random.default_rng(8)
    base = rng.normal(size=120)
    evidence = {name: base + rng.normal(size=120) + 0.1 * place for place, name in enumerate(NAMES)}
    evidence = {"item": np.array([f"{place:03d}" for place in range(120)]), **evidence}
    finding = found(evidence)["lead-hangs-on"]
    needed, names = int(finding.numbers["needed"]), finding.numbers["left_out"]
    assert len(names) == needed
    assert f"Without {needed} of 120 items ({', '.join(names[:3])}" in finding.message
    board = bt.rank(evidence, model="bradley-terry", ci="none").board
    gone = [int(name.strip("'")) for name in names]
    for few, flips in ((gone, True), (gone[:-1], False)):
        rest = {name: np.delete(values, few) for name, values in evidence.items()}
        after = bt.rank(rest, model="bradley-terry", ci="none").board
        assert (after.rows[0].system != board.rows[0].system) == flips
        if flips:
            assert f"{after.rows[0].system!r} leads instead of {board.rows[0].system!r}" in finding.message


def test_the_fewest_items_that_the_highest_mean_depends_on() -> None:
    """Against every subset of items: none smaller than the one named changes who has the highest mean."""
    rng = np.random.default_rng(5)
    values = rng.normal([0.35, 0, -0.1], size=(12, 3))
    systems = NAMES[:3]
    evidence = {"item": [f"i{place:02d}" for place in range(12)], **dict(zip(systems, values.T, strict=True))}
    finding = next(each for each in bt.diagnose(evidence).findings if " by the mean " in each.message)
    needed, names = int(finding.numbers["needed"]), finding.numbers["left_out"]

    def best(gone: tuple[int, ...]) -> str:
        return systems[int(np.argmax(np.delete(values, gone, axis=0).mean(axis=0)))]

    assert finding.numbers["first"] == best(())
    assert finding.numbers["second"] == best(tuple(int(name[2:4]) for name in names)) != best(())
    for size in range(1, needed):
        assert all(best(gone) == best(()) for gone in combinations(range(12), size))


def test_a_third_system_may_take_the_lead() -> None:
    """The second is behind everywhere by little, the third by much on a single item."""
    votes = [("owl", "yak", "a")] * 40 + [("owl", "yak", "b")] * 10 + [("elk", "yak", "a")] * 36
    votes += [("elk", "yak", "b")] * 14 + [("owl", "elk", "a")] * 27 + [("owl", "elk", "b")] * 23
    finding = found(votes)["lead-hangs-on"]
    needed = int(finding.numbers["needed"])
    assert finding.numbers["left_out"][0].endswith("× 'owl' over 'elk'")
    less = votes.copy()
    for text in finding.numbers["left_out"]:
        number, _, pair = text.partition(" × ")
        one, _, two = pair.partition(" over ")
        won, lost = one.strip("'"), two.strip("'")
        left, right, outcome = (won, lost, "a") if (won, lost, "a") in less else (lost, won, "b")
        for _ in range(int(number)):
            less.remove((left, right, outcome))
    assert len(less) == len(votes) - needed
    assert bt.rank(less, ci="none").board.rows[0].system == "elk"


def _arena(seed: int, *, judges: int | None = None, odd: int = 0, by: str = "prompt_id") -> dict[str, list[Any]]:
    """Five equal systems, 800 judgments of sixty items that differ; `odd` more for 'elk' of one item, or by one judge."""
    rng = np.random.default_rng(seed)
    one = rng.integers(5, size=800)
    two = (one + rng.integers(1, 5, size=800)) % 5
    item = rng.integers(60, size=800)
    taste = rng.normal(0, 0.7, size=(60, 5))
    won = rng.random(800) < 1 / (1 + np.exp(taste[item, two] - taste[item, one]))
    names = np.array(NAMES)
    rows = {
        "model_a": names[one].tolist(),
        "model_b": names[two].tolist(),
        "prompt_id": [f"p{n}" for n in item],
        "winner": np.where(won, "model_a", "model_b").tolist(),
    }
    if judges is not None:
        rows["judge"] = [f"j{n}" for n in rng.integers(judges, size=800)]
    for _ in range(odd):
        other = str(rng.choice([name for name in NAMES if name != "elk"]))
        more = {"model_a": "elk", "model_b": other, "winner": "model_a", "prompt_id": f"p{rng.integers(60)}"}
        more |= {"judge": f"j{rng.integers(judges or 1)}", by: "odd"}
        for name, column in rows.items():
            column.append(more[name])
    return rows


def _lead(evidence: Any) -> list[Finding]:
    return influence._units(case_of(evidence))


def _doubted(evidence: Any) -> list[Finding]:
    return [finding for finding in _lead(evidence) if finding.level == "warning"]


def test_small_leads_of_clean_evidence_hang_on_nothing_in_particular() -> None:
    """Any small lead is reversed by few items: that alone is its standard error, and no warning."""
    small = sum(bool(each.numbers["needed"] <= 3) for seed in range(30) for each in _lead(_arena(seed, judges=8)))
    assert small >= 5, "there must be leads that few items reverse"
    assert sum(bool(_doubted(_arena(seed, judges=8))) for seed in range(30)) <= 1
    assert sum(bool(_doubted(votes(seed, 300, gap=0.05))) for seed in range(30)) <= 1
    assert sum(bool(_doubted(_clean(seed))) for seed in range(30)) <= 1


@pytest.mark.parametrize(("by", "unit", "odd"), [("prompt_id", "item", 120), ("judge", "judge", 200)])
def test_a_lead_that_one_item_or_one_judge_makes_is_doubted(by: str, unit: str, odd: int) -> None:
    doubted, made = 0, 0
    for seed in range(20):
        evidence = _arena(seed, judges=8, odd=odd, by=by)
        rest = {
            name: [cell for cell, label in zip(column, evidence[by], strict=True) if label != "odd"]
            for name, column in evidence.items()
        }
        led, leads = (bt.rank(each, ci="none").board.rows[0].system for each in (evidence, rest))
        findings = [each for each in _doubted(evidence) if each.numbers["unit"] == unit]
        made += led == "elk" != leads
        doubted += bool(findings)
        for finding in findings:
            assert led == "elk"
            assert finding.numbers["which"].startswith(" ('odd'")
            assert finding.numbers["needed"] > 1 or leads != "elk"
    assert made >= 12
    assert doubted >= 0.75 * made


def test_leaving_out_items_of_a_group_is_leaving_out_the_group() -> None:
    rng = np.random.default_rng(0)
    group = np.repeat(np.arange(30), 4)
    values = rng.normal(size=(120, 3)) + rng.normal(size=(30, 3))[group]
    columns = {
        "system": np.tile(NAMES[:3], 120),
        "instance": np.repeat([f"i{n}" for n in range(120)], 3),
        "score": values.ravel(),
        "document": np.repeat([f"d{n}" for n in group], 3),
    }
    case = case_of(bt.read_scores(columns, group="document"))
    first, second = np.argsort(-case.fit.strength)[:2].tolist()
    lead = (first, second)
    parts = _parts(case, case.data, _pulls(case, [lead])[lead])
    assert (parts.unit, len(parts.gain)) == ("group", 30)
    gone = parts.outcomes(np.array([0, 7]))
    assert gone.sum() == 2 * 4 * 3
    assert parts.gain.sum() == pytest.approx(0.0, abs=1e-6)
    named = [int(parts.names[place][1:]) for place in (0, 7)]
    kept = ~np.isin(np.repeat(group, 3), named)
    rest = case_of(bt.read_scores({name: column[kept] for name, column in columns.items()}, group="document"))
    np.testing.assert_allclose(case.counts.outcomes - gone, rest.counts.outcomes)


def test_a_system_whose_absence_turns_others_round() -> None:
    rng = np.random.default_rng(9)
    a, b = rng.normal(size=80), rng.normal(size=80)
    spoiler = b - 0.01  # just below b everywhere: every instance makes b win once more
    evidence = {"a": a + 0.02, "b": b, "spoiler": spoiler}
    codes = found(evidence)
    board = bt.rank({"a": evidence["a"], "b": b}, model="bradley-terry", ci="none").board
    full = bt.rank(evidence, model="bradley-terry", ci="none").board
    turned = (board["a"].score - board["b"].score) * (full["a"].score - full["b"].score) < 0
    assert ("depends-on-others" in codes and "without 'spoiler'" in codes["depends-on-others"].message) == turned


@pytest.mark.parametrize(
    "make",
    [
        lambda: [("a", "b", "a")],
        lambda: [("a", "b", "tie")] * 3,
        lambda: {"a": [0.5], "b": [0.5]},
        lambda: {"a": [1.5, np.nan], "b": [np.nan, 1.0], "c": [1.0, 2.0]},
        lambda: {"a": [1.5] * 30, "b": [1.5] * 30, "c": [1.5] * 30},
        lambda: {"a": [1.5, 2.0], "b": [2.0, 1.5]},
    ],
)
def test_meagre_evidence_is_examined_without_complaint(make: Callable[[], Any]) -> None:
    diagnosis = bt.diagnose(make())
    assert "NaN" not in diagnosis.to_json()
    assert diagnosis.to_text(80)


def test_random_evidence_never_breaks_a_check() -> None:
    for seed in range(40):
        rng = np.random.default_rng(seed)
        size, rows = int(rng.integers(2, 7)), int(rng.integers(1, 40))
        if seed % 2:
            values = np.round(rng.normal(size=(rows, size)), int(rng.integers(0, 3)))
            values[rng.random(values.shape) < 0.2 * (seed % 4 == 1)] = np.nan
            evidence: Any = {f"s{place}": values[:, place] for place in range(size)}
        else:
            one = rng.integers(size, size=rows)
            two = (one + rng.integers(1, size, size=rows)) % size
            evidence = [
                (f"s{a}", f"s{b}", str(w))
                for a, b, w in zip(one, two, rng.choice(["a", "b", "tie"], rows), strict=True)
            ]
        try:
            text = bt.diagnose(evidence).to_json()
        except bt.BetterthanError:
            continue
        assert "NaN" not in text


@pytest.mark.parametrize("measure", [None, "clear", "hard"])
def test_advice_for_scores_names_both_recommendations_and_their_questions(measure: str | None) -> None:
    text = bt.advise(scores(), measure=measure).to_text()
    assert "better on more items? Peyrard et al. (2021) recommend bradley-terry with the sign test" in text
    assert "higher score on average" in text
    assert "Levtsov and Ustalov (2025) recommend the mean where the measure is clear" in text
    assert bt.advise(votes()).views == ()


def test_advice_counts_the_pairs_about_which_the_two_differ() -> None:
    rng = np.random.default_rng(0)
    base = rng.normal(size=100)
    often = {"owl": base + 0.1, "yak": base, "elk": base - 3.0}  # owl is a little better, but for twenty disasters
    often["owl"][:20] -= 5
    assert "Here the two order 1 of 3 pairs differently." in bt.advise(often).views
    assert not any(sentence.startswith("Here the two") for sentence in bt.advise(scores()).views)


EQUAL_MEANS = {"A": [10, 10, 10, 9, 11, 7, 13], "B": [11, 11, 11, 8, 10, 9, 10], "C": [9, 12, 9, 5, 5, 12, 5]}


@pytest.mark.parametrize(
    ("table", "measure", "mechanism", "applies"),
    [
        (None, None, "mean", "Here both apply: the mean and bradley-terry give the same order."),
        (None, "clear", "mean", "Here Levtsov and Ustalov's applies, because you say that the measure is clear."),
        (
            None,
            "hard",
            "bradley-terry",
            "Here Peyrard et al.'s applies, and Levtsov and Ustalov agree: quality is hard to define, which favours "
            "comparisons.",
        ),
        (
            EQUAL_MEANS,
            None,
            "bradley-terry",
            "Here Peyrard et al.'s applies: the best means are equal, and the items won are not affected by that.",
        ),
        (
            EQUAL_MEANS,
            "clear",
            "bradley-terry",
            "Here Peyrard et al.'s applies: the best means are equal, and the items won are not affected by that.",
        ),
    ],
)
def test_advice_says_which_recommendation_applies(
    table: dict[str, list[float]] | None, measure: str | None, mechanism: str, applies: str
) -> None:
    advice = bt.advise(bt.read_scores(table) if table else scores(), measure=measure)
    assert (advice.mechanism, advice.views[-1]) == (mechanism, applies)


def test_equal_means_are_named() -> None:
    advice = bt.advise(bt.read_scores(EQUAL_MEANS))
    assert advice.reasons[0] == (
        "The means of A, B are equal, so they do not order these systems; who wins more items does."
    )
    right = {"A": [1, 1, 0, 0, 1, 0], "B": [0, 1, 1, 0, 0, 1]}  # equal means and equal wins
    assert bt.advise(bt.read_scores(right)).mechanism == "mean"


def test_medians_of_right_and_wrong_are_not_compared() -> None:
    rng = np.random.default_rng(0)
    shares = dict(zip(NAMES, (0.9, 0.8, 0.6, 0.45, 0.4), strict=True))
    answers = {name: (rng.random(300) < share).astype(float) for name, share in shares.items()}
    case = case_of(answers)
    assert case.table is not None
    assert case.table.two_valued
    for evidence in (answers, {name: 5 * column - 2 for name, column in answers.items()}):
        compared = {finding.numbers["b"] for finding in mechanisms.check(case_of(evidence))}
        assert "median" not in compared
        assert mechanisms._names(case_of(evidence)) == ("mean", "bradley-terry")
    graded = {**answers, "owl": np.where(np.arange(300) == 0, 0.5, answers["owl"])}
    assert mechanisms._names(case_of(graded)) == ("mean", "median", "bradley-terry")


def test_advice_says_how_to_choose_further_judgments() -> None:
    votes = bt.advise([("owl", "yak", "a")] * 30 + [("yak", "elk", "a")] * 20 + [("owl", "elk", "b")] * 9)
    assert votes.collect is not None
    assert votes.collect == (
        "To settle specific pairs, use bt.next_matches(...): it skips pairs that are already decided. "
        "For one ranking of all systems, judge all pairs equally often (policy='uniform')."
    )
    assert votes.collect in str(votes).replace("\n  ", " ")
    assert bt.advise({"owl": [3, 5, 4, 6, 1, 2], "yak": [2, 1, 4, 3, 1, 1]}).collect is None


def _ratings(seed: int, noise: float, items: int = 40, judges: int = 4) -> dict[str, list[Any]]:
    rng = np.random.default_rng(seed)
    quality = rng.normal(size=(items, 3))
    cells = [(n, place, judge) for n in range(items) for place in range(3) for judge in range(judges)]
    return {
        "system": [NAMES[place] for _, place, _ in cells],
        "instance": [f"i{n}" for n, _, _ in cells],
        "judge": [f"j{judge}" for *_, judge in cells],
        "score": [quality[n, place] + noise * rng.normal() for n, place, _ in cells],
    }


def test_repeated_scores_have_intraclass_correlations() -> None:
    columns = _ratings(0, 0.5)
    finding = found(bt.read_scores(columns, repeat="judge"), unit="item")["score-agreement"]
    assert finding.level == "info"
    table = np.array(columns["score"]).reshape(120, 4)
    target, rater = np.indices(table.shape).reshape(2, -1)
    expected = rating_reliability.intraclass(target, rater, table.ravel())
    assert expected is not None
    for name, number in expected.to_dict().items():
        assert finding.numbers[name] == pytest.approx(number)
    assert all(name in finding.message for name in ("ICC(1,1)", "ICC(2,1)", "ICC(3,1)", "Kendall's W"))
    noisy = found(bt.read_scores(_ratings(1, 3.0), repeat="judge"), unit="item")["score-agreement"]
    assert noisy.level == "warning"
    assert "score-agreement" not in found(scores())


def test_rankings_of_the_same_items_have_kendalls_w() -> None:
    rng = np.random.default_rng(2)
    rows, expected = [], []
    for item in range(30):
        shown = [NAMES[place] for place in rng.permutation(5)[:4]]
        ranks = np.stack([rng.permutation(4) + 1 for _ in range(3)])
        expected.append(rating_reliability.kendall_w(ranks.astype(float)))
        rows += [
            (f"{item}-{judge}", f"p{item}", f"j{judge}", system, rank)
            for judge, of_judge in enumerate(ranks)
            for system, rank in zip(shown, of_judge.tolist(), strict=True)
        ]
    names = ("ranking", "item", "judge", "system", "rank")
    columns = dict(zip(names, map(list, zip(*rows, strict=True)), strict=True))
    finding = found(bt.read_rankings(columns))["ranking-agreement"]
    assert finding.value == pytest.approx(np.mean(np.array(expected, float)))
    assert finding.numbers["spearman"] == pytest.approx((3 * finding.numbers["w"] - 1) / 2)
    assert (finding.numbers["groups"], finding.numbers["rankings"]) == (30, 90)
    # Without items, all rankings of the same systems belong together.
    ballots = {"owl": [1, 2, 1], "yak": [2, 1, 3], "elk": [3, 3, 2]}
    table = np.array(list(ballots.values()), float).T
    assert found(bt.read_rankings(ballots))["ranking-agreement"].value == pytest.approx(
        rating_reliability.kendall_w(table)
    )


@pytest.mark.parametrize(("unit", "said"), [(None, "4 groups"), ("item", "40 items"), ("group", "4 groups")])
def test_few_units_are_counted_in_the_unit_that_is_named(unit: str | None, said: str) -> None:
    """Forty items in four groups were said to be 40 groups."""
    columns = scores(items=40)
    rows = [
        {"item": f"i{item}", "document": f"d{item // 10}", "system": name, "score": float(columns[name][item])}
        for item in range(40)
        for name in NAMES
    ]
    finding = found(bt.read_scores(rows, group="document"), **({} if unit is None else {"unit": unit}))["few-units"]
    assert f"rests on only {said}," in finding.message


def test_items_with_outlying_scores_are_named_and_can_be_left_out() -> None:
    rng = np.random.default_rng(3)
    values = {name: rng.uniform(0, 1, 100) for name in ("owl", "yak", "elk")}
    values["owl"][[7, 40]], values["elk"][40] = 30.0, -30.0
    table = {
        "item": [f"i{place:02d}" for place in range(100)],
        **{name: each.tolist() for name, each in values.items()},
    }
    finding = bt.diagnose(table).finding("outliers")
    assert finding.message == (
        "1.0 % of scores are outliers (beyond 1.5 IQR of their system), on 2 items, such as 'i40', 'i07'."
    )
    assert json.loads(json.dumps(finding.to_dict()))["numbers"]["items"] == ["i40", "i07"]
    assert (finding.level, finding.hint) == ("info", "")
    kept = bt.read_scores(table, exclude=["outlying-items"])
    assert len(kept.tables[0].items) == 98
    assert not {"i07", "i40"} & set(kept.tables[0].items)
    [left_out] = [each for each in kept.reading.findings if each.code == "outlying-items-left-out"]
    assert left_out.message == (
        "2 items are left out, because a system's score on them is beyond 1.5 IQR of its scores: 'i07', 'i40'."
    )
    assert (left_out.level, left_out.value) == ("warning", 2)
    same = bt.read_scores(table, exclude=["item=i07", "item=i40"])
    np.testing.assert_array_equal(same.tables[0].values, kept.tables[0].values)


def test_outlying_items_are_left_out_table_by_table_and_of_scores_only() -> None:
    rng = np.random.default_rng(4)
    rows = [
        (f"i{item:02d}", name, metric, float(rng.uniform(5, 9)))
        for item in range(30)
        for name in "ab"
        for metric in "xy"
    ]
    rows = [
        (item, name, metric, 41.5 if (item, name, metric) == ("i05", "a", "x") else score)
        for item, name, metric, score in rows
    ]
    table = dict(zip(("item", "system", "metric", "score"), map(list, zip(*rows, strict=True)), strict=True))
    x, y = bt.read_scores(table, exclude=["outlying-items"]).tables
    assert (len(x.items), len(y.items)) == (29, 30)
    named = {"outlying-items": [1.0, 2, 9], "owl": [2.0, 1, 3], "yak": [2.5, 2, 1]}
    assert bt.read_scores(named, exclude=["outlying-items"]).systems == ("owl", "yak")
    with pytest.raises(bt.EvidenceError) as refusal:
        bt.read([("owl", "yak", "a")], exclude=["outlying-items"])
    assert str(refusal.value) == (
        "the given rows: exclude='outlying-items' is for scores, but this evidence is judgments. Leave it out."
    )
