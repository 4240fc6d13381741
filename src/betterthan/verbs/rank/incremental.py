"""Incremental leaderboards: new judgments are added, and the model continues from its last estimate."""

from dataclasses import replace
from pathlib import Path
from typing import Any

from betterthan.base import EvidenceError, PlanError, spelling
from betterthan.findings import Finding, kinds
from betterthan.options import ANYTIME, RankOptions
from betterthan.present import atomic_files
from betterthan.readers import as_evidence
from betterthan.state import Start, State, load_state, state_file
from betterthan.verbs.rank.leaderboards import Leaderboards
from betterthan.verbs.rank.rank_evidence import rank
from betterthan.verbs.rank.settings import to_keep

#: New systems that a finding names.
_NAMED = 5


def update(boards: Leaderboards, judgments: Any, *, again: bool, **changed: Any) -> Leaderboards:
    """Rank what a leaderboard knows and new judgments."""
    before = state_of(boards)
    after = before.add(judgments, again=again)
    return _with_finding(rank(after, **changed), _added(before, after))


def state_of(boards: Leaderboards) -> State:
    """Return the judgments that were ranked, with the plan and the strengths."""
    origin = boards.origin
    if origin is None or origin.evidence is None:
        raise EvidenceError(
            "this leaderboard does not know its judgments, because it was copied from another process",
            remedy="Rank them again.",
        )
    return origin.state.changed(plan=to_keep(origin.plan), starts=_starts(boards))


def rank_with_state(evidence: Any, options: RankOptions) -> Leaderboards:
    """Rank new judgments and those that a file keeps, and keep all of them there.

    The file is replaced when everything has succeeded. Without evidence the known judgments are ranked.
    """
    assert options.state is not None
    if options.asked().control is not None:
        raise PlanError(
            f"{spelling.option('control', options.asked().control)} takes judgments one by one, but a state keeps "
            "counts of pairs",
            remedy=f"Leave it out, or rank all files without {spelling.option('state')}.",
        )
    path = Path(options.state)
    before = load_state(path) if path.exists() or evidence is None else None
    plan = options.asked().anywhere()
    if evidence is None:
        assert before is not None
        return rank(before, plan, progress=options.progress, **_against(options))
    given = as_evidence(evidence)
    if "gold" in getattr(given, "roles", {}):
        raise PlanError(
            f"a state keeps no labels, so {spelling.option('gold')} has no effect on it",
            remedy=f"Leave out {spelling.option('state')}, or {spelling.option('gold')}.",
        )
    if given.fixed:
        raise PlanError(
            f"{spelling.option('fixed', ','.join(given.fixed))} is not kept by a state",
            remedy=f"Leave it out, or rank all files without {spelling.option('state')}.",
        )
    if plan.horizon is None and given.reading is not None and given.reading.watched:
        plan = replace(plan, horizon=ANYTIME)
    after = State.of(given) if before is None else before.add(given, again=options.again)
    after = after.changed(plan=after.known.plan or to_keep(plan))  # what the first call said stays
    made: list[Leaderboards] = []

    def write(place: Path) -> None:
        state_file.write_state(after, place)
        with load_state(place) as staged:
            known = replace(staged, reading=given.reading)
            made.append(rank(known, plan, progress=options.progress, **_against(options)))
        state_file.write_starts(place, _starts(made[0]))
        if before is not None and before.known.base is not None:
            before.known.base.need_same()

    atomic_files.write_whole(path, write)
    return made[0] if before is None else _with_finding(made[0], _added(before, after))


def _against(options: RankOptions) -> dict[str, Any]:
    """Return what a board is set against."""
    return {"before": options.before, "cost": options.cost, "same_within": options.same_within}


def _starts(boards: Leaderboards) -> dict[str, Start]:
    return {
        board.mechanism: Start(
            dict(zip(board.fit.systems, board.fit.strength.tolist(), strict=True)), dict(board.fit.parameters)
        )
        for board in boards
    }


def _added(before: State, after: State) -> Finding:
    """Return the number of new judgments, and the new systems."""
    new = [system for system in after.systems if system not in set(before.systems)]
    more = f" and {len(new) - _NAMED} more" if len(new) > _NAMED else ""
    systems = f"; new systems: {', '.join(new[:_NAMED])}{more}" if new else ""
    last = after.added[-1]
    return kinds.reading.JUDGMENTS_ADDED.found(
        number=last.judgments, name=last.name, known=before.known.tally.number, systems=systems
    )


def _with_finding(boards: Leaderboards, finding: Finding) -> Leaderboards:
    several = tuple(replace(board, findings=(finding, *board.findings)) for board in boards)
    return replace(boards, boards=several, findings=(finding, *boards.findings))
