"""The decision chart of Levtsov and Ustalov: global scores or pairwise comparisons."""

from betterthan.present import Picture, pictures

#: Boxes: their name, column, row and text; the last two are the recommendations.
_BOXES = {
    "confident": (0, 0, "Are some systems over-confident?"),
    "ties": (0, 1, "Are most comparisons ties?"),
    "measure": (0, 2, "Is the measure clearly defined?"),
    "vary": (0, 3, "Do scores vary widely?"),
    "global": (1.2, 1.5, "Global scores (mean)"),
    "pairs": (-1.2, 2.5, "Pairwise comparisons (Bradley–Terry)"),
}
_RECOMMENDED = ("global", "pairs")
#: Arrows: from which box to which, and the answer.
_ARROWS = (
    ("confident", "global", "yes"),
    ("confident", "ties", "no"),
    ("ties", "global", "yes"),
    ("ties", "measure", "no"),
    ("measure", "global", "yes"),
    ("measure", "vary", "not known"),
    ("measure", "pairs", "no"),
    ("vary", "global", "no"),
    ("vary", "pairs", "yes"),
)


def decision_chart(*, title: str = "") -> Picture:
    """Draw how `advise` chooses between global scores and comparisons (Levtsov and Ustalov 2025, Fig. 4).

    The question about ties is from the paper's discussion: many of them need many more comparisons.
    """
    return pictures.chart_of_questions.draw(
        box=list(_BOXES),
        column=[column for column, _, _ in _BOXES.values()],
        row=[row for _, row, _ in _BOXES.values()],
        text=[text for _, _, text in _BOXES.values()],
        answer=[name in _RECOMMENDED for name in _BOXES],
        arrows=_ARROWS,
        title=title,
    )
