"""The battery for plug-ins: everything of ours passes, and it notices what is wrong."""

from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
import pytest

from betterthan.extend import FloatArray, FromCounts, PairCounts, Recognition, register_model, register_policy
from betterthan.models import base as models
from betterthan.models.base import build_model, known_models
from betterthan.readers.format import all_formats
from betterthan.testing import check_format, check_model, check_policy
from betterthan.verbs.collect.policies import base as policies
from betterthan.verbs.collect.policies.base import known_policies


@pytest.mark.parametrize(
    "model", [name for name in known_models() if name not in {"corpus", "corrected-mean", "corrected-bradley-terry"}]
)
def test_every_model_passes(model: str) -> None:
    check_model(model, seeds=1)


@pytest.mark.parametrize("name", all_formats())
def test_every_format_passes(name: str) -> None:
    check_format(all_formats()[name])


@pytest.mark.parametrize("policy", known_policies())
def test_every_policy_passes(policy: str) -> None:
    check_policy(policy, seeds=3)


def test_a_model_that_depends_on_names_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(models._MODELS, "_classes", dict(models._MODELS._classes))

    @register_model
    @dataclass(frozen=True, kw_only=True)
    class ByName(FromCounts):
        name: ClassVar[str] = "by-name"
        score: ClassVar[str] = "place in the alphabet"

        def strengths(self, counts: PairCounts, outcomes: FloatArray) -> FloatArray:
            places = np.arange(len(counts.systems), dtype=float)
            return np.repeat(places[:, None], outcomes.shape[-1], axis=1) if outcomes.ndim == 3 else places

    assert build_model("by-name").name == "by-name"
    with pytest.raises(AssertionError, match=r"by-name, relabelling \(seed 0\)"):
        check_model("by-name", seeds=1)


def test_a_policy_that_asks_what_is_not_allowed_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(policies._POLICIES, "_classes", dict(policies._POLICIES._classes))

    @register_policy
    @dataclass(frozen=True, kw_only=True)
    class Bold:
        name: ClassVar[str] = "bold"
        turns: ClassVar[bool] = False

        def chances(self, known: Any, pending: FloatArray, allowed: Any) -> FloatArray:
            return np.ones(len(allowed))

    with pytest.raises(AssertionError, match="a pair that is not allowed has a chance"):
        check_policy("bold")


def test_a_format_that_exaggerates_is_noticed() -> None:
    class Boaster(type(all_formats()["judgments"])):  # type: ignore[misc]
        surest: ClassVar[float] = 0.1

    with pytest.raises(AssertionError, match="more certain than `surest`"):
        check_format(Boaster())


def test_a_recognition_is_a_value() -> None:
    assert replace(Recognition(0.5, "a"), reason="b") == Recognition(0.5, "b")
