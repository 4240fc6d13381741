"""betterthan: turn evaluation evidence into rankings you can defend."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from betterthan.duel.all_pairs import AllPairs, compare_all
    from betterthan.duel.compare import compare
    from betterthan.duel.duel import Duel
    from betterthan.errors import BetterthanError, EvidenceError, MissingExtraError, ModelError, PlanError
    from betterthan.evidence.judgments import Judgments
    from betterthan.evidence.rankings import Rankings
    from betterthan.evidence.read import read, read_judgments, read_rankings, read_runs, read_scores
    from betterthan.evidence.scores import Scores
    from betterthan.findings import Finding
    from betterthan.infer.disagreement import Disagreement
    from betterthan.leaderboard.board import Leaderboard
    from betterthan.leaderboard.boards import Leaderboards
    from betterthan.leaderboard.rank import rank
    from betterthan.plan import Plan
    from betterthan.signature import Signature

#: Public names and where they live; each is imported when it is first used, so that `import betterthan` is instant.
_HOMES = {
    "AllPairs": "duel.all_pairs",
    "BetterthanError": "errors",
    "Disagreement": "infer.disagreement",
    "Duel": "duel.duel",
    "EvidenceError": "errors",
    "Finding": "findings",
    "Judgments": "evidence.judgments",
    "Leaderboard": "leaderboard.board",
    "Leaderboards": "leaderboard.boards",
    "MissingExtraError": "errors",
    "ModelError": "errors",
    "Plan": "plan",
    "PlanError": "errors",
    "Rankings": "evidence.rankings",
    "Scores": "evidence.scores",
    "Signature": "signature",
    "compare": "duel.compare",
    "compare_all": "duel.all_pairs",
    "rank": "leaderboard.rank",
    "read": "evidence.read",
    "read_judgments": "evidence.read",
    "read_rankings": "evidence.read",
    "read_runs": "evidence.read",
    "read_scores": "evidence.read",
}

__all__ = [
    "AllPairs",
    "BetterthanError",
    "Disagreement",
    "Duel",
    "EvidenceError",
    "Finding",
    "Judgments",
    "Leaderboard",
    "Leaderboards",
    "MissingExtraError",
    "ModelError",
    "Plan",
    "PlanError",
    "Rankings",
    "Scores",
    "Signature",
    "compare",
    "compare_all",
    "rank",
    "read",
    "read_judgments",
    "read_rankings",
    "read_runs",
    "read_scores",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'betterthan' has no attribute {name!r}")
    value = getattr(import_module(f"betterthan.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOMES])
