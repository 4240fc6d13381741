"""Collection: which pairs to judge next, by policies, and replays that measure what a policy saves."""

from typing import TYPE_CHECKING

from betterthan.base import lazy_exports

if TYPE_CHECKING:
    from betterthan.verbs.collect import collection_state as collection_state
    from betterthan.verbs.collect import trueskill_elicitation as trueskill_elicitation
    from betterthan.verbs.collect.collection_state import CollectionState as CollectionState
    from betterthan.verbs.collect.next_comparisons import next_matches as next_matches
    from betterthan.verbs.collect.pair_choice import draw_pairs as draw_pairs
    from betterthan.verbs.collect.policies.base import Policy as Policy
    from betterthan.verbs.collect.policies.base import known_policies as known_policies
    from betterthan.verbs.collect.policies.base import policy_of as policy_of
    from betterthan.verbs.collect.policy_outlook import outlook_of as outlook_of
    from betterthan.verbs.collect.replays import replay_run as replay_run
    from betterthan.verbs.collect.replays.replay_policies import replay as replay
    from betterthan.verbs.collect.replays.replay_world import ReplayWorld as ReplayWorld

__getattr__, __dir__ = lazy_exports(
    __name__,
    {
        "collection_state": "* CollectionState",
        "next_comparisons": "next_matches",
        "pair_choice": "draw_pairs",
        "policies.base": "Policy known_policies policy_of",
        "policy_outlook": "outlook_of",
        "replays.replay_policies": "replay",
        "replays.replay_run": "*",
        "replays.replay_world": "ReplayWorld",
        "trueskill_elicitation": "*",
    },
)
