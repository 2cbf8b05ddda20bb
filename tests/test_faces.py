"""Test that a package's `__init__.py` exports exactly what it imports and others use."""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PASSING_ON = {"longline.api.kinds"}
"""Modules that re-export names in addition to the `__init__.py` files."""

LOADED = {"longline.dashboard.Door", "longline.dashboard.serve_dashboard"}
"""Names that are loaded on demand through a string."""


@cache
def trees() -> dict[str, tuple[Path, ast.Module]]:
    """Return every module of the package by name."""
    found = {}
    for path in (ROOT / "src/longline").rglob("*.py"):
        parts = path.relative_to(ROOT / "src").with_suffix("").parts
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        found[name] = path, ast.parse(path.read_text(encoding="utf-8"))
    return found


def imports(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """Yield each name that a module uses from another one: the module, and the name."""
    known: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module and not node.level:
            for alias in node.names:
                known[alias.asname or alias.name] = f"{node.module}.{alias.name}"
                yield node.module, alias.name
    for node in ast.walk(tree):
        match node:
            case ast.Attribute(ast.Name(of), name) if of in known:
                yield known[of], name


@cache
def taken() -> frozenset[tuple[str, str]]:
    """Return all names used of any module, in the package, its stubs, tests and benchmarks."""
    found = {pair for _, tree in trees().values() for pair in imports(tree)}
    for folder in ("tests", "bench"):
        for path in (ROOT / folder).rglob("*.py"):
            found.update(imports(ast.parse(path.read_text(encoding="utf-8"))))
    for stub in (ROOT / "src/longline").rglob("*.pyi"):
        base = ".".join(stub.relative_to(ROOT / "src").parent.parts)
        for node in ast.parse(stub.read_text(encoding="utf-8")).body:
            assert isinstance(node, ast.ImportFrom)
            module = ".".join(filter(None, [base, node.module]))
            found.update((module, alias.name) for alias in node.names)
    return frozenset(found)


@cache
def own(module: str) -> frozenset[str]:
    """Return the names that a module defines itself."""
    found: set[str] = set()
    for node in ast.walk(trees()[module][1]):
        match node:
            case ast.FunctionDef(name) | ast.AsyncFunctionDef(name) | ast.ClassDef(name):
                found.add(name)
            case ast.Name(name, ast.Store()):
                found.add(name)
    return frozenset(found)


def is_face(name: str) -> bool:
    return trees()[name][0].name == "__init__.py" or name in PASSING_ON


@pytest.mark.slow
def test_names_come_from_where_they_are_made_or_from_a_face() -> None:
    strays = {
        f"{importer} takes {name} of {module}"
        for importer, (_, tree) in trees().items()
        for module, name in imports(tree)
        if module in trees() and not is_face(module) and f"{module}.{name}" not in trees()
        if name not in own(module)
    }
    assert not strays


@pytest.mark.slow
def test_a_face_has_nothing_that_nobody_takes() -> None:
    idle = {
        f"{face}.{alias.name}"
        for face, (_, tree) in trees().items()
        if is_face(face)
        for node in tree.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
        if (face, alias.asname or alias.name) not in taken()
        if not any(isinstance(n, ast.Name) and n.id == alias.name for n in ast.walk(tree))
    }
    assert idle <= LOADED
