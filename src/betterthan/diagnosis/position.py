"""Does the side on which a system is shown decide who wins?"""

import numpy as np
from scipy import stats

from betterthan.diagnosis.case import Case
from betterthan.evidence.outcomes import LEFT, TIE
from betterthan.findings import Finding
from betterthan.leaderboard.reduction import Judged


def check(case: Case) -> list[Finding]:
    """Compare judgments of the same pair shown one way and the other (Cochran, Mantel and Haenszel)."""
    if not isinstance(case.reduction, Judged) or case.reduction.rankings is not None:
        return []  # sides of rankings and scores are ours, not the judges'
    tally = case.reduction.tally(case.model)
    kept = tally.outcome != TIE
    left, right = tally.left[kept], tally.right[kept]
    amount = (tally.times * tally.weight)[kept]
    first_won = np.where(left < right, tally.outcome[kept] == LEFT, tally.outcome[kept] != LEFT)
    size = len(tally.systems)
    _, pair = np.unique(np.minimum(left, right) * size + np.maximum(left, right), return_inverse=True)
    cells = np.zeros((2, 2, int(pair.max(initial=0)) + 1))  # first shown right or left × first lost or won
    np.add.at(cells, ((left < right).astype(int), first_won.astype(int), pair.ravel()), amount)
    share = float(np.sum(cells[1, 1] + cells[0, 0]) / np.sum(cells)) if np.sum(cells) else 0.5
    total = cells.sum(axis=(0, 1))
    shown_left, won = cells[1].sum(axis=0), cells[:, 1].sum(axis=0)
    both = (shown_left > 0) & (shown_left < total) & (total > 1)
    if not np.any(both):
        hint = "show each pair both ways to tell the side from the system"
        message = f"the left side won {100 * share:.1f} % of the decided judgments, but no pair was shown both ways"
        return [Finding("position", "warning" if abs(share - 0.5) > 0.05 else "info", message, hint, share)]
    n, l, w = total[both], shown_left[both], won[both]  # noqa: E741
    excess = float(np.sum(cells[1, 1][both] - l * w / n))
    variance = float(np.sum(l * (n - l) * w * (n - w) / (n**2 * (n - 1))))
    p = float(2 * stats.norm.sf(abs(excess) / np.sqrt(variance))) if variance > 0 else 1.0
    gain = float(np.sum(cells[1, 1][both] * cells[0, 0][both] / n))
    loss = float(np.sum(cells[1, 0][both] * cells[0, 1][both] / n))
    odds = f"; being shown left multiplies the odds by {np.sqrt(gain / loss):.2f}" if gain > 0 and loss > 0 else ""
    message = f"the left side won {100 * share:.1f} % of the decided judgments{odds} (p = {p:.2g})"
    if p > 0.01:
        return [Finding("position", "info", message, value=share)]
    hint = "show each pair both ways equally often, or fit the side's effect"
    return [Finding("position-effect", "warning", message, hint, share)]
