"""SciPy, loaded when it is first used: most small evidence is ranked without it, in less time than it takes to load."""

from importlib import import_module
from typing import Any


class _Late:
    """Stands for a package until something of it is asked for."""

    def __init__(self, package: str) -> None:
        self._package = package

    def __getattr__(self, name: str) -> Any:
        return getattr(import_module(self._package), name)


scipy: Any = _Late("scipy")
