"""What all kinds of evidence have in common."""

from collections.abc import Sequence
from typing import Literal, Protocol, Self

from betterthan.evidence.account import Account

Kind = Literal["judgments", "rankings", "scores"]


class Evidence(Protocol):
    """What people bring: judgments, rankings or scores, of one data set or several."""

    @property
    def kind(self) -> str:
        """Judgments, rankings or scores."""

    @property
    def name(self) -> str:
        """What to call the evidence in a message."""

    @property
    def systems(self) -> tuple[str, ...]:
        """All systems, sorted."""

    @property
    def account(self) -> Account:
        """What became of the rows."""

    def data_sets(self) -> Sequence[tuple[str, Self]]:
        """Return the evidence of every data set with its title, which is empty where nothing tells data sets apart."""

    @property
    def left_out(self) -> Account | None:
        """What became of all rows before data sets were told apart; rows that belong to none are refused in it."""

    def close(self) -> None:
        """Give back files that are open."""
