"""Modules that are imported on first use."""

import sys
from importlib.util import LazyLoader, find_spec, module_from_spec


def postpone(package: str, *names: str) -> None:
    """Load some modules of a package only when something in them is used.

    `scipy.sparse` asks NumPy for everything that NumPy can offer, its tools for testing and for Fortran included.
    """
    parent = __import__(package)
    for name in names:
        whole = f"{package}.{name}"
        spec = find_spec(whole) if whole not in sys.modules else None
        if spec is None or spec.loader is None:
            continue
        spec.loader = LazyLoader(spec.loader)
        module = sys.modules[whole] = module_from_spec(spec)
        spec.loader.exec_module(module)
        setattr(parent, name, module)
