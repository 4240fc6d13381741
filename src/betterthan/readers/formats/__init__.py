"""Formats of evidence, one file each, discovered automatically.

`WORTH_ASKING` is for speed alone: a format that is not in it is always asked.
"""

import re
from collections.abc import Iterable, Sequence
from typing import Final

#: Where no option names a column, how certain a format can be, and what some column must be called for it to ask more.
WORTH_ASKING: Final = {
    "automl_benchmark": (0.9, r"framework"),
    "cd_diagram": (1.0, r"classifier_name"),
    "gift_eval": (1.0, r"eval_metrics/.*"),
    "pairs_wide": (0.85, r"[Vv]\d+[._]?\d+"),
    "rankings_as_text": (0.75, ""),
    "rankings_by_place": (0.75, ""),
    "rankings_long": (0.7, ""),
    "rankings_wide": (0.5, ""),
    "scores_by_benchmark": (0.65, ""),
    "scores_by_file": (0.65, ""),
    "scores_long": (0.6, ""),
    "scores_wide": (0.5, ""),
    "scores_wide_by_file": (0.7, ""),
    "sklearn_cv": (1.0, r"split\d+_test_.*"),
    "trulens": (1.0, r"app_name"),
    "vlm_eval_kit": (0.9, r"hit"),
    "vlm_eval_kit_averages": (0.9, r"Overall"),
    "web_mushra": (0.9, r"rating_stimulus"),
    "win_matrix": (0.78, ""),
    "wmt": (0.9, r"(?i)system\d+.*"),
}

#: Formats in tools/ that are imported only where the first bytes of some file match: plain tables need none of them.
MARKED: Final = {
    "mechanical_turk": rb"AssignmentId",
    "pandas_pickle": rb"\A\x80[\x02-\x05]",
    "phoenix": rb"repetition_number",
    "promptfoo_tables": rb"\A\W*\{|\[(PASS|FAIL|ERROR)\]|Grader Reason",
    "trec_eval": rb"\A[\w.+-]+ *\t",
    "vertex": rb"/score",
}


def unmarked(heads: Sequence[bytes]) -> frozenset[str]:
    """Return the formats in tools/ that can read none of the files with these first bytes."""
    return frozenset(
        name for name, pattern in MARKED.items() if not any(re.search(pattern, head) is not None for head in heads)
    )


def surest(file: str) -> float:
    """Return the highest confidence of a format for a table where no option names a column."""
    return WORTH_ASKING.get(file, (1.0, ""))[0]


def worth_asking(files: Iterable[str], columns: Sequence[str]) -> list[str]:
    """Return the formats that may recognise a table with these columns, those that can be most certain first."""
    named = {file: pattern for file, (_, pattern) in WORTH_ASKING.items() if pattern}
    may = [
        file
        for file in files
        if file not in named or any(re.fullmatch(named[file], column) is not None for column in columns)
    ]
    return sorted(may, key=lambda file: -surest(file))
