"""Totals: numbers in all scripts, with all separators, among other words."""

import json
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from tests.fuzz.mutate import Mutator
from tests.fuzz.target import Target

from longline.source.answer.total import read_total, total_of

SEEDS = (
    *(
        "Results 1-24 of about 1,801 (0.35 s)",
        "1000+ hits",
        "12.5 million",
        "1.2k",
        "Treffer: 1.234",
    ),
    *(
        "page 3 of 12",
        "Seite 3 von 12, 1'234 Treffer",
        "mehr als 1 000 Ergebnisse",
        "٣٤٥ نتيجة من ٦٧٨",
    ),
    *(
        "約 1,234 件",
        "12,34,567 results",
        "१२३ of ४५६",
        "找到 1234 条结果",
        "１２３件",
        "-5",
        "1.234.567",
    ),
    *(
        "sur 1 234 résultats",
        "more than 10,000",
        "1e9",
        "0x10",
        "Ⅻ results",
        "²³ hits",
        "50 % of 3",
    ),
)
WORDS = (
    *(
        " ",
        "  ",
        "\u00a0",
        "\u202f",
        "\u2009",
        ",",
        ".",
        "'",
        "\u2019",
        "\u066c",
        "+",
        "-",
        "~",
        "≈",
        ">",
    ),
    *(
        "of ",
        "of",
        " von ",
        "page ",
        "page",
        "results",
        " hits",
        "more than ",
        "mehr als",
        "about ",
        "c. ",
    ),
    *("k", "m", "mio", " million", " thousand", " mil", "s", " ms", "%", "(", ")", "/", "a", "a "),
    *(
        "0",
        "1",
        "000",
        ",000",
        ".000",
        " 000",
        "9" * 20,
        "1" * 400,
        "7" * 5000,
        "٣",
        "०",
        "𝟘",
        "²",
        "½",
        "〇",
    ),
)
PATTERNS = (
    *(
        "",
        "",
        "",
        r"of (?:about )?([\d,]+)",
        r"(\d+)",
        r"\d*",
        r"(x)?(\d+)",
        r"^\D*(\d[\d., ]{0,30}\d|\d)",
    ),
    *(
        r"results\s*(\d[\d.,'\u2019\u00a0\u2009\u202f ]{0,30}\d|\d)",
        r"()",
        r"(?i)(\d[\d., ]{0,30}\d|\d)\s?\+?\s?hits",
    ),
)
VALUES = (None, True, False, 0, -1, 7, 2**63, 2**63 - 1, -0.5, 1e308, 7.9)


class Said(NamedTuple):
    """The value that a source reports, and the spec's pattern for it."""

    value: Any
    pattern: str


def make(rng: Random, _vectors: Path | None) -> Said:
    """Draw a text with numbers; in 10 % of cases, JSON."""
    text: Any = Mutator(rng, SEEDS, WORDS).case()
    if rng.random() < 0.1:
        inner = rng.choice((text, *VALUES))
        text = rng.choice(
            (inner, [inner], {"value": inner, "relation": "gte"}, {"value": {"value": inner}})
        )
    return Said(text, rng.choice(PATTERNS))


def check(said: Said) -> None:
    """A total is a number that the journal can hold, or None."""
    for total in (total_of(said.value, pattern=said.pattern), read_total(str(said.value))):
        assert total is None or 0 <= total.documents < 2**63, total
        assert total is None or json.dumps(total.documents)


TARGET = Target("totals", make, check)
