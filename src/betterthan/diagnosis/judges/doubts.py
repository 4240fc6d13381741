"""Findings about judges, in words."""

from collections.abc import Sequence

import numpy as np

from betterthan.arrays import FloatArray, IntArray
from betterthan.diagnosis.judges.shares import Shares
from betterthan.diagnosis.judges.votes import ENOUGH, Mask, Votes
from betterthan.findings import Finding, listed
from betterthan.infer.agreement import Agreement

#: Little agreement, by alpha's upper end; doubtful consistency, by kappa (Landis & Koch 1977).
_LITTLE, _DOUBTFUL = 0.2, 0.4


def on_agreement(agreed: Agreement | None, votes: Votes, level: float) -> list[Finding]:
    """Say how far judges agree."""
    if votes.size < 2:
        return [Finding("no-overlap", "info", "there is one judge only, whose agreement with others is not known")]
    what = "comparison" if votes.by_item else "pair of systems"
    if agreed is None:
        message = f"no {what} was judged by two judges: how far they agree is not known"
        return [Finding("no-overlap", "info", message, "let some items be judged twice")]
    basis = f"{100 * agreed.share:.0f} % of verdicts on the same {what} are equal, over {agreed.items:,} of them"
    if agreed.alpha is None:
        return [Finding("judge-agreement", "info", f"{basis}; {agreed.note}")]
    ends = "" if agreed.low is None else f" ({100 * level:g} % interval {agreed.low:.2f} … {agreed.high:.2f})"
    message = f"Krippendorff's alpha of the judges is {agreed.alpha:.2f}{ends}: {basis}"
    if agreed.high is not None and agreed.high < _LITTLE:
        hint = "little more than chance: look at the instructions, and at the judges one by one"
        return [Finding("judge-agreement", "warning", message, hint, agreed.alpha)]
    hint = "" if votes.by_item else "without an item column these may be judgments of different things"
    return [Finding("judge-agreement", "info", message, hint, agreed.alpha)]


def on_repeats(number: int, consistent: float | None, kappa: float | None, share: float | None) -> list[Finding]:
    """Say how far judges agree with themselves."""
    if not number or consistent is None or consistent == 1.0:
        return []
    chance = "" if kappa is None else f", kappa {kappa:.2f}"
    message = (
        f"judges decided {number:,} comparisons more than once, {100 * consistent:.0f} % of them the same way each time"
        f" ({100 * (share or 0.0):.0f} % of repeats are equal{chance})"
    )
    if number >= ENOUGH and kappa is not None and kappa < _DOUBTFUL:
        hint = "the task may be too hard or unclear"
        return [Finding("judge-inconsistent", "warning", message, hint, 1 - consistent)]
    return [Finding("judge-inconsistent", "info", message, "", 1 - consistent)]


def on_following(mark: Mask, follows: Shares, names: Sequence[str]) -> list[Finding]:
    """Name judges who contradict the common order."""
    if not np.any(mark):
        return []
    worst = int(np.argmin(np.where(mark, np.nan_to_num(follows.z), np.inf)))
    message = (
        f"{_who(names, mark, follows.z)} agreed with the common order far less than the same pairs let expect: "
        f"{names[worst]!r} {follows.share[worst]:.2f} instead of {follows.expected[worst]:.2f}"
    )
    against = float(follows.share[worst]) < 0.45
    hint = (
        f"{'sides exchanged, or another question in mind,' if against else 'random clicks'} look like this: read some"
    )
    return [Finding("judge-against-rest", "warning", message, hint, float(mark.sum()))]


def on_shares(code: str, mark: Mask, shares: Shares, names: Sequence[str]) -> list[Finding]:
    """Name judges who choose a side, or tie, unlike the others."""
    if not np.any(mark):
        return []
    away = np.abs(np.nan_to_num(shares.z))
    worst = int(np.argmax(np.where(mark, away, -1.0)))
    side = code == "judge-left-bias"
    did = "chose the left side" if side else "called a tie"
    message = (
        f"{_who(names, mark, -away)} {did} far more, or far less, often than "
        f"the other judges: {names[worst]!r} {shares.share[worst]:.2f} instead of {shares.expected[worst]:.2f}"
    )
    hint = "swap sides at random, and read their judgments" if side else "the instructions may be read in two ways"
    return [Finding(code, "warning" if side else "info", message, hint, float(mark.sum()))]


def on_copies(copies: IntArray, names: Sequence[str], *, compared: bool) -> list[Finding]:
    """Name judges whose verdicts are the same."""
    if not compared and len(copies) == 0:
        message = "so many judges share comparisons that not all pairs of judges could be searched for copies"
        return [Finding("judge-copies", "info", message)]
    if len(copies) == 0:
        return []
    shown = [f"{names[one]!r} and {names[two]!r}" for one, two in copies[:5].tolist()]
    more = f", and {len(copies) - 5} more pairs" if len(copies) > 5 else ""
    message = f"judges whose verdicts are the same nearly always: {'; '.join(shown)}{more}"
    hint = "one may have copied, or both may be one person: they are no independent evidence"
    return [Finding("judge-copies", "warning", message, hint, float(len(copies)))]


def on_speed(mark: Mask, pace: FloatArray, names: Sequence[str]) -> list[Finding]:
    """Name judges who are too fast."""
    if not np.any(mark):
        return []
    fastest, middle = float(np.min(pace[mark])), float(np.nanmedian(pace))
    message = (
        f"{_who(names, mark, pace)} judged more than five times as fast as the middle judge: "
        f"a judgment every {fastest:.3g} instead of every {middle:.3g}"
    )
    return [Finding("judge-speed", "warning", message, "read some of their judgments", float(mark.sum()))]


def on_few(votes: Votes) -> list[Finding]:
    """Say where few judges gave most judgments."""
    given = np.sort(votes.per_judge(np.ones(len(votes.judge))))[::-1]
    share = np.cumsum(given) / given.sum()
    few = int(np.searchsorted(share, 0.5)) + 1
    if few > 5 or 5 * few > votes.size:
        return []
    message = f"{few} of {votes.size:,} judges gave {100 * share[few - 1]:.0f} % of the judgments"
    return [Finding("judge-few", "info", message, "compare the intervals of --resample judge", float(share[few - 1]))]


def _who(names: Sequence[str], mark: Mask, badness: FloatArray) -> str:
    """Name the judges marked, the worst (lowest) first."""
    order = np.argsort(np.nan_to_num(badness), kind="stable")
    number = int(mark.sum())
    return f"{number} judge{'s' if number > 1 else ''} ({listed([names[place] for place in order], mark[order])})"
