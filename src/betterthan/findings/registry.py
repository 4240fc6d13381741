"""All kinds of findings: those declared in this package, and those that other packages bring by an entry point."""

import pkgutil
from importlib import import_module
from types import ModuleType

import betterthan.findings
from betterthan.errors import PlanError, nearest, need_text
from betterthan.findings.kind import Kind
from betterthan.plugins import loaded

#: Entry points of this group name a module that declares kinds.
GROUP = "betterthan.findings"


def all_kinds() -> dict[str, Kind]:
    """Return every kind of finding by its code, in alphabetical order."""
    modules: list[ModuleType] = [
        import_module(f"{betterthan.findings.__name__}.{module.name}")
        for module in pkgutil.iter_modules(betterthan.findings.__path__)
    ]
    modules += loaded(GROUP)
    kinds: dict[str, Kind] = {}
    for kind in (each for module in modules for each in vars(module).values() if isinstance(each, Kind)):
        if kinds.setdefault(kind.code, kind) is not kind:
            raise ValueError(f"two kinds of findings have the code {kind.code!r}")
    return dict(sorted(kinds.items()))


def explain(code: str) -> Kind:
    """Return what a finding's code means, why it matters and what to do; printing it shows the text.

    >>> explain("few-units").title
    'The result rests on few units'
    """
    need_text(code, "the code of a finding")
    kinds = all_kinds()
    if code not in kinds:
        raise PlanError(f"there is no finding with the code {code!r}", remedy=nearest(code, list(kinds)))
    return kinds[code]
