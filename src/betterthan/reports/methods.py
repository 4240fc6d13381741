"""The methods paragraph, ready to paste, with what it refers to."""

import numpy as np

from betterthan import __version__
from betterthan.reports.parts import Part
from betterthan.reports.references import REFERENCES

_MODELS = {
    "bradley-terry": ("the Bradley–Terry model", "bradley1952"),
    "davidson": ("Davidson's extension of the Bradley–Terry model to ties", "davidson1970"),
    "rao-kupper": ("Rao and Kupper's extension of the Bradley–Terry model to ties", "rao1967"),
    "plackett-luce": ("the Plackett–Luce model", "plackett1975"),
    "elo": ("Elo ratings", "elo1978"),
    "trueskill": ("TrueSkill", "herbrich2006"),
    "mean": ("the mean", None),
    "median": ("the median", None),
}
_TIES = {"half": "ties counting half a win for each side", "drop": "ties left out"}


def methods(part: Part) -> tuple[str, tuple[str, ...]]:
    """Return the paragraph, with citation keys in brackets, and the BibTeX entries it needs."""
    keys: list[str] = []

    def cited(key: str) -> str:
        keys.append(key)
        return f"[{key}]"

    names = []
    for board in part.boards:
        text, key = _MODELS.get(board.model.name, (board.mechanism, None))
        treated = f" ({_TIES[board.settings.ties]})" if board.settings.ties in _TIES else ""
        names.append(text + treated + (f" {cited(key)}" if key else ""))
    board = part.main
    settings, evidence = board.settings, board.evidence
    what = {
        "scores": f"scores on {evidence.units.get('item', 0):,} shared instances",
        "rankings": f"{evidence.units.get('ranking', 0):,} rankings ({evidence.judgments:,.0f} pairs)",
        "judgments": f"{evidence.judgments:,.0f} pairwise judgments",
    }[evidence.kind]
    sentences = [
        f"We rank {evidence.systems:,} systems by {_joined(names)}, from {what}"
        + (f" on {evidence.units['item']:,} items" if "item" in evidence.units and evidence.kind != "scores" else "")
        + (f" by {evidence.units['judge']:,} judges" if "judge" in evidence.units else "")
        + "."
    ]
    if settings.ci == "bootstrap":
        unit = {"row": "single judgments", "item": "items", "judge": "judges", "ranking": "rankings",
                "group": "groups of items", "item+judge": "items and judges"}  # fmt: skip
        sentences.append(
            f"Intervals of {100 * settings.level:g} % are percentiles of {settings.resamples:,} bootstrap resamples "
            f"{cited('efron1979')} of {unit.get(settings.unit, settings.unit)}; systems whose ranges of ranks "
            f"do not overlap form different clusters {cited('koehn2012')}."
        )
    correction = f", corrected by Holm's method {cited('holm1979')}" if part.pairs.correction == "holm" else ""
    sentences.append(f"Pairs of systems are compared by the {_test(part)}{correction}.")
    if len(part.boards) > 1 and part.data.scores is not None:
        sentences.append(f"Several mechanisms are reported because they can disagree {cited('peyrard2021')}.")
    if part.diagnosis.advice.mechanism:
        sentences.append(f"The choice of mechanism follows {cited('levtsov2025')}.")
    sentences.append(f"Computed with betterthan {__version__} ({board.signature}).")
    return " ".join(sentences), tuple(REFERENCES[key] for key in dict.fromkeys(keys))


def _test(part: Part) -> str:
    """Name the test of all pairs; it is exact where every comparison is a unit of its own and counts once."""
    name, _, by = part.pairs.test.partition(" by ")
    outcomes = part.data.pairs().outcomes
    single = part.data.groups is None if part.data.scores is not None else not part.data.by
    exact = "exact " if single and not by and np.array_equal(outcomes, np.round(outcomes)) else ""
    dependent = "" if single or by else ", judgments taken as independent"
    names = {
        "t": "paired t-test",
        "mood": "Mood's median test",
        "sign": f"{exact}sign test, ties left out{dependent}",
        "model": "Wald test",
    }
    return names.get(name, name) + (f" (whole {by}s)" if by else "")


def _joined(names: list[str]) -> str:
    return names[0] if len(names) == 1 else ", ".join(names[:-1]) + " and " + names[-1]
