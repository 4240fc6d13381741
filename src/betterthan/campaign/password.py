"""Passwords of organisers: kept as Argon2 hashes, checked outside the thread that writes."""

from functools import cache
from typing import Any

from betterthan.campaign.refusals import CampaignError
from betterthan.errors import MissingExtraError

#: Characters that a password has at least, and at most.
_SHORTEST, _LONGEST = 10, 1000


def hashed_password(password: str) -> str:
    """Return what is kept of a password: a tenth of a second of work, so that guessing takes long."""
    if not _SHORTEST <= len(password) <= _LONGEST:
        raise CampaignError(f"a password has {_SHORTEST} to {_LONGEST:,} characters")
    found: str = _hasher().hash(password)
    return found


def is_password(password: str, kept: str) -> bool:
    """Say whether a password is the one whose hash was kept."""
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
