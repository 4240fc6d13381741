"""Scripts of the repository that belong to no package: tests load them as modules."""

import importlib.util
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]


def load_script(place: str, name: str) -> Any:
    """Load a script by its place in the repository, under a name that no other module has."""
    spec = importlib.util.spec_from_file_location(name, ROOT / place)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module
