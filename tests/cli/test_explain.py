"""`betterthan explain`."""

from collections.abc import Callable

from tests.cli.conftest import Answer


def test_a_code_is_explained(run: Callable[..., Answer]) -> None:
    answer = run("explain", "few-units")
    assert answer == (
        0,
        "few-units (warning)\n"
        "The result rests on few units.\n"
        "Why it matters: Intervals and tests allow for few independent units (items, judges or judgments) by being "
        "wider, but how wide they have to be is itself uncertain.\n"
        "What to do: Collect more units; with fewer than 20, use exact tests only and claim no small differences.\n"
        "Thresholds: exact tests 20, intervals 30, mentioned 50.\n",
        "",
    )


def test_without_a_code_all_are_listed(run: Callable[..., Answer]) -> None:
    lines = run("explain").out.splitlines()
    assert [line.split() for line in lines if line.startswith("few-units ")] == [
        ["few-units", "warning", "The", "result", "rests", "on", "few", "units"]
    ]


def test_an_unknown_code_is_one_sentence(run: Callable[..., Answer]) -> None:
    answer = run("explain", "few-unit")
    assert answer == (2, "", "betterthan: there is no finding with the code 'few-unit'. Did you mean 'few-units'?\n")
