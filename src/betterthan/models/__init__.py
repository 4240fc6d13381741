"""Aggregation mechanisms, one file each: statistics in, a fit out.

The folders hold what families of models share: `likelihood/`, `ordered/` and `direct/`.
"""

from importlib import import_module
from pkgutil import iter_modules

# Every file here registers its model: a new model is one new file.
for _module in iter_modules(__path__):
    if not _module.ispkg:
        import_module(f"{__name__}.{_module.name}")
