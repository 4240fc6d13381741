"""Passwords of organisers, stored as Argon2 hashes and verified outside the writer thread."""

from functools import cache
from typing import Any

from betterthan.base import MissingExtraError
from betterthan.campaign.campaign_errors import CampaignError

#: Characters that a password has at least, and at most.
_SHORTEST, _LONGEST = 10, 1000


def hashed_password(password: str) -> str:
    """Return the stored form of a password; computing it takes a tenth of a second, to slow down guessing."""
    if not _SHORTEST <= len(password) <= _LONGEST:
        raise CampaignError(f"a password has {_SHORTEST} to {_LONGEST:,} characters")
    found: str = _hasher().hash(password)
    return found


def is_password(password: str, kept: str) -> bool:
    """Return whether a password matches the stored hash."""
    from argon2.exceptions import InvalidHashError, VerificationError  # noqa: PLC0415 (an extra)

    try:
        return bool(kept) and len(password) <= _LONGEST and bool(_hasher().verify(kept, password))
    except (InvalidHashError, VerificationError):
        return False


@cache
def _hasher() -> Any:
    try:
        from argon2 import PasswordHasher  # noqa: PLC0415 (an extra)
    except ModuleNotFoundError:
        raise MissingExtraError("argon2-cffi", "campaign", "a password for organisers") from None
    return PasswordHasher()
