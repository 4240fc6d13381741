"""The methods paragraph with its references."""

from betterthan import __version__
from betterthan.options import FAMILY_WISE, UNIT_WORDS
from betterthan.verbs.report.bibliography import REFERENCES
from betterthan.verbs.report.report_part import ReportPart

_MODELS = {
    "bradley-terry": ("the Bradley–Terry model", "bradley1952"),
    "davidson": ("Davidson's extension of the Bradley–Terry model to ties", "davidson1970"),
    "rao-kupper": ("Rao and Kupper's extension of the Bradley–Terry model to ties", "rao1967"),
    "plackett-luce": ("the Plackett–Luce model", "plackett1975"),
    "elo": ("Elo ratings", "elo1978"),
    "trueskill": ("TrueSkill", "herbrich2006"),
    "mean": ("the mean", None),
    "corrected-mean": ("the mean of people's labels", None),
    "corrected-bradley-terry": ("the Bradley–Terry model of people's judgments", "bradley1952"),
    "median": ("the median", None),
}
_TIES = {"half": "ties counting half a win for each side", "drop": "ties left out"}


def methods(part: ReportPart) -> tuple[str, tuple[str, ...]]:
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
    items = f" on {evidence.units['item']:,} items" if "item" in evidence.units else ""
    what = {
        "scores": f"scores on {evidence.units.get('item', 0):,} shared items",
        "rankings": f"{evidence.units.get('ranking', 0):,} rankings ({evidence.judgments:,.0f} pairs){items}",
        "judgments": f"{evidence.judgments:,.0f} pairwise judgments{items}",
    }[evidence.kind]
    sentences = [
        f"We rank {evidence.systems:,} systems by {_joined(names)}, from {what}"
        + (f" by {evidence.units['judge']:,} judges" if "judge" in evidence.units else "")
        + "."
    ]
    if board.correction is not None:
        labels = sum(each.labels for each in board.correction)
        sentences.append(
            f"Labels by people ({labels:,} in all) correct those of a judge, whose errors are estimated from them "
            f"{cited('angelopoulos2023')}. Confidence intervals ({100 * settings.level:g} %) allow for both by "
            f"{settings.unit}; rank ranges hold for all systems at once {cited('mogstad2024')}."
        )
    elif settings.ci == "bootstrap":
        unit = {
            "row": "single judgments",
            "item": "items",
            "judge": "judges",
            "ranking": "rankings",
            "group": "groups of items",
            "item+judge": "items and, independently, judges",
        }
        both = f", combined as in {cited('cameron2011')}" if settings.unit == "item+judge" else ""
        looks = " however often results are looked at" if settings.anytime else ""
        apart = (
            f"hold for all systems at once{looks} {cited('mogstad2024')}"
            if settings.clusters == FAMILY_WISE
            else f"hold for each system separately {cited('koehn2012')}"
        )
        extended = (
            f", and extended to those of scores shrunken to their mean {cited('gelman2006')}, because earlier "
            "judgments may have decided which pairs came next"
            if settings.anytime and board.model.logarithmic and evidence.systems > 2
            else ""
        )
        sentences.append(
            f"Confidence intervals ({100 * settings.level:g} %) are percentiles of {settings.resamples:,} bootstrap "
            f"samples {cited('efron1979')} of {unit.get(settings.unit, settings.unit)}{both}, widened for few units "
            f"{cited('hesterberg2015')}{extended}. Rank ranges {apart}. A boundary between clusters separates systems "
            "whose rank ranges all lie above it from systems whose rank ranges all lie below it."
        )
    if part.pairs.test == "model":
        sentences.append(
            f"Pairs of systems are compared by {settings.model} with the same bootstrap samples, corrected for all "
            f"pairs jointly {cited('romano2005')}; rank ranges are read from these decisions."
        )
    else:
        by = f" by {UNIT_WORDS.get(part.pairs.unit or '', part.pairs.unit)}"
        sentences.append(
            f"Pairs of systems are compared by the {_test(part)}{by}, corrected by Holm's method {cited('holm1979')}."
        )
    if len(part.boards) > 1 and evidence.kind == "scores":
        sentences.append(f"We report several models because they can disagree {cited('peyrard2021')}.")
    if part.diagnosis.advice.mechanism:
        sentences.append(f"The choice of model follows {cited('levtsov2025')}.")
    sentences.append(f"Computed with betterthan {__version__} ({board.signature}).")
    return " ".join(sentences), tuple(REFERENCES[key] for key in dict.fromkeys(keys))


def _test(part: ReportPart) -> str:
    """Name the test of all pairs; the sign test is exact where every comparison is a unit and counts once."""
    exact = "exact " if part.data.independent and part.main.evidence.effective is None else ""
    return {
        "t": "paired t-test",
        "mood": "Mood's median test",
        "sign": f"{exact}sign test, ties left out,",
        "randomisation": "randomisation test",
        "anytime": "anytime-valid test of their own judgments",
    }[part.pairs.test]


def _joined(names: list[str]) -> str:
    return names[0] if len(names) == 1 else ", ".join(names[:-1]) + " and " + names[-1]
