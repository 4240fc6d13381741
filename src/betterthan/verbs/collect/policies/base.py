"""The base class of policies, and their registry."""

from typing import ClassVar, Protocol

from betterthan.base import BoolArray, FloatArray, PlanError, Registry
from betterthan.verbs.collect.collection_state import CollectionState


class Policy(Protocol):
    """The protocol of policies: options are frozen in the constructor; choosing changes nothing.

    `turns` says that it goes from system to system: it has to look again after every single choice, because the next
    one depends on who has just been chosen.
    """

    name: ClassVar[str]
    turns: ClassVar[bool]

    def chances(self, known: CollectionState, pending: FloatArray, allowed: BoolArray) -> FloatArray:
        """Return the chance of each pair to be chosen next, up to a factor; none where nothing is worth asking.

        `pending` counts judgments that were requested and are not known yet.
        """


_POLICIES = Registry("policy", "betterthan.verbs.collect.policies", "betterthan.policies")
register_policy = _POLICIES.register


def known_policies() -> tuple[str, ...]:
    """Return the names of all policies."""
    return _POLICIES.names()


def policy_of(text: str) -> Policy:
    """Make a policy from `name` or `name(option=value, …)`.

    >>> policy_of("unresolved(explore=0.2)").explore
    0.2
    """
    if not isinstance(text, str):
        raise PlanError(f"a policy is a text such as {known_policies()[-2]!r}, got {text!r}.")
    try:
        policy: Policy = _POLICIES.make(text)
    except ValueError as error:
        raise PlanError(f"{error}.") from None
    return policy
