"""The protocol that all kinds of evidence implement, and what they share."""

from collections.abc import Sequence
from typing import Literal, Protocol, Self

from betterthan.evidence.rows.account import Account

Kind = Literal["judgments", "rankings", "scores"]


class Evidence(Protocol):
    """Evidence: judgments, rankings or scores, of one data set or several."""

    @property
    def kind(self) -> str:
        """Judgments, rankings or scores."""

    @property
    def name(self) -> str:
        """The name of the evidence in messages."""

    @property
    def systems(self) -> tuple[str, ...]:
        """All systems, sorted."""

    @property
    def account(self) -> Account:
        """The row account."""

    def data_sets(self) -> Sequence[tuple[str, Self]]:
        """Return the evidence of every data set with its title, which is empty if there is only one."""

    @property
    def left_out(self) -> Account | None:
        """The row account before splitting into data sets; rows that belong to none are refused in it."""

    def close(self) -> None:
        """Close open files."""


class Closing:
    """A context manager that closes open files; most evidence holds none."""

    def close(self) -> None:
        """Close open files."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
