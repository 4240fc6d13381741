"""Check that an id means the same input in every file, by the hashes that tools log."""

from collections.abc import Mapping

from betterthan.findings import Finding, kinds


def data_differ(hashes: Mapping[str, Mapping[str, set[str]]], by: str) -> list[Finding]:
    """Report the data sets in which one id stands for different data; an empty hash says nothing.

    >>> data_differ({"sums": {"1": {"a", "b"}, "2": {"c", ""}}}, "doc_hash")[0].code
    'data-differ'
    """
    found = []
    for dataset, items in hashes.items():
        different = sum(len(contents - {""}) > 1 for contents in items.values())
        if different:
            found.append(kinds.reading.DATA_DIFFER.found(items=different, dataset=dataset, by=by))
    return found
