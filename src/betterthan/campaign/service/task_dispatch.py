"""Assign tasks to judges, and explain when there is none."""

import numpy as np

from betterthan.campaign.log.events import new_secret
from betterthan.campaign.log.judge_records import Lease, Person
from betterthan.campaign.material.material import Gold, Material
from betterthan.campaign.policies.chance_table import Chances
from betterthan.campaign.service.task_drawing import Drawing
from betterthan.campaign.service.tasks import Progress, Stage, Task
from betterthan.campaign.store.event_writer import PendingWrite

#: A comparison comes a second time only after this many others.
_APART = 5
#: Comparisons of identical outputs in a row, before a judge gets another task.
_IN_A_ROW = 100
#: Tasks that a program may hold at once.
MOST_HELD = 50


class Dispatcher:
    """Hands out tasks of one campaign."""

    def __init__(self, material: Material, rng: np.random.Generator) -> None:
        self.material = material
        self.rng = rng
        self.drawing = Drawing(material, rng)

    def hand_out(self, turn: PendingWrite, chances: Chances, person: Person, number: int) -> Stage:
        """Hand out tasks until a judge holds that many, and say what stage they are at."""
        stage = before(turn, person)
        while stage == "judging" and len(person.open) < min(number, MOST_HELD):
            stage = self._one_more(turn, chances, person)
        return "judging" if person.open and stage not in {"paused", "closed"} else stage

    def _one_more(self, turn: PendingWrite, chances: Chances, person: Person) -> Stage:
        options = turn.state.options
        practice = min(options.training, len(self.material.training))
        held = sum(lease.purpose == "training" for lease in person.open.values())
        if person.trained + held < practice:
            self._check(turn, person, "training", person.trained + held)
            return "judging"
        if person.trained < practice:
            return "waiting"
        if options.per_judge is not None and person.handed >= options.per_judge:
            return "finished"
        lot = self.rng.random()
        unseen = [number for number in range(len(self.material.gold)) if number not in person.checked]
        if lot < options.gold and unseen:
            self._check(turn, person, "gold", unseen[self.rng.integers(len(unseen))])
            return "judging"
        if options.gold <= lot < options.gold + options.repeats and (again := self._to_repeat(turn, person)):
            self._lease(turn, person.judge.number, again.cards, again.item, purpose="repeat", of=again.name)
            return "judging"
        return self._judgment(turn, chances, person)

    def _judgment(self, turn: PendingWrite, chances: Chances, person: Person) -> Stage:
        state, load = turn.state, turn.state.load
        if chances.settled:
            return "settled"
        for _ in range(_IN_A_ROW):
            full = state.options.budget is not None and load.comparisons + load.comparisons_held >= state.options.budget
            drawn = None if full else self.drawing.draw(state, chances, person)
            if drawn is None:
                return "waiting" if self._may_come(turn, person, full=full) else "finished"
            facts = {"chance": drawn.chance, "item_chance": drawn.item_chance, "version": chances.version}
            if len(drawn.cards) > 1:
                self._lease(turn, person.judge.number, drawn.cards, drawn.item, **facts)
                return "judging"
            turn.record(
                "identical",
                {
                    "lease": new_secret(),
                    "judge": person.judge.number,
                    "purpose": "judgment",
                    "item": drawn.item,
                    "cards": drawn.cards,
                    **facts,
                },
            )
        return "waiting"

    def _may_come(self, turn: PendingWrite, person: Person, *, full: bool) -> bool:
        """Return whether something for this judge is with others now."""
        held = (lease for other in turn.state.people.values() if other is not person for lease in other.open.values())
        judgments = (lease for lease in held if lease.purpose == "judgment")
        return any(full or self.drawing.may_return(turn.state, person, lease) for lease in judgments)

    def _check(self, turn: PendingWrite, person: Person, purpose: str, number: int) -> None:
        check = (self.material.training if purpose == "training" else self.material.gold)[number]
        order = [int(place) for place in self.rng.permutation(len(check.outputs))]
        self._lease(turn, person.judge.number, (), -1, purpose=purpose, check=number, order=order)

    def _to_repeat(self, turn: PendingWrite, person: Person) -> Lease | None:
        earlier = (turn.state.leases[name] for name in person.last[:-_APART] if name not in person.repeated)
        found = [lease for lease in earlier if lease.purpose == "judgment"]
        return found[self.rng.integers(len(found))] if found else None

    def _lease(self, turn: PendingWrite, judge: int, cards: object, item: int, **facts: object) -> Lease:
        name = new_secret()
        turn.record(
            "leased",
            {
                "lease": name,
                "judge": judge,
                "purpose": "judgment",
                "item": item,
                "cards": cards,
                "until": turn.at + 60 * turn.state.options.lease,
                **facts,
            },
        )
        return turn.state.leases[name]

    def again(self, turn: PendingWrite, lease: Lease) -> Lease:
        """Hand out what was undone once more."""
        return self._lease(
            turn,
            lease.judge,
            lease.cards,
            lease.item,
            purpose=lease.purpose,
            chance=lease.chance,
            item_chance=lease.item_chance,
            version=lease.version,
            check=lease.check,
            of=lease.of or lease.name,
            order=lease.order,
        )

    def task(self, lease: Lease, draft: object = None) -> Task:
        """Return a task as a judge sees it."""
        check = self.check_of(lease)
        if check is not None:
            item, cards = check.item, tuple(check.shown[place] for place in lease.order)
        else:
            item = self.material.items[lease.item]
            shown = (self.material.shown[self.material.systems[card[0]]][lease.item] for card in lease.cards)
            cards = tuple(text or "" for text in shown)
        return Task(
            lease.name,
            item,
            cards,
            lease.purpose,
            lease.given_at,
            lease.expires_at,
            draft if isinstance(draft, dict) else None,
            bool(lease.of) and lease.purpose != "repeat",
            tuple(self.material.items[number] for number in self.drawing.before(lease.item)) if check is None else (),
        )

    def check_of(self, lease: Lease) -> Gold | None:
        """Return the comparison with a known answer that this is, if it is one."""
        if lease.purpose == "training":
            return self.material.training[lease.check]
        return self.material.gold[lease.check] if lease.purpose == "gold" else None


def before(turn: PendingWrite, person: Person) -> Stage:
    """Return the stage before a judge may judge; `judging` if there is none."""
    state, options = turn.state, turn.state.options
    if state.mode != "running":
        return "closed" if state.mode == "closed" else "paused"
    if person.judge.excluded:  # what they would judge could not count
        return "finished"
    if person.judge.kind == "person":
        if options.consent and person.consented != options.consent_version:
            return "consent"
        if options.questions and not person.told:
            return "questions"
    return "judging"


def progress(person: Person, stage: Stage, limit: int | None, version: str) -> Progress:
    """Return the progress of a judge."""
    return Progress(stage, person.done, limit, bool(person.last), version, person.last[-1] if person.last else "")
