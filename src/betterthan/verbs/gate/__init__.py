"""Gates: whether a new version is not worse than an old one, for CI jobs."""

from typing import TYPE_CHECKING

from betterthan.base import lazy_exports

if TYPE_CHECKING:
    from betterthan.verbs.gate.gate_result import Gate as Gate
    from betterthan.verbs.gate.gate_versions import gate as gate

__getattr__, __dir__ = lazy_exports(
    __name__,
    {
        "gate_result": "Gate",
        "gate_versions": "gate",
    },
)
