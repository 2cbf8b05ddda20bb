"""An export: a line for each document, with tabs between its fields."""

from collections.abc import Iterable
from typing import BinaryIO

from longline.extend import Document


def write_tsv(documents: Iterable[Document], stream: BinaryIO) -> int:
    """Write each document as it comes, and return how many they were."""
    written = 0
    for document in documents:
        fields = (document.key, document.title, document.text)
        line = "\t".join(" ".join(field.split()) for field in fields)
        stream.write(line.encode() + b"\n")
        written += 1
    return written
