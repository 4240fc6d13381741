"""The row account: kept + refused = read."""

from collections.abc import Sequence
from dataclasses import dataclass

from betterthan.base import EvidenceError, UnclearError, spelling
from betterthan.engine import OnError


@dataclass(frozen=True)
class Refusal:
    """A reason for leaving rows out, and their number."""

    reason: str
    rows: int


@dataclass(frozen=True)
class Account:
    """The numbers of rows read, kept and refused."""

    read: int
    refusals: tuple[Refusal, ...] = ()

    @property
    def refused(self) -> int:
        """Rows left out."""
        return sum(refusal.rows for refusal in self.refusals)

    def rows_refused(self, reason: str) -> int:
        """Rows left out for one reason."""
        return sum(refusal.rows for refusal in self.refusals if refusal.reason == reason)

    @property
    def kept(self) -> int:
        """Rows the result is based on."""
        return self.read - self.refused


@dataclass(frozen=True)
class Fault:
    """Bad rows of one kind: where the first one is, what is wrong, what is allowed, what to do.

    Those that were `expected` are left out and counted, regardless of others. It is `unclear` where another reading of
    the columns may mend it.
    """

    reason: str
    rows: int
    where: str
    what: str
    remedy: str
    expected: bool = False
    unclear: bool = False

    @property
    def what_of_all(self) -> str:
        """The problem, and the number of rows that have it."""
        return f"{self.what} ({self.rows:,} such rows)" if self.rows > 1 else self.what


def settle(faults: Sequence[Fault], read: int, on_error: OnError, name: str) -> Account:
    """Stop at the first kind of fault, or count them all and continue, as `on_error` says."""
    wrong = [fault for fault in faults if not fault.expected]
    if wrong and on_error == "refuse":
        first = wrong[0]
        # Where most rows are bad, the rows are right and the reading is wrong.
        few = 2 * sum(fault.rows for fault in faults) < read
        skip = f" To leave out bad rows and count them, use {spelling.option('on_error', 'skip')}." if few else ""
        refusal = UnclearError if any(fault.unclear for fault in wrong) else EvidenceError
        raise refusal(first.what_of_all, where=first.where, remedy=f"{first.remedy}{skip}")
    account = Account(read, tuple(Refusal(fault.reason, fault.rows) for fault in faults))
    if read == 0:
        raise EvidenceError(
            "there are no rows",
            where=name,
            remedy=f"Give at least one row, and check {spelling.option('where')} if you gave it.",
        )
    if account.kept == 0:
        raise EvidenceError(
            f"all {read:,} rows were refused, the first because {faults[0].what}", where=name, remedy=faults[0].remedy
        )
    return account


def check_on_error(on_error: str) -> OnError:
    """Refuse anything but the two known words."""
    if on_error not in {"refuse", "skip"}:
        raise EvidenceError(f"{spelling.option('on_error')} must be refuse or skip, got {on_error!r}.")
    return on_error  # type: ignore[return-value]
