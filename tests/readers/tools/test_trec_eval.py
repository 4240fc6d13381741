"""trec_eval -q: measures by query, without counts and without lines of all queries."""

from pathlib import Path

import betterthan as bt
from betterthan.readers.format import format_called
from tests.readers.tools.boards import means, refused


def _run(path: Path, name: str, values: dict[str, tuple[float, float]]) -> Path:
    lines = [f"{'num_ret':22}\t{query}\t500" for query in (301, 302)]
    lines += [f"{'relstring':22}\t301\t'00 11'"]
    lines += [
        f"{measure:22}\t{query}\t{value:.4f}"
        for measure, pair in values.items()
        for query, value in zip((301, 302), pair, strict=True)
    ]
    lines += [f"{'runid':22}\tall\t{name}", f"{'map':22}\tall\t0.9999", f"{'gm_map':22}\tall\t0.5"]
    path.write_text("\n".join(lines))
    return path


def test_measures_are_boards_and_runs_are_called_by_their_tag(tmp_path: Path) -> None:
    _run(tmp_path / "1.txt", "owl", {"map": (0.5, 0.25), "11pt_avg": (0.75, 0.25)})
    _run(tmp_path / "2.txt", "yak", {"map": (0.25, 0.0), "11pt_avg": (0.5, 0.25)})
    assert means(tmp_path) == {"map": {"owl": 0.375, "yak": 0.125}, "11pt_avg": {"owl": 0.5, "yak": 0.375}}


def test_measures_that_fill_their_column_are_recognised(tmp_path: Path) -> None:
    for name in ("owl", "yak"):
        (tmp_path / name).write_text(f"{'set_F':22}\t301\t0.5\n{'set_F':22}\t302\t0.25\n")
    assert means(tmp_path) == {"set_F": {"owl": 0.375, "yak": 0.375}}


def test_runs_of_one_tag_are_told_apart_by_their_files(tmp_path: Path) -> None:
    for name, values in (("old", (0.5, 0.25)), ("new", (0.5, 0.5))):
        _run(tmp_path / f"{name}.txt", "owl", {"map": values})
    assert means(tmp_path) == {"map": {"owl (new)": 0.5, "owl (old)": 0.375}}


def test_summaries_and_damaged_lines_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "all.txt"
    path.write_text(f"{'map':22}\tall\t0.5\n")
    assert refused(path) == f"{path}: there are no measures of single queries. Call trec_eval with -q."
    path.write_text(f"{'map':22}\t301\t0.5\nmap 302\n")
    assert refused(path) == f"{path}, line 2: is no line of measure, query and value"
    path.write_text(f"{'map':22}\t301\thalf\n")
    assert refused(path) == f"{path}: the value 'half' is no number"


def test_the_example_has_the_means_computed_by_hand(tmp_path: Path) -> None:
    folder = format_called("trec-eval").example(tmp_path)
    assert means(folder) == {"map": {"owl": 0.625, "yak": 0.375}}
    assert bt.read(folder).reading.ignored == ("counts", "all")
