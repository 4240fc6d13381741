"""Find the columns of item and output files by their usual names."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from betterthan.base import EvidenceError, nearest, spelling
from betterthan.campaign.material.material_rows import MaterialRows
from betterthan.engine import labels
from betterthan.readers import NAMES, OUTPUTS, Columns

#: Names of columns by role. The first one is unambiguous; of the others there may be one.
ITEM: Mapping[str, tuple[str, ...]] = {
    "item": (
        "item",
        "id",
        "item_id",
        "prompt_id",
        "question_id",
        "segment_id",
        "seg_id",
        "instance_id",
        "example_id",
        "sentence_id",
        "sample_id",
        "task_id",
        "input_id",
    ),
    "source": ("source", "prompt", "question", "input", "src", "source_text", "instruction", "user_input", "text"),
    "reference": ("reference", "ref"),
    "context": ("context",),
    "turns": ("turns", "messages", "conversation"),
    "document": ("document", "document_id", "doc", "doc_id"),
    "position": ("position",),
    "language": ("language", "lang"),
}
_SYSTEM = NAMES["system"]
_OUTPUT = (*OUTPUTS, "text")


@dataclass(frozen=True)
class MaterialLayout:
    """The columns of one file: item columns by role, and either system and output, or one column per system."""

    of_items: Mapping[str, str]
    system: str | None = None
    output: str | None = None
    systems: tuple[str, ...] = ()

    @property
    def long(self) -> bool:
        """Whether there is one output in every row."""
        return self.output is not None


def item_layout(rows: MaterialRows) -> MaterialLayout:
    """Find the columns of a file that holds items alone."""
    return MaterialLayout(_of_items(rows))


def output_layout(rows: MaterialRows, systems: Sequence[str] | None, *, own_file: bool = False) -> MaterialLayout:
    """Find the columns of outputs: long with a system in every row, or wide with a column per system.

    With `own_file` every system has its own file, which needs an output in every row and no system.
    """
    columns = Columns(rows.columns, rows.name)
    system = None if own_file or _all_columns(rows, systems) else columns.role("system")
    if system is not None or own_file:
        taken = {system} if system else set()
        output = _one(rows, _OUTPUT, "outputs", taken)
        if output is None:
            what = (
                "no column is known to hold outputs" if own_file else f"{system!r} holds systems, but no column outputs"
            )
            raise EvidenceError(
                f"{what}; its columns are {columns.listed()}",
                where=rows.name,
                remedy=f"Call it 'output', or name the columns of systems with {spelling.option('systems')}.",
            )
        return MaterialLayout(_of_items(rows, {*taken, output}), system, output)
    chosen = tuple(systems or ())
    for name in chosen:
        columns.given(name)
    of_items = _of_items(rows, set(chosen))
    found = chosen or tuple(name for name in rows.columns if name not in of_items.values())
    _refuse_numbers(rows, found)
    return MaterialLayout(of_items, systems=found)


def alone(rows: MaterialRows) -> bool:
    """Whether a file holds the outputs of one unnamed system."""
    columns = Columns(rows.columns, rows.name)
    output = columns.called(_OUTPUT)
    if columns.role("system") is not None or not output:
        return False
    of_items = _of_items(rows, {output[0]})
    return not [name for name in rows.columns if name not in {*of_items.values(), *output}]


def _all_columns(rows: MaterialRows, systems: Sequence[str] | None) -> bool:
    return bool(systems) and all(name in rows.columns for name in systems or ())


def _of_items(rows: MaterialRows, taken: Collection[str] = ()) -> dict[str, str]:
    found = {role: _one(rows, names, _WHAT.get(role, f"the items' {role}"), taken) for role, names in ITEM.items()}
    return {role: name for role, name in found.items() if name is not None}


_WHAT = {"item": "the names of items", "source": "the items' source", "turns": "turns of conversations"}


def _one(rows: MaterialRows, names: Sequence[str], what: str, taken: Collection[str]) -> str | None:
    """Return the column that has one of these names; several leave it open unless one has the first name."""
    found = Columns(rows.columns, rows.name, taken).called(names)
    if len(found) > 1 and found[0].lower() != names[0]:
        raise EvidenceError(
            f"{' and '.join(map(repr, found))} may each hold {what}",
            where=rows.name,
            remedy=f"Call one of them {names[0]!r}, or leave the other out.",
        )
    return found[0] if found else None


def _refuse_numbers(rows: MaterialRows, systems: Sequence[str]) -> None:
    """Refuse a column of numbers next to columns of texts: it says something about rows, and is no system."""
    numbers = [name for name in systems if _only_numbers([row.values.get(name) for row in rows])]
    if numbers and len(numbers) < len(systems):
        raise EvidenceError(
            f"the column {numbers[0]!r} holds numbers, so it seems to be no system",
            where=rows.name,
            remedy=f"Name the columns of systems with {spelling.option('systems')}.",
        )


def _only_numbers(values: Sequence[object]) -> bool:
    present = [value for value in values if value not in (None, "")]
    return bool(present) and all(labels.is_numeral(value) for value in present)


def refuse_unknown(systems: Sequence[str], wanted: Sequence[str] | None, where: str) -> None:
    """Refuse requested systems that are unknown."""
    for name in wanted or ():
        if name not in systems:
            raise EvidenceError(f"there is no system {name!r}", where=where, remedy=nearest(name, list(systems)))
