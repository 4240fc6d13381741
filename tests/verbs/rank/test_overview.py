"""One table of systems × metrics for several leaderboards."""

from typing import Any

import numpy as np

import betterthan as bt


def _rows(*metrics: str, items: int = 30) -> list[dict[str, Any]]:
    """Return scores of three systems, two of them close."""
    rng = np.random.default_rng(1)
    return [
        {"metric": name, "item": str(item), "system": system, "score": round(float(2 + strength + rng.normal()), 3)}
        for name in metrics
        for item in range(items)
        for system, strength in (("owl", 1.5), ("yak", 1.2), ("elk", -1.0))
    ]


def test_strengths_do_not_stand_for_the_metric() -> None:
    """Whatever the order of models, the metric itself is shown where some model has it."""
    boards = bt.rank(_rows("bleu", "chrf"), model="bradley-terry,mean", resamples=50)
    assert boards.overview is not None
    assert [column.model for column in boards.overview.columns] == ["mean", "mean"]
    assert boards.verdict.startswith("By mean, ")
    alone = bt.rank(_rows("bleu", "chrf"), model="bradley-terry", resamples=50).overview
    assert alone is not None
    assert alone.legend().endswith("Values are scores by bradley-terry.")


def test_significance_is_marked_by_the_rank_range() -> None:
    boards = bt.rank(_rows("bleu", "chrf", items=60), model="mean", resamples=200)
    assert boards.overview is not None
    rows = {row[0]: row[1:] for row in boards.overview.table().rows}
    marks = 0
    for place, title in enumerate(boards.titles):
        for row in boards[title]:
            marks += rows[row.system][place].endswith("*")
            assert rows[row.system][place].endswith("*") == (row.rank_low == 1 and row.rank != 1)
    assert marks > 0
    none = bt.rank(_rows("bleu", "chrf"), model="mean", ci="none").overview
    assert none is not None
    assert "*" not in none.table().to_text() + none.legend()


def test_the_overview_comes_first_and_is_ready_to_paste() -> None:
    boards = bt.rank(_rows("bleu", "wer"), resamples=50)
    lines = boards.to_text(80).split("\n")
    start = lines.index("") + 1
    assert lines[start].split() == ["system", "bleu", "wer", "mean", "rank"]
    assert sum(line.count("▸") for line in lines[start + 1 : start + 4]) == 2
    assert "Less is better: wer." in boards.to_text()
    latex = boards.to_latex()
    assert latex.startswith("% Overview\n\\begin{tabular}{lrrr}\n\\toprule\nsystem & bleu & wer & mean rank \\\\\n")
    assert latex[: latex.index("\\end{tabular}")].count("\\textbf{") == 2
    assert boards.to_markdown().startswith("## Overview\n\n| system | bleu | wer | mean rank |")
    assert boards.to_html().startswith("<h3>Overview</h3>")
