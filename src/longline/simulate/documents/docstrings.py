"""The embedded corpus: the docstrings of the standard library, and pydoc's topics.

This is real prose with a real vocabulary, available on every machine with Python, without a
network. No code is executed for it: Python files are read as compiled code (their `.pyc` if it is
up to date, which takes 0.1 s for 600 files; otherwise compiled in memory). Only modules written
in C, which do nothing when imported, are imported.
"""

import importlib
import importlib.util
import inspect
import marshal
import sys
import sysconfig
import types
import warnings
from collections.abc import Iterator
from functools import cache
from opcode import opmap
from pathlib import Path

from longline.model import Document

MIN_WORDS = 30
"""Texts with fewer words are left out, as they are hardly ever searched for."""

_NOT_PROSE = frozenset({"test", "tests", "idle_test", "site-packages", "dist-packages"})
_HAS_DOCSTRING = 0x4000000  # code flag, set by Python 3.14 and later
_PYC_HEADER = 16  # magic number, flags, mtime and size of the source: four bytes each

# fmt: off
_C_MODULES = (
    "builtins", "sys", "array", "atexit", "binascii", "cmath", "errno", "faulthandler", "fcntl",
    "gc", "grp", "itertools", "marshal", "math", "mmap", "posix", "pwd", "pyexpat", "resource",
    "select", "syslog", "termios", "time", "unicodedata", "zlib", "_abc", "_ast", "_asyncio",
    "_bisect", "_bz2", "_codecs", "_collections", "_contextvars", "_csv", "_ctypes",
    "_datetime", "_decimal", "_elementtree", "_functools", "_hashlib", "_heapq", "_imp", "_io",
    "_json", "_locale", "_lsprof", "_lzma", "_multiprocessing", "_operator", "_pickle",
    "_posixsubprocess", "_queue", "_random", "_signal", "_socket", "_sqlite3", "_sre", "_ssl",
    "_stat", "_statistics", "_string", "_struct", "_symtable", "_thread", "_tracemalloc",
    "_uuid", "_warnings", "_weakref", "_zoneinfo",
)
# fmt: on
_STORE_NAME, _LOAD_CONST = opmap["STORE_NAME"], opmap["LOAD_CONST"]
_DESCRIPTORS = (
    types.BuiltinFunctionType,
    types.ClassMethodDescriptorType,
    types.GetSetDescriptorType,
    types.MemberDescriptorType,
    types.MethodDescriptorType,
    types.WrapperDescriptorType,
)


@cache
def docstrings() -> tuple[Document, ...]:
    """Return every docstring of 30 words or more, each text once, sorted by name.

    The key and the title are the dotted name: `json.decoder.JSONDecoder`. Their number depends
    on the Python version (about 3,300), so compute true values at run time.

    >>> {d.key: d.text for d in docstrings()}["textwrap.dedent"][:50]
    'Remove any common leading whitespace from every li'
    """
    named = sorted({*_topics(), *_python_docs(), *_c_docs()})
    texts: dict[str, str] = {}
    for name, text in named:
        if len(text.split()) >= MIN_WORDS:
            texts.setdefault(text, name)
    keys: dict[str, str] = {}
    for text, name in texts.items():
        # A property and its setter, or the two branches of an if, have the same name.
        alike = 1
        while (key := name if alike == 1 else f"{name}-{alike}") in keys:
            alike += 1
        keys[key] = text
    return tuple(Document(key, title=key, text=text) for key, text in keys.items())


def _topics() -> Iterator[tuple[str, str]]:
    """Yield name and text of the topics of `help("topics")`; none if Python lacks them."""
    try:
        from pydoc_data.topics import topics
    except ImportError:
        return
    for name, text in topics.items():
        yield f"topics.{name}", inspect.cleandoc(text)


def _python_docs() -> Iterator[tuple[str, str]]:
    """Yield name and text of the docstrings in the library's Python files."""
    library = Path(sysconfig.get_path("stdlib"))
    for path in sorted(library.rglob("*.py")) if library.is_dir() else ():
        parts = path.relative_to(library).with_suffix("").parts
        if parts[0] in sys.stdlib_module_names and not _NOT_PROSE.intersection(parts):
            code = read_code(path)
            if code is not None:
                yield from code_docs(code, ".".join(parts).removesuffix(".__init__"))


def read_code(path: Path) -> types.CodeType | None:
    """Return a Python file's compiled code without running it, or None if it is not Python.

    The `.pyc` is used if it records the time and size of its source; docstrings are kept even
    with `-OO`.
    """
    status = path.stat()
    stamp = [b"\0" * 4, _little(int(status.st_mtime)), _little(status.st_size)]
    try:
        compiled = Path(importlib.util.cache_from_source(path, optimization="")).read_bytes()
        if compiled[:_PYC_HEADER] == importlib.util.MAGIC_NUMBER + b"".join(stamp):
            code = marshal.loads(compiled[_PYC_HEADER:])
            if isinstance(code, types.CodeType):
                return code
    except (OSError, EOFError, ValueError, TypeError, NotImplementedError):
        pass  # no .pyc, or a damaged one: compile the source
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return compile(path.read_bytes(), str(path), "exec", dont_inherit=True, optimize=0)
        except (OSError, SyntaxError, ValueError):
            return None


def _little(number: int) -> bytes:
    return (number & 0xFFFFFFFF).to_bytes(4, "little")


def code_docs(code: types.CodeType, module: str) -> Iterator[tuple[str, str]]:
    r"""Yield name and text of every docstring in a module's code, including nested functions.

    >>> list(code_docs(compile("'One.'\ndef f():\n    'Two.'", "m", "exec"), "m"))
    [('m', 'One.'), ('m.f', 'Two.')]
    """
    text = _docstring(code)
    if text:
        name = module if code.co_name == "<module>" else f"{module}.{code.co_qualname}"
        yield name.replace(".<locals>", ""), inspect.cleandoc(text)
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from code_docs(constant, module)


def _docstring(code: types.CodeType) -> str | None:
    """Return a code object's docstring, or None; functions and bodies store it differently."""
    # 1. A function stores it as its first constant (a lambda has none).
    if code.co_flags & inspect.CO_OPTIMIZED:
        has_one = sys.version_info < (3, 14) or code.co_flags & _HAS_DOCSTRING
        first = code.co_consts[0] if code.co_consts and has_one else None
        return first if isinstance(first, str) and not code.co_name.startswith("<") else None
    # 2. The body of a module or a class stores it: STORE_NAME __doc__ after LOAD_CONST,
    #    two bytes each.
    if "__doc__" not in code.co_names:
        return None
    store = bytes([_STORE_NAME, code.co_names.index("__doc__")])
    at = code.co_code.find(store)
    if at < 2 or code.co_code[at - 2] != _LOAD_CONST:
        return None
    constant = code.co_consts[code.co_code[at - 1]]
    return constant if isinstance(constant, str) else None


def _c_docs() -> Iterator[tuple[str, str]]:
    """Yield name and text of the docstrings in modules written in C."""
    for name in _C_MODULES:
        if name not in sys.stdlib_module_names:
            continue
        try:
            module = importlib.import_module(name)
        except ImportError:
            continue  # not on this system, or built without it
        yield name, inspect.cleandoc(module.__doc__ or "")
        for member in vars(module).values():
            if isinstance(member, (type, types.BuiltinFunctionType)):
                yield from _member_docs(member, name)


def _member_docs(
    member: type | types.BuiltinFunctionType, module: str
) -> Iterator[tuple[str, str]]:
    """Yield name and text of a function's docstring, or of a type's and its members'."""
    home = member.__module__ if isinstance(member.__module__, str) else module
    yield from _named(f"{home}.{member.__qualname__}", member)
    if isinstance(member, type):
        for name, part in vars(member).items():
            if isinstance(part, _DESCRIPTORS):
                yield from _named(f"{home}.{member.__qualname__}.{name}", part)


def _named(name: str, thing: object) -> Iterator[tuple[str, str]]:
    text = thing.__doc__
    if isinstance(text, str):
        yield name, inspect.cleandoc(text)
