"""Numbers in sentences."""

import pytest

from betterthan.findings.finding import Finding, merge_findings
from betterthan.findings.wording import counted, named, percent


@pytest.mark.parametrize(
    ("share", "text"),
    [
        (0.0, "0 %"),
        (0.0004, "0.0 %"),
        (0.004, "0.4 %"),
        (0.0099, "1.0 %"),
        (0.01, "1 %"),
        (0.19, "19 %"),
        (1.0, "100 %"),
    ],
)
def test_shares_below_one_per_cent_have_a_decimal_place(share: float, text: str) -> None:
    assert percent(share) == text


def test_one_thing_is_not_several() -> None:
    assert [counted(number, "judge") for number in (0, 1, 2, 1200)] == [
        "0 judges",
        "1 judge",
        "2 judges",
        "1,200 judges",
    ]


def test_five_names_are_listed_and_the_rest_is_counted() -> None:
    assert named(list("abcde")) == "'a', 'b', 'c', 'd', 'e'"
    assert named(list("abcdefg")) == "'a', 'b', 'c', 'd', 'e' and 2 more"


def test_findings_of_some_say_whose_they_are() -> None:
    common, own = Finding("x", "info", "Of all."), Finding("y", "warning", "Of one.")
    found = merge_findings([("owl", [common, own]), ("yak", [common])])
    assert [each.message for each in found] == ["Of all.", "owl: Of one."]
