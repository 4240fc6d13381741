"""Judging in a real browser: keys, phones, no script, no network, two tabs, a server that starts again."""

import re
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe

from betterthan.campaign.campaign_errors import BusyError
from betterthan.campaign.material.material import ConversationTurn
from betterthan.web.campaign import campaign_server as server
from betterthan.web.campaign import judge_pages as pages
from betterthan.web.campaign.campaign_app import create_app
from betterthan.web.campaign.campaign_server import running_campaign
from tests.web.campaign.conftest import SYSTEMS, Kept, material_of

PHONE = {"width": 390, "height": 844}
WORDS = [
    "call",
    "unclear",
    "note",
    "will",
    "answer",
    "a",
    "we",
    "and",
    "delay",
    "about",
    "sorry",
    "this",
    "is",
    "reply",
    "to",
    "the",
    "full",
    "please",
    "if",
    "tomorrow",
    "you",
    "with",
]


def words(seed: int, number: int) -> str:
    return " ".join(WORDS[(seed * 7 + place * (3 + seed % 5)) % len(WORDS)] for place in range(number))


def campaign_of(items: int = 12, material: Any = None, **options: Any) -> Kept:
    found = material or material_of(items, output=lambda n, s: words(5 * n + s, 22 + 3 * s), source=words(1, 24))
    return Kept.of(found, **{"per_judge": 40, **options})


class Desk:
    """A judge in front of a browser, with everything that was sent and complained about."""

    def __init__(self, context: Any, address: str, campaign: Kept, invitation: str) -> None:
        self.context, self.address, self.campaign, self.invitation = context, address, campaign, invitation
        self.complaints: list[str] = []
        self.page = self.tab()

    def tab(self) -> Any:
        page = self.context.new_page()
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("console", lambda message: self.complaints.append(message.text))
        page.on("request", lambda request: self._ours(request.url))
        return page

    def _ours(self, url: str) -> None:
        if not url.startswith((self.address, "data:")):
            self.complaints.append(url)

    def join(self, *, script: bool = True) -> "Desk":
        self.page.goto(f"{self.address}/join/{self.invitation}")
        self.page.click("button.main")
        if script:
            self.ready()
        return self

    def ready(self, page: Any = None) -> None:
        (page or self.page).wait_for_selector("#diff:visible")

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def answered(self, number: int) -> None:
        """Wait until so many answers are kept, and the page says so."""
        self.page.locator("#progress span").filter(has_text=re.compile(rf"^{number} of 40$")).wait_for()
        assert len(self.campaign.answers) == number

    def says(self, text: str) -> None:
        """Wait until the page says so where it says what is saved."""
        self.page.wait_for_selector(f"#note:has-text('{text}')")


@pytest.fixture
def desk(browser: Any) -> Iterator[Callable[..., Desk]]:
    with ExitStack() as stack:

        def opened(campaign: Kept, address: str | None = None, **context: Any) -> Desk:
            stack.callback(campaign.close)
            place = address or stack.enter_context(running_campaign(campaign))
            _, invitation = campaign.add_judge("Ada Example").result()
            context = browser.new_context(**{"viewport": {"width": 1280, "height": 800}, **context})
            stack.callback(context.close)
            return Desk(context, place, campaign, invitation)

        yield opened


def ranks(campaign: Kept) -> list[tuple[int, ...]]:
    return [answer.ranks["overall"] for _, _, answer in campaign.answers]


def accessible(page: Any) -> None:
    serious = [each for each in Axe().run(page).response["violations"] if each["impact"] in {"serious", "critical"}]
    assert serious == [], [(each["id"], [node["html"] for node in each["nodes"]]) for each in serious]


def fits(page: Any) -> None:
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "nobody scrolls sideways"


# Keys -------------------------------------------------------------------------------------------------------------
def test_ten_five_way_tasks_by_keys_alone(desk: Callable[..., Desk], artefacts: Path) -> None:
    judge = desk(campaign_of(10, way=5)).join()
    given = [tuple((task * card) % 5 + 1 for card in range(1, 6)) for task in range(10)]
    for number, five in enumerate(given, 1):
        judge.press(*map(str, five))
        if number == 3:
            judge.page.screenshot(path=artefacts / "judging-five-way.png")
            fits(judge.page)
        judge.press("Enter")
        if number < 10:
            judge.answered(number)
    judge.page.wait_for_selector("[data-stage=finished]")
    assert ranks(judge.campaign) == given
    assert all(answer.seconds is not None for _, _, answer in judge.campaign.answers)
    assert judge.complaints == []


def test_tab_and_arrows_do_what_they_do_everywhere(desk: Callable[..., Desk]) -> None:
    judge = desk(campaign_of(way=3)).join()
    judge.page.focus("[name=rank-overall-1][value='1']")
    judge.press("Space", "ArrowRight", "Tab", "Space", "Tab", "Space", "ArrowRight", "ArrowRight", "Enter")
    judge.answered(1)
    assert ranks(judge.campaign) == [(2, 1, 3)]


def test_a_pair_by_keys(desk: Callable[..., Desk]) -> None:
    judge = desk(campaign_of()).join()
    for number, key in enumerate(("ArrowLeft", "ArrowDown", "ArrowRight", "="), 1):
        judge.press(key, "Enter")
        judge.answered(number)
    assert ranks(judge.campaign) == [(1, 2), (1, 1), (2, 1), (1, 1)]
    judge.press("u")
    judge.page.wait_for_selector("text=You took this answer back")
    assert len(judge.campaign.answers) == 3
    judge.press("ArrowLeft", "Enter")
    judge.answered(4)
    judge.press("s")
    judge.press("Enter")
    judge.says("Saved")
    assert judge.campaign.skipped == ["unclear"]
    assert judge.complaints == []


def test_keys_do_not_reach_what_is_written(desk: Callable[..., Desk]) -> None:
    judge = desk(campaign_of(reason=True)).join()
    judge.press("ArrowRight")
    judge.page.focus("#reason")
    judge.page.keyboard.type("used = d s u 1 ?")
    judge.page.click("#submit")
    judge.answered(1)
    assert judge.campaign.answers[0][2].reason == "used = d s u 1 ?"
    assert (ranks(judge.campaign), judge.campaign.skipped) == ([(2, 1)], [])


def test_submit_goes_to_the_card_that_lacks_a_rank(desk: Callable[..., Desk], artefacts: Path) -> None:
    judge = desk(campaign_of(way=5)).join()
    judge.press("2", "1", "2", "4")
    assert judge.page.inner_text("#missing") == "E has no rank yet"
    judge.page.focus("#submit")
    judge.page.click("#submit")
    assert judge.page.evaluate("document.activeElement.name") == "rank-overall-5"
    assert "lacks" in judge.page.get_attribute("#card-5", "class")
    judge.page.screenshot(path=artefacts / "judging-lacking.png")
    accessible(judge.page)
    judge.press("5", "Enter")
    judge.answered(1)
    assert ranks(judge.campaign) == [(2, 1, 2, 4, 5)]


def test_differences_are_marked_and_unmarked(desk: Callable[..., Desk], artefacts: Path) -> None:
    texts = ["The cat <i>sat</i> on the mat & slept.", "The dog <i>sat</i> on a mat & slept."]
    judge = desk(campaign_of(material=material_of(output=lambda _, system: texts[system], systems=SYSTEMS[:2]))).join()
    before = judge.page.inner_html(".cards")
    judge.press("d")
    marked = {tuple(judge.page.locator(f"#card-{card} mark").all_inner_texts()) for card in (1, 2)}
    assert marked == {("cat", "the"), ("dog", "a")}
    judge.page.screenshot(path=artefacts / "judging-differences.png")
    accessible(judge.page)
    judge.page.click("#diff")
    assert judge.page.inner_html(".cards") == before
    assert judge.complaints == []


# Without a script -------------------------------------------------------------------------------------------------
def _follow(page: Any, selector: str = "#submit") -> None:
    """Click and wait for the page that answers: a click does not wait for it, and pages may look alike."""
    with page.expect_navigation():
        page.click(selector)


def test_ten_five_way_tasks_without_a_script(desk: Callable[..., Desk], artefacts: Path) -> None:
    judge = desk(campaign_of(10, way=5), java_script_enabled=False).join(script=False)
    page = judge.page
    for number in range(10):
        for card in range(1, 5):
            page.check(f"[name=rank-overall-{card}][value='{(number + card) % 5 + 1}']", force=True)
        _follow(page)
        assert page.inner_text("#missing") == "E has no rank yet."
        if number == 0:
            page.screenshot(path=artefacts / "judging-without-script.png")
        page.check("[name=rank-overall-5][value='3']", force=True)
        _follow(page)
    page.wait_for_selector("[data-stage=finished]")
    assert ranks(judge.campaign) == [(*((n + c) % 5 + 1 for c in range(1, 5)), 3) for n in range(10)]


def test_enter_submits_without_a_script(desk: Callable[..., Desk]) -> None:
    judge = desk(campaign_of(), java_script_enabled=False).join(script=False)
    judge.page.check("[value=left]", force=True)
    judge.page.focus("[value=left]")
    judge.press("Enter")
    judge.page.wait_for_selector("text=1 of 40")
    judge.page.click("#skip-menu summary")
    with judge.page.expect_navigation():
        judge.page.click("text=Skip this task")
    judge.page.click("#undo-button")
    judge.page.wait_for_selector("text=You took this answer back")
    assert (len(judge.campaign.skipped), judge.campaign.answers) == (1, [])


# Phones, colours, directions, long texts --------------------------------------------------------------------------
def test_a_pair_fits_on_a_phone(desk: Callable[..., Desk], artefacts: Path) -> None:
    judge = desk(campaign_of(), viewport=PHONE, has_touch=True, is_mobile=True).join()
    page = judge.page
    fits(page)
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight"), (
        "source, outputs and buttons on one screen"
    )
    for selector in (".choice label", ".tools > button:visible", ".menu summary", "#help summary"):
        for place in page.locator(selector).all():
            box = place.bounding_box()
            assert box["height"] >= 44, selector
    page.tap(".choice label:first-child")
    page.screenshot(path=artefacts / "judging-pair-phone.png")
    page.tap("#submit")
    judge.answered(1)
    accessible(page)


def test_ten_five_way_tasks_on_a_phone(desk: Callable[..., Desk], artefacts: Path) -> None:
    judge = desk(campaign_of(10, way=5), viewport=PHONE, has_touch=True, is_mobile=True).join()
    page = judge.page
    fits(page)
    for number in range(1, 11):
        for card in range(1, 6):
            page.tap(f"label:has([name=rank-overall-{card}][value='{card}'])")
        if number == 1:
            page.screenshot(path=artefacts / "judging-five-way-phone.png", full_page=True)
            assert page.locator(".chips .done").count() == 5
        page.tap("#submit")
        if number < 10:
            judge.answered(number)
    page.wait_for_selector("[data-stage=finished]")
    assert ranks(judge.campaign) == [(1, 2, 3, 4, 5)] * 10


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("way", [2, 5])
def test_long_texts_and_code(desk: Callable[..., Desk], artefacts: Path, scheme: str, way: int) -> None:
    turns = (
        ConversationTurn("user", "Hello"),
        ConversationTurn("assistant", "Hi"),
        ConversationTurn("user", "Tell me more"),
    )
    material = material_of(
        4,
        output=lambda n, s: "\n\n".join(words(s + n + p, 90) for p in range(5)),
        source=words(3, 300),
        reference=words(9, 20),
        turns=turns,
        document="d",
    )
    judge = desk(
        campaign_of(
            material=material,
            way=way,
            documents=True,
            reason=True,
            tags=("odd", "short"),
            both_bad=True,
            strength=way == 2,
            criteria=("adequacy: Which says the same?", "fluency: Which reads better?"),
            instructions="Read *all*.",
        ),
        color_scheme=scheme,
    ).join()
    fits(judge.page)
    accessible(judge.page)
    judge.page.screenshot(path=artefacts / f"judging-long-{way}-{scheme}.png")
    judge.press("?")
    accessible(judge.page)
    judge.press("Escape", "s")
    accessible(judge.page)
    judge.page.screenshot(path=artefacts / f"judging-skip-{way}-{scheme}.png")
    judge.page.set_viewport_size(PHONE)
    judge.press("Escape")
    fits(judge.page)
    judge.page.screenshot(path=artefacts / f"judging-long-{way}-{scheme}-phone.png", full_page=True)
    accessible(judge.page)


def test_right_to_left_texts(desk: Callable[..., Desk], artefacts: Path) -> None:
    arabic = "يرجى الاتصال بنا غدا قبل الساعة العاشرة صباحا."
    judge = desk(
        campaign_of(material=material_of(output=lambda n, s: arabic * (s + 1), source="Please call.", language="ar"))
    ).join()
    assert judge.page.evaluate("getComputedStyle(document.querySelector('.output p')).direction") == "rtl"
    assert judge.page.evaluate("getComputedStyle(document.querySelector('.source p')).direction") == "ltr"
    judge.page.screenshot(path=artefacts / "judging-right-to-left.png")
    accessible(judge.page)


def test_every_stage_is_accessible(desk: Callable[..., Desk], artefacts: Path) -> None:
    campaign = campaign_of(consent="We keep *little*.", questions=("Which languages do you know?",), training=1)
    judge = desk(campaign)
    page = judge.page

    def look(name: str) -> None:
        accessible(page)
        page.screenshot(path=artefacts / f"stage-{name}.png")

    page.goto(judge.address)
    look("no-session")
    page.goto(f"{judge.address}/join/{judge.invitation}")
    look("join")
    _follow(page, "button.main")
    look("consent")
    _follow(page, "text=I agree")
    look("questions")
    _follow(page, "text=Continue")
    look("questions-lacking")
    page.fill("#question-1", "Danish")
    _follow(page, "text=Continue")
    judge.ready()
    look("training")
    judge.press("ArrowRight" if page.inner_text("#card-1 .output") == "Practice." else "ArrowLeft", "Enter")
    page.wait_for_selector("text=Not quite")
    look("training-wrong")
    page.goto(f"{judge.address}/join/{campaign.invite_organiser().result()}")
    page.click("button.main")
    page.wait_for_selector("[data-stage=organiser]")
    look("organiser")
    codes = [re.findall(r"status of (\d+)", complaint) for complaint in judge.complaints]
    assert codes == [["401"], ["422"]], "what the browser says about pages that refuse, and nothing else"


@pytest.mark.parametrize("stage", ["waiting", "finished", "settled", "paused", "closed"])
def test_why_there_is_nothing_to_judge_is_accessible(desk: Callable[..., Desk], artefacts: Path, stage: str) -> None:
    judge = desk(campaign_of(budget=1))
    judge.campaign.reach(stage)
    judge.join(script=False)
    judge.page.wait_for_selector(f"[data-stage={stage}]")
    accessible(judge.page)
    judge.page.screenshot(path=artefacts / f"stage-{stage}.png")
    assert judge.complaints == []


@pytest.mark.parametrize("script", [True, False])
def test_waiting_ends_by_itself(desk: Callable[..., Desk], monkeypatch: pytest.MonkeyPatch, script: bool) -> None:
    monkeypatch.setattr(pages, "_WAIT_SECONDS", 1)
    judge = desk(campaign_of(budget=1), java_script_enabled=script)
    judge.campaign.reach("waiting")
    judge.join(script=False)
    judge.page.wait_for_selector("[data-stage=waiting]")
    judge.campaign.change(budget=100).result()
    judge.page.wait_for_selector("[data-stage=judging]")


# Nothing is lost, nothing is doubled --------------------------------------------------------------------------------
def test_offline_and_back(desk: Callable[..., Desk]) -> None:
    judge = desk(campaign_of()).join()
    judge.context.set_offline(True)
    judge.press("ArrowLeft", "Enter")
    judge.says("No connection")
    assert judge.campaign.answers == []
    judge.press("Enter", "Enter")
    judge.context.set_offline(False)
    judge.answered(1)
    assert judge.page.evaluate("Object.keys(localStorage).filter(key => key.includes('pending'))") == []
    assert ranks(judge.campaign) == [(1, 2)]


def test_closed_while_offline(desk: Callable[..., Desk]) -> None:
    """An answer that could not be sent is sent when the page is opened again."""
    judge = desk(campaign_of()).join()
    judge.context.set_offline(True)
    judge.press("ArrowRight", "Enter")
    judge.says("No connection")
    judge.page.close()
    judge.context.set_offline(False)
    judge.page = judge.tab()
    judge.page.goto(judge.address)
    judge.answered(1)
    assert ranks(judge.campaign) == [(2, 1)]


def test_the_answer_is_kept_but_the_acknowledgement_is_lost(desk: Callable[..., Desk]) -> None:
    judge = desk(campaign_of()).join()
    lost = []

    def lose(route: Any) -> None:
        if not lost and route.request.method == "POST":
            lost.append(route.request.post_data)
            route.fetch(max_redirects=0)
            route.abort()
        else:
            route.continue_()

    judge.page.route(re.compile(r"/task/[\w-]+$"), lose)
    judge.press("ArrowLeft", "Enter")
    judge.answered(1)
    assert len(lost) == 1
    assert ranks(judge.campaign) == [(1, 2)]


def test_reload_keeps_what_was_filled_in(desk: Callable[..., Desk]) -> None:
    judge = desk(campaign_of(way=5, reason=True)).join()
    judge.press("2", "1")
    judge.page.fill("#reason", "half a reason")
    judge.page.reload()
    judge.ready()
    assert judge.page.locator(".ranks input:checked").evaluate_all("inputs => inputs.map(input => input.value)") == [
        "2",
        "1",
    ]
    assert judge.page.input_value("#reason") == "half a reason"
    judge.page.wait_for_timeout(100)
    judge.press("Escape")
    judge.page.fill("#reason", "a reason")
    judge.says("Draft saved")
    judge.page.evaluate("localStorage.clear()")
    judge.page.reload()
    judge.ready()
    assert judge.page.input_value("#reason") == "a reason", "the server has it as well"


def test_double_click_is_one_answer(desk: Callable[..., Desk]) -> None:
    for script in (True, False):
        judge = desk(campaign_of(), java_script_enabled=script).join(script=script)
        sent: list[str] = []
        judge.page.on("request", lambda request, sent=sent: sent.append(f"{request.method} {request.url}"))
        judge.page.check("[value=left]", force=True)
        judge.page.dblclick("#submit")
        judge.page.wait_for_selector("text=1 of 40")
        judge.page.wait_for_timeout(300)
        assert len(judge.campaign.answers) == 1, script
        if script:
            assert len([each for each in sent if each.startswith("POST") and not each.endswith("/draft")]) == 1


def test_two_tabs(desk: Callable[..., Desk]) -> None:
    judge = desk(campaign_of()).join()
    other = judge.tab()
    other.goto(judge.address)
    judge.ready(other)
    assert other.get_attribute("main", "data-lease") == judge.page.get_attribute("main", "data-lease")
    judge.press("ArrowLeft", "Enter")
    judge.answered(1)
    other.keyboard.press("ArrowRight")
    other.keyboard.press("Enter")
    other.wait_for_selector("[data-stage=refused]")
    other.click("text=Continue")
    judge.ready(other)
    assert ranks(judge.campaign) == [(1, 2)]
    assert other.get_attribute("main", "data-lease") == judge.page.get_attribute("main", "data-lease")


def test_the_back_button(desk: Callable[..., Desk]) -> None:
    for script in (True, False):
        judge = desk(campaign_of(), java_script_enabled=script).join(script=script)
        judge.page.check("[value=left]", force=True)
        judge.page.click("#submit")
        judge.page.wait_for_selector("text=1 of 40")
        judge.page.go_back()
        judge.page.goto(judge.address)
        judge.page.wait_for_selector("text=1 of 40")
        judge.page.check("[value=right]", force=True)
        judge.page.click("#submit")
        judge.page.wait_for_selector("text=2 of 40")
        assert ranks(judge.campaign) == [(1, 2), (2, 1)]


def test_the_server_starts_again(desk: Callable[..., Desk]) -> None:
    campaign = campaign_of()
    with running_campaign(campaign) as address:
        judge = desk(campaign, address).join()
        port = int(address.rpartition(":")[2])
        judge.press("ArrowLeft")
    judge.press("Enter")
    judge.says("No connection")
    time.sleep(0.5)
    with running_campaign(campaign, port=port):
        judge.answered(1)
        judge.press("ArrowRight", "Enter")
        judge.answered(2)
    assert ranks(campaign) == [(1, 2), (2, 1)]


def test_a_busy_server_is_asked_again(desk: Callable[..., Desk]) -> None:
    judge = desk(campaign_of()).join()
    judge.campaign.busy = BusyError("the store does not take anything right now")
    judge.press("ArrowLeft", "Enter")
    judge.says("No connection")
    judge.campaign.busy = None
    judge.answered(1)


def test_an_ended_session_keeps_the_answer(desk: Callable[..., Desk]) -> None:
    judge = desk(campaign_of(reason=True)).join()
    judge.page.fill("#reason", "worth keeping")
    judge.press("Tab")
    cookie = next(each for each in judge.context.cookies() if each["name"] == "betterthan")
    judge.campaign.leave(cookie["value"]).result()
    judge.page.focus("#submit")
    judge.press("ArrowLeft")
    judge.page.click("#submit")
    judge.says("Your session has ended")
    assert judge.campaign.answers == []
    judge.page.goto(f"{judge.address}/join/{judge.invitation}")
    judge.page.click("button.main")
    judge.answered(1)
    assert judge.campaign.answers[0][2].reason == "worth keeping"


def test_signing_in_anew_in_another_tab(desk: Callable[..., Desk]) -> None:
    judge = desk(campaign_of()).join()
    judge.press("ArrowLeft")
    other = judge.tab()
    other.goto(f"{judge.address}/join/{judge.invitation}")
    other.click("button.main")
    judge.ready(other)
    judge.press("Enter")
    judge.answered(1)
    assert ranks(judge.campaign) == [(1, 2)]


# Blind, and inert ---------------------------------------------------------------------------------------------------
HOSTILE = [
    "<script>window.hacked = 1</script>",
    "<img src=x onerror='window.hacked = 1'>",
    "' onfocus='window.hacked = 1' autofocus='",
    "</textarea><svg onload='window.hacked = 1'>",
    "[x](javascript:window.hacked=1)",
    "{{ 7 * 7 }}",
]


def test_hostile_texts_do_nothing(desk: Callable[..., Desk]) -> None:
    everything = " ".join(HOSTILE)
    material = material_of(3, output=lambda n, s: f"{everything} {s}", source=everything, language=HOSTILE[2])
    campaign = campaign_of(
        material=material,
        title=everything,
        criteria=(f"overall: {everything}",),
        tags=tuple(HOSTILE),
        reason=True,
        instructions=everything,
    )
    judge = desk(campaign).join()
    judge.page.fill("#reason", everything)
    judge.page.reload()
    judge.ready()
    judge.page.click("h1")
    judge.press("d", "?", "Escape", "ArrowLeft", "Enter")
    judge.answered(1)
    assert judge.page.evaluate("window.hacked") is None
    assert judge.complaints == []
    assert campaign.answers[0][2].reason == everything


def test_no_byte_names_a_system(desk: Callable[..., Desk], monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []

    def recorded(*given: Any, **more: Any) -> Any:
        app = create_app(*given, **more)

        async def recording(scope: Any, receive: Any, send: Any) -> None:
            async def sending(message: Any) -> None:
                told.append(f"{message.get('headers')} {message.get('body', b'').decode()}".lower())
                await send(message)

            await app(scope, receive, sending)

        return recording

    monkeypatch.setattr(server, "create_app", recorded)
    judge = desk(campaign_of(3, way=5, training=1)).join()
    for _ in range(4):
        lease = judge.page.get_attribute("main", "data-lease")
        judge.page.click("h1")
        judge.press("=", "Enter")
        judge.page.wait_for_selector(f"main:not([data-lease='{lease}'])")
    judge.page.wait_for_selector("[data-stage=finished]")
    assert sum("data-stage" in text for text in told) >= 5
    assert not [name for name in SYSTEMS for text in told if name.lower() in text]
