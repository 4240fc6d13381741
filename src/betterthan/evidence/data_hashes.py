"""Whether an id stands for the same data everywhere: tools log hashes of what systems were given."""

from collections.abc import Mapping

from betterthan.findings import Finding
from betterthan.findings.reading import DATA_DIFFER


def data_differ(hashes: Mapping[str, Mapping[str, set[str]]], by: str) -> list[Finding]:
    """Report the data sets in which one id stands for different data; an empty hash says nothing.

    >>> data_differ({"sums": {"1": {"a", "b"}, "2": {"c", ""}}}, "doc_hash")[0].code
    'data-differ'
    """
    found = []
    for dataset, items in hashes.items():
        different = sum(len(contents - {""}) > 1 for contents in items.values())
        if different:
            found.append(DATA_DIFFER.found(items=different, dataset=dataset, by=by))
    return found
