"""Every row is accounted for: kept + refused = read."""

from collections.abc import Sequence
from dataclasses import dataclass

from betterthan.engine.table import OnError
from betterthan.errors import EvidenceError


@dataclass(frozen=True)
class Refusal:
    """Why rows were left out, and how many."""

    reason: str
    rows: int


@dataclass(frozen=True)
class Account:
    """How many rows were read, and what became of them."""

    read: int
    refusals: tuple[Refusal, ...] = ()

    @property
    def refused(self) -> int:
        """Rows left out."""
        return sum(refusal.rows for refusal in self.refusals)

    @property
    def kept(self) -> int:
        """Rows the result rests on."""
        return self.read - self.refused


@dataclass(frozen=True)
class Fault:
    """Bad rows of one kind: where the first stands, what is wrong, what is allowed, what to do.

    Those that were `expected` are left out and counted, whatever is done about others.
    """

    reason: str
    rows: int
    where: str
    what: str
    remedy: str
    expected: bool = False

    def __str__(self) -> str:
        more = f" ({self.rows:,} such rows)" if self.rows > 1 else ""
        return f"{self.where}: {self.what}{more}. {self.remedy}"


def settle(faults: Sequence[Fault], read: int, on_error: OnError, name: str) -> Account:
    """Stop at the first kind of fault, or count them all and go on, as `on_error` says."""
    wrong = [fault for fault in faults if not fault.expected]
    if wrong and on_error == "refuse":
        skip = "To leave bad rows out and count them: --on-error skip (on_error='skip')."
        raise EvidenceError(f"{wrong[0]} {skip}")
    account = Account(read, tuple(Refusal(fault.reason, fault.rows) for fault in faults))
    if read == 0:
        raise EvidenceError(f"{name}: there are no rows. Give at least one row, and check --where if you gave it.")
    if account.kept == 0:
        raise EvidenceError(f"{name}: all {read:,} rows were refused; the first: {faults[0]}")
    return account


def check_on_error(on_error: str) -> OnError:
    """Refuse anything but the two known words."""
    if on_error not in {"refuse", "skip"}:
        raise EvidenceError(f"on_error must be 'refuse' or 'skip', got {on_error!r}.")
    return on_error  # type: ignore[return-value]
