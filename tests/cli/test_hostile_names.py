"""Names, metrics and data sets that are markup or steer a terminal are text in what every verb prints."""

import csv
import sys
import unicodedata
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from markdown_it import MarkdownIt

Run = Callable[..., Any]
NAMES = ["[a]", "constructor", "__proto__", "\x1b]0;owned\x07owl", "![x](http://e)", "\u202eyak\x9b31m", "*"]
METRICS = ["bleu\n\\input{/etc/hostname}", "![m](http://e)\x1b[2J"]
MARKDOWN = MarkdownIt("commonmark").enable("table")
BIDI = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Judgments and scores with hostile names."""
    folder, rng = tmp_path_factory.mktemp("hostile"), np.random.default_rng(1)
    scores, votes = folder / "scores.csv", folder / "votes\x1b[2J.csv"
    with scores.open("w", newline="", encoding="utf-8") as file:
        rows = [
            ["# set\n![d](x)", metric, f"i{item}", name, f"{rng.normal():.3f}"]
            for metric in METRICS
            for item in range(6)
            for name in NAMES
        ]
        csv.writer(file).writerows([["dataset", "metric", "item", "system", "score"], *rows])
    with votes.open("w", newline="", encoding="utf-8") as file:
        pairs = [rng.permutation(len(NAMES))[:2] for _ in range(80)]
        rows = [[NAMES[a], NAMES[b], rng.choice(["left", "right", "tie"]), f"judge\x1b<b>{a % 2}"] for a, b in pairs]
        csv.writer(file).writerows([["left", "right", "outcome", "judge"], *rows])
    return votes, scores


def steering(text: str) -> list[str]:
    return [
        hex(ord(sign))
        for sign in text
        if (unicodedata.category(sign) in {"Cc", "Cs"} and sign != "\n") or unicodedata.bidirectional(sign) in BIDI
    ]


@pytest.mark.parametrize("form", ["table", "markdown", "latex", "html", "json"])
def test_names_are_text_in_every_format(run: Run, files: tuple[Path, Path], form: str) -> None:
    votes, scores = files
    for command in (
        ("rank", votes, "--ci", "none"),
        ("rank", scores, "--ci", "none"),
        ("compare", votes, "--all"),
        ("compare", scores, "--all"),
        ("compare", votes, NAMES[0], NAMES[3]),
        ("diagnose", scores),
        ("next", votes),
    ):
        answer = run(*command, "--format", form)
        assert answer.code == 0, answer.err
        assert steering(answer.out + answer.err) == []
        if form == "markdown":
            tokens = MARKDOWN.parse(answer.out)
            live = {each.type for token in tokens for each in token.children or ()} | {token.type for token in tokens}
            assert not live & {"image", "link_open", "html_inline", "html_block", "em_open"}
        if form == "latex":
            assert "\\input" not in answer.out.replace("\\textbackslash{}", "") or all(
                line.startswith("%") for line in answer.out.splitlines() if "\\input" in line
            )
            assert not [line for line in answer.out.splitlines() if line.startswith(("[", "*"))]


def test_messages_quote_names_as_text(run: Run, files: tuple[Path, Path]) -> None:
    votes, scores = files
    for command in (
        ("rank", votes, "--anchor", "x\x1b[2J"),
        ("rank", votes, "--left", "x\x07"),
        ("rank", f"{votes}\x1b.csv"),
        ("compare", votes, "z\x1b", "a"),
        ("rank", votes, "--\x1b[2J"),
        ("\x1b[2J",),
        ("plot", "matrix", scores),
        ("rank", votes, "--model", "elo\x1b"),
        ("explain", "\x1b[2J"),
        ("rank", scores, "--where", "metric=\x1b"),
    ):
        answer = run(*command)
        assert (answer.code, answer.out) == (2, "")
        assert steering(answer.err) == []


def test_rows_that_are_printed_to_a_terminal_cannot_steer_it(
    run: Run, files: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Elsewhere, CSV holds names as they are: whoever reads it needs them."""
    votes, _ = files
    assert "\x1b" in run("rank", votes, "--ci", "none", "--format", "csv").out
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    assert steering(run("rank", votes, "--ci", "none", "--format", "csv", "-q").out) == []
