"""Policies of choosing pairs, one file each: what is known in, chances of the pairs out."""

from importlib import import_module
from pkgutil import iter_modules

# Every file here registers its policy: a new policy is one new file.
for _module in iter_modules(__path__):
    import_module(f"{__name__}.{_module.name}")
