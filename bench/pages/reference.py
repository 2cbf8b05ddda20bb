"""Generate the reference from the code: `make reference`, or python -m bench.pages.reference.

A test generates it again and compares, so that it stays up to date.
"""

from collections.abc import Iterator
from itertools import chain
from pathlib import Path

from bench.pages import certificate_fields, commands, lists, python_api, spec_keys
from bench.pages.blocks import in_page

from longline.ledger import certificate_schema

DOCS = Path(__file__).parents[2] / "docs"
KINDS = (commands, python_api, spec_keys, certificate_fields)


def files() -> Iterator[tuple[Path, str]]:
    """Yield each generated file with its correct text; llms.txt uses the pages as they are."""
    for name, made in chain(*(kind.pages() for kind in KINDS), lists.decisions(DOCS)):
        path = DOCS / name
        yield path, in_page(made, path.read_text() if path.exists() else "", path)
    yield DOCS / "reference/certificate.schema.json", certificate_schema().decode()
    yield DOCS / "llms.txt", lists.llms(DOCS)


def main() -> None:
    """Write the files that differ, and print their names."""
    for path, text in files():
        if not path.exists() or path.read_text() != text:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
            print(f"wrote {path.relative_to(DOCS.parent)}")


if __name__ == "__main__":
    main()
