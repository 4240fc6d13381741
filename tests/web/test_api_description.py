"""Requests made up from the description of the API: no answer that it does not name, and no failure of the server."""

import os
from collections.abc import Iterator
from functools import partial
from importlib import import_module
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from betterthan.options.campaign import CampaignOptions
from betterthan.web import security
from betterthan.web.app import create_app
from betterthan.web.limits import Limiter
from betterthan.web.server import running
from tests.web.conftest import Remembered, material_of

if not os.environ.get("CI"):
    pytest.importorskip("schemathesis", reason="schemathesis is not installed")
schemathesis = import_module("schemathesis")


positive_data_acceptance = import_module("schemathesis.specs.openapi.checks").positive_data_acceptance
description = schemathesis.openapi.from_dict(create_app(Remembered(material_of(1), CampaignOptions())).openapi())


@pytest.fixture(scope="module")
def served() -> Iterator[tuple[Remembered, str]]:
    campaign = Remembered(material_of(500), CampaignOptions(way=3))
    with pytest.MonkeyPatch.context() as patch:
        # So that requests are answered for what they say, and not for how many there are.
        patch.setattr(security, "Limiter", partial(Limiter, clock=iter(range(10**9)).__next__))
        with running(campaign) as address:
            yield campaign, address


@description.parametrize()
@settings(max_examples=40, suppress_health_check=list(HealthCheck))
def test_nothing_is_answered_that_is_not_described(case: Any, served: tuple[Remembered, str]) -> None:
    campaign, address = served
    _, invitation = campaign.add_judge("a program").result()
    session = campaign.enter(invitation).result()
    held = campaign.hand_out(len(campaign.people)).result().tasks
    # What is valid in form is sent about a task that the judge holds; what is not stays as it was made up.
    if "lease" in (case.path_parameters or {}) and case.meta.generation.mode == schemathesis.GenerationMode.POSITIVE:
        case.path_parameters["lease"] = held[0].lease
    headers = {} if "Authorization" in (case.headers or {}) else {"Authorization": f"Bearer {session}"}
    # Criteria and the number of cards are those of the task: the description cannot say which answers fit it.
    fits = [positive_data_acceptance] if case.path.endswith("/answer") else []
    case.call_and_validate(base_url=address, headers=headers, excluded_checks=fits)
