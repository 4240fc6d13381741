"""Build rankings from validated rows, by data set."""

from collections.abc import Mapping, Sequence

import numpy as np

from betterthan.base import BoolArray, FloatArray, IntArray
from betterthan.engine import MISSING, Coded
from betterthan.evidence import Check, Rankings, Reading, size_limits


def repeats(key: IntArray, among: BoolArray) -> BoolArray:
    """Mark every occurrence of a key after its first, among some rows."""
    repeated = np.zeros(len(key), dtype=bool)
    rows = np.flatnonzero(among)
    _, first = np.unique(key[rows], return_index=True)
    repeated[rows] = True
    repeated[rows[first]] = False
    return repeated


def refuse_without_data_set(check: Check, dataset: Coded | None, column: str) -> None:
    """Refuse rows that belong to no data set, if there are several."""
    if dataset is not None:
        check.refuse(
            "missing data set",
            dataset.codes == MISSING,
            "the data set is missing",
            f"The column {column!r} says which data set a row belongs to: fill it in.",
        )


def build(
    check: Check,
    systems: Sequence[str],
    entries: tuple[IntArray, IntArray, FloatArray],
    weight: FloatArray,
    *,
    about: Mapping[str, Coded],
    rows: tuple[IntArray, IntArray],
    dataset: Coded | None = None,
    divided_by: str = "dataset",
    reading: Reading | None = None,
) -> Rankings:
    """Settle the check and make the object of entries (ranking, system, rank), one weight and `about` per ranking.

    `dataset` is that of every row; that of every ranking is in `about`. `rows` are rows of the table and the ranking
    that each belongs to.
    """
    ranking, system, rank = entries
    account, name = check.settle(), check.table.name
    used = np.unique(system)
    size_limits.need_two([systems[code] for code in used], name)
    names = np.array([systems[code] for code in used], dtype=object)
    # Several codes may have one name: WMT's names lose what all names of their data set begin with.
    labels, of_name = np.unique(names.astype(str), return_inverse=True)
    place = of_name[np.searchsorted(used, system)]
    if "ranking" not in about:
        width = len(str(len(weight)))
        numbered = tuple(f"{number + 1:0{width}d}" for number in range(len(weight)))
        order = _by_content(ranking, place, rank, weight, [column.codes for column in about.values()])
        about = {"ranking": Coded(order, numbered), **about}
    accounts = {}
    if dataset is not None:
        accounts = {label: check.account(dataset.codes == code) for code, label in enumerate(dataset.labels)}
    return Rankings(
        tuple(labels.tolist()),
        ranking,
        place,
        rank,
        weight,
        about,
        account,
        name,
        accounts=accounts,
        divided_by=divided_by,
        reading=reading,
        source=check.source(*rows, check.columns),
    )


def _by_content(
    ranking: IntArray, system: IntArray, rank: FloatArray, weight: FloatArray, about: Sequence[IntArray]
) -> IntArray:
    """Return the number of every ranking that has no name: by its content, whatever the order of rows."""
    first = np.lexsort((rank, system, ranking))
    starts = np.searchsorted(ranking[first], np.arange(len(weight)))
    size = np.bincount(ranking, minlength=len(weight))
    keys: list[FloatArray | IntArray] = []
    for entry in range(int(size.max(initial=0))):  # the first system and its rank, then the second, …
        there = size > entry
        at = first[np.where(there, starts + entry, 0)]
        keys += [np.where(there, system[at], -1), np.where(there, rank[at], 0.0)]
    number = np.empty(len(weight), dtype=np.int64)
    number[np.lexsort((weight, *about, *keys[::-1]))] = np.arange(len(weight))
    return number
