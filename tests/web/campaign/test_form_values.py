"""What a form sends is taken as far as it makes sense."""

import pytest
from starlette.datastructures import FormData

from betterthan.options.campaign import CampaignOptions
from betterthan.web.campaign.task_forms import draft_of, filled, text_of


def _seconds(text: str) -> float | None:
    options = CampaignOptions.of()
    return filled(FormData([("choice-overall", "left"), ("seconds", text)]), options).answer(options).seconds


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("0", 0.0), ("12.3456", 12.346), ("604800", 604_800.0), ("604800.01", None), ("604801", None), ("1e9", None),
     ("-0.001", None), ("-1", None), ("nan", None), ("inf", None), ("-inf", None), ("soon", None), ("", None)],
)  # fmt: skip
def test_seconds_are_those_of_a_week_at_most(text: str, seconds: float | None) -> None:
    assert _seconds(text) == seconds


def test_ranks_are_within_the_cards() -> None:
    options = CampaignOptions.of(way=3)
    fields = [("cards", "3"), ("rank-overall-1", "1"), ("rank-overall-2", "3"), ("rank-overall-3", "4")]
    found = filled(FormData(fields), options)
    assert not found.complete
    assert [each.card for each in found.lacking] == [3]
    fields[-1] = ("rank-overall-3", "3")
    assert filled(FormData(fields), options).ranks == {"overall": (1, 3, 3)}


@pytest.mark.parametrize(("length", "complete"), [(5000, True), (5001, False)])
def test_reasons_have_a_longest_length(length: int, complete: bool) -> None:
    form = FormData([("choice-overall", "left"), ("reason", "x" * length)])
    assert filled(form, CampaignOptions.of(reason=True)).complete is complete


@pytest.mark.parametrize(("text", "strength"), [("1", 1), ("3", 3), ("0", None), ("4", None), ("x", None)])
def test_strength_has_three_steps(text: str, strength: int | None) -> None:
    options = CampaignOptions.of(strength=True)
    form = FormData([("choice-overall", "left"), ("strength", text)])
    assert filled(form, options).answer(options).strength == strength


def test_a_draft_holds_what_was_filled_in_and_nothing_of_the_page() -> None:
    options = CampaignOptions.of()
    form = FormData([("choice-overall", "left"), ("csrf", "s"), ("key", "k"), ("cards", "2"), ("reason", "so far")])
    draft = draft_of(filled(form, options), options)
    assert draft == {"choice-overall": ["left"], "reason": ["so far"]}
    assert draft_of(filled(form, options), options, all_equal=True)["choice-overall"] == ["equal"]


def test_text_loses_what_no_store_can_keep() -> None:
    assert text_of(FormData([("why", " a\x00b\ud800 ")]), "why") == "ab?"
    assert text_of(FormData([("why", "abcdef")]), "why", 3) == "abc"
