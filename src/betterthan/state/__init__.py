"""Growing evidence: counts and judgments in memory or in a file, to which new ones are added."""

from typing import TYPE_CHECKING

from betterthan.base import lazy_exports

if TYPE_CHECKING:
    from betterthan.state import state_file as state_file
    from betterthan.state.growing_state import Start as Start
    from betterthan.state.growing_state import State as State
    from betterthan.state.state_file import load_state as load_state

__getattr__, __dir__ = lazy_exports(
    __name__,
    {
        "growing_state": "Start State",
        "state_file": "* load_state",
    },
)
