"""Judging with plain forms: no script runs here."""

import json
import re
from collections.abc import Callable
from typing import Any

import pytest

from betterthan.campaign import tasks
from betterthan.options.campaign import CampaignOptions
from tests.web.campaign.conftest import TURNS, Judging, Make, material_of

New = Callable[..., Judging]


def checked(page: str) -> dict[str, str]:
    return dict(re.findall(r'<input type="radio" name="([^"]+)" value="([^"]+)" id="[^"]+" checked', page)) | dict(
        re.findall(r'<input type="checkbox" name="([^"]+)" value="([^"]+)" checked', page)
    )


def test_a_pair_is_judged_by_a_form(judging: New) -> None:
    judge = judging()
    for choice in ("left", "equal", "right"):
        response = judge.answer(**{"choice-overall": choice})
        assert (response.status_code, response.headers["location"]) == (303, "/")
    ranks = [answer.ranks for _, _, answer in judge.campaign.answers]
    assert ranks == [{"overall": (1, 2)}, {"overall": (1, 1)}, {"overall": (2, 1)}]
    assert "3 judged" in judge.page()


def test_everything_that_is_asked_for_arrives(make: Make, judging: New) -> None:
    judge = judging(make(reason=True, tags=("odd", "short", "long"), both_bad=True, strength=True, per_judge=40))
    assert "0 of 40" in judge.page()
    fields: dict[str, Any] = {
        "reason": " It reads better. ",
        "tag": ["long", "odd", "made up"],
        "both-bad": "yes",
        "strength": "2",
        "seconds": "12.34",
    }
    assert judge.answer(**fields).status_code == 303
    assert judge.campaign.answers[0][2] == tasks.Answer(
        {"overall": (1, 2)}, both_bad=True, strength=2, reason="It reads better.", tags=("odd", "long"), seconds=12.34
    )


def test_what_is_not_asked_for_is_not_kept(judging: New) -> None:
    judge = judging()
    judge.answer(**{"reason": "x", "tag": "odd", "both-bad": "yes", "strength": "2", "seconds": "nan"})
    assert judge.campaign.answers[0][2] == tasks.Answer({"overall": (1, 2)})


def test_five_cards_with_two_criteria(make: Make, judging: New) -> None:
    judge = judging(make(way=5, criteria=("adequacy: Which says the same?", "fluency & style")))
    page = judge.page()
    assert page.count('type="radio"') == 2 * 25 + 6
    assert "Which says the same?" in page
    ranks = {f"rank-adequacy-{card}": str(rank) for card, rank in enumerate((2, 1, 2, 4, 5), 1)}
    ranks |= {f"rank-fluency & style-{card}": "1" for card in range(1, 6)}
    assert judge.answer(page, **ranks).status_code == 303
    assert judge.campaign.answers[0][2].ranks == {"adequacy": (2, 1, 2, 4, 5), "fluency & style": (1, 1, 1, 1, 1)}


def test_a_form_that_lacks_a_rank_comes_back_as_it_was(make: Make, judging: New) -> None:
    judge = judging(make(way=5, reason=True, tags=("odd", "short"), both_bad=True))
    page = judge.page()
    given = {"rank-overall-1": "2", "rank-overall-2": "1", "rank-overall-4": "5"}
    response = judge.answer(
        page, **given, reason='because of "x" & <y>', tag="short", **{"both-bad": "yes", "rank-overall-5": "9"}
    )
    assert response.status_code == 422
    assert "C, E have no rank yet." in response.text
    kept = checked(response.text)
    assert {name: kept.get(name) for name in given} == given
    assert (kept["tag"], kept["both-bad"]) == ("short", "yes")
    assert "because of &#34;x&#34; &amp; &lt;y&gt;</textarea>" in response.text
    assert re.search(r'id="rank-overall-3-1" autofocus', response.text)
    assert response.text.count("autofocus") == 1
    assert response.text.count('class="card lacks"') == 2
    assert judge.campaign.answers == []
    fixed = judge.answer(response.text, **given, **{"rank-overall-3": "1", "rank-overall-5": "1"})
    assert fixed.status_code == 303


def test_a_pair_without_a_choice_comes_back(judging: New) -> None:
    judge = judging()
    response = judge.answer(**{"choice-overall": ""})
    assert response.status_code == 422
    assert "Choose A, B or Equal first." in response.text


def test_a_reason_that_is_too_long_is_told(make: Make, judging: New) -> None:
    judge = judging(make(reason=True))
    response = judge.answer(reason="x" * 5001)
    assert response.status_code == 422
    assert "at most 5,000 characters" in response.text
    assert "x" * 5001 in response.text


def test_no_button_is_ever_switched_off(make: Make, judging: New) -> None:
    for way in (2, 5):
        page = judging(make(way=way)).page()
        assert re.search(r"<(button|input)[^>]*\sdisabled", page) is None
        assert " required" not in page


def test_the_same_form_twice_is_one_answer(judging: New) -> None:
    judge = judging()
    page = judge.page()
    assert [judge.answer(page).status_code for _ in range(3)] == [303, 303, 303]
    assert len(judge.campaign.answers) == 1
    other = judge.answer(page, **{"choice-overall": "right"})
    assert other.status_code == 409
    assert judge.campaign.answers[0][2].ranks == {"overall": (1, 2)}


def test_two_tabs_answer_once(judging: New) -> None:
    judge = judging()
    one, two = judge.page(), judge.page()
    assert judge.lease(one) == judge.lease(two)
    assert judge.hidden(one)["key"] != judge.hidden(two)["key"]
    assert judge.answer(one).status_code == 303
    late = judge.answer(two)
    assert late.status_code == 409
    assert 'href="/"' in late.text
    assert len(judge.campaign.answers) == 1


def test_skip_with_a_reason(judging: New) -> None:
    judge = judging()
    page = judge.page()
    sent = {**judge.hidden(page), "why": "language", "more": "It is Danish."}
    response = judge.client.post(f"/task/{judge.lease(page)}/skip", data=sent)
    assert response.status_code == 200
    assert judge.campaign.skipped == ["language: It is Danish."]
    assert judge.lease(response.text) != judge.lease(page)


def test_a_problem_is_reported_and_the_task_stays(judging: New) -> None:
    judge = judging()
    page = judge.page()
    response = judge.client.post(
        f"/task/{judge.lease(page)}/problem", data={**judge.hidden(page), "problem": "cut off"}
    )
    assert judge.campaign.complaints == ["cut off"]
    assert judge.lease(response.text) == judge.lease(page)


def test_undo_shows_the_same_task_first(judging: New) -> None:
    judge = judging()
    page = judge.page()
    text = re.search(r"number (\d+)\.", page)
    judge.answer(page)
    after = judge.page()
    response = judge.client.post("/undo", data={"csrf": judge.csrf(after)})
    assert "You took this answer back" in response.text
    assert text
    assert f"number {text[1]}." in response.text
    assert judge.campaign.answers == []
    assert judge.answer(response.text).status_code == 303
    assert judge.lease(judge.page()) == judge.lease(after)


@pytest.mark.parametrize("choice", ["left", "equal", "right"])
def test_undo_brings_back_what_was_said(make: Make, judging: New, choice: str) -> None:
    judge = judging(make(reason=True, strength=True, tags=("short", "odd")))
    judge.answer(**{"choice-overall": choice, "reason": "of course <b>", "strength": "2", "tag": ["odd"]})
    page = judge.client.post("/undo", data={"csrf": judge.csrf(judge.page())}).text
    checked = [re.search(r'value="(\w+)"', field)[1] for field in re.findall(r"<input[^>]*checked[^>]*>", page)]  # type: ignore[index]
    assert set(checked) - {"unclear"} == {choice, "2", "odd"}  # unclear: the first reason to skip
    assert "of course &lt;b&gt;" in page
    kept = judge.campaign.draft(judge.lease(page))
    assert kept == {"choice-overall": [choice], "reason": ["of course <b>"], "strength": ["2"], "tag": ["odd"]}


def test_undo_brings_back_five_ranks(make: Make, judging: New) -> None:
    judge = judging(make(way=5))
    ranks = {f"rank-overall-{card}": str(rank) for card, rank in enumerate((2, 1, 1, 5, 3), 1)}
    judge.answer(**ranks)
    page = judge.client.post("/undo", data={"csrf": judge.csrf(judge.page())}).text
    assert judge.campaign.draft(judge.lease(page)) == {name: [rank] for name, rank in ranks.items()}


def test_undo_of_nothing_is_told(judging: New) -> None:
    judge = judging()
    response = judge.client.post("/undo", data={"csrf": judge.csrf(judge.page())})
    assert response.status_code == 409
    assert "There is no answer to undo." in response.text


def test_a_draft_is_shown_again(make: Make, judging: New) -> None:
    judge = judging(make(way=3, reason=True, tags=("odd",)))
    page = judge.page()
    sent = {**judge.hidden(page), "rank-overall-2": "3", "reason": "half a", "tag": "odd", "at": "5", "stray": "x"}
    plain = judge.client.post(f"/task/{judge.lease(page)}/draft", data=sent, follow_redirects=False)
    assert plain.status_code == 303
    script = judge.client.post(f"/task/{judge.lease(page)}/draft", data=sent, headers={"X-CSRF": sent["csrf"]})
    assert script.status_code == 204
    draft = judge.campaign.draft(judge.lease(page))
    assert draft
    assert set(draft) == {"rank-overall-2", "reason", "tag", "at", "seconds"}
    again = judge.page()
    assert checked(again)["rank-overall-2"] == "3"
    assert checked(again)["tag"] == "odd"
    assert "half a</textarea>" in again
    assert 'data-at="5"' in again


@pytest.mark.parametrize("way", [2, 4])
def test_all_equal_fills_in_and_does_not_submit(make: Make, judging: New, way: int) -> None:
    judge = judging(make(way=way, reason=True))
    page = judge.page()
    response = judge.client.post(
        f"/task/{judge.lease(page)}/draft", data={**judge.hidden(page), "do": "equal", "reason": "same"}
    )
    expected = {"choice-overall": "equal"} if way == 2 else {f"rank-overall-{card}": "1" for card in range(1, way + 1)}
    assert {name: value for name, value in checked(response.text).items() if name != "why"} == expected
    assert "same</textarea>" in response.text
    assert judge.campaign.answers == []


def test_an_answer_to_a_task_that_is_gone(judging: New) -> None:
    judge = judging()
    page = judge.page()
    sent = {**judge.hidden(page), "choice-overall": "left"}
    for lease in ("0" * 32, "../x", "%00", "a" * 65, "a b"):
        assert judge.client.post(f"/task/{lease}", data=sent).status_code == 404
    assert judge.client.post(f"/task/{'0' * 32}", data={**sent, "choice-overall": ""}).status_code == 404


def test_forged_numbers_of_cards_are_refused(make: Make, judging: New) -> None:
    judge = judging(make(way=3))
    page = judge.page()
    response = judge.answer(page, cards="2")
    assert response.status_code == 400
    assert "there are 3 outputs, but 2 ranks." in response.text
    for count in ("", "7", "-1", "x", "²"):
        assert judge.answer(page, cards=count).status_code == 422
    assert judge.campaign.answers == []


# What comes before and after judging ------------------------------------------------------------------------------
def test_consent_then_questions_then_practice(make: Make, judging: New) -> None:
    judge = judging(
        make(consent="We keep **little**.", consent_version="2b", questions=("Languages?", "Age?"), training=1, way=2)
    )
    page = judge.page()
    assert "<strong>little</strong>" in page
    assert "Version 2b" in page
    csrf = judge.csrf(page)
    assert judge.client.post("/consent", data={"csrf": csrf, "version": "1"}).status_code == 409
    page = judge.client.post("/consent", data={"csrf": csrf, "version": "2b"}).text
    assert [event.body["version"] for event in judge.campaign.events if event.kind == "consented"] == ["2b"]
    assert "Languages?" in page
    lacking = judge.client.post("/questions", data={"csrf": csrf, "question-1": "da", "question-2": " "})
    assert lacking.status_code == 422
    assert 'value="da"' in lacking.text
    page = judge.client.post("/questions", data={"csrf": csrf, "question-1": "da", "question-2": "40"}).text
    told = judge.campaign.writer.ask(lambda _: judge.campaign.store.notes("told")).result()
    assert json.loads(told["1"]) == {"Languages?": "da", "Age?": "40"}
    assert "Practice: this answer does not count." in page
    response = judge.answer(page, **{"choice-overall": "right"})
    assert response.headers["location"] == "/?practice=wrong-1-2"
    after = judge.client.get(response.headers["location"]).text
    assert "Not quite" in after
    assert "<b>A 1</b>, <b>B 2</b>" in after
    assert "Practice: this answer" not in after


def test_practice_as_expected(make: Make, judging: New) -> None:
    judge = judging(make(training=1))
    response = judge.answer()
    assert response.headers["location"] == "/?practice=right"
    assert "That was as expected." in judge.client.get("/?practice=right").text
    assert "expected" not in judge.client.get("/?practice=<b>").text


@pytest.mark.parametrize("stage", ["waiting", "finished", "settled", "paused", "closed"])
@pytest.mark.parametrize("language", CampaignOptions.LANGUAGES)
def test_every_stage_says_what_it_is(make: Make, judging: New, stage: str, language: str) -> None:
    judge = judging(campaign := make(budget=1), languages=(f"{language}-XX",), join=False)
    campaign.reach(stage)
    judge.join()
    page = judge.page()
    assert f'<html lang="{language}" dir="ltr">' in page
    assert f'data-stage="{stage}"' in page
    assert ('http-equiv="refresh" content="10' in page) == (stage in {"waiting", "paused"})


def test_language_of_the_browser_and_of_the_campaign(make: Make, judging: New) -> None:
    judge = judging(make(language="ja"))
    assert '<html lang="ja"' in judge.page()
    judge.client.headers["Accept-Language"] = "xx, fr-CA;q=0.5, es;q=oops, de;q=0.2"
    assert '<html lang="fr"' in judge.page()


def test_finished_can_still_undo(make: Make, judging: New) -> None:
    judge = judging(make(budget=1))
    judge.answer()
    page = judge.page()
    assert 'data-stage="finished"' in page
    assert judge.answer(judge.client.post("/undo", data={"csrf": judge.csrf(page)}).text).status_code == 303


def test_without_a_session_one_is_told_to_use_the_link(judging: New) -> None:
    response = judging(join=False).client.get("/")
    assert response.status_code == 401
    assert "Please use your invitation link" in response.text


def test_signing_out(judging: New) -> None:
    judge = judging()
    response = judge.client.post("/leave", data={"csrf": judge.csrf(judge.page())})
    assert "Signed out" in response.text
    assert judge.campaign.sessions == 0
    assert judge.client.get("/").status_code == 401


def test_everything_around_the_cards(make: Make, judging: New) -> None:
    material = material_of(
        3, reference="The reference.", context="Said at noon.", turns=TURNS, document="d", language="da"
    )
    judge = judging(make(material, documents=True, instructions="Read *everything*."))
    judge.answer()
    page = judge.page()
    for text in (
        "The reference.",
        "Said at noon.",
        "And now?",
        "Earlier turns (1)",
        "Earlier in this document",
        'lang="da"',
        "<em>everything</em>",
    ):
        assert text in page
    assert page.count("Nummer 0.") == 1


def test_unknown_pages_and_methods_are_a_sentence(judging: New) -> None:
    judge = judging()
    assert (judge.client.get("/nothing").status_code, judge.client.get("/consent").status_code) == (404, 405)
    assert "There is nothing here." in judge.client.get("/nothing").text
    assert judge.client.get("/api/nothing").json() == {"detail": "There is nothing here."}


def test_a_break_is_suggested_and_the_task_stays(make: Make, judging: New) -> None:
    judge = judging(make(breaks=2))
    for _ in range(2):
        judge.answer(**{"choice-overall": "left"})
    page = judge.page()
    assert "Time for a break" in page
    assert "/?rested=2" in page
    assert 'data-stage="judging"' in judge.client.get("/?rested=2").text
    assert "Time for a break" in judge.client.get("/?rested=1").text


def test_a_double_click_on_undo_without_a_script_takes_one_answer_back(judging: New) -> None:
    judge = judging()
    for _ in range(2):
        judge.answer(**{"choice-overall": "left"})
    page = judge.page()
    last = re.findall(r'name="last" value="([^"]+)"', page)[0]
    codes = [judge.client.post("/undo", data={"csrf": judge.csrf(page), "last": last}).status_code for _ in range(2)]
    assert codes == [200, 409]
    assert len(judge.campaign.answers) == 1
