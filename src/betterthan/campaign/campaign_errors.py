"""Errors of campaigns: one sentence each, with an HTTP status code."""

from betterthan.base import BetterthanError


class CampaignError(BetterthanError):
    """A campaign refuses a request; `code` is the HTTP status code."""

    code = 400


class UnknownError(CampaignError):
    """The requested object does not exist, or belongs to someone else."""

    code = 404


class ForbiddenError(CampaignError):
    """The user has no permission, or no longer has it."""

    code = 403


class ConflictError(CampaignError):
    """Another answer was given before."""

    code = 409


class BusyError(CampaignError):
    """The store cannot be written right now; nothing was stored, and the request may be repeated."""

    code = 503
