"""A judge who contradicts the others clicks at random; one who does so in most cases has something else in mind."""

import pytest

import betterthan as bt


def _hint(agreeing: int) -> str:
    """Return what is said of a judge who follows the others' order on so many of 100 items."""
    rows = []
    for judge in range(12):
        for item in range(100):
            follows = item < agreeing if judge == 0 else (item + judge) % 20 != 0
            better = "left" if (item + judge) % 2 == 0 else "right"  # owl is shown on either side
            sides = ("owl", "yak") if better == "left" else ("yak", "owl")
            outcome = better if follows else {"left": "right", "right": "left"}[better]
            rows.append({"left": sides[0], "right": sides[1], "outcome": outcome, "item": f"i{item}",
                         "judge": f"j{judge:02d}"})  # fmt: skip
    found = [each for each in bt.diagnose(bt.read_judgments(rows)).findings if each.code == "judge-against-rest"]
    assert len(found) == 1
    assert found[0].numbers["share"] == pytest.approx(agreeing / 100)
    return f"{found[0].message} {found[0].hint}"


@pytest.mark.parametrize("agreeing", [45, 46, 50])
def test_about_half_is_random(agreeing: int) -> None:
    assert "random clicks" in _hint(agreeing)


@pytest.mark.parametrize("agreeing", [20, 43, 44])
def test_clearly_less_than_half_is_contradiction(agreeing: int) -> None:
    assert "swapped sides or another question in mind" in _hint(agreeing)
