"""Draw the pictures of the documentation into docs/pictures/: those of the gallery, and those of the explanations.

Everything is drawn from examples/ or simulated with a fixed seed, so that the same code draws the same pictures.
"""

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np

import betterthan as bt
from betterthan.inference import sequential
from betterthan.present.pictures.picture import BLUE, COLUMN, GREY, LINES, VERMILION, Picture, altair, finished, records

ROOT = Path(__file__).parent.parent
EXAMPLES, PICTURES = ROOT / "examples", ROOT / "docs" / "pictures"
VOTES, SCORES = str(EXAMPLES / "votes.csv"), str(EXAMPLES / "scores.csv")
RANKINGS, JUDGED = str(EXAMPLES / "rankings.csv"), str(EXAMPLES / "judged.csv")
COSTS = {"aurora": 12, "birch": 4, "cedar": 5, "dune": 15, "ember": 2, "fjord": 1.9, "grove": 2.5, "heron": 0.6}
RESAMPLES = 400
Columns = dict[str, list[Any]]


def gallery() -> dict[str, Picture]:
    """Return one picture of every kind."""
    few: Any = {"resamples": RESAMPLES}
    three = "mean,median,bradley-terry"
    return {
        "leaderboard": bt.plot("leaderboard", VOTES, **few),
        "ranks": bt.plot("ranks", VOTES, **few),
        "frontier": bt.plot("frontier", SCORES, model="mean", cost=COSTS, **few),
        "matrix": bt.plot("matrix", VOTES),
        "joint": bt.plot("joint", SCORES, "dune", "birch"),
        "differences": bt.plot("differences", SCORES, "aurora", "birch"),
        "critical-difference": bt.plot("critical-difference", SCORES),
        "bump": bt.plot("bump", SCORES, model=three),
        "agreement": bt.plot("agreement", SCORES, model=f"{three},win-rate,elo"),
        "growth": bt.plot("growth", VOTES, model="bradley-terry,expected-wins", resamples=100),
        "learning": bt.select(VOTES, "bradley-terry,elo(k=16)", sizes=[50, 100, 200, 400], repeats=1).plot.learning(),
        "calibration": bt.select(VOTES, "bradley-terry,davidson", repeats=1).plot.calibration(),
        "settled": bt.replay(JUDGED, policies="unresolved,uniform", runs=5, budget=2000).plot.settled(),
        "meetings": bt.plot("meetings", VOTES),
        "graph": bt.plot("graph", VOTES),
        "history": bt.plot("history", VOTES),
        "loss-curves": bt.plot("loss-curves"),
        "decision-chart": bt.plot("decision-chart"),
        "judges": bt.plot("judges", JUDGED),
        "clusters": bt.plot("leaderboard", bt.read(RANKINGS, where="srclang=German"), **few),
    }


def pairing() -> Picture:
    """Draw the means of two systems, which overlap, and their paired difference, which is clear."""
    rng = np.random.default_rng(0)
    difficulty = rng.normal(60.0, 15.0, 100)
    scores = {"A": difficulty + rng.normal(2.0, 4.0, 100), "B": difficulty + rng.normal(0.0, 4.0, 100)}
    half = {name: 1.984 * values.std(ddof=1) / 10.0 for name, values in scores.items()}
    gap = scores["A"] - scores["B"]
    alone = intervals(
        ["mean of A", "mean of B"], [scores[name].mean() for name in "AB"], [half[name] for name in "AB"], "mean score"
    )
    paired = intervals(
        ["A − B"], [gap.mean()], [1.984 * gap.std(ddof=1) / 10.0], "mean difference, item by item", zero=True
    )
    together = altair().vconcat(alone, paired, spacing=24)
    return finished(together, {"difference": gap.round(2).tolist()})


def units() -> Picture:
    """Draw the interval of one system by four units of dependence."""
    names = ["row", "item", "judge", "item+judge"]
    found = [bt.rank(VOTES, unit=unit, scale="elo", resamples=1000).board["aurora"] for unit in names]
    ends = [(row.low, row.high) for row in found]
    columns: Columns = {
        "unit": [name.replace("row", "single judgment").replace("+", " and ") for name in names],
        "score": [row.score for row in found],
        "low": [low for low, _ in ends],
        "high": [high for _, high in ends],
    }
    return finished(ranges(columns, "unit", "Elo of aurora"), columns)


def ties() -> Picture:
    """Draw how many judgments it takes to find that a system wins 60 % of decided ones, by the share of ties."""
    shares = [0.05 * step for step in range(17)]
    needed = [bt.power(win_share=0.6, tie_share=share).needed for share in shares]
    columns: Columns = {"share": [100 * share for share in shares], "judgments": needed}
    alt = altair()
    chart = (
        alt.Chart(alt.Data(**records(columns)), width=COLUMN, height=180)
        .mark_line(color=BLUE, point=True)
        .encode(
            x=alt.X("share:Q", title="ties, % of judgments"),
            y=alt.Y("judgments:Q", title="judgments needed", scale=alt.Scale(zero=True)),
        )
    )
    return finished(chart, columns)


def worth() -> Picture:
    """Draw the chance to win against the difference in Elo."""
    gap = list(range(-600, 601, 20))
    columns: Columns = {"gap": gap, "chance": [1 / (1 + 10 ** (-value / 400)) for value in gap]}
    alt = altair()
    chart = (
        alt.Chart(alt.Data(**records(columns)), width=COLUMN, height=200)
        .mark_line(color=BLUE)
        .encode(
            x=alt.X("gap:Q", title="Elo of A less Elo of B"),
            y=alt.Y("chance:Q", title="chance that A wins", axis=alt.Axis(format="%", grid=True)),
        )
    )
    return finished(chart, columns)


def peeking(runs: int = 1000, judgments: int = 1000) -> Picture:
    """Draw how often two equal systems were ever called different, by a test after every judgment and by ours."""
    rng = np.random.default_rng(0)
    won = np.cumsum(rng.integers(2, size=(runs, judgments)), axis=1).astype(float)
    number = np.arange(1, judgments + 1)
    usual = np.abs(won - number / 2) / np.sqrt(number / 4) > 1.96
    usual[:, :10] = False  # nobody tests fewer than ten
    looks = np.unique(np.geomspace(10, judgments, 25).astype(int))
    ours = np.zeros(runs, dtype=bool)
    rows: Columns = {"judgments": [], "share": [], "test": []}
    for look in looks:
        counted = np.stack([won[:, look - 1], np.zeros(runs), look - won[:, look - 1]])
        ours |= sequential.p_equal(sequential.Record.counted(counted)) < 0.05
        found = {"usual test after every judgment": usual[:, :look].any(axis=1).mean(), "betterthan next": ours.mean()}
        for name, share in found.items():
            rows["judgments"].append(int(look))
            rows["share"].append(float(share))
            rows["test"].append(name)
    alt = altair()
    data = alt.Data(**records(rows))
    lines = (
        alt.Chart(data, width=COLUMN, height=200)
        .mark_line()
        .encode(
            x=alt.X("judgments:Q", title="judgments so far"),
            y=alt.Y("share:Q", title="equal systems called different", axis=alt.Axis(format="%")),
            color=alt.Color(
                "test:N", title=None, scale=alt.Scale(range=[BLUE, VERMILION]), legend=alt.Legend(orient="top")
            ),
        )
    )
    promised = (
        alt.Chart(alt.Data(values=[{"level": 0.05}])).mark_rule(strokeDash=[4, 4], color=GREY).encode(y="level:Q")
    )
    return finished(lines + promised, rows)


def scaling() -> Picture:
    """Draw how long whole processes take from a file to a ranking, by the number of judgments, as last measured."""
    measured = json.loads((ROOT / "benchmarks" / "results" / "peers.json").read_text(encoding="utf-8"))["growth"]
    rows: Columns = {"judgments": [], "seconds": [], "who": []}
    for who, sizes in measured.items():
        if "five columns" in who:
            continue  # what the default call is measured by, and nobody's answer
        for size, found in sizes.items():
            rows["judgments"].append(int(size.replace("k", "000").replace("m", "000000")))
            rows["seconds"].append(found["seconds"])
            rows["who"].append(who.replace("`", ""))
    alt = altair()
    names = list(dict.fromkeys(rows["who"]))
    powers = alt.Axis(format="~s", values=sorted(set(rows["judgments"])))
    chart = (
        alt.Chart(alt.Data(**records(rows)), width=COLUMN, height=260)
        .mark_line(point=True)
        .encode(
            x=alt.X("judgments:Q", title="judgments", scale=alt.Scale(type="log"), axis=powers),
            y=alt.Y("seconds:Q", title="seconds, whole process", scale=alt.Scale(type="log")),
            color=alt.Color("who:N", title=None, sort=names, scale=alt.Scale(domain=names, range=[*LINES, GREY])),
        )
    )
    return finished(chart, rows)


def intervals(names: list[str], values: list[float], half: list[float], title: str, *, zero: bool = False) -> Any:
    """Return points with symmetric intervals; `zero` draws a line there."""
    columns: Columns = {
        "what": names,
        "score": values,
        "low": [value - width for value, width in zip(values, half, strict=True)],
        "high": [value + width for value, width in zip(values, half, strict=True)],
    }
    chart = ranges(columns, "what", title)
    if not zero:
        return chart
    alt = altair()
    ends = alt.Scale(domain=[-1, max(columns["high"])], nice=True)
    line = alt.Chart(alt.Data(values=[{"at": 0}])).mark_rule(strokeDash=[4, 4], color=GREY)
    return line.encode(x=alt.X("at:Q", scale=ends)) + chart


def ranges(columns: Columns, label: str, title: str) -> Any:
    """Return points with the ends of their intervals, one row each."""
    alt = altair()
    base = alt.Chart(alt.Data(**records(columns)), width=COLUMN, height=28 * len(columns[label])).encode(
        y=alt.Y(f"{label}:N", sort=None, title=None)
    )
    axis = alt.X("low:Q", title=title, scale=alt.Scale(zero=False))
    return base.mark_rule(strokeWidth=3, color=BLUE).encode(x=axis, x2="high:Q") + base.mark_point(
        filled=True, size=70, color=BLUE, opacity=1
    ).encode(x="score:Q")


def main() -> int:
    """Draw everything; return the exit code."""
    own = {
        "pairing": pairing(),
        "units": units(),
        "ties": ties(),
        "worth": worth(),
        "peeking": peeking(),
        "scaling": scaling(),
    }
    PICTURES.mkdir(exist_ok=True)
    for name, picture in {**gallery(), **own}.items():
        picture.save(PICTURES / f"{name}.svg")
    return 0


if __name__ == "__main__":
    sys.exit(main())
