"""What keeps the code as it is meant: imports point down, what must be pure is, files and functions stay short.

import-linter holds the direction of imports as well; here stand the forms it does not see (dynamic and relative
imports, built-in doors to the outside), and what it does not judge.
"""

import ast
import importlib
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SOURCES = sorted((ROOT / "pbem").rglob("*.py"))
PURE = [path for path in SOURCES if path.relative_to(ROOT).parts[1] in ("core", "battles", "rulesets")]
SCRIPTS = [*SOURCES, *sorted((ROOT / "tools").rglob("*.py")), *sorted((ROOT / "tests").rglob("*.py"))]

LAYERS = (
    *("core", "battles", "rulesets", "mail storage reports web"),
    *("service", "scheduler", "hosting server", "app", "demo doctor", "cli"),
)
"""From the bottom up; those in one layer are strangers to each other."""

IMPURE = frozenset(
    re.findall(
        r"\w+",
        """
        asyncio concurrent datetime email http io locale logging multiprocessing os pathlib platform random secrets
        shutil signal smtplib socket sqlalchemy sqlite3 sqlmodel ssl subprocess sys tempfile threading time urllib uuid
        zoneinfo
        """,
    )
)
"""Modules by which a rule could look at the clock, the machine, or chance."""

DOORS = frozenset({"open", "input", "print", "eval", "exec", "compile", "__import__", "id"})
"""Built-in functions that do the same, or differ from run to run."""

LONGEST_FILE, LONGEST_FUNCTION = 500, 50


def name(path: Path) -> str:
    """A file as failures print it."""
    return str(path.relative_to(ROOT))


@cache
def tree(path: Path) -> ast.Module:
    """A file's syntax tree."""
    return ast.parse(path.read_text(encoding="utf-8"))


def imports(path: Path) -> Iterator[str]:
    """The full names that a file imports, wherever it does so."""
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def calls(path: Path) -> Iterator[str]:
    """The bare names that a file calls."""
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            yield node.func.id


def functions(path: Path) -> Iterator[tuple[str, ast.FunctionDef | ast.AsyncFunctionDef]]:
    """The functions of a file, nested ones too."""
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield f"{name(path)}:{node.lineno} {node.name}", node


def part_of(module: str) -> str:
    """``pbem.mail.reading.letter`` is part of ``mail``."""
    return module.split(".")[1] if module.startswith("pbem.") else ""


def layer(part: str) -> int:
    """How high a part lies; -1 for what any may import."""
    return next((height for height, parts in enumerate(LAYERS) if part in parts.split()), -1)


# --- imports ----------------------------------------------------------------------------------------------------------


def test_imports_point_down():
    assert {name(path): wrong for path in SOURCES if (wrong := _upward(path))} == {}


def _upward(path: Path) -> set[str]:
    """The parts that a file imports though they lie above it or beside it."""
    own = path.relative_to(ROOT).parts[1].removesuffix(".py")
    parts = {part_of(module) for module in imports(path)} - {own}
    return {part for part in parts if layer(part) >= layer(own) >= 0}


def test_only_the_composition_root_imports_rule_systems():
    outside = [path for path in SOURCES if path.relative_to(ROOT).parts[1] != "rulesets"]
    importers = {name(path) for path in outside for module in imports(path) if part_of(module) == "rulesets"}
    assert importers == {"pbem/hosting.py"}


def test_rule_systems_are_strangers():
    packages = [init.parent for init in (ROOT / "pbem" / "rulesets").glob("*/__init__.py")]
    foreign = {
        name(path): module
        for package in packages
        for path in package.rglob("*.py")
        for module in imports(path)
        if module.startswith("pbem.rulesets.") and module.split(".")[2] != package.name
    }
    assert foreign == {}


def test_no_import_hides():
    """Relative imports and imports by name cannot be seen by the guards of this file."""
    assert {name(path): hidden for path in SOURCES if (hidden := _hidden(path))} == {}


def _hidden(path: Path) -> list[str]:
    relative = [
        f"line {node.lineno}" for node in ast.walk(tree(path)) if isinstance(node, ast.ImportFrom) and node.level
    ]
    dynamic = [module for module in imports(path) if module.startswith(("importlib.import_module", "importlib.util"))]
    return [*relative, *dynamic, *(called for called in calls(path) if called == "__import__")]


# --- purity -----------------------------------------------------------------------------------------------------------


def test_rules_and_core_do_not_look_outside():
    assert {name(path): doors for path in PURE if (doors := _doors(path))} == {}


def _doors(path: Path) -> set[str]:
    """The modules and functions of a file by which something from outside could come in."""
    modules = set(imports(path))
    resources = {module for module in modules if module.startswith("importlib")} - {"importlib.resources.files"}
    return {module for module in modules if module.split(".")[0] in IMPURE} | resources | (set(calls(path)) & DOORS)


# --- short and told ---------------------------------------------------------------------------------------------------


def test_no_file_is_long():
    lengths = {name(path): len(path.read_text(encoding="utf-8").splitlines()) for path in SCRIPTS}
    assert {path: length for path, length in lengths.items() if length > LONGEST_FILE} == {}


def test_no_function_is_long():
    lengths = {where: (node.end_lineno or 0) - node.lineno + 1 for path in SCRIPTS for where, node in functions(path)}
    assert {where: length for where, length in lengths.items() if length > LONGEST_FUNCTION} == {}


def test_everything_public_says_what_it_is_for():
    assert [where for path in SOURCES for where in _untold(path)] == []


def _untold(path: Path) -> Iterator[str]:
    """Public modules, classes and functions without a docstring; what is nested in a function is not public."""
    module = tree(path)
    if not ast.get_docstring(module):
        yield name(path)
    yield from (f"{name(path)}:{node.lineno} {node.name}" for node in _public(module) if not ast.get_docstring(node))


def _public(parent: ast.Module | ast.ClassDef) -> Iterator[ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef]:
    """The public classes and functions of a module, and the public methods of those classes."""
    for node in parent.body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) and not node.name.startswith("_"):
            yield node
            if isinstance(node, ast.ClassDef):
                yield from _public(node)


def patterns() -> Iterator[tuple[str, str | bytes]]:
    """Every pattern that is written out in a call of ``re.compile``."""
    for path in SCRIPTS:
        for node in ast.walk(tree(path)):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "re.compile":
                first = node.args[0]
                if isinstance(first, ast.Constant) and isinstance(first.value, str | bytes):
                    yield name(path), first.value


def test_no_pattern_needs_a_newer_python():
    # Possessive repeats and atomic groups go wrong in groups before Python 3.11.4, which Debian 12 does not have.
    parse = importlib.import_module("re._parser").parse
    newer = ("POSSESSIVE_REPEAT", "ATOMIC_GROUP")
    assert [
        (where, pattern) for where, pattern in patterns() if any(word in str(parse(pattern)) for word in newer)
    ] == []


NAMED = re.compile(r"`((?:[a-z_]+/)+[\w.-]*)`")
"""A path in a text; those of a server's own files are not ours."""


@pytest.mark.parametrize("text", [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))])
def test_every_file_that_a_text_names_is_there(text: Path):
    homes = (ROOT, ROOT / "pbem", ROOT / "templates")
    folders = {path.name for home in homes for path in home.iterdir() if (path / "__init__.py").exists()}
    named = [path for path in NAMED.findall(text.read_text(encoding="utf-8")) if path.partition("/")[0] in folders]
    assert [path for path in named if not any((home / path).exists() for home in homes)] == []
