"""Generate the sections `Parameters` and `Returns` of a verb's docstring from its options."""

from collections.abc import Iterable, Mapping
from inspect import Parameter, cleandoc
from typing import Any

from betterthan.options.fields.declare import About, Declared, declared_options

#: How the type of an option is called, by its sort.
_TYPES = {
    "flag": "bool",
    "whole": "int",
    "number": "float",
    "text": "str",
    "path": "str or path",
    "texts": "list of str",
    "wholes": "list of int",
    "numbers": "list of float",
    "pairs": "dict of str to str",
    "conditions": "str, list of str or dict",
    "groups": "dict or list of str",
    "flag or text": "bool or str",
    "flag or texts": "bool or list of str",
    "function": "function",
}
#: The entries of a class of options by name; several verbs may share them.
_WRITTEN: dict[type[Any], Mapping[str, str]] = {}
_WIDTH = 100


def documented(docstring: str | None, parameters: Iterable[Parameter], options: type[Any], returned: Any) -> str:
    """Return a verb's docstring with its parameters and what it returns, before its example.

    >>> from inspect import signature
    >>> from betterthan.options.items import ItemsOptions
    >>> print(documented("Fit.", signature(ItemsOptions).parameters.values(), ItemsOptions, None).partition("thr")[0])
    Fit.
    <BLANKLINE>
    Parameters
    ----------
    model : {'2pl', 'rasch'}, default '2pl'
        Items differ in difficulty and discrimination (2pl), or in difficulty alone (rasch).
    <BLANKLINE>
    """
    about, mark, example = cleandoc(docstring or "").partition(">>> ")
    known = _entries(options)
    entries = [known.get(each.name) or _argument(each, options.arguments) for each in parameters]
    parts = [about.rstrip(), _section("Parameters", "\n".join(entries))]
    if returned is not None:
        parts.append(_section("Returns", _returns(returned)))
    if mark:
        parts.append(_section("Examples", mark + example))
    return "\n\n".join(parts) + "\n"


def _section(title: str, text: str) -> str:
    return f"{title}\n{'-' * len(title)}\n{text}"


def _entry(name: str, kind: str, text: str) -> str:
    lines = [f"{name} : {kind}"]
    while len(text) > _WIDTH:  # textwrap would take a millisecond for a verb, at every start
        end = text.rfind(" ", 0, _WIDTH)
        lines.append(f"    {text[:end]}")
        text = text[end + 1 :]
    return "\n".join([*lines, f"    {text}"])


def _argument(parameter: Parameter, known: Mapping[str, tuple[str, str]]) -> str:
    """Return the entry of an argument that comes before the options."""
    kind, text = known[parameter.name]
    return _entry(parameter.name, kind if parameter.default is Parameter.empty else f"{kind}, optional", text)


def _entries(options: type[Any]) -> Mapping[str, str]:
    if options not in _WRITTEN:
        every = declared_options(options).values()
        _WRITTEN[options] = {each.name: _entry(each.name, _type(each), _meaning(each)) for each in every}
    return _WRITTEN[options]


def _type(option: Declared) -> str:
    about, default = option.about, option.default
    if option.sort == "choice":
        kind = f"{{{', '.join(map(repr, about.choices))}}}"
    else:
        kind = about.typed or _TYPES.get(option.sort, "object")
    if default is None or default in ((), "") or callable(default):
        return f"{kind}, optional"
    return f"{kind}, default {list(default) if isinstance(default, tuple) else repr(default)}"


def _meaning(option: Declared) -> str:
    """Return the help of an option, its bounds and what holds by default."""
    about = option.about
    sentences = [about.help]
    if option.sort in {"whole", "number", "wholes", "numbers"} and (bounds := _bounds(about)):
        sentences.append(f"{bounds}.")
    if about.unsaid and option.default is None:
        sentences.append(f"Default: {about.unsaid}.")
    return " ".join(sentences)


def _bounds(about: About) -> str:
    """Return which numbers are allowed."""
    parts = [
        f"{words} {end:,}"
        for words, end in (
            ("at least", about.least),
            ("above", about.above),
            ("at most", about.most),
            ("below", about.below),
        )
        if end is not None and abs(end) < 1e100
    ]
    text = " and ".join(parts)
    return text[:1].upper() + text[1:]


def _returns(returned: Any) -> str:
    """Return the class of a result, with the first sentence of its docstring."""
    if not isinstance(returned, type):
        kinds = getattr(returned, "__args__", ())
        names = " or ".join(each.__name__ for each in kinds) or str(returned)
        return f"{names}\n    The evidence, of the kind that was found."
    about = cleandoc(returned.__doc__ or "").partition("\n\n")[0].replace("\n", " ")
    name = returned.__name__
    return _entry(name, "", about).replace(f"{name} : ", name, 1)
