"""Convert a Google-style docstring to Markdown."""

import re
from collections.abc import Iterator
from inspect import cleandoc

from bench.pages.blocks import table

SECTIONS = ("Args", "Attributes", "Returns", "Yields", "Raises", "Example", "Source")
NAMED = ("Args", "Attributes", "Raises")
HEADS = {"Args": "argument", "Attributes": "attribute", "Raises": "error"}


def markdown(docstring: str, without: str = "") -> str:
    r"""Return paragraphs unchanged, arguments and the like as tables, examples as code.

    A section named `without` is left out.

    >>> print(markdown("Add.\n\nArgs:\n    a: One.\n\nReturns:\n    A sum."))
    Add.
    <BLANKLINE>
    | argument | meaning |
    |---|---|
    | `a` | One. |
    <BLANKLINE>
    **Returns:** A sum.
    """
    parts = _sections(cleandoc(docstring))
    return "\n\n".join(_block(name, text) for name, text in parts if not name or name != without)


def attributes(docstring: str) -> dict[str, str]:
    r"""Return the text of each attribute in a docstring; names on one line share the text.

    >>> attributes("Two.\n\nAttributes:\n    a: One.\n    b, c: The\n        others.")
    {'a': 'One.', 'b': 'The others.', 'c': 'The others.'}
    """
    found = {}
    section = cleandoc(docstring).partition("Attributes:\n")[2].partition("\n\n")[0]
    for names, text in re.findall(r"^    (\w[\w, ]*): (.*(?:\n {8,}.*)*)", section, re.M):
        found |= {name: " ".join(text.split()) for name in names.split(", ")}
    return found


def _sections(text: str) -> Iterator[tuple[str, str]]:
    """Yield (section, its text) in order; paragraphs outside sections have ""."""
    for part in re.split(r"\n\n(?=\S)", text):
        name, _, body = part.partition("\n")
        if name.rstrip(":") in SECTIONS and name.endswith(":"):
            yield name[:-1], cleandoc("\n" + body)
        else:
            yield "", part


def _block(name: str, text: str) -> str:
    if name in NAMED:
        return table((HEADS[name], "meaning"), list(_named(text)))
    if name == "Example" or text.startswith(">>>"):
        return f"```pycon\n{text}\n```"
    if name:
        return f"**{name}:** {' '.join(text.split())}"
    return "\n".join(text.split("\n"))


def _named(text: str) -> Iterator[tuple[str, str]]:
    for names, meaning in re.findall(r"^(\*{0,2}\w[\w*, .]*): (.*(?:\n {4,}.*)*)", text, re.M):
        yield ", ".join(f"`{name}`" for name in names.split(", ")), " ".join(meaning.split())
