"""Requests made up from the description of the API: no answer that it does not name, and no failure of the server."""

from collections.abc import Iterator
from functools import partial
from importlib import import_module
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from betterthan.web.campaign import campaign_guard as security
from betterthan.web.campaign.campaign_app import create_app
from betterthan.web.campaign.campaign_server import running_campaign
from betterthan.web.campaign.rate_limits import Limiter
from tests.web.campaign.conftest import Kept, material_of

schemathesis = import_module("schemathesis")


positive_data_acceptance = import_module("schemathesis.specs.openapi.checks").positive_data_acceptance


def _described() -> dict[str, Any]:
    with Kept.of() as campaign:
        return create_app(campaign).openapi()


description = schemathesis.openapi.from_dict(_described())


@pytest.fixture(scope="module")
def served() -> Iterator[tuple[Kept, str]]:
    with pytest.MonkeyPatch.context() as patch, Kept.of(material_of(200), way=3, overlap=9) as campaign:
        # So that requests are answered for what they say, and not for how many there are.
        patch.setattr(security, "Limiter", partial(Limiter, clock=iter(range(10**9)).__next__))
        with running_campaign(campaign) as address:
            yield campaign, address


@description.parametrize()
@settings(max_examples=40, suppress_health_check=list(HealthCheck))
def test_nothing_is_answered_that_is_not_described(case: Any, served: tuple[Kept, str]) -> None:
    campaign, address = served
    judge, invitation = campaign.add_judge("a program").result()
    session = campaign.enter(invitation).result()
    held = campaign.hand_out(judge.number).result().tasks
    # What is valid in form is sent about a task that the judge holds; what is not stays as it was made up.
    if "lease" in (case.path_parameters or {}) and case.meta.generation.mode == schemathesis.GenerationMode.POSITIVE:
        case.path_parameters["lease"] = held[0].lease
    headers = {} if "Authorization" in (case.headers or {}) else {"Authorization": f"Bearer {session}"}
    # Criteria and the number of cards are those of the task: the description cannot say which answers fit it.
    fits = [positive_data_acceptance] if case.path.endswith("/answer") else []
    case.call_and_validate(base_url=address, headers=headers, excluded_checks=fits)
