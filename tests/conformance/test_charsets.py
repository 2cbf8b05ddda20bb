"""Run the charset tests of html5lib."""

import codecs
from pathlib import Path

import pytest

from longline.text.charset import codec_of, read_text

BY_A_SCRIPT = b"document.write('<meta"
FILES = {"tests1.dat": 59, "tests2.dat": 22, "test-yahoo-jp.dat": 1, "scripted/tests1.dat": 1}


@pytest.mark.parametrize(("name", "size"), FILES.items())
def test_the_charset_of_a_page_is_the_one_browsers_find(
    vectors: Path, name: str, size: int
) -> None:
    """Every page of the suite is decoded with the charset that it names."""
    cases = read(vectors / "html5lib-tests/encoding" / name)
    assert len(cases) == size
    failed = []
    for page, label in cases:
        charset, _ = read_text(page + "é".encode(codec_of(label), "replace"))
        if codecs.lookup(charset) != codecs.lookup(codec_of(label)):
            failed.append((page[:300], label, charset))
    assert all(BY_A_SCRIPT in page for page, *_ in failed), failed
    assert len(failed) == (name == "scripted/tests1.dat")


def read(path: Path) -> list[tuple[bytes, str]]:
    blocks = path.read_bytes().split(b"#data\n")[1:]
    parts = [block.partition(b"\n#encoding\n") for block in blocks]
    return [(page, label.decode().strip()) for page, _, label in parts]
