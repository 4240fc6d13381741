"""Comparisons with known answers, for training and as attention checks."""

from typing import Any

from betterthan.base import EvidenceError
from betterthan.campaign.material.item_rows import item_of, read_list
from betterthan.campaign.material.material import Gold
from betterthan.campaign.material.material_columns import item_layout
from betterthan.campaign.material.material_rows import MaterialRow, read_rows
from betterthan.campaign.material.safe_html import to_html

#: How many outputs can be ranked at once.
_FEWEST, _MOST = 2, 5
_LOOKS = 'Write {"source": "…", "outputs": ["…", "…"], "ranks": [1, 2]}.'


def read_gold(source: Any, kind: str, *, markdown: bool = False, encoding: str = "utf-8") -> tuple[Gold, ...]:
    """Read comparisons with known answers; those without a name are called after their kind and number.

    >>> [gold] = read_gold([{"source": "ja", "outputs": ["yes", "no"], "ranks": [1, 2]}], "training")
    >>> gold.item.name, gold.outputs, gold.ranks
    ('training-1', ('yes', 'no'), (1, 2))
    """
    rows = read_rows(source, encoding=encoding)
    known = item_layout(rows).of_items
    found: dict[str, Gold] = {}
    for number, row in enumerate(rows, start=1):
        name = (row.text(known.get("item")) or "").strip() or f"{kind}-{number}"
        if name in found:
            raise EvidenceError(
                f"the item {name!r} stands twice", where=row.where, remedy="Every item needs a name of its own."
            )
        outputs, ranks = _outputs(row), _ranks(row)
        if len(outputs) != len(ranks):
            raise EvidenceError(f"{len(outputs)} outputs have {len(ranks)} ranks", where=row.where, remedy=_LOOKS)
        shown = tuple(to_html(text, markdown=markdown) for text in outputs)
        _refuse_impossible(shown, ranks, row)
        found[name] = Gold(item_of(row, known, name, markdown), outputs, shown, ranks)
    return tuple(found.values())


def _outputs(row: MaterialRow) -> tuple[str, ...]:
    given = read_list(row.values.get("outputs"))
    if not isinstance(given, (list, tuple)) or not all(isinstance(each, str) for each in given):
        raise EvidenceError("'outputs' must be a list of texts", where=row.where, remedy=_LOOKS)
    if not _FEWEST <= len(given) <= _MOST:
        raise EvidenceError(
            f"a comparison has {_FEWEST} to {_MOST} outputs, got {len(given)}", where=row.where, remedy=_LOOKS
        )
    return tuple(row.checked(each, "outputs") for each in given)


def _ranks(row: MaterialRow) -> tuple[int, ...]:
    given = read_list(row.values.get("ranks"))
    whole = isinstance(given, (list, tuple)) and all(type(each) is int for each in given)
    if not whole or not all(1 <= each <= len(given) for each in given):
        raise EvidenceError(
            "'ranks' must be a list of whole numbers from 1 (best) to the number of outputs",
            where=row.where,
            remedy=f"Equal numbers are ties. {_LOOKS}",
        )
    return tuple(given)


def _refuse_impossible(shown: tuple[str, ...], ranks: tuple[int, ...], row: MaterialRow) -> None:
    """Refuse an answer that no judge could give: outputs that look alike must have the same rank."""
    rank_of: dict[str, int] = {}
    for html, rank in zip(shown, ranks, strict=True):
        if rank_of.setdefault(html, rank) != rank:
            raise EvidenceError(
                "two outputs look alike but have different ranks", where=row.where, remedy="Correct one of them."
            )
