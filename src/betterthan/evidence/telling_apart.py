"""Two runs of one system are two systems: their names are told apart by what differs."""

from collections import defaultdict
from collections.abc import Hashable, Sequence


def told_apart(names: Sequence[str], tasks: Sequence[Hashable], *differing: Sequence[str]) -> list[str]:
    """Return names of which none occurs twice on a task: what differs is added to those that would.

    `differing` are ways to tell runs apart, such as folders; the first one that suffices is used.

    >>> told_apart(["owl", "owl", "yak"], ["sums", "sums", "sums"], ["v1", "v1", "v1"], ["a.json", "b.json", "c.json"])
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
