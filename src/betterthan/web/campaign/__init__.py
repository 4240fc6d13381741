"""Web pages and an API for judges."""

from importlib.util import find_spec

from betterthan.base import MissingExtraError

for _part in ("fastapi", "jinja2", "python_multipart", "uvicorn"):
    if find_spec(_part) is None:
        raise MissingExtraError(_part, "campaign", "serving a campaign")
