"""The organiser's page, and how the server is started."""

import socket
from pathlib import Path

import httpx
import pytest

from betterthan.campaign.campaign_errors import CampaignError
from betterthan.web.campaign.campaign_server import Tls, running_campaign, serve
from betterthan.web.server.http_server import ServingError
from tests.web.campaign.conftest import ADDRESS, InProcess, Judging, Make


@pytest.fixture
def organiser(make: Make) -> Judging:
    organiser = Judging(campaign := make(budget=100), InProcess(campaign))
    organiser.client.post("/join", data={"token": campaign.invite_organiser().result()})
    return organiser


def test_the_organiser_sees_who_judges_and_how_much(organiser: Judging) -> None:
    judge = Judging(organiser.campaign, InProcess(organiser.campaign), "Bob <b>")
    judge.join()
    judge.answer()
    page = organiser.client.get("/")
    assert page.url.path == "/organiser"
    assert "Judgments: 1 of 100" in page.text
    assert "Ada Example" in page.text
    assert "Bob &lt;b&gt;" in page.text
    assert "judge.js" not in page.text


def test_pause_go_on_and_close(organiser: Judging) -> None:
    csrf = organiser.csrf(organiser.client.get("/organiser").text)
    for state, shown in (("paused", "Paused"), ("running", "Running"), ("closed", "Closed")):
        page = organiser.client.post("/organiser/state", data={"csrf": csrf, "state": state})
        assert organiser.campaign.state == state
        assert f"<h2>{shown}</h2>" in page.text
    refused = organiser.client.post("/organiser/state", data={"csrf": csrf, "state": "odd"})
    assert refused.status_code == 422
    assert "unknown state &#39;odd&#39;; allowed: running, paused, closed." in refused.text


def test_judges_are_added_and_revoked(organiser: Judging) -> None:
    csrf = organiser.csrf(organiser.client.get("/organiser").text)
    page = organiser.client.post("/organiser/judges", data={"csrf": csrf, "name": "Eve"}).text
    link = page.split("<code>")[1].split("</code>")[0]
    assert link.startswith(f"{ADDRESS}/join/")
    eve = Judging(organiser.campaign, InProcess(organiser.campaign))
    assert eve.client.post("/join", data={"token": link.rpartition("/")[2]}).status_code == 200
    assert eve.client.get("/").status_code == 200
    assert organiser.client.post("/organiser/judges/2/revoke", data={"csrf": csrf}).status_code == 200
    assert eve.client.get("/").status_code == 401
    assert "Revoked" in organiser.client.get("/organiser").text
    assert organiser.client.post("/organiser/judges/99/revoke", data={"csrf": csrf}).status_code == 404
    assert organiser.client.post("/organiser/judges", data={"csrf": csrf, "name": " "}).status_code == 422
    again = organiser.client.post("/organiser/judges/1/link", data={"csrf": csrf}).text
    assert "Link for judge-1" in again


def test_without_a_session_the_organisers_page_is_not_there(organiser: Judging) -> None:
    organiser.client.cookies.clear()
    assert organiser.client.get("/organiser").status_code == 401


def test_the_organiser_cannot_judge(organiser: Judging) -> None:
    csrf = organiser.csrf(organiser.client.get("/organiser").text)
    assert organiser.client.post("/undo", data={"csrf": csrf}).status_code == 403


# The server -------------------------------------------------------------------------------------------------------
def test_a_session_outlives_the_server(make: Make) -> None:
    campaign = make()
    _, invitation = campaign.add_judge("Ada").result()
    cookies = httpx.Cookies()
    pages = []
    for _ in range(2):
        with (
            running_campaign(campaign) as address,
            httpx.Client(base_url=address, headers={"Origin": address}) as client,
        ):
            client.cookies = cookies
            if not pages:
                client.post("/join", data={"token": invitation})
            pages.append(client.get("/").text)
            cookies = httpx.Cookies({"betterthan": client.cookies["betterthan"]})
    assert Judging.csrf(pages[0]) == Judging.csrf(pages[1])
    assert Judging.lease(pages[0]) == Judging.lease(pages[1])


@pytest.mark.parametrize("host", ["0.0.0.0", "192.0.2.1", "::", "example.org", ""])
def test_other_addresses_need_encryption(make: Make, host: str) -> None:
    with pytest.raises(CampaignError) as refused:
        serve(make(), host)
    assert str(refused.value) == (
        f"serving on {host} would send sessions over the network unencrypted. "
        "Give a certificate and its key, say that an HTTPS proxy stands in front, or serve on 127.0.0.1."
    )


def test_a_port_that_is_taken_is_told(make: Make) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(ServingError, match=f"cannot listen on 127.0.0.1, port {port}"):
            serve(make(), port=port)


def test_missing_certificates_are_told(make: Make, tmp_path: Path) -> None:
    with pytest.raises(ServingError, match=r"there is no file .*nothing\.pem"):
        serve(make(), tls=Tls(tmp_path / "nothing.pem", tmp_path / "key.pem"))


def test_nobody_is_logged(make: Make, capfd: pytest.CaptureFixture[str]) -> None:
    campaign = make()
    _, invitation = campaign.add_judge("Ada").result()
    with running_campaign(campaign) as address, httpx.Client(base_url=address) as client:
        client.get(f"/join/{invitation}")
        client.get("/nothing")
    assert "".join(capfd.readouterr()) == ""


def test_organisers_enter_with_a_password(make: Make) -> None:
    campaign = make()
    stranger = Judging(campaign, InProcess(campaign))
    assert stranger.client.post("/login", data={"password": ""}).status_code == 403  # none is set
    campaign.set_password("correct horse battery").result()
    wrong = stranger.client.post("/login", data={"password": "correct horse"})
    assert wrong.status_code == 403
    assert "Wrong password" in wrong.text
    page = stranger.client.post("/login", data={"password": "correct horse battery"})
    assert page.url.path == "/organiser"
    assert "correct horse" not in campaign.store.notes("password")["organiser"]
    stranger.client.cookies.clear()
    codes = [stranger.client.post("/login", data={"password": f"guess {number}"}).status_code for number in range(10)]
    assert codes[-1] == 429
