"""Published figures of papers, for comparison."""

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
