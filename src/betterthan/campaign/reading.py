"""From files to material: items, what every system made of them, and comparisons with known answers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from betterthan.campaign.columns import Layout, alone, item_layout, output_layout, refuse_unknown
from betterthan.campaign.doubts import doubts_of
from betterthan.campaign.gold import read_gold
from betterthan.campaign.items import name_of, read_items
from betterthan.campaign.material import Doubt, Item, Material
from betterthan.campaign.rendering import to_html
from betterthan.campaign.rows import Row, Rows, read_rows
from betterthan.errors import EvidenceError, nearest
from betterthan.evidence.opening import places_of
from betterthan.metrics.outputs.lines import system_names
from betterthan.spelling import option


def read_material(
    items: Any,
    outputs: Any = None,
    *,
    gold: Any = None,
    training: Any = None,
    markdown: bool = False,
    systems: Sequence[str] | None = None,
    encoding: str = "utf-8",
) -> tuple[Material, tuple[Doubt, ...]]:
    """Read items and outputs, and say what an organiser should know about them.

    Each may be a file (JSON lines, CSV, TSV, Parquet …), a list of mappings or a data frame; `outputs` may be several.
    Outputs are long (item, system, output), wide (item and a column per system), or a file per system (item, output).
    Without `outputs`, `items` holds both. `systems` names those that take part, where columns are not enough to tell.
    An empty cell or null is a missing output; an empty text of JSON is an output that is empty.

    >>> material, doubts = read_material([{"item": "1", "source": "ja", "owl": "yes", "yak": "oui"}])
    >>> material.systems, material.outputs["yak"], doubts
    (('owl', 'yak'), ('oui',), ())
    """
    rows = read_rows(items, encoding=encoding)
    gathered = _Gathered()
    if outputs is None:
        layout = output_layout(rows, systems)
        found = read_items(rows, layout, markdown, several=layout.long)
        gathered.take(rows, layout, found, systems, one_file=True)
    else:
        found = read_items(rows, item_layout(rows), markdown, several=False)
        for source, name in _sources(outputs, encoding):
            layout = output_layout(source, systems, own_file=name is not None)
            _refuse_reference(source, layout, systems)
            gathered.take(source, layout, found, systems, only=name)
    refuse_unknown([*gathered.systems, *gathered.left_out], systems, gathered.where)
    material = _material(found, gathered, markdown)
    material = replace(
        material,
        gold=read_gold(gold, "gold", markdown=markdown, encoding=encoding) if gold is not None else (),
        training=read_gold(training, "training", markdown=markdown, encoding=encoding) if training is not None else (),
    )
    return material, doubts_of(material)


@dataclass
class _Gathered:
    """Outputs read so far, by system and item, with where each stands."""

    outputs: dict[tuple[str, str], tuple[str | None, str]] = field(default_factory=dict)
    systems: dict[str, None] = field(default_factory=dict)
    left_out: dict[str, None] = field(default_factory=dict)
    where: str = ""

    def take(
        self, rows: Rows, layout: Layout, items: Mapping[str, Item], wanted: Sequence[str] | None,
        *, only: str | None = None, one_file: bool = False,
    ) -> None:  # fmt: skip
        """Take the outputs of all rows; `only` is the system whose file this is, `one_file` has the items as well."""
        self.where = rows.name
        for number, row in enumerate(rows, start=1):
            name = name_of(row, layout, number if one_file and layout.systems else None)
            if name not in items:
                raise EvidenceError(
                    f"there is no item {name!r}", where=row.where,
                    remedy=f"{nearest(name, list(items))} Items and outputs must use the same names.",
                )  # fmt: skip
            if layout.output is None:
                for system in layout.systems:
                    self._add(system, name, row.text(system), row.where)
                continue
            system = only or _system(row, layout.system)
            if wanted is None or system in wanted:
                self._add(system, name, row.text(layout.output), row.where)
            else:
                self.left_out.setdefault(system)

    def _add(self, system: str, item: str, text: str | None, where: str) -> None:
        if (system, item) in self.outputs:
            raise EvidenceError(
                f"the system {system!r} has a second output on the item {item!r}; the first is in "
                f"{self.outputs[system, item][1]}", where=where, remedy="Remove one of them.",
            )  # fmt: skip
        self.systems.setdefault(system)
        self.outputs[system, item] = (text, where)


def _sources(outputs: Any, encoding: str) -> list[tuple[Rows, str | None]]:
    """Read every file of outputs; those that hold one unnamed system each are named after their files."""
    places = places_of(outputs)
    rows = [read_rows(each, encoding=encoding) for each in places or (outputs,)]
    own = [alone(each) for each in rows]
    if len(rows) == 1 or not any(own):
        return [(each, None) for each in rows]
    if not all(own):
        raise EvidenceError(
            "holds outputs of one system that it does not name, but other files hold several systems",
            where=rows[own.index(True)].name, remedy="Add a column 'system'.",
        )  # fmt: skip
    return list(zip(rows, system_names(places or ()), strict=True))


def _refuse_reference(rows: Rows, layout: Layout, systems: Sequence[str] | None) -> None:
    """Refuse a wide table of outputs with a reference: it may be one of the systems, or something about items."""
    if layout.systems and not systems and "reference" in layout.of_items:
        raise EvidenceError(
            f"the column {layout.of_items['reference']!r} may be a system, or the items' reference", where=rows.name,
            remedy=f"Name the columns of systems with {option('systems', ['A', 'B'])}.",
        )  # fmt: skip


def _system(row: Row, column: str | None) -> str:
    name = (row.text(column) or "").strip()
    if not name:
        raise EvidenceError("the system has no name", where=row.where, remedy=f"Fill in {column!r}.")
    return name


def _material(items: Mapping[str, Item], gathered: _Gathered, markdown: bool) -> Material:
    systems = tuple(gathered.systems)
    if len(systems) < 2:
        found = f"only of {systems[0]!r}" if systems else "of no system"
        raise EvidenceError(
            f"there are outputs {found}", where=gathered.where,
            remedy="A campaign compares two or more: give a column per system, or columns item, system, output.",
        )  # fmt: skip
    outputs = {
        system: tuple(gathered.outputs.get((system, name), (None, ""))[0] for name in items) for system in systems
    }
    without = [name for place, name in enumerate(items) if all(texts[place] is None for texts in outputs.values())]
    if without:
        others = f" ({len(without):,} such items)" if len(without) > 1 else ""
        raise EvidenceError(
            f"no system has an output on the item {without[0]!r}{others}", where=gathered.where,
            remedy="Add outputs, or leave the item out.",
        )  # fmt: skip
    rendered: dict[str, str] = {}
    for texts in outputs.values():
        for text in texts:
            if text is not None and text not in rendered:
                rendered[text] = to_html(text, markdown=markdown)
    shown = {
        system: tuple(None if text is None else rendered[text] for text in texts) for system, texts in outputs.items()
    }
    return Material(tuple(items.values()), systems, outputs, shown)
