"""A page on this machine alone: open files, change options, see boards, pairs, diagnosis and pictures at once."""

from importlib.util import find_spec

from betterthan.errors import MissingExtraError

for _part in ("jinja2", "starlette", "uvicorn"):
    if find_spec(_part) is None:
        raise MissingExtraError(_part, "web", "the workbench")
