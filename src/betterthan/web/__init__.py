"""Pages and an API for people and programs that judge."""

from importlib.util import find_spec

from betterthan.errors import MissingExtraError

for _part in ("fastapi", "jinja2", "python_multipart", "uvicorn"):
    if find_spec(_part) is None:
        raise MissingExtraError(_part, "campaign", "serving a campaign")
