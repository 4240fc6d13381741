"""Tallies that are known already: what they say too needs no other reading of the rows."""

from collections.abc import Iterable

from betterthan.evidence.tally import Tally

#: So many distinct judgments are sorted in no time; of more, whoever adds up fractions sorts them.
FEW = 200_000
#: So many are read again in no time.
_READ_AGAIN = 20_000


def coarser(known: Iterable[Tally], by: tuple[str, ...]) -> Tally | None:
    """Return what a large tally by these units and others says of these; None where there is none."""
    for tally in known:
        large = len(tally.left) > _READ_AGAIN and not tally.account.refused and tally.part is None
        if large and not tally.numbers and set(by) < set(tally.units):
            return tally.without(set(tally.units) - set(by))
    return None


def covering(known: Iterable[Tally], by: tuple[str, ...]) -> Tally | None:
    """Return a tally that keeps all rows apart by these units; None where there is none."""
    return next((tally for tally in known if set(by) <= set(tally.units) and not tally.account.refused), None)
