import ast
import importlib.util
import inspect
import py_compile
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from longline.simulate.documents.corpus import read_corpus
from longline.simulate.documents.docstrings import MIN_WORDS, code_docs, docstrings, read_code

SOURCE = '''
"""The module."""
class Outer:
    """Outer, \\t escaped."""
    def method(self, a={"x": "not a docstring"}):
        """Outer.method."""
        def inner():
            "inner, in single quotes"
        "a string that stands alone"
    class Bare:
        x = "no docstring"
    async def wait(self):
        """
        Indented.
            More.
        """
def plain(): return "no docstring either"
fun = lambda: "nor this"
if fun:
    """Nor this."""
'''


def syntax_tree_docs(source: str, module: str) -> set[tuple[str, str]]:
    """Find docstrings in the slow and simple way."""
    found = set()

    def visit(node: ast.AST, name: str) -> None:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                visit(child, f"{name}.{child.name}")
            else:
                visit(child, name)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            text = ast.get_docstring(node)
            if text:
                found.add((name, text))

    visit(ast.parse(source), module)
    return found


def test_docstrings_are_found_where_the_syntax_tree_has_them() -> None:
    """Modules, classes, methods and inner functions have docstrings; other strings are not."""
    found = set(code_docs(compile(SOURCE, "m", "exec"), "m"))
    assert found == syntax_tree_docs(SOURCE, "m")
    assert len(found) == 5


@pytest.mark.parametrize("module", ["argparse", "typing", "email.message", "dataclasses", "turtle"])
def test_real_modules_give_what_their_syntax_tree_has(module: str) -> None:
    """No docstring of a standard module is missed."""
    spec = importlib.util.find_spec(module)
    assert spec is not None
    assert spec.origin is not None
    path = Path(spec.origin)
    code = read_code(path)
    assert code is not None
    assert set(code_docs(code, module)) >= syntax_tree_docs(path.read_text("utf-8"), module)


def test_a_stale_or_damaged_pyc_is_not_believed(tmp_path: Path) -> None:
    """The source's own docstring is read, with a fresh .pyc, a stale one, a broken one or none."""
    path = tmp_path / "m.py"

    def text() -> str | None:
        code = read_code(path)
        assert code is not None
        return dict(code_docs(code, "m")).get("m")

    path.write_text('"""Old."""')
    assert text() == "Old."
    compiled = Path(py_compile.compile(str(path), doraise=True))
    assert text() == "Old."
    path.write_text('"""Newer text."""')
    assert text() == "Newer text."
    compiled.write_bytes(Path(py_compile.compile(str(path), doraise=True)).read_bytes()[:40])
    assert text() == "Newer text."


def test_what_is_no_python_has_no_code(tmp_path: Path) -> None:
    """A file that does not compile is skipped without a warning."""
    bad, odd = tmp_path / "bad.py", tmp_path / "odd.py"
    bad.write_text("def (")
    odd.write_text('"""Odd."""\nx = "\\d"\nassert (x, 1)\n')
    assert read_code(bad) is None
    assert read_code(odd) is not None


def test_the_corpus_is_large_clean_and_in_order() -> None:
    """It has at least 2,000 different texts of 30 words or more, with unique sorted keys."""
    documents = read_corpus("docstrings")
    assert len(documents) >= 2000
    assert min(len(document.text.split()) for document in documents) >= MIN_WORDS
    assert len({document.key for document in documents}) == len(documents)
    assert len({document.text for document in documents}) == len(documents)
    assert all(document.title == document.key for document in documents)
    by_key = {document.key: document.text for document in documents}
    assert by_key["json.dumps"] == inspect.cleandoc(__import__("json").dumps.__doc__ or "")
    assert {"topics.assert", "builtins.dict", "array.array", "typing"} <= set(by_key)


@pytest.mark.slow
@pytest.mark.parametrize("options", [["-OO"], ["-B", "-X", "pycache_prefix=nowhere"]])
def test_every_python_finds_the_same_and_runs_nothing(options: list[str], tmp_path: Path) -> None:
    """Without docstrings or .pyc files the corpus is the same, and no module is executed."""
    script = textwrap.dedent(
        """
        import sys
        from longline.simulate.documents.docstrings import docstrings
        documents = docstrings()
        executed = {"antigravity", "this", "idlelib", "turtle", "tkinter"} & set(sys.modules)
        print(len(documents), sum(map(len, (d.key + d.text for d in documents))), executed)
        """
    )
    ran = subprocess.run(
        [sys.executable, *options, "-c", script],
        capture_output=True,
        text=True,
        check=True,
        cwd=tmp_path,
    )
    documents = docstrings()
    characters = sum(len(document.key + document.text) for document in documents)
    assert ran.stdout.split(maxsplit=2) == [str(len(documents)), str(characters), "set()\n"]
