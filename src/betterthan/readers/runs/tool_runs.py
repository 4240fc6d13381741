"""Two runs of an evaluation in files or folders of another tool, and which system each run is."""

from betterthan.base import EvidenceError
from betterthan.engine import Places
from betterthan.options import ReadOptions
from betterthan.readers.recognition import tool_of


def systems_of(first: str, second: str) -> tuple[str, ...] | None:
    """Return the systems of two runs in their order; nothing where their files give them one name, None without a tool.

    Two folders of files that no tool wrote are for tables.
    """
    names: list[str] = []
    for place in (first, second):
        places = Places([place])
        try:
            tool = tool_of(places)
            if tool is None:
                return None
            told = tool.load([file for file in places if tool.claims(file)], places, ReadOptions())
            if tool.kind != "scores":
                return ()
            systems = sorted({str(system) for system in told.columns["system"]})
        finally:
            places.close()
        if len(systems) != 1:
            raise EvidenceError(
                f"holds {len(systems)} systems: {', '.join(systems[:5])}",
                where=place,
                remedy="Give the file or folder of one system each, or one folder and the names of two systems.",
            )
        names += systems
    return tuple(names) if names[0] != names[1] else ()
