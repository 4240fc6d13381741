"""JSON schemas of results, generated from the declared types."""

from collections.abc import Mapping, Sequence
from dataclasses import is_dataclass
from importlib import import_module
from pkgutil import iter_modules
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from betterthan.evidence import Reading
from betterthan.findings import Finding
from betterthan.present import json_document
from betterthan.results.result import Result

_PLAIN = {str: "string", bool: "boolean", int: "integer", float: "number", NoneType: "null"}


def schema_of(result: type[Result]) -> dict[str, Any]:
    """Return the JSON schema of a result's document."""
    head = {name: {"type": "string"} for name in ("betterthan", "schema", "signature")}
    head["schema"] = {"const": result.schema}
    own = {"settings": _schema(_type_of(result, "settings")), **_properties(result)}
    shared = {"read_as": _schema(Reading | None), "findings": _schema(tuple[Finding, ...])}
    properties = {**head, **own, **shared}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": result.schema,
        "description": (result.__doc__ or "").split("\n")[0],
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _properties(kind: type[Any]) -> dict[str, Any]:
    return {name: _schema(_type_of(kind, attribute)) for name, attribute in json_document.held(kind).items()}


class _Exports(dict[str, Any]):
    """What the package of a module defines: types that the module itself imports on first use only."""

    def __init__(self, module: str) -> None:
        super().__init__()
        self._package = import_module(module.rpartition(".")[0])

    def __missing__(self, name: str) -> Any:
        if hasattr(self._package, name):
            return getattr(self._package, name)
        own = f"{self._package.__name__}."
        for module in iter_modules(getattr(self._package, "__path__", ()), own):
            found = getattr(import_module(module.name), name, None)
            if getattr(found, "__module__", None) == module.name:
                return found
        raise KeyError(name)


def _type_of(kind: type[Any], attribute: str) -> Any:
    """Return the declared type of an attribute: a field's, or what a property returns."""
    found = getattr(kind, attribute, None)
    function = getattr(found, "fget", None) or getattr(found, "func", None)
    if function is not None:
        return get_type_hints(function, localns=_Exports(function.__module__), include_extras=True)["return"]
    return get_type_hints(kind, localns=_Exports(kind.__module__), include_extras=True)[attribute]


def _schema(hint: Any) -> dict[str, Any]:
    origin, inner = get_origin(hint), get_args(hint)
    if hint in _PLAIN:
        return {"type": _PLAIN[hint]}
    if origin in {UnionType, Union}:
        return {"anyOf": [_schema(each) for each in inner]}
    if origin is Literal:
        return {"enum": list(inner)}
    if origin is Annotated:  # an object that other packages may add to
        return {**_object(inner[1]), "additionalProperties": True}
    if origin in {list, Sequence} or (origin is tuple and inner[-1] is Ellipsis):
        return {"type": "array", "items": _schema(inner[0])}
    if origin is tuple:
        return {"type": "array", "prefixItems": [_schema(each) for each in inner], "minItems": len(inner)}
    if origin in {dict, Mapping}:
        return {"type": "object", "additionalProperties": _schema(inner[1])}
    if is_dataclass(hint):
        return _object(hint)
    return {}  # anything


def _object(kind: Any) -> dict[str, Any]:
    properties = _properties(kind)
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}
