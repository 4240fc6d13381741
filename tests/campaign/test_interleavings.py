"""Whatever judges do in whatever order, and whenever the server dies: nothing is lost, doubled or over its limit."""

from collections.abc import Callable
from concurrent.futures import Future
from itertools import count
from typing import Any

import numpy as np
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle,
    RuleBasedStateMachine,
    consumes,
    initialize,
    invariant,
    multiple,
    rule,
    run_state_machine_as_test,
)

from betterthan.campaign import tasks as campaign_tasks
from betterthan.campaign.campaign_errors import CampaignError
from betterthan.campaign.log.campaign_state import CampaignState
from betterthan.campaign.log.replay_log import replayed_campaign
from betterthan.campaign.service.campaign import Campaign
from betterthan.campaign.store.campaign_store import open_store
from tests.campaign.worlds import campaign, material

LIMITS = {"overlap": 2, "per_pair": 7, "per_item": 6, "per_judge": 9, "budget": 30, "lease": 1.0}


class Machine(RuleBasedStateMachine):
    """The model is two dictionaries: what was acknowledged, and which of it was taken back."""

    tasks: Bundle[Any] = Bundle("tasks")
    make_place: Callable[[], str]

    @initialize(way=st.sampled_from([2, 3]), checks=st.booleans())
    def begin(self, way: int, checks: bool) -> None:
        self.now = 1000.0
        self.place = type(self).make_place()
        self.keys = count()
        self.said: dict[str, campaign_tasks.Answer] = {}
        self.keyed: dict[str, str] = {}
        self.late: set[str] = set()
        self.purpose: dict[str, str] = {}
        self.undone: set[str] = set()
        self.excluded: set[int] = set()
        self.was_excluded = self.closed = False
        self.judge_of: dict[str, int] = {}
        self.order: dict[int, list[str]] = {}
        more = {"gold": 0.2, "repeats": 0.2, "training": 1} if checks else {}
        self.campaign = campaign(self.place, material(5, 4, same=1), clock=lambda: self.now, way=way, **LIMITS, **more)
        for name in ("Ada", "Bob", "Cyd"):
            self.campaign.add_judge(name).result()

    @rule(target=tasks, judge=st.integers(1, 3), number=st.sampled_from([1, 1, 1, 3]))
    def hand_out(self, judge: int, number: int) -> Any:
        handed = self.campaign.hand_out(judge, number).result()
        assert len({task.lease for task in handed.tasks}) == len(handed.tasks)
        for task in handed.tasks:
            self.judge_of[task.lease] = judge
            self.purpose[task.lease] = task.purpose
        return multiple(*((judge, task) for task in handed.tasks))

    @rule(held=tasks, ranks=st.lists(st.integers(1, 2), min_size=3, max_size=3), again=st.booleans())
    def submit(self, held: tuple[int, campaign_tasks.Task], ranks: list[int], again: bool) -> None:
        judge, task = held
        answer = campaign_tasks.Answer({"overall": tuple(ranks[: len(task.cards)])})
        new = task.lease not in self.said and task.lease not in self.undone and task.lease not in self.keyed
        key = self.keyed.get(task.lease, "") if again else ""
        key = key or f"key-{next(self.keys):06d}"
        receipt, refusal = _tried(self.campaign.submit(judge, task.lease, key, answer))
        if refusal is not None:
            assert refusal.code == 409
            assert not new
            return
        if new:
            assert not receipt.repeated
            self.said[task.lease], self.keyed[task.lease] = answer, key
            self.order.setdefault(judge, []).append(task.lease)
            if receipt.late or self.closed:
                self.late.add(task.lease)
            assert receipt.late or not self.closed
        else:  # the first receipt, for what was said first
            assert receipt.repeated
            assert self.keyed[task.lease] == key

    @rule(held=consumes(tasks))
    def skip(self, held: tuple[int, campaign_tasks.Task]) -> None:
        judge, task = held
        key = f"key-{next(self.keys):06d}"
        _, refusal = _tried(self.campaign.skip(judge, task.lease, key, "no idea"))
        assert (refusal is not None) == (task.lease in self.keyed)
        self.keyed.setdefault(task.lease, key)

    @rule(target=tasks, judge=st.integers(1, 3))
    def undo(self, judge: int) -> Any:
        mine = self.order.get(judge, [])
        task, refusal = _tried(self.campaign.undo(judge))
        assert (refusal is not None) == (not mine or self.closed)
        if refusal is not None:
            return multiple()
        last = mine.pop()
        self.undone.add(last)
        if last in self.late or self.was_excluded:  # its place may be taken by now
            self.late.add(task.lease)
        del self.said[last]
        self.judge_of[task.lease], self.purpose[task.lease] = judge, task.purpose
        return (judge, task)

    @rule(seconds=st.sampled_from([1.0, 30.0, 61.0]))
    def wait(self, seconds: float) -> None:
        self.now += seconds

    @rule(judge=st.integers(1, 3), excluded=st.booleans())
    def exclude(self, judge: int, excluded: bool) -> None:
        self.campaign.exclude(judge, "why not", excluded=excluded).result()
        (self.excluded.add if excluded else self.excluded.discard)(judge)
        self.was_excluded |= excluded

    @rule(state=st.sampled_from(["paused", "running", "running", "closed"]))
    def set_state(self, state: Any) -> None:
        _, refusal = _tried(self.campaign.set_state(state))
        assert (refusal is not None) == (self.closed and state == "paused")
        self.closed = state == "closed" or refusal is not None

    @rule(judge=st.integers(1, 3), seconds=st.sampled_from([-100_000.0, -1.0]))
    def set_the_clock_back(self, judge: int, seconds: float) -> None:
        self.now += seconds
        self.campaign.hand_out(judge, 0).result()

    @rule()
    def die_and_start_again(self) -> None:
        """The process is gone without having closed anything; whoever comes next opens what is on disk."""
        old = self.campaign
        self.campaign = Campaign.open(self.place, rng=np.random.default_rng(1), clock=lambda: self.now)
        old.close()

    @invariant()
    def nothing_is_lost_or_doubled(self) -> None:
        if not hasattr(self, "campaign"):
            return
        state = self.campaign.writer.state
        answered = {name: lease for name, lease in state.leases.items() if lease.status == "answered"}
        asked = {name: lease for name, lease in answered.items() if not lease.answer.get("identical")}
        assert asked.keys() == self.said.keys()
        for name, lease in asked.items():
            assert {key: tuple(ranks) for key, ranks in lease.answer["ranks"].items()} == self.said[name].ranks
        evidence = {lease.name for lease in state.kept}
        judged = {name for name in self.said if self.purpose[name] == "judgment"}
        sure = {name for name in judged if name not in self.late and self.judge_of[name] not in self.excluded}
        assert sure <= evidence
        assert {name for name in evidence if name in asked} <= judged

    @invariant()
    def no_limit_is_passed(self) -> None:
        if not hasattr(self, "campaign"):
            return
        state = self.campaign.writer.state
        load = state.load
        if self.was_excluded:
            return  # what was excluded is asked for again, and may come back on top of that
        assert load.comparisons + load.comparisons_held <= LIMITS["budget"]
        assert (load.done + load.held).max() <= LIMITS["per_pair"]
        assert load.on_items.max() <= LIMITS["per_item"]
        assert max(load.on_item(pair).max() for pair in range(len(load.done))) <= LIMITS["overlap"]
        assert all(person.handed <= LIMITS["per_judge"] + 1 for person in state.people.values())
        assert load.comparisons_held == sum(
            lease.status == "open" and lease.purpose == "judgment" for lease in state.leases.values()
        )

    def teardown(self) -> None:
        if not hasattr(self, "campaign"):
            return
        live = self.campaign.writer.state
        self.campaign.close()
        store = open_store(self.place)
        try:
            again = replayed_campaign(store.material(), list(store.events()))
        finally:
            store.close()
        assert _facts(again) == _facts(live)


def _tried(work: "Future[Any]") -> tuple[Any, CampaignError | None]:
    try:
        return work.result(), None
    except CampaignError as refusal:
        return None, refusal


def _facts(state: CampaignState) -> Any:
    leases = {
        name: (lease.status if lease.status != "ended" else "open", lease.counts, lease.key, lease.number)
        for name, lease in state.leases.items()
    }
    return leases, state.number, [lease.name for lease in state.kept], state.load.done.tolist(), state.mode


def test_interleavings(new_place: Callable[[], str]) -> None:
    class Here(Machine):
        make_place = staticmethod(new_place)

    run_state_machine_as_test(
        Here,
        settings=settings(
            max_examples=20,
            stateful_step_count=40,
            deadline=None,
            suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
        ),
    )
