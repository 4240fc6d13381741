"""Versions of a system: results of an evaluation tool, or a file of scores each."""

from pathlib import Path
from typing import Any

from betterthan.base import PlanError, spelling
from betterthan.readers.format import AnyEvidence
from betterthan.readers.formats.scores_by_file import short_names
from betterthan.readers.read_evidence import read
from betterthan.readers.runs.run_files import read_runs
from betterthan.readers.runs.tool_runs import systems_of

#: What can be said about two runs matched by item; everything else describes one table.
_OF_RUNS = (
    "item",
    "score",
    "dataset",
    "group",
    "repeat",
    "reduce",
    "fixed",
    "random",
    "lower_is_better",
    "where",
    "encoding",
    "on_error",
)


def read_versions(*sources: Any, **reading: Any) -> tuple[AnyEvidence, tuple[str, ...]]:
    """Read two or more versions with options of `read`, and return their names.

    There are none where a tool gave two versions the same name.
    """
    paths = [str(source) for source in sources if isinstance(source, str | Path) and Path(source).exists()]
    if len(sources) > 2:
        return read(list(sources), **reading), tuple(short_names([str(source) for source in sources]).values())
    if len(paths) == 2 and (names := systems_of(*paths)) is not None:
        return read(paths, **reading), names
    for name in reading:
        if name not in _OF_RUNS:
            allowed = ", ".join(spelling.option(name) for name in _OF_RUNS)
            raise PlanError(
                f"{spelling.option(name)} does not apply to two runs matched by item; allowed are {allowed}",
                remedy="Leave it out, or give one table of both.",
            )
    units = {name: reading.pop(name) for name in ("fixed", "random") if name in reading}
    runs = read_runs(*sources, **reading)
    return read(runs, **units), runs.tables[0].systems
