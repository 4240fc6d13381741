"""Read items, outputs and comparisons with known answers from files."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from betterthan.base import EvidenceError, nearest, spelling
from betterthan.campaign.material.item_rows import name_of, read_items
from betterthan.campaign.material.known_answers import read_gold
from betterthan.campaign.material.material import Material, MaterialFinding, MaterialItem
from betterthan.campaign.material.material_columns import (
    MaterialLayout,
    alone,
    item_layout,
    output_layout,
    refuse_unknown,
)
from betterthan.campaign.material.material_findings import find_material_problems
from betterthan.campaign.material.material_rows import MaterialRow, MaterialRows, read_rows
from betterthan.campaign.material.safe_html import to_html
from betterthan.readers import places_of, text_lines


def read_material(
    items: Any,
    outputs: Any = None,
    *,
    gold: Any = None,
    training: Any = None,
    markdown: bool = False,
    systems: Sequence[str] | None = None,
    encoding: str = "utf-8",
) -> tuple[Material, tuple[MaterialFinding, ...]]:
    """Read items and outputs, and say what an organiser should know about them.

    Each may be a file (JSON lines, CSV, TSV, Parquet …), a list of mappings or a data frame; `outputs` may be several.
    Outputs are long (item, system, output), wide (item and a column per system), or a file per system (item, output).
    Without `outputs`, `items` holds both. `systems` names those that take part, where columns are not enough to tell.
    An empty cell or null is a missing output; an empty text of JSON is an output that is empty.

    >>> material, problems = read_material([{"item": "1", "source": "ja", "owl": "yes", "yak": "oui"}])
    >>> material.systems, material.outputs["yak"], problems
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
    return material, find_material_problems(material)


@dataclass
class _Gathered:
    """Outputs read so far, by system and item, each with its location."""

    outputs: dict[tuple[str, str], tuple[str | None, str]] = field(default_factory=dict)
    systems: dict[str, None] = field(default_factory=dict)
    left_out: dict[str, None] = field(default_factory=dict)
    where: str = ""

    def take(
        self,
        rows: MaterialRows,
        layout: MaterialLayout,
        items: Mapping[str, MaterialItem],
        wanted: Sequence[str] | None,
        *,
        only: str | None = None,
        one_file: bool = False,
    ) -> None:
        """Take the outputs of all rows; `only` is the system whose file this is, `one_file` has the items as well."""
        self.where = rows.name
        for number, row in enumerate(rows, start=1):
            name = name_of(row, layout, number if one_file and layout.systems else None)
            if name not in items:
                raise EvidenceError(
                    f"there is no item {name!r}",
                    where=row.where,
                    remedy=f"{nearest(name, list(items))} Items and outputs must use the same names.",
                )
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
                f"{self.outputs[system, item][1]}",
                where=where,
                remedy="Remove one of them.",
            )
        self.systems.setdefault(system)
        self.outputs[system, item] = (text, where)


def _sources(outputs: Any, encoding: str) -> list[tuple[MaterialRows, str | None]]:
    """Read every file of outputs; those that hold one unnamed system each are named after their files."""
    places = places_of(outputs)
    rows = [read_rows(each, encoding=encoding) for each in places or (outputs,)]
    own = [alone(each) for each in rows]
    if len(rows) == 1 or not any(own):
        return [(each, None) for each in rows]
    if not all(own):
        raise EvidenceError(
            "holds outputs of one system that it does not name, but other files hold several systems",
            where=rows[own.index(True)].name,
            remedy="Add a column 'system'.",
        )
    return list(zip(rows, text_lines.system_names(places or ()), strict=True))


def _refuse_reference(rows: MaterialRows, layout: MaterialLayout, systems: Sequence[str] | None) -> None:
    """Refuse a wide table of outputs with a reference: it may be one of the systems, or something about items."""
    if layout.systems and not systems and "reference" in layout.of_items:
        raise EvidenceError(
            f"the column {layout.of_items['reference']!r} may be a system, or the items' reference",
            where=rows.name,
            remedy=f"Name the columns of systems with {spelling.option('systems')}.",
        )


def _system(row: MaterialRow, column: str | None) -> str:
    name = (row.text(column) or "").strip()
    if not name:
        raise EvidenceError("the system has no name", where=row.where, remedy=f"Fill in {column!r}.")
    return name


def _material(items: Mapping[str, MaterialItem], gathered: _Gathered, markdown: bool) -> Material:
    systems = tuple(gathered.systems)
    if len(systems) < 2:
        found = f"only of {systems[0]!r}" if systems else "of no system"
        raise EvidenceError(
            f"there are outputs {found}",
            where=gathered.where,
            remedy="A campaign compares two or more: give a column per system, or columns item, system, output.",
        )
    outputs = {
        system: tuple(gathered.outputs.get((system, name), (None, ""))[0] for name in items) for system in systems
    }
    without = [name for place, name in enumerate(items) if all(texts[place] is None for texts in outputs.values())]
    if without:
        others = f" ({len(without):,} such items)" if len(without) > 1 else ""
        raise EvidenceError(
            f"no system has an output on the item {without[0]!r}{others}",
            where=gathered.where,
            remedy="Add outputs, or leave the item out.",
        )
    rendered: dict[str, str] = {}
    for texts in outputs.values():
        for text in texts:
            if text is not None and text not in rendered:
                rendered[text] = to_html(text, markdown=markdown)
    shown = {
        system: tuple(None if text is None else rendered[text] for text in texts) for system, texts in outputs.items()
    }
    return Material(tuple(items.values()), systems, outputs, shown)
