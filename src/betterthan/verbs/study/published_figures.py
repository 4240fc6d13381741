"""Published figures of papers, for comparison."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from betterthan.base import IntArray

#: Better than average, Tables 1 and 4: pairs ordered differently, another best system, another top three (in %).
DISAGREEMENT = {
    ("mean", "median"): (0.04, 0.18, 0.30),
    ("mean", "bradley-terry"): (0.09, 0.40, 0.49),
    ("median", "bradley-terry"): (0.09, 0.41, 0.55),
    ("mean", "elo"): (0.20, 0.55, 0.84),
    ("median", "elo"): (0.19, 0.56, 0.84),
    ("mean", "trueskill"): (0.18, 0.44, 0.76),
    ("median", "trueskill"): (0.17, 0.46, 0.79),
    ("bradley-terry", "elo"): (0.16, 0.38, 0.75),
    ("bradley-terry", "trueskill"): (0.18, 0.53, 0.72),
    ("elo", "trueskill"): (0.18, 0.45, 0.71),
}

_FAMILIES = ("BLEU", "ROUGE", "ROUGE-WE", "MoverScore", "BERTScore")
_PAIRS = (("mean", "bradley-terry"), ("median", "bradley-terry"), ("mean", "median"))
#: Table 3 by data set, as its files call it: the same three measures, in the order of families and pairs.
_TABLE_3 = {
    "TAC08": (
        ".09 .13 .15 .07 .13 .14 .12 .06 .13 .05 .11 .12 .05 .11 .12",
        ".43 .73 .47 .33 .52 .47 .58 .20 .47 .10 .50 .47 .13 .17 .27",
        ".73 .77 .77 .61 .80 .81 .87 .65 .80 .43 .73 .70 .60 .93 .87",
    ),
    "TAC09": (
        ".08 .13 .13 .08 .16 .16 .07 .15 .16 .06 .14 .13 .06 .12 .12",
        ".00 .00 .00 .00 .00 .00 .00 .00 .00 .00 .00 .00 .00 .00 .00",
        ".70 .70 .70 .63 .87 .82 .48 .73 .75 .33 .70 .70 .43 .73 .67",
    ),
    "TAC11": (
        ".07 .12 .12 .06 .13 .12 .05 .13 .12 .04 .11 .10 .04 .11 .10",
        ".37 .67 .50 .42 .64 .61 .33 .67 .65 .40 .63 .63 .27 .73 .63",
        ".73 .87 .83 .58 .88 .87 .60 .93 .92 .57 .87 .80 .43 .87 .83",
    ),
    "dialogue_topicalchat": (
        ".26 .22 .34 .24 .19 .24 .27 .28 .22 .28 .19 .29 .18 .24 .20",
        ".53 .43 .66 .52 .46 .40 .53 .63 .45 .63 .33 .53 .30 .40 .27",
        ".57 .60 .63 .57 .56 .60 .62 .55 .47 .63 .60 .60 .53 .57 .57",
    ),
    "dialogue_personachat": (
        ".28 .24 .32 .25 .23 .22 .21 .22 .22 .12 .20 .19 .13 .12 .13",
        ".50 .50 .63 .42 .53 .43 .28 .33 .30 .33 .47 .50 .30 .37 .43",
        ".33 .33 .43 .42 .60 .55 .37 .72 .63 .23 .30 .27 .27 .20 .07",
    ),
}


def table_3(data_set: str, family: str, pair: tuple[str, str]) -> tuple[float, float, float] | None:
    """Return the figure of Table 3 for a family of metrics on a data set, None where it has no such cell.

    >>> table_3("TAC08", "ROUGE", ("mean", "median"))
    (0.14, 0.47, 0.81)
    """
    if data_set not in _TABLE_3 or family not in _FAMILIES or pair not in _PAIRS:
        return None
    place = 3 * _FAMILIES.index(family) + _PAIRS.index(pair)
    disagree, best, top = (float(row.split()[place]) for row in _TABLE_3[data_set])
    return disagree, best, top


class OfficialRow(NamedTuple):
    """One system of WMT's official table: its name, Expected Wins and rank range."""

    system: str
    score: float
    range: str


#: WMT13 French–English (Bojar et al. 2013), which Efficient elicitation prints as its Table 1.
WMT13_TABLE = (
    OfficialRow("uedin-heafield", 0.638, "1"),
    OfficialRow("uedin-wmt13", 0.604, "2–3"),
    OfficialRow("online-b", 0.591, "2–3"),
    OfficialRow("limsi", 0.571, "4–5"),
    OfficialRow("kit", 0.562, "4–5"),
    OfficialRow("online-a", 0.541, "5–6"),
    OfficialRow("mes-simplified", 0.512, "7"),
    OfficialRow("dcu", 0.486, "8"),
    OfficialRow("rwth", 0.439, "9–10"),
    OfficialRow("cmu", 0.429, "9–11"),
    OfficialRow("cu-zeman", 0.420, "10–11"),
    OfficialRow("jhu", 0.389, "12"),
    OfficialRow("shef", 0.322, "13"),
)
#: Its clusters: 1, 2–3, 4–6, 7, 8, 9–11, 12, 13.
WMT13_CLUSTERS = 8


def published_places(systems: Sequence[str]) -> IntArray | None:
    """Return the place of every system in WMT13's table, None where the systems are others.

    >>> published_places(["owl", "yak"]) is None
    True
    """
    found = [
        [place for place, row in enumerate(WMT13_TABLE) if system.lower().startswith(row.system)] for system in systems
    ]
    if sorted(places[0] for places in found if len(places) == 1) != list(range(len(WMT13_TABLE))):
        return None
    return None if len(systems) != len(WMT13_TABLE) else np.array([places[0] for places in found])
