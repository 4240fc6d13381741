"""Clocks that are wrong, tasks that outlive their time, limits that change, and campaigns with almost nothing in them."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from betterthan.campaign.campaign_errors import ConflictError, ForbiddenError
from betterthan.campaign.log.replay_log import replayed_campaign
from betterthan.campaign.material.material import Material, MaterialItem
from betterthan.campaign.service.campaign import Campaign
from betterthan.campaign.store.campaign_store import open_store
from tests.campaign.worlds import campaign, material, ranked


def _judges(running: Campaign, number: int = 1, **about: Any) -> list[int]:
    return [running.add_judge(f"judge {each}", **about).result()[0].number for each in range(number)]


def _answer(running: Campaign, judge: int, key: str) -> str:
    task = running.hand_out(judge).result().tasks[0]
    running.submit(judge, task.lease, f"the-key-{key}", ranked(task)).result()
    return task.lease


def _stage(running: Campaign, judge: int) -> str:
    return running.hand_out(judge).result().progress.stage


def test_a_clock_that_is_set_back_goes_on_from_where_it_was(tmp_path: Path) -> None:
    now = [1e9]
    place = str(tmp_path / "c.campaign")
    with campaign(place, material(1, 2), clock=lambda: now[0], lease=1) as running:
        ada, bob = _judges(running, 2)
        task = running.hand_out(ada).result().tasks[0]
        now[0] -= 1e6
        assert running.hand_out(ada).result().tasks[0] == task
        assert _stage(running, bob) == "waiting"
        now[0] += 61
        assert _stage(running, bob) == "judging"  # a minute has passed all the same
    now[0] -= 2e6
    with Campaign.open(place, clock=lambda: now[0]) as running:
        _stage(running, ada)
        assert running.writer.state.load.comparisons_held == 1
        now[0] += 61
        _stage(running, ada)
        assert running.writer.state.load.comparisons_held == 0
        times = [event.at for event in running.store.events()]
        assert times == sorted(times)


def test_a_task_that_ends_while_nobody_serves_goes_to_somebody_else(new_place: Callable[[], str]) -> None:
    now, place = [1000.0], new_place()
    with campaign(place, material(1, 2), clock=lambda: now[0], lease=1) as running:
        ada, bob = _judges(running, 2)
        late = running.hand_out(ada).result().tasks[0]
    now[0] += 3600
    with Campaign.open(place, clock=lambda: now[0]) as running:
        _answer(running, bob, "bob")
        assert running.submit(ada, late.lease, "the-key-ada", ranked(late)).result().late
        assert running.writer.state.answers == 1


def test_an_undone_late_answer_takes_nobodys_place(tmp_path: Path) -> None:
    now = [1000.0]
    with campaign(tmp_path / "c.campaign", material(1, 2), clock=lambda: now[0], lease=1) as running:
        ada, bob = _judges(running, 2)
        late = running.hand_out(ada).result().tasks[0]
        now[0] += 61
        _answer(running, bob, "bob")
        running.submit(ada, late.lease, "the-key-ada", ranked(late)).result()
        again = running.undo(ada).result()
        load = running.writer.state.load
        assert (load.comparisons, load.comparisons_held, load.on_items.max()) == (1, 0, 1)
        assert running.hand_out(ada).result().tasks[0].lease == again.lease
        running.submit(ada, again.lease, "the-key-again", ranked(again)).result()
        assert (load.comparisons, load.comparisons_held, load.on_items.max()) == (1, 0, 1)
        assert running.writer.state.answers == 1
        now[0] += 61
        assert running.undo(ada).result()
        now[0] += 61
        _stage(running, bob)
        assert (load.comparisons, load.comparisons_held, load.on_items.max()) == (1, 0, 1)


def test_an_answer_undone_after_exclusion_takes_nobodys_place(tmp_path: Path) -> None:
    with campaign(tmp_path / "c.campaign", material(1, 2)) as running:
        ada, bob = _judges(running, 2)
        _answer(running, ada, "ada")
        running.exclude(ada, "too quick").result()
        _answer(running, bob, "bob")
        again = running.undo(ada).result()
        load = running.writer.state.load
        assert (load.comparisons, load.on_items.max()) == (1, 1)
        running.exclude(ada, "a mistake", excluded=False).result()
        running.submit(ada, again.lease, "the-key-again", ranked(again)).result()
        assert (running.writer.state.answers, load.comparisons, load.on_items.max()) == (1, 1, 1)


def test_only_identical_outputs_cannot_be_undone(tmp_path: Path) -> None:
    with campaign(tmp_path / "c.campaign", material(3, 2, same=3)) as running:
        (judge,) = _judges(running)
        assert running.hand_out(judge).result().progress.stage == "finished"
        assert not running.progress(judge).can_undo
        with pytest.raises(ConflictError, match="there is no answer to undo"):
            running.undo(judge).result()


def test_a_budget_below_what_is_done_ends_it(tmp_path: Path) -> None:
    with campaign(tmp_path / "c.campaign", budget=20) as running:
        ada, bob = _judges(running, 2)
        for number in range(5):
            _answer(running, ada, str(number))
        task = running.hand_out(bob).result().tasks[0]
        running.change(budget=3, per_pair=1, per_judge=2).result()
        assert _stage(running, ada) == "finished"
        running.submit(bob, task.lease, "the-key-bob", ranked(task)).result()  # handed out before: it counts
        assert running.writer.state.answers == 6
        running.change(budget=7, per_pair=None, per_judge=None).result()
        _answer(running, ada, "ada")
        assert _stage(running, ada) == "finished"


def test_an_answer_while_paused_counts(tmp_path: Path) -> None:
    with campaign(tmp_path / "c.campaign") as running:
        (judge,) = _judges(running)
        task = running.hand_out(judge).result().tasks[0]
        running.set_state("paused").result()
        assert _stage(running, judge) == "paused"
        running.submit(judge, task.lease, "the-key-1", ranked(task)).result()
        assert running.writer.state.answers == 1


def test_an_answer_after_closing_is_saved_and_no_evidence(new_place: Callable[[], str]) -> None:
    place = new_place()
    with campaign(place) as running:
        (judge,) = _judges(running)
        task, other = running.hand_out(judge, 2).result().tasks
        running.set_state("closed").result()
        assert _stage(running, judge) == "closed"
        assert running.writer.state.load.comparisons_held == 0
        running.keep_draft(judge, task.lease, {"reason": "so far"}).result()
        receipt = running.submit(judge, task.lease, "the-key-1", ranked(task)).result()
        assert receipt.late
        assert running.submit(judge, task.lease, "the-key-1", ranked(task)).result().repeated
        assert running.writer.state.answers == 0
        with pytest.raises(ForbiddenError, match="the campaign is closed"):
            running.undo(judge).result()
        running.set_state("running").result()
        assert running.writer.state.answers == 0
        assert running.submit(judge, other.lease, "the-key-2", ranked(other)).result().late
        assert running.writer.state.answers == 1  # nobody took its place
    store = open_store(place)
    state = replayed_campaign(store.material(), store.events())
    store.close()
    assert state.leases[task.lease].answer["ranks"] == {"overall": [1, 2]}
    assert (state.answers, state.load.comparisons) == (1, 1)


def test_what_a_revoked_judge_held_goes_to_somebody_else(tmp_path: Path) -> None:
    with campaign(tmp_path / "c.campaign", material(1, 2)) as running:
        ada, bob = _judges(running, 2)
        task = running.hand_out(ada).result().tasks[0]
        assert _stage(running, bob) == "waiting"
        running.revoke(ada).result()
        running.revoke(ada).result()
        assert running.writer.state.load.comparisons_held == 0
        with pytest.raises(ForbiddenError):
            running.submit(ada, task.lease, "the-key-1", ranked(task)).result()
        _answer(running, bob, "bob")
        assert _stage(running, bob) == "finished"


@pytest.mark.parametrize("about", [{"languages": ["fr"]}, {"conflicts": ["heron", "ibis", "jackdaw"]}])
def test_a_judge_for_whom_there_is_nothing_is_finished_also_while_others_judge(
    about: dict[str, Any], tmp_path: Path
) -> None:
    found = material(4, 4)
    items = tuple(MaterialItem(item.name, item.source, language="de") for item in found.items)
    with campaign(tmp_path / "c.campaign", Material(items, found.systems, found.outputs, found.shown)) as running:
        (ada,), (bob,) = _judges(running), _judges(running, **about)
        assert _stage(running, ada) == "judging"
        assert _stage(running, bob) == "finished"


def test_more_overlap_than_judges(tmp_path: Path) -> None:
    with campaign(tmp_path / "c.campaign", material(2, 2), overlap=5) as running:
        ada, bob = _judges(running, 2)
        for number in range(2):
            _answer(running, ada, f"ada-{number}")
            _answer(running, bob, f"bob-{number}")
        assert (_stage(running, ada), _stage(running, bob)) == ("finished", "finished")
        assert running.writer.state.answers == 4


def test_one_item_and_two_systems(tmp_path: Path) -> None:
    with campaign(tmp_path / "c.campaign", material(1, 2)) as running:
        (judge,) = _judges(running)
        _answer(running, judge, "1")
        assert _stage(running, judge) == "finished"


def test_all_outputs_identical_in_sets(tmp_path: Path) -> None:
    found = material(150, 3)
    same: dict[str, list[str | None]] = {name: [f"text {item}" for item in range(150)] for name in found.systems}
    about = Material(found.items, found.systems, same, same)
    with campaign(tmp_path / "c.campaign", about, way=3) as running:
        (judge,) = _judges(running)
        while (stage := _stage(running, judge)) == "waiting":
            pass
        assert stage == "finished"
        assert running.writer.state.answers == 150


def test_documents_go_on_past_missing_outputs(tmp_path: Path) -> None:
    found = material(8, 2, documents=2)
    missing = {0, 4, 3}
    outputs = {
        name: [None if name == "ibis" and item in missing else text for item, text in enumerate(texts)]
        for name, texts in found.outputs.items()
    }
    about = Material(found.items, found.systems, outputs, outputs)
    with campaign(tmp_path / "c.campaign", about, documents=True) as running:
        (judge,) = _judges(running)
        done = []
        while (handed := running.hand_out(judge).result()).tasks:
            done.append(running.writer.state.leases[handed.tasks[0].lease].item)
            running.submit(judge, handed.tasks[0].lease, f"key-{len(done):05d}", ranked(handed.tasks[0])).result()
        assert done in ([2, 6, 1, 5, 7], [1, 5, 7, 2, 6])
