"""Do decisions hold when one looks at every judgment, and how much later do they come? Simulated pairs."""

import json
from math import sqrt

from process import child
from report import Target, table, write


def run() -> None:
    """Simulate in a process of its own, and write the page."""
    told = json.loads(child("simulate_sequential.py").splitlines()[-1])
    alpha, runs = told["alpha"], told["runs"]
    together = alpha + 3 * sqrt(alpha * (1 - alpha) / told["families_runs"])
    most = alpha + 3 * sqrt(alpha * (1 - alpha) / runs)
    equal = [
        [name, *(f"{100 * each[key]:.1f} %" for key in ("naive", "separated", "outside"))]
        for name, each in told["equal"].items()
    ]
    margin = [
        [name, *(f"{100 * each[key]:.1f} %" for key in ("equivalent", "outside"))]
        for name, each in told["at the margin"].items()
    ]
    families = [[name, f"{100 * share:.1f} %"] for name, share in told["families"].items()]
    delays = [
        [
            f"{each['share']:g}",
            f"{1 - each['level']:.2g}",
            f"{each['fixed']:,}",
            f"{each['mean']:,.0f}",
            f"{each['mean'] / each['fixed']:.2f}",
            f"{each['median']:,.0f}",
            f"{each['median'] / each['fixed']:.2f}",
        ]
        for each in told["delays"]
    ]
    text = [
        f"One pair of equal systems in {runs:,} runs, looked at after each of {told['looks']:,} judgments: how often a "
        "difference was ever declared by the usual test at 5 %, and by ours; and how often the confidence sequence "
        "(every 50 judgments) ever missed the truth.\n",
        table(["ties", "usual test", "ours", "interval missed"], equal),
        f"\nOne pair exactly at the margin (a share of {0.5 + told['margin']:g}, ties half): how often it was ever "
        "called equivalent.\n",
        table(["ties", "called equivalent", "interval missed"], margin),
        f"\n{told['pairs']} pairs of six equal systems in {told['families_runs']:,} "
        f"runs of {told['asked']:,} judgments, decided together (Holm), the next pair being the one that looks most "
        "different, or any: how often any pair was ever separated.\n",
        table(["next pair, ties", "any separated"], families),
        "\nJudgments until a pair is separated, 2,000 runs, and the number with which a sign test of fixed size has "
        "80 % power. 0.00064 is 0.05 over 78 pairs.\n",
        table(["share won", "α", "fixed size", "mean", "× fixed", "median", "× fixed "], delays),
    ]
    at = next(each for each in told["delays"] if each["share"] == 0.6 and each["level"] == 0.95)
    targets = [
        *(
            Target(
                f"equal systems, {name}: at most 5 % (+3 s.e.)",
                f"{100 * each['separated']:.1f} %",
                each["separated"] <= most,
            )
            for name, each in told["equal"].items()
        ),
        *(
            Target(
                f"at the margin, {name}: at most 5 %", f"{100 * each['equivalent']:.1f} %", each["equivalent"] <= most
            )
            for name, each in told["at the margin"].items()
        ),
        *(
            Target(f"family, {name}: at most 5 % (+3 s.e.)", f"{100 * share:.1f} %", share <= together)
            for name, share in told["families"].items()
        ),
        Target(
            "mean delay at a share of .6 within 1.5 × the fixed size",
            f"{at['mean'] / at['fixed']:.2f} ×",
            at["mean"] <= 1.5 * at["fixed"],
        ),
    ]
    write("sequential", "Looking at every judgment", text, targets, ("numpy", "scipy"))
