"""Keep the interfaces of packages: what each exports, and how many names cross their borders.

A package is a direct child of `betterthan/` or of `betterthan/verbs/`. Other packages import only from its `__init__`,
whose imports under TYPE_CHECKING say what it exports; the table below them, which loads each name on first use, is
written from those imports.

`python tools/interfaces.py` counts the names that cross borders; `--write` writes the tables; `--check` returns 1 where
a table is out of date, a file of another package is imported, or an exported name is used by nobody.
"""

import ast
import re
import subprocess
import sys
import textwrap
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src"
PACKAGE = "betterthan"
#: Modules that may import any file: they are what users and plug-ins import.
FACADES = {PACKAGE, f"{PACKAGE}.extend", f"{PACKAGE}.testing"}


def modules() -> dict[str, Path]:
    """Return every module of the package with its file."""
    found = {}
    for path in sorted((SOURCE / PACKAGE).rglob("*.py")):
        parts = path.relative_to(SOURCE).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def package_of(module: str) -> str:
    """Return the package whose interface a module lies behind."""
    parts = module.split(".")
    return ".".join(parts[: 3 if parts[1:2] == ["verbs"] else 2])


@dataclass(frozen=True)
class Import:
    """One name that a module imports from another."""

    importer: str
    module: str
    name: str
    line: int


def imports(module: str, path: Path, known: dict[str, Path]) -> Iterator[Import]:
    """Return what a module imports of ours."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == PACKAGE:
            for alias in node.names:
                yield Import(module, str(node.module), alias.name, node.lineno)
        elif isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name in known:
                    yield Import(module, alias.name, "*", node.lineno)


def crossing(known: dict[str, Path]) -> list[Import]:
    """Return the imports that cross the border of a package, apart from those of the public names of `betterthan`."""
    return [
        each
        for module, path in known.items()
        if module not in FACADES
        for each in imports(module, path, known)
        if package_of(each.module) not in (package_of(module), PACKAGE)
    ]


def exports(package: str, path: Path) -> dict[str, list[str]]:
    """Return what an interface exports: names by file below the package; a file that exports itself has `*`."""
    homes: dict[str, list[str]] = defaultdict(list)
    package = PACKAGE if package in FACADES else package
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for block in tree.body:
        if isinstance(block, ast.If) and isinstance(block.test, ast.Name) and block.test.id == "TYPE_CHECKING":
            for node in block.body:
                if isinstance(node, ast.ImportFrom) and str(node.module).startswith(package):
                    inside = str(node.module)[len(package) + 1 :]
                    for alias in node.names:
                        file = SOURCE.joinpath(*str(node.module).split("."), alias.name)
                        if file.with_suffix(".py").exists() or file.is_dir():
                            homes[f"{inside}.{alias.name}".lstrip(".")].append("*")
                        else:
                            homes[inside].append(alias.name)
    return dict(homes)


def offered(package: str, path: Path) -> set[str]:
    """Return every name that an interface has: what it exports, and what it imports or defines itself."""
    names = {
        name if name != "*" else home.split(".")[-1] for home, many in exports(package, path).items() for name in many
    }
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.ImportFrom):
            names |= {alias.asname or alias.name for alias in node.names}
        elif isinstance(node, ast.FunctionDef):
            names.add(node.name)
    return names


def with_table(package: str, text: str, homes: dict[str, list[str]]) -> str:
    """Return the text of an interface with its table of files and names."""
    lines = []
    for home, names in sorted(homes.items()):
        parts = textwrap.wrap(" ".join(sorted(names)), 80)
        quoted = " ".join(f'"{part} "' for part in parts[:-1]) + f' "{parts[-1]}"'
        lines.append(f'        "{home}": {quoted if len(parts) == 1 else f"({quoted})"},')
    below = [] if package != f"{PACKAGE}.extend" else [f'    "{PACKAGE}",']
    table = "\n".join(["__getattr__, __dir__ = lazy_exports(", "    __name__,", "    {", *lines, "    },", *below, ")"])
    return re.sub(r"__getattr__, __dir__ = lazy_exports\(\n.*?\n\)", lambda _: table, text, flags=re.S)


def problems(known: dict[str, Path]) -> Iterator[str]:
    """Return what is wrong with the interfaces."""
    interfaces = {package_of(module) for module in known} - {PACKAGE, *FACADES, f"{PACKAGE}.__main__"}
    for each in crossing(known):
        if each.module not in interfaces and each.module != PACKAGE:
            where = known[each.importer].relative_to(ROOT)
            yield f"{where}:{each.line}: imports {each.name} from {each.module}, a file of another package"
        elif each.module in interfaces and each.name not in offered(each.module, known[each.module]):
            yield f"{known[each.importer].relative_to(ROOT)}:{each.line}: {each.module} does not export {each.name}"
    used = {(each.module, each.name) for each in crossing(known)}
    used |= {
        (package_of(each.module), each.name)
        for module in FACADES & set(known)
        for each in imports(module, known[module], known)
    }
    for package in sorted(interfaces | (FACADES & set(known))):
        path = known[package]
        homes = exports(package, path)
        text = path.read_text(encoding="utf-8")
        if homes and formatted(with_table(package, text, homes)) != text:
            yield f"{path.relative_to(ROOT)}: the table is out of date; run tools/interfaces.py --write"
        if package in FACADES:
            continue
        names = {name if name != "*" else home.split(".")[-1] for home, many in homes.items() for name in many}
        for name in sorted(names):
            if (package, name) not in used:
                yield f"{path.relative_to(ROOT)}: exports {name}, which no other package uses"


def formatted(text: str) -> str:
    """Return a module as the formatter leaves it."""
    command = [sys.executable, "-m", "ruff", "format", "--config", str(ROOT / "pyproject.toml"), "-"]
    return subprocess.run(command, input=text, capture_output=True, text=True, check=True).stdout


def main() -> int:
    """Count, write or check."""
    known = modules()
    if "--write" in sys.argv:
        for module in sorted({package_of(each) for each in known} & set(known)):
            homes = exports(module, known[module])
            if homes:
                text = known[module].read_text(encoding="utf-8")
                known[module].write_text(formatted(with_table(module, text, homes)), encoding="utf-8")
        return 0
    if "--check" in sys.argv:
        found = list(problems(known))
        print("\n".join(found) or "interfaces: every import between packages goes through an __init__")
        return bool(found)
    by_package: dict[str, set[str]] = defaultdict(set)
    for each in crossing(known):
        by_package[package_of(each.module)].add(f"{each.module}:{each.name}")
    for package, names in sorted(by_package.items(), key=lambda each: -len(each[1])):
        print(f"{len(names):5} {package}")
    print(f"{sum(map(len, by_package.values())):5} names cross the borders of packages")
    return 0


if __name__ == "__main__":
    sys.exit(main())
