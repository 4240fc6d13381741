"""Several runs of one system: separated by what differs, or only the last one; never merged."""

from collections import defaultdict
from collections.abc import Hashable, Sequence

from betterthan.findings import Finding, kinds


def distinct_names(names: Sequence[str], tasks: Sequence[Hashable], *differing: Sequence[str]) -> list[str]:
    """Return names of which none occurs twice on a task: what differs is added to those that would.

    `differing` are ways to separate runs, such as folders; the first one that suffices is used.

    >>> files = ["a.json", "b.json", "c.json"]
    >>> distinct_names(["owl", "owl", "yak"], ["sums", "sums", "sums"], ["v1", "v1", "v1"], files)
    ['owl (a.json)', 'owl (b.json)', 'yak']
    """
    runs = defaultdict[str, list[int]](list)
    for place, name in enumerate(names):
        runs[name].append(place)
    told = list(names)
    for name, places in runs.items():
        if len({tasks[place] for place in places}) == len(places):
            continue
        for words in differing:
            if len({(tasks[place], words[place]) for place in places}) == len(places):
                for place in places:
                    told[place] = f"{name} ({words[place]})"
                break
    return told


def last_runs(
    systems: Sequence[str], tasks: Sequence[Hashable], dates: Sequence[str]
) -> tuple[list[int], list[Finding]]:
    """Return the places of the last run of every system on every task, and say where there are several.

    >>> last_runs(["owl", "owl", "yak"], ["sums"] * 3, ["2026-01-02", "2026-01-01", "2026-01-01"])[0]
    [0, 2]
    """
    last: dict[tuple[str, Hashable], int] = {}
    for place in sorted(range(len(systems)), key=lambda place: dates[place]):
        last[systems[place], tasks[place]] = place
    kept = sorted(last.values())
    again = sorted({systems[place] for place in range(len(systems)) if place not in {*kept}})
    if not again:
        return kept, []
    return kept, [kinds.reading.RUNS_OF_ONE_SYSTEM.found(systems=", ".join(again), chosen="the last one was read")]
