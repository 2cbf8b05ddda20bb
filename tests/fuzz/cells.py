"""Printed text and table cells: no control characters, no formulas."""

import csv
import io
from pathlib import Path
from random import Random

from tests.fuzz.mutate import HALF, LETTERS, Mutator
from tests.fuzz.target import Target

from longline.secrets import masked
from longline.text.safe import cell, clean

SEEDS = (
    "=1+1",
    "'tis",
    "-5",
    "a title\x1b[2J",
    "x\u202etxt.exe",
    "two\nlines",
    '@SUM("a")',
    "＝1",
    "\t=1",
)
WORDS = (
    *(
        "\x1b[2J",
        "\x1b]0;x\x07",
        "\x9b1m",
        "\r",
        "\n",
        "\r\n",
        "\t",
        "\0",
        "\x7f",
        "\u202e",
        "\u2066",
        "\u200f",
    ),
    *(
        "=",
        "+",
        "-",
        "@",
        "'",
        "＝",
        "＋",
        "－",
        "＠",
        '"',
        ",",
        ";",
        "http://a:b@x.example/?token=x",
        "~secret.key~",
    ),
)
STEERING = {
    *map(chr, range(0x20)),
    *map(chr, range(0x7F, 0xA0)),
    *"\u202a\u202b\u202c\u202d\u202e",
} - {*"\t\n"}


def make(rng: Random, _vectors: Path | None) -> str:
    """Draw a text as a site might send it."""
    return Mutator(rng, SEEDS, WORDS, LETTERS + HALF).case()


def check(text: str) -> None:
    """Cleaned text keeps its length, a cell is never a formula, and CSV gives it back unchanged."""
    shown = clean(text)
    assert not STEERING & {*shown.replace("\r\n", "\n")}
    assert clean(shown) == shown
    assert len(shown) == len(text)
    written = cell(text)
    assert written[:1] not in {*"=+-@\t\r\n＝＋－＠"}
    assert written.removeprefix("'") == shown
    stream = io.StringIO()
    csv.writer(stream).writerow([written, written])
    assert next(csv.reader(io.StringIO(stream.getvalue(), newline=""))) == [written, written]
    masked(text)


TARGET = Target("cells", make, check)
