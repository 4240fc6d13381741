"""Parse complete orders of systems from texts such as 'A > B = C' and from lists."""

import json
from collections.abc import Mapping, Sequence

import numpy as np

from betterthan.base import EvidenceError, IntArray
from betterthan.evidence import Check, Rankings, Reading
from betterthan.options import ReadOptions
from betterthan.readers.builders.ranking_builder import build, refuse_without_data_set
from betterthan.readers.columns.roles import Columns

#: Systems from the best to the worst; those of one place are tied.
Order = tuple[tuple[str, ...], ...]
#: Further columns of a ranking, and its count.
ABOUT = ("ranking", "item", "judge", "weight", "dataset")
#: More rankings than this are not made of counts.
MOST_RANKINGS = 20_000_000
_LONGEST_NAME = 200


def parse_order(text: str) -> Order | None:
    """Return the order that a text stands for, None where it is none.

    >>> parse_order("owl > yak = elk")
    (('owl',), ('yak', 'elk'))
    >>> parse_order('["owl", ["yak", "elk"]]')
    (('owl',), ('yak', 'elk'))
    """
    places = _listed(text) if text.lstrip().startswith("[") else _compared(text)
    if places is None:
        return None
    order = tuple(tuple(name.strip() for name in place) for place in places)
    names = [name for place in order for name in place]
    good = all(names) and len(set(names)) == len(names) > 1 and max(map(len, names)) <= _LONGEST_NAME
    return order if good and all(order) else None


def _compared(text: str) -> list[list[str]] | None:
    if "<" in text:
        return None
    return [place.split("=") for place in text.split(">")] if ">" in text or "=" in text else None


def _listed(text: str) -> list[list[str]] | None:
    try:
        places = json.loads(text)
    except (ValueError, RecursionError):
        return None
    nested = [place if isinstance(place, list) else [place] for place in places]
    plain = all(isinstance(name, str | int) and not isinstance(name, bool) for place in nested for name in place)
    return [[str(name) for name in place] for place in nested] if plain else None


def about_columns(columns: Columns, options: ReadOptions, orders: Sequence[str]) -> dict[str, str]:
    """Return the columns that describe a ranking, and the one that says how often it was seen."""
    found = {role: columns.role(role, getattr(options, role)) for role in ABOUT}
    if options.counts:
        counted = columns.counts(options.counts) or ()
        if len(counted) != 1:
            raise EvidenceError(
                f"orders are counted by one column, got {', '.join(counted)}",
                where=columns.where,
                remedy="Name the column that says how often each order was seen.",
            )
        found["count"] = counted[0]
    else:
        found["count"] = columns.role("count")
    return {role: column for role, column in found.items() if column and column not in orders}


def rankings_of(check: Check, orders: Sequence[Order | None], about: Mapping[str, str], reading: Reading) -> Rankings:
    """Return a ranking per row, as often as its count says; rows without an order were refused by the check."""
    dataset = check.columns[about["dataset"]] if "dataset" in about else None
    refuse_without_data_set(check, dataset, about.get("dataset", ""))
    weights = check.amounts(about["weight"], "weight") if "weight" in about else np.ones(len(check.times))
    times = _times(check, about)
    kept = np.flatnonzero(~check.bad)
    good = [orders[int(row)] or () for row in kept]
    systems = sorted({name for order in good for place in order for name in place})
    code = {name: number for number, name in enumerate(systems)}
    system = np.array([code[name] for order in good for place in order for name in place], dtype=np.int64)
    rank = np.array([rank for order in good for rank, place in enumerate(order, 1) for _ in place], dtype=np.float64)
    sizes = np.array([sum(map(len, order)) for order in good], dtype=np.int64)
    of = np.repeat(np.arange(len(kept)), times[kept])
    ranking, entry = _spread(sizes, of)
    again = kept[of]
    described = {
        role: check.columns[column].take(again) for role, column in about.items() if role not in {"weight", "count"}
    }
    if "count" in about:  # one row is many rankings: its id names none of them
        described.pop("ranking", None)
    return build(
        check,
        systems,
        (ranking, system[entry], rank[entry]),
        weights[again],
        about=described,
        rows=(again, np.arange(len(again))),
        dataset=dataset,
        divided_by=about.get("dataset", "dataset"),
        reading=reading,
    )


def _spread(sizes: IntArray, of: IntArray) -> tuple[IntArray, IntArray]:
    """Return the entries of orders that are repeated: which ranking each belongs to, and where it is.

    >>> ranking, entry = _spread(np.array([2, 3]), np.array([0, 0, 1]))
    >>> ranking.tolist(), entry.tolist()
    ([0, 0, 1, 1, 2, 2, 2], [0, 1, 0, 1, 2, 3, 4])
    """
    starts, repeated = np.cumsum(sizes) - sizes, sizes[of]
    ranking = np.repeat(np.arange(len(of)), repeated)
    within = np.arange(len(ranking)) - np.repeat(np.cumsum(repeated) - repeated, repeated)
    return ranking, starts[of][ranking] + within


def _times(check: Check, about: Mapping[str, str]) -> IntArray:
    """Return the count of every order."""
    if "count" not in about:
        return np.ones(len(check.times), dtype=np.int64)
    counts = check.amounts(about["count"], "count")
    check.refuse(
        "bad count",
        counts != np.round(counts),
        "the count {0} is not a whole number",
        "Counts say how often an order was seen.",
        [about["count"]],
    )
    if counts.sum() > MOST_RANKINGS:
        raise EvidenceError(
            f"the counts add up to {counts.sum():,.0f} rankings",
            where=check.table.name,
            allowed=f"at most {MOST_RANKINGS:,}",
        )
    return counts.astype(np.int64)
