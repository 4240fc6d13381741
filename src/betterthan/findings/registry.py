"""Registry of the kinds of findings, from this package and from plug-ins."""

import pkgutil
from importlib import import_module
from types import ModuleType

import betterthan.findings.kinds
from betterthan.base import PlanError, load_plugins, nearest, need_text
from betterthan.findings.kind import Kind

#: Entry points of this group name a module that declares kinds.
GROUP = "betterthan.findings"


def all_kinds() -> dict[str, Kind]:
    """Return every kind of finding by its code, in alphabetical order."""
    modules: list[ModuleType] = [
        import_module(f"{betterthan.findings.kinds.__name__}.{module.name}")
        for module in pkgutil.iter_modules(betterthan.findings.kinds.__path__)
    ]
    modules += load_plugins(GROUP)
    kinds: dict[str, Kind] = {}
    for kind in (each for module in modules for each in vars(module).values() if isinstance(each, Kind)):
        if kinds.setdefault(kind.code, kind) is not kind:
            raise ValueError(f"two kinds of findings have the code {kind.code!r}")
    return dict(sorted(kinds.items()))


def explain(code: str) -> Kind:
    """Return the meaning of a finding's code, why it matters and what to do; printing it shows the text.

    Parameters
    ----------
    code : str
        Code of a finding, such as 'few-units'.

    Returns
    -------
    Kind
        The description of the finding.

    Examples
    --------
    >>> explain("few-units").title
    'The result rests on few units'
    """
    need_text(code, "the code of a finding")
    kinds = all_kinds()
    if code not in kinds:
        raise PlanError(f"there is no finding with the code {code!r}", remedy=nearest(code, list(kinds)))
    return kinds[code]
