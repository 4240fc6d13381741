"""Our own parsers under a fuzzer that looks at which code it reaches: `python -m fuzz.parsers NAME [--seconds 20] [--seed 1]`.

A parser may return something or raise one of our errors, whose sentence is short and can be printed. Everything else is
a failure, and atheris keeps the input that led to it.
"""

import sys
from collections.abc import Callable
from typing import Any

import atheris

with atheris.instrument_imports(include=["betterthan"]):
    from betterthan.base import registry
    from betterthan.base.errors import BetterthanError
    from betterthan.engine import conditions as row_conditions
    from betterthan.models.base import build_model
    from betterthan.options.rank import Plan
    from betterthan.readers.columns.order_texts import parse_order

PARSERS: dict[str, Callable[[str], Any]] = {
    "conditions": lambda text: [str(each) for each in row_conditions.parse_conditions(text)],
    "orders": parse_order,
    "models": lambda text: [build_model(each) for each in registry.split(text)],
    "signatures": lambda text: Plan.load(f"betterthan 0.2.0|verb:rank|{text}"),
}


def once(parse: Callable[[str], Any], data: bytes) -> None:
    """Parse a text that is made of bytes."""
    text = data.decode("utf-8", "ignore")
    try:
        parse(text)
    except BetterthanError as error:
        said = str(error)
        assert said.strip(), "an error without a sentence"
        assert len(said.splitlines()) <= 3, said


def main() -> None:
    """Fuzz one parser until time is up."""
    name, seconds, seed = sys.argv[1], sys.argv[3], sys.argv[5]
    parse = PARSERS[name]
    atheris.Setup(
        [
            sys.argv[0],
            f"-max_total_time={seconds}",
            f"-seed={seed}",
            "-verbosity=0",
            "-max_len=200",
            "-artifact_prefix=fuzz-failures/",
        ],
        lambda data: once(parse, data),
    )
    atheris.Fuzz()


if __name__ == "__main__":
    main()
