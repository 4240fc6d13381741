"""Replay a log into a state, and refuse a log that contradicts itself."""

import gc
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from betterthan.campaign.campaign_errors import ConflictError
from betterthan.campaign.log.campaign_state import CampaignState
from betterthan.campaign.log.events import Event
from betterthan.campaign.material.material import Material


def replayed_campaign(material: Material, events: Iterable[Event]) -> CampaignState:
    """Return the state that follows from a whole log."""
    state = CampaignState(material.systems, len(material.items))
    replay(state, events)
    if not state.number:
        raise ConflictError("the log is empty")
    return state


@contextmanager
def _collecting_later() -> Iterator[None]:
    """Everything that is made here stays: looking for garbage again and again takes a third of the time."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def replay(state: CampaignState, events: Iterable[Event]) -> None:
    """Apply the next lines of the log; refuse one that is missing, or that does not follow from what came before."""
    with _collecting_later():
        _apply(state, events)


def _apply(state: CampaignState, events: Iterable[Event]) -> None:
    for event in events:
        if event.number != state.number + 1:
            raise ConflictError(f"the log jumps from line {state.number} to line {event.number}")
        try:
            state.apply(event)
        except (LookupError, AttributeError, TypeError, ValueError, OverflowError) as error:
            why = f"{type(error).__name__}: {error}"
            raise ConflictError(
                f"line {event.number} of the log ({event.kind}) does not fit what came before: {why}"
            ) from None
