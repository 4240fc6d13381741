"""The core names options by `spelling.option`, so that every front end shows its own spelling."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import betterthan

SOURCE = Path(betterthan.__file__).parent
FLAG = re.compile(r"(?:^|[ ('\"`])--[a-z{]")
#: Where flags belong: the command line, the table of their spellings, and the commands of programs that fetch files.
ALLOWED = ("cli/", "base/spelling.py", "engine/files/remote_addresses.py")
MODULES = {path.relative_to(SOURCE).as_posix(): path for path in sorted(SOURCE.rglob("*.py"))}


def _texts(source: str) -> Iterator[str]:
    """Yield every text of a module but its docstrings; of an f-string the parts, a field shown as {}."""
    tree = ast.parse(source)
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    docstrings = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, documented) and node.body and isinstance(node.body[0], ast.Expr)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            yield "".join(part.value if isinstance(part, ast.Constant) else "{}" for part in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings:
            yield node.value


def test_no_text_of_the_core_speaks_command_line() -> None:
    core = {name: path.read_text("utf-8") for name, path in MODULES.items() if not name.startswith(ALLOWED)}
    assert [(name, text) for name, source in core.items() for text in _texts(source) if FLAG.search(text)] == []


@pytest.mark.parametrize("text", ['print("use --ci none")', 'f"--{role}s"', 'f"pass (--{role} NAME)"'])
def test_a_flag_would_be_found(text: str) -> None:
    assert any(FLAG.search(each) for each in _texts(text))
