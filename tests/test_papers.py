"""Every row of docs/studies/papers.md runs, on the bundled examples."""

import re
import shlex
from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest

import betterthan as bt
from tests.cli.conftest import Answer, run

__all__ = ["run"]  # the command line

ROOT = Path(__file__).parents[1]
ROW = re.compile(r"^\| ([ABCD]\d+) \| (.+?) \| (.+?) \| `(.+)` \|$", re.MULTILINE)
ROWS = [
    (name, how.replace("\\|", "|"))
    for name, _, _, how in ROW.findall((ROOT / "docs/studies/papers.md").read_text("utf-8"))
]

#: What must be in the answer, where running is not enough: a pattern for each row.
SAYS = {
    "A1": r"mean",
    "A2": r"median",
    "A4": r"0\.66",
    "A5": r"elo\(k=32\)",
    "A8": r"do not differ significantly",
    "A9": r"95 % interval",
    "A10": r"Differences of row against column, by median",
    "A11": r"expected by bradley-terry",
    "A12": r"own share",
    "A13": r"paired t-test|t-test|\bt test",
    "A14": r"→  sign",
    "A15": r"Mood's median test",
    "A16": r"→  wilcoxon",
    "A21": r"pairs differ",
    "A22": r"another top three",
    "A23": r"elo – trueskill",
    "A26": r"size",
    "A27": r"wilcoxon",
    "A28": r"BT holds",
    "A30": r"Permuting",
    "A32": r"0\.500",
    "A36": r"outliers|pairing",
    "A37": r"difficulty",
    "A38": r"elo\(k=40\)",
    "A39": r"Peyrard",
    "A41": r"less is better",
    "A42": r"mechanisms",
    "B1": r"3,\d\d\d|2,400",
    "B2": r"wmt",
    "B3": r"German-English",
    "B6": r"clusters",
    "B10": r"\(0\.\d",
    "B11": r"perplexity",
    "B12": r"accuracy",
    "B13": r"upper bound",
    "B14": r"radius",
    "B16": r"expected-wins",
    "B17": r"researcher",
    "B18": r"wmt",
    "B20": r"aurora",
    "B21": r"fr-en|aurora",
    "B24": r"players=3",
    "B25": r"[Mm]atches",
    "B28": r"clusters",
    "B29": r"ci:redraws",
    "B35": r"order-dependence",
    "B36": r"alpha|agree",
    "B37": r"sort",
    "C1": r"accuracy",
    "C2": r"f1",
    "C3": r"roc-auc",
    "C5": r"chrf",
    "C6": r"edit-distance",
    "C7": r"wer",
    "C9": r"ties:half",
    "C10": r"newman",
    "C11": r"order",
    "C12": r"12mlnm",
    "C14": r"AUC",
    "C17": r"precision",
    "C18": r"responders",
    "C19": r"Spearman",
    "C20": r"12·m·ln m",
    "C21": r"difference",
    "C22": r"spearman",
    "C23": r"Report mean",
    "C28": r"chrf",
    "C29": r"80 (items|instances)",
    "C30": r"rank,",
    "C31": r"alpha, ratio",
    "C32": r"Made own\.campaign",
    "D1": r"sign",
    "D2": r"ties:split",
    "D3": r"Friedman test",
    "D6": r"lambda",
    "D7": r"reference",
    "D8": r"odds",
    "D10": r"deviance",
    "D11": r"ties:fixed",
    "D12": r"degree|df",
    "D14": r"Collins",
    "D16": r"judge\[T\.J3\]",
    "D17": r"likelihood ratio",
    "D18": r"age",
    "D19": r"standard deviation|sd|between judges",
    "D20": r"neural",
    "D21": r"plackett-luce",
    "D22": r"model:patterns",
    "D23": r"dependence",
    "D24": r"position",
    "D26": r"undecided",
    "D27": r"clustered by judge",
    "D28": r"class",
    "D29": r"minimum-violations",
    "D30": r"policy:sort",
    "D32": r"win-rate",
    "D33": r"accuracy",
}


def test_all_144_things_have_a_row() -> None:
    expected = [
        f"{paper}{number}"
        for paper, size in zip("ABCD", (42, 37, 32, 33), strict=True)
        for number in range(1, size + 1)
    ]
    assert [name for name, _ in ROWS] == expected
    assert len(ROWS) == 144


@pytest.fixture(scope="module")
def done() -> dict[str, str]:
    """What was run before: rows that share a command share its run."""
    return {}


@pytest.mark.parametrize(("name", "how"), ROWS, ids=[name for name, _ in ROWS])
def test_the_command_works(
    name: str,
    how: str,
    run: Callable[..., Answer],
    done: dict[str, str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    if how in done:
        assert re.search(SAYS.get(name, ""), done[how]), name
        return
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    monkeypatch.chdir(tmp_path)
    if how.startswith("betterthan "):
        answer = run(*shlex.split(how)[1:])
        assert answer.code == 0, f"{name}: {answer.err}"
        written = [Path(part) for part in shlex.split(how) if part.endswith((".svg", ".campaign"))]
        assert answer.out.strip() or any(each.exists() for each in written), f"{name} says nothing"
        said = answer.out
    else:
        said = str(eval(how, {"bt": bt, "pd": pd, "print": str}))
    assert re.search(SAYS.get(name, ""), said), f"{name}: {SAYS[name]} is not in\n{said}"
    done[how] = said
