"""Findings about judges."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from betterthan.base import FloatArray, IntArray, spelling
from betterthan.findings import Finding, Kind, kinds, marked
from betterthan.inference import rater_agreement
from betterthan.verbs.diagnose.judges.judge_rates import JudgeRates
from betterthan.verbs.diagnose.judges.judge_report import CohenKappa
from betterthan.verbs.diagnose.judges.votes import Mask, Votes


def on_agreement(
    agreed: rater_agreement.Agreement | None, cohen: CohenKappa | None, even: float | None, votes: Votes, level: float
) -> list[Finding]:
    """Describe how far judges agree; `even` is alpha with both sides equally likely."""
    what = "comparison" if votes.by_item else "pair of systems"
    if votes.size < 2:
        return [kinds.judges.NO_OVERLAP.found(reason="there is only one judge")]
    if agreed is None:
        return [kinds.judges.NO_OVERLAP.found(reason=f"no {what} was judged by two judges")]
    known: dict[str, Any] = {"share": agreed.share, "what": what, "items": agreed.items, "alpha": agreed.alpha}
    if agreed.alpha is None:
        return [kinds.judges.JUDGE_AGREEMENT.noted(**known, summary=agreed.note)]
    ends = "" if agreed.low is None else f" ({100 * level:g} % CI {agreed.low:.2f}–{agreed.high:.2f})"
    how = ", both sides taken as equally likely by chance," if agreed.symmetric else ""
    kappa = "" if agreed.fleiss is None else f", Fleiss' kappa {agreed.fleiss:.2f}"
    summary = f"Krippendorff's alpha{how} is {agreed.alpha:.2f}{ends}{kappa}{_of_two(cohen)}"
    little = kinds.judges.JUDGE_AGREEMENT.thresholds["little"]
    # Where nearly all outcomes are the same, the usual alpha is low however well judges agree.
    if agreed.high is not None and agreed.high < little and even is not None and even < little:
        return [kinds.judges.JUDGE_AGREEMENT.found(level="warning", **known, summary=summary)]
    column = spelling.option("item")
    hint = "" if votes.by_item else f"Name the items with {column}: without them, these may be different things."
    return [kinds.judges.JUDGE_AGREEMENT.found(hint=hint, **known, summary=summary)]


def _of_two(cohen: CohenKappa | None) -> str:
    if cohen is None or None in {cohen.unweighted, cohen.linear, cohen.quadratic}:
        return ""
    weighted = f"{cohen.linear:.2f} with linear and {cohen.quadratic:.2f} with quadratic weights"
    return f", Cohen's kappa {cohen.unweighted:.2f} ({weighted})"


def on_repeats(number: int, consistent: float | None, kappa: float | None, share: float | None) -> list[Finding]:
    """Describe how far judges agree with themselves."""
    if not number or consistent is None or consistent == 1.0:
        return []
    limits = kinds.judges.JUDGE_INCONSISTENT.thresholds
    doubtful = number >= limits["repeats"] and kappa is not None and kappa < limits["kappa"]
    tell = kinds.judges.JUDGE_INCONSISTENT.found if doubtful else kinds.judges.JUDGE_INCONSISTENT.noted
    chance = "" if kappa is None else f", kappa {kappa:.2f}"
    return [tell(number=number, consistent=consistent, inconsistent=1 - consistent, share=share or 0.0, chance=chance)]


def on_following(mark: Mask, follows: JudgeRates, names: Sequence[str]) -> list[Finding]:
    """Name judges who contradict the common order."""
    if not np.any(mark):
        return []
    worst = int(np.argmin(np.where(mark, np.nan_to_num(follows.z), np.inf)))
    against = float(follows.share[worst]) < kinds.judges.JUDGE_AGAINST_REST.thresholds["reversed"]
    pattern = "swapped sides or another question in mind" if against else "random clicks"
    who = _who(names, mark, follows.z)
    return [
        kinds.judges.JUDGE_AGAINST_REST.found(
            number=len(who), who=who, **_worst(names, worst, follows), pattern=pattern
        )
    ]


def on_shares(kind: Kind, mark: Mask, shares: JudgeRates, names: Sequence[str]) -> list[Finding]:
    """Name judges who choose a side, or tie, unlike the others."""
    if not np.any(mark):
        return []
    away = np.abs(np.nan_to_num(shares.z))
    worst = int(np.argmax(np.where(mark, away, -1.0)))
    who = _who(names, mark, -away)
    return [kind.found(number=len(who), who=who, **_worst(names, worst, shares))]


def on_copies(copies: IntArray, names: Sequence[str], *, compared: bool) -> list[Finding]:
    """Name judges whose verdicts are the same."""
    if not compared and len(copies) == 0:
        return [kinds.judges.COPIES_NOT_SEARCHED.found()]
    if len(copies) == 0:
        return []
    shown = [f"{names[one]!r} and {names[two]!r}" for one, two in copies[:5].tolist()]
    more = f", and {len(copies) - 5} more pairs" if len(copies) > 5 else ""
    return [kinds.judges.JUDGE_COPIES.found(pairs="; ".join(shown) + more, number=len(copies))]


def on_speed(mark: Mask, pace: FloatArray, names: Sequence[str]) -> list[Finding]:
    """Name judges who are too fast."""
    if not np.any(mark):
        return []
    who = _who(names, mark, pace)
    return [
        kinds.judges.JUDGE_SPEED.found(number=len(who), who=who, fastest=np.min(pace[mark]), median=np.nanmedian(pace))
    ]


def on_few(votes: Votes) -> list[Finding]:
    """Report where few judges gave most judgments."""
    limits = kinds.judges.JUDGE_FEW.thresholds
    given = np.sort(votes.per_judge(np.ones(len(votes.judge))))[::-1]
    share = np.cumsum(given) / given.sum()
    few = int(np.searchsorted(share, limits["share_of_judgments"])) + 1
    if few > limits["judges_most"] or limits["one_of"] * few > votes.size:
        return []
    return [kinds.judges.JUDGE_FEW.found(few=few, judges=votes.size, share=share[few - 1])]


def _who(names: Sequence[str], mark: Mask, badness: FloatArray) -> tuple[str, ...]:
    """Name the judges marked, the worst (lowest) first."""
    order = np.argsort(np.nan_to_num(badness), kind="stable")
    return marked([names[place] for place in order], mark[order])


def _worst(names: Sequence[str], worst: int, shares: JudgeRates) -> dict[str, Any]:
    return {"worst": names[worst], "share": shares.share[worst], "expected": shares.expected[worst]}
