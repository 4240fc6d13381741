"""Files of other tools on the command line: two runs compared, and how files are read."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from betterthan.readers.format import format_called


def test_two_runs_of_a_tool_keep_their_order(run: Callable[..., Any], tmp_path: Path) -> None:
    folder = Path(format_called("lm-eval").example(tmp_path))
    answer = run("compare", folder / "org__yak", folder / "org__owl")
    assert answer.code == 0
    assert "\norg__yak against org__owl" in answer.out
    assert "Read as lm-eval: dataset = task" in answer.out
    assert run("compare", folder / "org__yak", folder / "org__yak").code == 2


def test_how_files_are_read_is_explained(run: Callable[..., Any], tmp_path: Path) -> None:
    folder = Path(format_called("lm-eval").example(tmp_path))
    answer = run("convert", folder, "--explain")
    assert answer.code == 0
    assert "lm-eval       0.95" in answer.out
    assert "Read as lm-eval: dataset = task, item = doc_id" in answer.out
    assert run("convert", folder).err.endswith("say where to write with -o FILE, or use --explain.\n")
