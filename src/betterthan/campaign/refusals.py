"""Why a campaign does not do what it is asked to: each is one sentence, and one code of HTTP."""

from betterthan.errors import BetterthanError


class CampaignError(BetterthanError):
    """A campaign cannot do this; `code` is what a server answers with."""

    code = 400


class UnknownError(CampaignError):
    """There is no such thing, or it belongs to somebody else."""

    code = 404


class ForbiddenError(CampaignError):
    """Who asks may not, or may not any more."""

    code = 403


class ConflictError(CampaignError):
    """Something else was said before."""

    code = 409


class BusyError(CampaignError):
    """The store does not take anything right now; what was sent was not kept, and may be sent again."""

    code = 503
