"""TrueSkill's updates: normal beliefs about skills with a mean and a variance.

Herbrich, Minka & Graepel (2007). The loops run as they are or compiled (`models.ordered.compiled`) and use what both
know.
"""

import math
from statistics import NormalDist
from typing import Any

#: Beyond this many standard deviations a surprise counts as this one, so that every number stays finite.
_FAR = 1e6
#: From here on a tail is a continued fraction of that many terms, because 1 − w in closed form cancels.
_TAIL, _TERMS = 6.0, 40
#: Ranges of ties narrower than this (half of it, in standard deviations), or this far out in a tail, are approximated.
_NARROW, _REMOTE = 1e-3, 200.0
#: No variance falls below this, so that nothing is ever divided by zero.
_LEAST = 1e-100
#: Within a match no outcome shrinks a variance to less than this share, so that no message is infinite.
_SHARP = 1e-12
#: Messages of a match are sent until they change by less than this (relatively), or that many times.
_STILL, _SWEEPS = 1e-9, 100

#: How many games of Elo take as long as a game of two, and as one entry of a match: for `quick`, which counts in those.
PAIR_STEPS, ENTRY_STEPS = 5, 80

_ROOT_HALF = math.sqrt(0.5)
_ROOT_HALF_PI = math.sqrt(0.5 * math.pi)


def draw_margin(probability: float, beta: float) -> float:
    """Return the difference of performances up to which two equals tie with this probability.

    >>> round(draw_margin(0.10, 25 / 6), 4)
    0.7405
    """
    return NormalDist().inv_cdf((probability + 1.0) / 2.0) * math.sqrt(2.0) * beta


def play_pairs(  # noqa: PLR0917 (compiled functions know no keywords)
    left: Any,
    right: Any,
    outcome: Any,
    weight: Any,
    mean: Any,
    variance: Any,
    beta2: float,
    tau2: float,
    margin: float,
) -> None:
    """Play games of two in their order and update means and variances in place.

    The outcome is 0 where the left side won, 1 for a tie, 2 where the right side won. A game of weight w moves the
    means w times as far and shrinks the variances by the w-th power; one of weight 0 was never played.
    """
    for game in range(len(left)):
        times = weight[game]
        if times > 0.0:
            a = left[game]
            b = right[game]
            variance_a = variance[a] + tau2
            variance_b = variance[b] + tau2
            total = 2.0 * beta2 + (variance_a + variance_b)  # the same whichever side is left
            scale = math.sqrt(total)
            gap = mean[a] - mean[b]
            if outcome[game] == 0:
                shift, kept = after_win((gap - margin) / scale)
            elif outcome[game] == 1:
                shift, kept = after_tie(gap / scale, margin / scale)
            else:
                shift, kept = after_win((-gap - margin) / scale)
                shift = -shift
            share = times * shift / scale
            lost = (1.0 - kept) / total
            mean[a] += variance_a * share
            mean[b] -= variance_b * share
            variance[a] = max(variance_a * (1.0 - variance_a * lost) ** times, _LEAST)
            variance[b] = max(variance_b * (1.0 - variance_b * lost) ** times, _LEAST)


def play_matches(  # noqa: PLR0917
    start: Any,
    system: Any,
    rank: Any,
    weight: Any,
    mean: Any,
    variance: Any,
    beta2: float,
    tau2: float,
    margin: float,
) -> None:
    """Play matches of any size, everyone against everyone, in their order; update means and variances in place.

    The entries of match k are `start[k]` to `start[k + 1]`, sorted by rank; neighbours of equal rank tie. The
    differences of neighbours are approximated by expectation propagation along the chain (Minka 2001). Weights are
    those of `play_pairs`.
    """
    longest = 2
    for match in range(len(start) - 1):
        longest = max(longest, start[match + 1] - start[match])
    # Each is a normal distribution as its precision and its precision times mean. They are the messages from the
    # previous place and from the next place, and that of the outcome about the difference to the next place.
    before, before_mean = [0.0] * longest, [0.0] * longest
    after, after_mean = [0.0] * longest, [0.0] * longest
    told, told_mean = [0.0] * longest, [0.0] * longest
    for match in range(len(start) - 1):
        first = start[match]
        size = start[match + 1] - first
        times = weight[match]
        if size < 2 or times <= 0.0:
            continue
        for place in range(size):
            variance[system[first + place]] += tau2
            before[place] = before_mean[place] = 0.0
            after[place] = after_mean[place] = 0.0
            told[place] = told_mean[place] = 0.0
        for _ in range(_SWEEPS):
            change = 0.0
            for step in range(2 * size - 3):  # along the chain, and back
                place = min(step, 2 * size - 4 - step)
                a = system[first + place]
                b = system[first + place + 1]
                # Performances as the rest of the match sees them: without what this very outcome says.
                mean_a, spread_a = _performance(mean[a], variance[a] + beta2, before_mean[place], before[place])
                mean_b, spread_b = _performance(mean[b], variance[b] + beta2, after_mean[place + 1], after[place + 1])
                total = spread_a + spread_b
                scale = math.sqrt(total)
                gap = mean_a - mean_b
                if rank[first + place] == rank[first + place + 1]:
                    shift, kept = after_tie(gap / scale, margin / scale)
                else:
                    shift, kept = after_win((gap - margin) / scale)
                kept = max(kept, _SHARP)
                new = (1.0 - kept) / (total * kept)
                new_mean = new * gap + shift / (scale * kept)
                change = max(change, abs(new - told[place]) / (new + 1.0 / total))
                change = max(change, abs(new_mean - told_mean[place]) / (abs(new_mean) + 1.0 / scale))
                told[place] = new
                told_mean[place] = new_mean
                before[place + 1] = new / (1.0 + new * spread_a)
                before_mean[place + 1] = (new * mean_a - new_mean) / (1.0 + new * spread_a)
                after[place] = new / (1.0 + new * spread_b)
                after_mean[place] = (new * mean_b + new_mean) / (1.0 + new * spread_b)
            if change < _STILL or size == 2:  # one outcome alone has nothing to wait for
                break
        for place in range(size):
            player = system[first + place]
            heard = before[place] + after[place]
            blurred = 1.0 + beta2 * heard  # a performance carries less information about the skill behind it
            kept = 1.0 / (1.0 + variance[player] * heard / blurred)
            step_mean = before_mean[place] + after_mean[place] - heard * mean[player]
            mean[player] += times * variance[player] * kept * step_mean / blurred
            variance[player] = max(variance[player] * kept**times, _LEAST)


def _performance(mean: float, variance: float, heard_mean: float, heard: float) -> tuple[float, float]:
    """Return mean and variance of a performance, given its messages."""
    kept = 1.0 / (1.0 + variance * heard)
    return (mean + variance * heard_mean) * kept, variance * kept


def after_win(lead: float) -> tuple[float, float]:
    """Return v and 1 − w of a win: mean and variance of a standard normal variable cut off below minus `lead`."""
    if lead > 40.0:  # no surprise at all; the density underflows
        return 0.0, 1.0
    if lead > -_TAIL:
        shift = math.exp(-0.5 * lead * lead) / (_ROOT_HALF_PI * math.erfc(-lead * _ROOT_HALF))
        return shift, 1.0 - shift * (shift + lead)
    # Mills' ratio as a continued fraction: v = z + 1/(z + 2/(z + 3/(z + …))).
    behind = min(-lead, _FAR)
    rest = behind
    for term in range(_TERMS, 1, -1):
        rest = behind + term / rest
    more = 1.0 / rest
    return behind + more, more * (rest - behind - more)


def after_tie(lead: float, half: float) -> tuple[float, float]:
    """Return v and 1 − w of a tie: mean and variance of a standard normal variable within `half` of minus `lead`."""
    sign = -1.0 if lead > 0.0 else 1.0
    distance = min(abs(lead), _FAR)
    half = min(half, _FAR)
    near = distance - half
    far = distance + half
    if half < _NARROW or near > _REMOTE:
        return _after_narrow_tie(sign, distance, half)
    if near > 0.0:  # in a tail nothing underflows when all is relative to the density at the near end
        density_near = 1.0
        density_far = math.exp(-2.0 * distance * half)
        chance = 1.0 / after_win(-near)[0] - density_far / after_win(-far)[0]
    else:
        density_near = math.exp(-0.5 * near * near)
        density_far = math.exp(-0.5 * far * far)
        chance = _ROOT_HALF_PI * (math.erfc(near * _ROOT_HALF) - math.erfc(far * _ROOT_HALF))
    shift = (density_near - density_far) / chance
    kept = 1.0 - shift * shift - (far * density_far - near * density_near) / chance
    return sign * shift, min(max(kept, 0.0), 1.0)


def _after_narrow_tie(sign: float, distance: float, half: float) -> tuple[float, float]:
    """Return v and 1 − w where the density within the range is as good as exponential: narrow, or far in the tail."""
    tilt = half * (distance if half < _NARROW else distance - half)
    if tilt < 0.03:  # the closed forms cancel
        centre = tilt / 3.0 - tilt * tilt * tilt / 45.0
        width = 1.0 / 3.0 - tilt * tilt / 15.0
    else:
        ratio = math.exp(-2.0 * tilt)
        centre = (1.0 + ratio) / (1.0 - ratio) - 1.0 / tilt
        width = 1.0 / (tilt * tilt) - 4.0 * ratio / ((1.0 - ratio) * (1.0 - ratio))
    return sign * (distance - half * centre), half * half * width
