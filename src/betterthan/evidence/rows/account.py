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
    skippable: bool = True  # False where rows can be read by another option, so that nobody should leave them out

    @property
    def what_of_all(self) -> str:
        """The problem, and the number of rows that have it."""
        return f"{self.what} ({self.rows:,} such rows)" if self.rows > 1 else self.what


def settle(faults: Sequence[Fault], read: int, on_error: OnError, name: str) -> Account:
    """Stop at bad rows and report all kinds of them, or count them and continue, as `on_error` says."""
    wrong = [fault for fault in faults if not fault.expected]
    bad = sum(fault.rows for fault in wrong)
    most = 2 * bad > read
    if wrong and on_error == "refuse":
        first, *others = wrong
        also = f" Other bad rows: {_listed(others)}." if others else ""
        skip = f" To leave out bad rows and count them, use {spelling.option('on_error', 'skip')}."
        advice = "" if most or not all(fault.skippable for fault in wrong) else skip
        refusal = UnclearError if any(fault.unclear for fault in wrong) else EvidenceError
        raise refusal(first.what_of_all, where=first.where, remedy=f"{first.remedy}{also}{advice}".strip())
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
    if most and on_error == "skip":
        rest = f"other {account.kept:,} rows" if account.kept > 1 else "one other row"
        raise EvidenceError(
            f"{bad:,} of {read:,} rows are bad: {_listed(wrong)}",
            where=name,
            remedy=f"Correct the file or the options. To use the {rest} nevertheless, pass "
            f"{spelling.option('on_error', 'skip-most')}.",
        )
    return account


def _listed(faults: Sequence[Fault]) -> str:
    """Return kinds of faults with their numbers of rows."""
    rows: dict[str, int] = {}
    for fault in faults:
        rows[fault.reason] = rows.get(fault.reason, 0) + fault.rows
    return ", ".join(f"{reason} ({number:,})" for reason, number in rows.items())


def check_on_error(on_error: str) -> OnError:
    """Refuse anything but the known words."""
    if on_error not in {"refuse", "skip", "skip-most"}:
        raise EvidenceError(f"{spelling.option('on_error')} must be refuse, skip or skip-most, got {on_error!r}.")
    return on_error  # type: ignore[return-value]
