"""Parse a pickle as data: names and what would be called with what; nothing is imported and nothing is called.

`pickle.loads` runs whatever a file names, so a file of someone else can do anything. This parser goes through the same
instructions, and keeps a call as a record of its name and its arguments. Names that no data frame needs are refused.
"""

import pickletools
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from betterthan.base import EvidenceError

#: The names that data frames and dictionaries of them are made of, in all versions of pandas and NumPy.
_KNOWN: Final = frozenset(
    {
        *(f"pandas.core.frame.{name}" for name in ("DataFrame",)),
        *(f"pandas.{name}" for name in ("DataFrame", "Index", "RangeIndex", "StringDtype")),
        *(f"pandas.core.internals.{name}" for name in ("BlockManager", "managers.BlockManager")),
        "pandas._libs.internals._unpickle_block",
        *(
            f"pandas.{module}.{name}"
            for module in ("core.indexes.base", "indexes.base", "core.indexes.range", "indexes.range")
            for name in ("Index", "RangeIndex", "_new_Index")
        ),
        *(f"pandas.core.indexes.numeric.{name}" for name in ("Int64Index", "Float64Index", "UInt64Index")),
        *(f"pandas.indexes.numeric.{name}" for name in ("Int64Index", "Float64Index")),
        *(f"pandas.{module}.ArrowStringArray" for module in ("arrays", "core.arrays.string_arrow")),
        *(f"pandas.{module}.StringArray" for module in ("arrays", "core.arrays.string_")),
        "pandas._libs.arrays.__pyx_unpickle_NDArrayBacked",
        "pandas.core.arrays.string_.StringDtype",
        *(f"pyarrow.lib.{name}" for name in ("_restore_array", "type_for_alias", "py_buffer")),
        *(f"numpy.{name}" for name in ("dtype", "ndarray")),
        *(f"numpy.{core}.multiarray.{name}" for core in ("core", "_core") for name in ("_reconstruct", "scalar")),
        *(f"numpy.{core}.numeric._frombuffer" for core in ("core", "_core")),
        *(f"{module}.{name}" for module in ("builtins", "__builtin__") for name in ("slice", "bytearray", "dict")),
        "_codecs.encode",
        *(f"collections.{name}" for name in ("defaultdict", "OrderedDict")),
    }
)
#: Instructions that put one value on the stack: what they carry is the value.
_VALUES: Final = frozenset(
    {
        *("INT", "BININT", "BININT1", "BININT2", "LONG", "LONG1", "LONG4", "FLOAT", "BINFLOAT"),
        *("UNICODE", "BINUNICODE", "SHORT_BINUNICODE", "BINUNICODE8", "STRING", "BINSTRING", "SHORT_BINSTRING"),
        *("BINBYTES", "SHORT_BINBYTES", "BINBYTES8", "BYTEARRAY8"),
    }
)
_CONSTANTS: Final[Mapping[str, Any]] = {"NONE": None, "NEWTRUE": True, "NEWFALSE": False}
_TUPLES: Final = {"EMPTY_TUPLE": 0, "TUPLE1": 1, "TUPLE2": 2, "TUPLE3": 3}
_REMEDY = "Save the scores as CSV or Parquet where the file was made, and read those."


@dataclass(frozen=True)
class Name:
    """A name that the stream refers to: a class or a function, which is never looked up."""

    full: str


@dataclass(eq=False)
class Call:
    """What would be made by calling a name: its arguments, and the state that it would be given."""

    name: str
    arguments: tuple[Any, ...]
    state: Any = None
    items: dict[Any, Any] = field(default_factory=dict)


class _Mark:
    pass


_MARK = _Mark()


def parse_pickle(content: bytes, where: str) -> Any:
    """Return what a pickle holds: plain values, tuples, lists, dictionaries, and calls that were not made.

    >>> parse_pickle(b"(lp0\\nI3\\naI4\\na.", "a file")
    [3, 4]
    """
    try:
        return _Parser(where).run(content)
    except (ValueError, IndexError, KeyError, TypeError, AttributeError, OverflowError) as error:
        said = " ".join(str(error).split())[:100]
        raise EvidenceError(
            f"is no complete pickle ({said})", where=where, remedy="Check whether it is whole."
        ) from None


class _Parser:
    def __init__(self, where: str) -> None:
        self.where = where
        self.stack: list[Any] = []
        self.memo: dict[int, Any] = {}

    def run(self, content: bytes) -> Any:
        for opcode, argument, _ in pickletools.genops(content):
            name = opcode.name
            if name == "STOP":
                return self.stack.pop()
            if name in _VALUES:
                self.stack.append(argument)
            elif name in _CONSTANTS:
                self.stack.append(_CONSTANTS[name])
            elif name in _TUPLES:
                self._take(_TUPLES[name])
            elif name in _STEPS:
                _STEPS[name](self, argument)
            elif name not in {"PROTO", "FRAME"}:
                raise EvidenceError(
                    f"uses the instruction {name}, which no data frame needs", where=self.where, remedy=_REMEDY
                )
        raise AssertionError  # a stream without an end is refused by `genops`

    def _take(self, number: int) -> None:
        start = len(self.stack) - number
        if start < 0 or _MARK in self.stack[start:]:
            raise ValueError("a value is missing")
        self.stack[start:] = [tuple(self.stack[start:])]

    def _pop(self) -> Any:
        value = self.stack.pop()
        if value is _MARK:
            raise ValueError("a value is missing")
        return value

    def _since_mark(self) -> list[Any]:
        start = next((place for place in range(len(self.stack) - 1, -1, -1) if self.stack[place] is _MARK), None)
        if start is None:
            raise ValueError("a mark is missing")
        values = self.stack[start + 1 :]
        del self.stack[start:]
        return values

    def _named(self, full: str) -> None:
        if full not in _KNOWN:
            raise EvidenceError(f"names {full}, which no data frame needs", where=self.where, remedy=_REMEDY)
        self.stack.append(Name(full))

    def name(self, argument: str) -> None:
        self._named(argument.replace(" ", "."))

    def stacked_name(self, _: Any) -> None:
        name, module = self._pop(), self._pop()
        self._named(f"{module}.{name}")

    def call(self, _: Any) -> None:
        arguments, function = self._pop(), self._pop()
        if not isinstance(function, Name) or not isinstance(arguments, tuple):
            raise EvidenceError("calls what has no name", where=self.where, remedy=_REMEDY)
        self.stack.append(Call(function.full, arguments))

    def build(self, _: Any) -> None:
        state, made = self._pop(), self.stack[-1]
        if not isinstance(made, Call):
            raise EvidenceError("gives a state to a plain value", where=self.where, remedy=_REMEDY)
        made.state = state

    def put(self, argument: int | None) -> None:
        self.memo[len(self.memo) if argument is None else argument] = self.stack[-1]

    def get(self, argument: int) -> None:
        self.stack.append(self.memo[argument])

    def append(self, _: Any) -> None:
        value = self._pop()
        self._list().append(value)

    def appends(self, _: Any) -> None:
        values = self._since_mark()
        self._list().extend(values)

    def set_item(self, _: Any) -> None:
        value, key = self._pop(), self._pop()
        self._dictionary([key, value])

    def set_items(self, _: Any) -> None:
        self._dictionary(self._since_mark())

    def dictionary(self, _: Any) -> None:
        values = self._since_mark()
        self.stack.append({})
        self._dictionary(values)

    def _list(self) -> list[Any]:
        if not isinstance(self.stack[-1], list):
            raise ValueError("a list is missing")
        return self.stack[-1]

    def _dictionary(self, values: list[Any]) -> None:
        into = self.stack[-1].items if isinstance(self.stack[-1], Call) else self.stack[-1]
        if not isinstance(into, dict):
            raise ValueError("a dictionary is missing")
        keys = values[::2]
        # The hash of a tuple of tuples can take forever.
        if any(not isinstance(key, str | int | float | None) for key in keys):
            raise EvidenceError("has a key that is neither a text nor a number", where=self.where, remedy=_REMEDY)
        into.update(zip(keys, values[1::2], strict=True))


_STEPS: Final[Mapping[str, Callable[[_Parser, Any], None]]] = {
    "GLOBAL": _Parser.name,
    "STACK_GLOBAL": _Parser.stacked_name,
    "REDUCE": _Parser.call,
    "NEWOBJ": _Parser.call,
    "BUILD": _Parser.build,
    **dict.fromkeys(("PUT", "BINPUT", "LONG_BINPUT", "MEMOIZE"), _Parser.put),
    **dict.fromkeys(("GET", "BINGET", "LONG_BINGET"), _Parser.get),
    "APPEND": _Parser.append,
    "APPENDS": _Parser.appends,
    "SETITEM": _Parser.set_item,
    "SETITEMS": _Parser.set_items,
    "DICT": _Parser.dictionary,
    "MARK": lambda parser, _: parser.stack.append(_MARK),
    "EMPTY_LIST": lambda parser, _: parser.stack.append([]),
    "EMPTY_DICT": lambda parser, _: parser.stack.append({}),
    "TUPLE": lambda parser, _: parser.stack.append(tuple(parser._since_mark())),
    "LIST": lambda parser, _: parser.stack.append(parser._since_mark()),
    "POP": lambda parser, _: parser.stack.pop() and None,
}
