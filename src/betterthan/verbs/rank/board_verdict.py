"""The verdict of a leaderboard in sentences: who ranks first, and how certain that is."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from betterthan.findings import counted
from betterthan.options import REPEATED
from betterthan.present import chance

if TYPE_CHECKING:
    from betterthan.verbs.rank.leaderboard import Leaderboard

#: That many names are listed before the rest is counted.
_NAMED = 4


@dataclass(frozen=True)
class FirstRank:
    """The system that ranks first alone, and whether it is shown to be the best of all (`p`, see `Decisions.p_first`).

    p is None without intervals, and where rank ranges hold for each system alone.
    """

    system: str
    p: float | None
    shown: bool


def verdict(board: "Leaderboard") -> str:
    """Return the verdict: who ranks first, whether that is significant, and who cannot be placed."""
    apart = [row.system for row in board.rows if row.rank is None]
    if not apart or len(apart) == len(board.rows):
        return _first(board)
    return f"{_first(board)} {listed(apart)} cannot be placed."


def _first(board: "Leaderboard") -> str:
    """Return a sentence on who ranks first among the systems that can be placed."""
    first, lead = board.rows[0], board.first
    together = [row.system for row in board.rows if row.rank == 1]
    if not together:
        return "No system can be placed: none has both won and lost against the others."
    if lead is None:
        return f"{listed(together)} share the first rank."
    if board.draws is None:
        return f"{first.system} ranks first. {_unknown(board)}"
    if first.rank_high is None or first.p_best is None:
        return f"{first.system} ranks first, but the evidence does not bound its rank."
    if first.rank_high == 1:
        return f"{first.system} ranks first: {_range(board)}, {_best(board, first.p_best)}."
    if lead.shown and lead.p is not None:
        return (
            f"{first.system} ranks first (compared with each other system, p = {chance(lead.p)}). "
            f"Over all pairs at once: {_range(board)}."
        )
    if board.is_open and board.draws is not None:
        return (
            f"{first.system} ranks first, but not significantly: {board.draws.degenerate:,} of "
            f"{len(board.draws.strength):,} bootstrap samples do not determine every system, so rank ranges are open."
        )
    # Of systems that cannot be placed the next sentence speaks: nothing is known about how good they are.
    rivals = [row.system for row in board.rows[1:] if row.rank is not None and board.may_be_best(row)]
    others = f"; {listed(rivals)} may be best as well" if rivals else ""
    return f"{first.system} ranks first, but not significantly: {_range(board)}{others}."


def verdict_of_models(boards: Sequence["Leaderboard"]) -> str:
    """Return whether several models rank the same system first, and whether the evidence shows it."""
    leaders = {board.mechanism: leader(board) for board in boards}
    names = set(leaders.values())
    if len(names) > 1 or None in names:
        by = "; ".join(f"{name or 'no single system'} by {model}" for model, name in leaders.items())
        return f"Models disagree about which system ranks first: {by}."
    (name,) = names
    certain = [board.mechanism for board in boards if board.first is not None and board.first.shown]
    every = f"{'Both' if len(boards) == 2 else f'All {len(boards)}'} models rank {name} first"
    if all(board.draws is None for board in boards):
        return f"{every}. {_unknown(boards[0])}"
    level = _confidence(boards)
    if len(certain) == len(boards):
        return f"{every}, significantly ({level})."
    return f"{every}, but {'none of them' if not certain else f'only {listed(certain)}'} significantly ({level})."


def verdict_of_data_sets(boards: Sequence["Leaderboard"]) -> str:
    """Return a sentence on who ranks first on how many data sets, and on how many significantly."""
    ahead = Counter(name for board in boards if (name := leader(board)) is not None)
    if not ahead:
        return f"No system ranks first alone on any of {len(boards)} leaderboards."
    name, times = ahead.most_common(1)[0]
    if list(ahead.values()).count(times) > 1:
        most = [each for each, number in ahead.items() if number == times]
        return f"{listed(most)} each rank first on {times} of {len(boards)} leaderboards."
    drawn = [board for board in boards if board.draws is not None]
    text = f"{name} ranks first on {times} of {len(boards)} leaderboards"
    if not drawn:
        return f"{text}. {_unknown(boards[0])}"
    certain = sum(board.first is not None and board.first.system == name and board.first.shown for board in drawn)
    return f"{text}, significantly on {certain} of them ({_confidence(drawn)})."


def by_model(model: str, sentence: str) -> str:
    """Return a sentence that names the model of a verdict.

    >>> by_model("mean", "owl ranks first."), by_model("mean", "No system can be placed.")
    ('By mean, owl ranks first.', 'By mean, no system can be placed.')
    """
    return (
        f"By {model}, {sentence.replace('No system', 'no system', 1) if sentence.startswith('No system') else sentence}"
    )


def leader(board: "Leaderboard") -> str | None:
    """Return the system that ranks first, None where several do or none can be placed."""
    return None if board.first is None else board.first.system


def listed(names: Sequence[str]) -> str:
    """Return names as a list in a sentence, the rest counted.

    >>> listed(["owl", "yak", "elk"]), listed(["a", "b", "c", "d", "e", "f"])
    ('owl, yak and elk', 'a, b, c, d and 2 others')
    """
    if len(names) <= _NAMED + 1:
        return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))
    return f"{', '.join(names[:_NAMED])} and {len(names) - _NAMED} others"


def _confidence(boards: Sequence["Leaderboard"]) -> str:
    """Return the level of leaderboards, and what they hold for where that is the same for all.

    Where a rank range reaches further than a first rank that is shown, the comparison behind the claim is named.
    """
    wider = any(
        board.first is not None and board.first.shown and board.rows[0].rank_high not in {None, 1} for board in boards
    )
    compared = "each leader compared with every other system, " if wider else ""
    scopes = {board.scope for board in boards}
    shared = f", {scopes.pop()}" if len(scopes) == 1 and "" not in scopes else ""
    return f"{compared}{100 * boards[0].settings.level:g} % confidence{shared}"


def _unknown(board: "Leaderboard") -> str:
    what = counted(len(board.rows), "system")
    return f"Without confidence intervals, the order of these {what} may be due to chance."


def _range(board: "Leaderboard") -> str:
    first = board.rows[0]
    scope = f" {board.scope}" if board.scope else ""
    return f"{100 * board.settings.level:g} % rank range {first.rank_low}–{first.rank_high}{scope}"


def _best(board: "Leaderboard", share: float) -> str:
    """Return a sentence on the share of draws in which the first system is best."""
    settings = board.settings
    what = {"bootstrap": "bootstrap samples", **dict.fromkeys(REPEATED, "runs")}.get(settings.ci, "draws")
    how_often = f"all {settings.resamples:,}" if share == 1 else f"{100 * share:.1f} % of {settings.resamples:,}"
    return f"ahead of every other system in {how_often} {what}"
