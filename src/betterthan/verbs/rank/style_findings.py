"""Whether columns about style predict who wins, on a board that does not control for them."""

from dataclasses import replace
from typing import Any

from betterthan.base import BetterthanError
from betterthan.findings import Finding, kinds
from betterthan.readers import style_columns


def style_predicts(data: Any, ties: str | None = None) -> list[Finding]:
    """Report the features of style that predict the outcome beyond the systems; it takes time only if there are any."""
    features = style_columns.style_features(data.spare_columns)
    if not features:
        return []
    judgments = data.judgments
    kind = kinds.judges.STYLE_PREDICTS
    most = int(kind.thresholds["rows"])
    if judgments.rows > most:  # the first rows tell what a finding needs
        judgments = replace(judgments, table=judgments.table.head(most), on_error="skip-most")
    found = _effects(replace(data, judgments=judgments), features, ties)
    telling = [(feature, effect) for feature, effect in found if effect.p * len(found) <= kind.thresholds["p"]]
    if not telling:
        return []
    strongest = min(telling, key=lambda one: float(one[1].p))
    return [
        kind.found(
            number=len(telling),
            features=",".join(feature for feature, _ in telling),
            names=", ".join(feature for feature, _ in telling),
            strongest=strongest[0],
            odds=strongest[1].odds,
            p=strongest[1].p,
        )
    ]


def _effects(data: Any, features: list[str], ties: str | None) -> list[tuple[str, Any]]:
    """Return the effects of features on the outcome, at equal systems; none where there is nothing to estimate."""
    from betterthan.models import BradleyTerry, controlled_model  # noqa: PLC0415
    from betterthan.verbs.rank import control_report  # noqa: PLC0415 (few files have style)

    try:
        means = {controlled_model.columns_used(data.judgments, feature): feature for feature in features}
        control = ",".join(means.values())
        model = controlled_model.controlled(BradleyTerry(ties="drop" if ties == "drop" else "half"), control)
        judgments = model.judgments(data, units=True)
        kept = model.identified(judgments)
        if not kept:
            return []
        judgments = judgments.kept(kept)
        effects = control_report.effects_of(model, model.fit(judgments), judgments, "bootstrap", 0.95)
    except BetterthanError:  # columns that cannot be controlled for are refused where that is requested
        return []
    return [(means[effect.columns], effect) for effect in effects if effect.columns in means]
