"""The conditions under which decisions hold at any time: chances as stored, items without outcomes, evidence alone."""

from collections import Counter
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.stats import binomtest, chisquare

from betterthan.campaign import tasks
from betterthan.campaign.exports.judgment_export import rows_of
from betterthan.campaign.log.campaign_state import CampaignState
from betterthan.campaign.log.comparison_load import Load
from betterthan.campaign.log.judge_records import JudgeRecord, Lease, Person
from betterthan.campaign.material.material import Material, MaterialItem
from betterthan.campaign.planning.standing import standing_of
from betterthan.campaign.policies.chance_table import Chances
from betterthan.campaign.service.campaign import Campaign
from betterthan.campaign.service.task_drawing import Drawing
from betterthan.options.campaign import CampaignOptions
from tests.campaign.worlds import campaign, material

DRAWS = 6000


def _uneven(pairs: int) -> Chances:
    return Chances(1, np.arange(1.0, pairs + 1), np.full(pairs, np.inf))


def _state(about: Material, **options: Any) -> CampaignState:
    state = CampaignState(about.systems, len(about.items))
    state.options = CampaignOptions.of(**options)
    return state


def _frequencies(drawing: Drawing, state: CampaignState, chances: Chances, person: Person) -> None:
    """Draw often from one state, and compare with the chances that come with the draws."""
    told: dict[frozenset[int], set[float]] = {}
    counts: Counter[frozenset[int]] = Counter()
    for _ in range(DRAWS):
        drawn = drawing.draw(state, chances, person)
        assert drawn is not None
        systems = frozenset(system for card in drawn.cards for system in card)
        counts[systems] += 1
        told.setdefault(systems, set()).add(round(drawn.chance, 12))
    assert all(len(each) == 1 for each in told.values()), "the same state gives a comparison the same chance"
    expected = {systems: each.pop() for systems, each in told.items()}
    assert sum(expected.values()) == pytest.approx(1, abs=0.01)
    total = sum(expected.values())
    sets = sorted(expected, key=sorted)
    found = chisquare([counts[each] for each in sets], [DRAWS * expected[each] / total for each in sets])
    assert found.pvalue > 0.001


@pytest.mark.parametrize("way", [2, 3])
def test_pairs_come_as_often_as_the_chance_stored_with_them(way: int) -> None:
    about = material(6, 4)
    drawing = Drawing(about, np.random.default_rng(1))
    _frequencies(drawing, _state(about, way=way), _uneven(6), Person(JudgeRecord(1, "judge-1")))


@pytest.mark.parametrize("limits", [{}, {"per_item": 3}, {"per_pair": 4}])
def test_the_chance_leaves_out_pairs_without_an_item_for_this_judge(limits: dict[str, int]) -> None:
    about = material(4, 4)
    drawing = Drawing(about, np.random.default_rng(2))
    state, person = _state(about, **limits), Person(JudgeRecord(1, "judge-1"))
    person.seen = {0: [0, 1, 2, 3], 4: [0, 1]}  # the first pair is over for this judge
    for item in range(4):  # and this one for everybody
        state.load.do(Lease("", 2, "judgment", item, ((0,), (2,)), 0.0, 0.0))
    state.load.hold(Lease("", 2, "judgment", 2, ((0,), (2,)), 0.0, 0.0))
    _frequencies(drawing, state, _uneven(6), person)


def test_the_chance_leaves_out_pairs_whose_outputs_are_missing() -> None:
    about = material(5, 4)
    outputs = {**about.outputs, "heron": [None] * 4 + ["here"], "ibis": ["here"] + [None] * 4}
    shown = {**about.shown, "heron": [None] * 4 + ["<p>here</p>"], "ibis": ["<p>here</p>"] + [None] * 4}
    thin = Material(about.items, about.systems, outputs, shown)
    _frequencies(Drawing(thin, np.random.default_rng(3)), _state(thin), _uneven(6), Person(JudgeRecord(1, "judge-1")))


def test_the_chance_knows_languages_and_conflicts() -> None:
    about = material(8, 4)
    items = tuple(
        MaterialItem(item.name, item.source, language="de" if place < 5 else "fr")
        for place, item in enumerate(about.items)
    )
    mixed = Material(items, about.systems, about.outputs, about.shown)
    state = _state(mixed)
    for item in (5, 6, 7):
        state.load.do(Lease("", 2, "judgment", item, ((1,), (3,)), 0.0, 0.0))
    person = Person(JudgeRecord(1, "judge-1", languages=("fr",), conflicts=("heron",)))
    drawing = Drawing(mixed, np.random.default_rng(4))
    _frequencies(drawing, state, _uneven(6), person)
    for _ in range(50):
        drawn = drawing.draw(state, _uneven(6), person)
        assert drawn is not None
        assert drawn.item >= 5
        assert 0 not in [system for card in drawn.cards for system in card]


def test_sets_are_found_wherever_there_is_one() -> None:
    """Of four systems in threes, only one set has an item left, and it is the least likely."""
    about = material(1, 4)
    state = _state(about, way=3)
    last = {(1, 2, 3)}
    items = [MaterialItem(f"i{number}", "text") for number in range(4)]
    outputs: dict[str, list[str | None]] = {name: [] for name in about.systems}
    for number, members in enumerate(combinations(range(4), 3)):
        for place, name in enumerate(about.systems):
            outputs[name].append(f"{name} {number}" if place in members and members in last else None)
    lone = Material(tuple(items), about.systems, outputs, outputs)
    drawing = Drawing(lone, np.random.default_rng(5))
    state.load = Load(4, 4)
    chances = Chances(1, np.array([1.0, 1.0, 1.0, 1e-3, 1e-3, 1e-3]), np.full(6, np.inf))
    drawn = drawing.draw(state, chances, Person(JudgeRecord(1, "judge-1")))
    assert drawn is not None
    assert {system for card in drawn.cards for system in card} == {1, 2, 3}


def _items(place: Path, answers: np.random.Generator) -> list[tuple[int, tuple[tuple[int, ...], ...]]]:
    given = []
    with campaign(place, material(20, 4), seed=7, overlap=2) as running:
        judges = [running.add_judge(f"judge {each}").result()[0].number for each in range(3)]
        for number in range(90):
            judge = judges[number % 3]
            task = running.hand_out(judge).result().tasks[0]
            lease = running.writer.state.leases[task.lease]
            given.append((lease.item, lease.cards))
            ranks = tuple(int(each) for each in answers.integers(1, 3, size=2))
            running.submit(judge, task.lease, f"key-{number:05d}", tasks.Answer({"overall": ranks})).result()
    return given


def test_items_and_sides_do_not_depend_on_what_was_said(tmp_path: Path) -> None:
    one, two = (_items(tmp_path / f"{seed}.campaign", np.random.default_rng(seed)) for seed in (1, 2))
    assert one == two


def test_the_side_does_not_depend_on_the_system(tmp_path: Path) -> None:
    with campaign(tmp_path / "c.campaign", material(150, 5), seed=3) as running:
        judge = running.add_judge("Ada").result()[0].number
        first: Counter[bool] = Counter()
        shown: Counter[int] = Counter()
        for number in range(1000):
            task = running.hand_out(judge).result().tasks[0]
            (one,), (two,) = running.writer.state.leases[task.lease].cards
            first[one < two] += 1
            shown[one] += 1
            running.submit(judge, task.lease, f"key-{number:05d}", tasks.Answer({"overall": (1, 2)})).result()
        assert binomtest(first[True], 1000).pvalue > 0.001
        assert chisquare([shown[system] for system in range(5)]).pvalue > 0.001


def test_evidence_is_judgments_alone(tmp_path: Path) -> None:
    options = {"gold": 0.15, "repeats": 0.2, "training": 2}
    with campaign(tmp_path / "c.campaign", material(60, 3), seed=5, **options) as running:
        judges = [running.add_judge(f"judge {each}").result()[0].number for each in range(3)]
        said: dict[str, tuple[int, str]] = {}
        rng = np.random.default_rng(1)
        purposes = set()
        for number in range(150):
            judge = judges[number % 3]
            task = running.hand_out(judge).result().tasks[0]
            purposes.add(task.purpose)
            key, what = f"key-{number:05d}", rng.random()
            if what < 0.1:
                running.skip(judge, task.lease, key, "no idea").result()
                continue
            running.submit(judge, task.lease, key, tasks.Answer({"overall": (1, 2)})).result()
            if what < 0.2:
                running.undo(judge).result()
            elif task.purpose == "judgment":
                said[task.lease] = (judge, task.purpose)
        running.exclude(2, "too quick").result()
        assert purposes == {"training", "gold", "repeat", "judgment"}
        state = running.writer.state
        wanted = {lease for lease, (judge, _) in said.items() if judge != 2}
        assert {lease.name for lease in state.kept} == wanted
        numbers = {state.leases[name].number for name in wanted}
        assert {row.task for row in rows_of(state.kept, running.material)} == numbers


def _separated(place: Path, seed: int) -> bool:
    """Run a campaign of equal systems, look after every 15 answers, and say whether any pair was ever separated."""
    rng = np.random.default_rng(seed)
    with campaign(place, material(40, 3), seed=seed, level=0.8, unit="item", clock=lambda: 0.0) as running:
        judges = [running.add_judge(f"judge {each}").result()[0].number for each in range(4)]
        for number in range(105):
            judge = judges[number % 4]
            task = running.hand_out(judge).result().tasks[0]
            ranks = ((1, 2), (2, 1), (1, 1))[rng.choice(3, p=(0.45, 0.45, 0.1))]
            running.submit(judge, task.lease, f"key-{number:05d}", tasks.Answer({"overall": ranks})).result()
            if number % 15 == 14:
                running.chances = standing_of(running)
                if any(pair["state"] in {"first", "second"} for pair in running.chances.pairs):
                    return True
    return False


def test_equal_systems_are_rarely_separated_however_often_one_looks(tmp_path: Path) -> None:
    campaigns = 60
    wrong = sum(_separated(tmp_path / f"{seed}.campaign", seed) for seed in range(campaigns))
    assert binomtest(wrong, campaigns, 0.2, alternative="greater").pvalue > 0.01
    assert wrong <= 0.2 * campaigns


def test_a_better_system_is_separated(tmp_path: Path) -> None:
    """What is never separated would pass the test above."""
    with campaign(tmp_path / "c.campaign", material(60, 2), level=0.8, unit="item") as running:
        _answer_by_strength(running, 60)
        (pair,) = standing_of(running).pairs
        assert pair["state"] in {"first", "second"}
        assert {pair["first"], pair["second"]} == {"heron", "ibis"}


def _answer_by_strength(running: Campaign, times: int) -> None:
    judges = [running.add_judge(f"judge {each}").result()[0].number for each in range(4)]
    rng = np.random.default_rng(0)
    for number in range(times):
        task = running.hand_out(judges[number % 4]).result().tasks[0]
        first = running.writer.state.leases[task.lease].cards[0][0]
        better = (first == 0) == (rng.random() < 0.85)
        answer = tasks.Answer({"overall": (1, 2) if better else (2, 1)})
        running.submit(judges[number % 4], task.lease, f"key-{number:05d}", answer).result()
