"""Tasks are handed out within all limits, answers are kept once, and everything survives a restart."""

from pathlib import Path

import numpy as np
import pytest

from betterthan.campaign import tasks
from betterthan.campaign.campaign_errors import ConflictError, ForbiddenError, UnknownError
from betterthan.campaign.service.campaign import Campaign
from tests.campaign.worlds import campaign, material, ranked


def _judge(running: Campaign, name: str = "Ada", **about: object) -> int:
    return running.add_judge(name, **about).result()[0].number  # type: ignore[arg-type]


def test_a_judge_works_through_everything(tmp_path: Path) -> None:
    with campaign(tmp_path / "c.campaign", material(3, 3)) as running:
        judge = _judge(running)
        done = 0
        while (handed := running.hand_out(judge).result()).progress.stage == "judging":
            (task,) = handed.tasks
            receipt = running.submit(judge, task.lease, f"key-{done:05d}", ranked(task)).result()
            assert not receipt.late
            done += 1
        assert handed.progress.stage == "finished"
        assert done == 9  # three pairs on three items, each once
        assert running.writer.state.answers == 9


def test_a_second_tab_gets_the_same_task_and_a_second_answer_is_one(tmp_path: Path) -> None:
    with campaign(tmp_path / "c.campaign") as running:
        judge = _judge(running)
        one, two = (running.hand_out(judge).result().tasks[0] for _ in range(2))
        assert one == two
        first = running.submit(judge, one.lease, "the-key-1", ranked(one, 1, 2)).result()
        again = running.submit(judge, one.lease, "the-key-1", ranked(one, 1, 2)).result()
        assert (again.number, again.repeated) == (first.number, True)
        with pytest.raises(ConflictError):
            running.submit(judge, one.lease, "the-key-1", ranked(one, 2, 1)).result()
        with pytest.raises(ConflictError):
            running.submit(judge, one.lease, "the-key-2", ranked(one, 1, 2)).result()
        assert running.writer.state.answers == 1


def test_other_peoples_tasks_are_unknown(tmp_path: Path) -> None:
    with campaign(tmp_path / "c.campaign") as running:
        ada, bob = _judge(running), _judge(running, "Bob")
        task = running.hand_out(ada).result().tasks[0]
        for work in (
            running.submit(bob, task.lease, "the-key-1", ranked(task)),
            running.skip(bob, task.lease, "the-key-1", ""),
            running.complain(bob, task.lease, "odd"),
            running.keep_draft(bob, task.lease, {}),
        ):
            with pytest.raises(UnknownError):
                work.result()


def test_sessions_tasks_and_drafts_survive_a_restart(tmp_path: Path) -> None:
    place = tmp_path / "c.campaign"
    with campaign(place) as running:
        judge, invitation = running.add_judge("Ada").result()
        session = running.enter(invitation).result()
        task = running.hand_out(judge.number).result().tasks[0]
        running.keep_draft(judge.number, task.lease, {"reason": "so far"}).result()
    with Campaign.open(str(place)) as running:
        assert running.who(session) == judge.number
        again = running.hand_out(judge.number).result().tasks[0]
        assert again.lease == task.lease
        assert again.draft == {"reason": "so far"}
        assert again.cards == task.cards
        running.submit(judge.number, task.lease, "the-key-1", ranked(task)).result()
        running.revoke(judge.number).result()
        assert running.who(session) is None
        with pytest.raises(ForbiddenError):
            running.hand_out(judge.number).result()
        with pytest.raises(ForbiddenError):
            running.enter(invitation).result()


def test_undo_hands_out_the_same_again(tmp_path: Path) -> None:
    with campaign(tmp_path / "c.campaign") as running:
        judge = _judge(running)
        task = running.hand_out(judge).result().tasks[0]
        running.submit(judge, task.lease, "the-key-1", ranked(task)).result()
        again = running.undo(judge).result()
        assert again.cards == task.cards
        assert again.again
        assert again.lease != task.lease
        assert running.writer.state.answers == 0
        running.submit(judge, again.lease, "the-key-2", ranked(again, 2, 1)).result()
        assert running.writer.state.answers == 1


def test_what_comes_late_counts_only_where_its_place_is_free(tmp_path: Path) -> None:
    now = [1000.0]
    with campaign(tmp_path / "c.campaign", material(1, 2), clock=lambda: now[0], lease=1) as running:
        ada, bob = _judge(running), _judge(running, "Bob")
        late = running.hand_out(ada).result().tasks[0]
        assert running.hand_out(bob).result().progress.stage == "waiting"
        now[0] += 61
        task = running.hand_out(bob).result().tasks[0]
        running.submit(bob, task.lease, "the-key-1", ranked(task)).result()
        receipt = running.submit(ada, late.lease, "the-key-2", ranked(late)).result()
        assert receipt.late
        assert running.writer.state.answers == 1
        assert running.writer.state.leases[late.lease].status == "answered"


def test_identical_outputs_are_ties_that_nobody_is_asked_for(tmp_path: Path) -> None:
    with campaign(tmp_path / "c.campaign", material(4, 2, same=4)) as running:
        judge = _judge(running)
        assert running.hand_out(judge).result().progress.stage == "finished"
        assert running.writer.state.answers == 4
    with campaign(tmp_path / "d.campaign", material(6, 4, same=6), way=4) as running:
        task = running.hand_out(_judge(running)).result().tasks[0]
        assert len(task.cards) == 3  # two systems on one card


def test_checks_and_repeats_are_no_evidence(tmp_path: Path) -> None:
    with campaign(tmp_path / "c.campaign", material(40, 3), gold=0.2, repeats=0.3, training=2) as running:
        judge = _judge(running)
        purposes = []
        for number in range(60):
            task = running.hand_out(judge).result().tasks[0]
            purposes.append(task.purpose)
            receipt = running.submit(judge, task.lease, f"key-{number:05d}", ranked(task)).result()
            assert (receipt.right is not None) == (task.purpose == "training")
        assert purposes[:2] == ["training"] * 2
        assert set(purposes) == {"training", "gold", "repeat", "judgment"}
        assert running.writer.state.answers == purposes.count("judgment")
        assert running.writer.state.load.comparisons == purposes.count("judgment")


def test_conflicts_of_interest_and_exclusions(tmp_path: Path) -> None:
    with campaign(tmp_path / "c.campaign", material(10, 3)) as running:
        judge = _judge(running, conflicts=["ibis"])
        for number in range(10):
            task = running.hand_out(judge).result().tasks[0]
            systems = running.writer.state.leases[task.lease].systems
            assert 1 not in systems
            running.submit(judge, task.lease, f"key-{number:05d}", ranked(task)).result()
        assert running.hand_out(judge).result().progress.stage == "finished"
        running.exclude(judge, "too quick").result()
        assert running.writer.state.answers == running.writer.state.load.comparisons == 0
        running.exclude(judge, "a mistake", excluded=False).result()
        assert running.writer.state.answers == running.writer.state.load.comparisons == 10


def test_documents_come_in_order_with_the_same_systems(tmp_path: Path) -> None:
    with campaign(tmp_path / "c.campaign", material(8, 4, documents=2), documents=True) as running:
        judge = _judge(running)
        items, systems = [], []
        for number in range(4):
            task = running.hand_out(judge).result().tasks[0]
            lease = running.writer.state.leases[task.lease]
            items.append(lease.item)
            systems.append(frozenset(lease.systems))
            assert [item.name for item in task.before] == [f"i{item}" for item in items[:-1]]
            running.submit(judge, task.lease, f"key-{number:05d}", ranked(task)).result()
        assert items in ([0, 2, 4, 6], [1, 3, 5, 7])
        assert len(set(systems)) == 1


def test_sides_are_drawn_for_every_task(tmp_path: Path) -> None:
    with campaign(tmp_path / "c.campaign", material(400, 2)) as running:
        judge = _judge(running)
        left = []
        for number in range(400):
            task = running.hand_out(judge).result().tasks[0]
            left.append(running.writer.state.leases[task.lease].cards[0][0])
            running.submit(judge, task.lease, f"key-{number:05d}", ranked(task)).result()
        assert abs(np.mean(left) - 0.5) < 0.1


def test_two_processes_may_write(tmp_path: Path) -> None:
    place = tmp_path / "c.campaign"
    with campaign(place) as server, Campaign.open(str(place)) as line:
        judge = _judge(server)
        task = server.hand_out(judge).result().tasks[0]
        other = _judge(line, "Bob")
        assert other == judge + 1
        server.submit(judge, task.lease, "the-key-1", ranked(task)).result()
        line.set_state("paused").result()
        assert server.hand_out(judge).result().progress.stage == "paused"
        assert [each.number for each in server.judges()] == [1, 2]


@pytest.mark.parametrize(
    "answer",
    [
        tasks.Answer({}),
        tasks.Answer({"overall": (1,)}),
        tasks.Answer({"overall": (0, 1)}),
        tasks.Answer({"overall": (1, 3)}),
        tasks.Answer({"other": (1, 2)}),
        tasks.Answer({"overall": (1, 2)}, both_bad=True),
        tasks.Answer({"overall": (1, 2)}, strength=2),
        tasks.Answer({"overall": (1, 2)}, tags=("x",)),
        tasks.Answer({"overall": (1, 2)}, reason="because"),
        tasks.Answer({"overall": (1, 2)}, seconds=-1),
    ],
)
def test_answers_that_cannot_be_meant_are_refused(answer: tasks.Answer, tmp_path: Path) -> None:
    with campaign(tmp_path / "c.campaign") as running:
        judge = _judge(running)
        task = running.hand_out(judge).result().tasks[0]
        before = running.store.last()
        with pytest.raises(Exception, match=r"\w") as refused:
            running.submit(judge, task.lease, "the-key-1", answer).result()
        assert getattr(refused.value, "code", None) == 400
        assert running.store.last() == before


def test_nobody_judges_a_pair_twice_on_one_item(tmp_path: Path) -> None:
    with campaign(tmp_path / "c.campaign", material(4, 3), overlap=3) as running:
        judge = _judge(running)
        seen = set()
        while (handed := running.hand_out(judge).result()).tasks:
            lease = running.writer.state.leases[handed.tasks[0].lease]
            assert (lease.item, frozenset(lease.systems)) not in seen
            seen.add((lease.item, frozenset(lease.systems)))
            running.submit(judge, lease.name, f"key-{len(seen):05d}", ranked(handed.tasks[0])).result()
        assert len(seen) == 12


def test_progress_does_not_tell_checks_from_judgments(tmp_path: Path) -> None:
    with campaign(tmp_path / "c.campaign", material(40, 3), gold=0.3, repeats=0.3, training=1, per_judge=20) as running:
        judge = _judge(running)
        for number in range(21):
            task = running.hand_out(judge).result().tasks[0]
            running.submit(judge, task.lease, f"key-{number:05d}", ranked(task)).result()
            assert running.progress(judge).done == number
        assert running.hand_out(judge).result().progress.stage == "finished"


def test_a_double_click_on_undo_takes_one_answer_back(tmp_path: Path) -> None:
    with campaign(tmp_path / "c.campaign") as running:
        judge = _judge(running)
        for number in range(2):
            task = running.hand_out(judge).result().tasks[0]
            running.submit(judge, task.lease, f"key-{number:05d}", ranked(task)).result()
        last = running.progress(judge).last
        assert running.undo(judge, last).result().again
        with pytest.raises(ConflictError, match="taken back before"):
            running.undo(judge, last).result()
        assert running.writer.state.answers == 1


def test_no_time_at_all_is_kept_as_such(tmp_path: Path) -> None:
    with campaign(tmp_path / "c.campaign") as running:
        judge = _judge(running)
        task = running.hand_out(judge).result().tasks[0]
        running.submit(judge, task.lease, "the-key-1", tasks.Answer({"overall": (1, 2)}, seconds=0.0)).result()
        assert running.writer.state.leases[task.lease].answer["seconds"] == 0.0


def test_what_decisions_rest_on_is_fixed_once_judging_began(tmp_path: Path) -> None:
    with campaign(tmp_path / "c.campaign") as running:
        judge = _judge(running)
        running.change(margin=0.1, unit="item").result()
        running.hand_out(judge).result()
        for change in ({"margin": 0.2}, {"unit": "judge"}, {"overlap": 2}):
            with pytest.raises(ConflictError, match="cannot change once"):
                running.change(**change).result()
        running.change(budget=5).result()
        assert (running.options.margin, running.options.budget) == (0.1, 5)


def test_excluded_judges_get_nothing_more(tmp_path: Path) -> None:
    with campaign(tmp_path / "c.campaign") as running:
        judge = _judge(running)
        running.exclude(judge, "too quick").result()
        assert running.hand_out(judge).result().progress.stage == "finished"
        running.exclude(judge, "a mistake", excluded=False).result()
        assert running.hand_out(judge).result().progress.stage == "judging"
