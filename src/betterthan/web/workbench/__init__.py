"""The workbench: a local page to open files, change options, and see boards, pairs, diagnosis and pictures."""

from importlib.util import find_spec

from betterthan.base import MissingExtraError

for _part in ("jinja2", "starlette", "uvicorn"):
    if find_spec(_part) is None:
        raise MissingExtraError(_part, "web", "the workbench")
