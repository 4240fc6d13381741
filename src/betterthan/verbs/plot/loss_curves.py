"""Loss curves: TrueSkill's v and w, and Hopkins and May's loss."""

import numpy as np

from betterthan.models import skill
from betterthan.present import Picture, pictures

#: The margin, and the decision radius, of the paper's figures; and c for wins and for ties.
_MARGIN, _RADIUS, _OF_WINS, _OF_TIES = 0.5, 0.5, 0.8, 0.3
_TRUESKILL, _ABILITY = "trueskill", "hopkins-may"
_POINTS = 61


def loss_curves(*, title: str = "") -> Picture:
    """Draw v and w of a win and of a tie against the difference of strengths t (Sakaguchi et al. 2014, Figs. 1, 2).

    v moves the means and w shrinks the variances of TrueSkill; Hopkins and May's loss moves qualities drawn at random,
    which have no variance to shrink.
    """
    rows: list[tuple[str, float, str, float]] = []
    for t in np.linspace(-1.0, 1.0, _POINTS).tolist():
        shift, kept = skill.after_win((t - _MARGIN) / _OF_WINS)
        rows += [
            ("t, v of a win", t, _TRUESKILL, shift),
            ("t, v of a win", t, _ABILITY, max(_RADIUS - t, 0.0)),
            ("t, w of a win", t, _TRUESKILL, 1.0 - kept),
        ]
    for t in np.linspace(-1.5, 1.5, _POINTS).tolist():
        shift, kept = skill.after_tie(t / _OF_TIES, _MARGIN / _OF_TIES)
        rows += [
            ("t, v of a tie", t, _TRUESKILL, shift),
            ("t, v of a tie", t, _ABILITY, float(np.clip(t, -_RADIUS, _RADIUS)) - t),
            ("t, w of a tie", t, _TRUESKILL, 1.0 - kept),
        ]
    panel, x, series, value = (list(column) for column in zip(*rows, strict=True))
    return pictures.panels.draw(
        panel=panel,
        x=x,
        series=series,
        value=value,
        low=[None] * len(x),
        high=[None] * len(x),
        name="v, w",
        title=title,
    )
