"""URLs: unusual links in every charset."""

from pathlib import Path
from random import Random
from typing import NamedTuple

from tests.fuzz import seeds
from tests.fuzz.mutate import HALF, LETTERS, Mutator
from tests.fuzz.target import Target

from longline.fetch._robots import origin_of
from longline.known_item.pages.urls import Site, spoken
from longline.source import canonical, parts_of, without_parts
from longline.source.answer.links import absolute
from longline.source.spec.headers import next_of_links
from longline.text.url import resolve, write_fields

SEEDS = (
    *(
        "../doc?b=2&a=1#top",
        "https://shop.example/s/ab12/doc;jsessionid=C3?id=7&hl=web",
        "//x.example:443/",
    ),
    *(
        "/wiki?HomePage",
        "?p=b;a=7",
        "#/doc/7",
        "http://a:b@x.example:8080/",
        "http://[::1]/",
        "http://0x7f.1/",
    ),
    *(
        "http://xn--bcher-kva.example/",
        "https://bücher.example/ü?q=ü",
        "\\\\x\\y",
        "javascript:void(0)",
    ),
    *(
        "</p?n=1>; rel=next",
        "index.html?utm_source=x",
        "javascript:open('/a.php?x=1')",
        "http://x.example./",
    ),
)
WORDS = (
    *(
        "http:",
        "https://",
        "//",
        "/",
        "\\",
        "..",
        "/../",
        "?",
        "#",
        ":",
        "@",
        "[",
        "]",
        "%",
        "%zz",
        "%00",
        "%2e",
    ),
    *(
        ";",
        "&",
        "=",
        "&amp;",
        "xn--",
        "x.example",
        "127.1",
        "999999",
        "::1",
        ":99999",
        ";jsessionid=",
        "/(S(a))",
    ),
    *(
        "<",
        ">; rel=next",
        '"',
        "; rel=",
        "…",
        "ü",
        "ß",
        "\u200d",
        "。",
        "％",
        "\t",
        "\n",
        "\ud800",
        "\0",
        "a" * 300,
    ),
)
BASES = (
    "https://shop.example/search/?q=x#/y",
    "http://x.example",
    "http://[::1]:8080/a/b;c",
    "http://ü.example/",
)
CHARSETS = ("utf-8", "cp1252", "cp932", "iso2022_jp", "gb18030", "utf-8-sig", "hz")
IGNORED = ("id", "/2", "jsessionid", "ü", "", "a=")


class Written(NamedTuple):
    """A link, with the base URL and charset of its page."""

    link: str
    base: str
    charset: str


def make(rng: Random, vectors: Path | None) -> Written:
    """Draw a link."""
    good = list(SEEDS)
    if vectors is not None:
        cases = seeds.json_of(vectors / "wpt-url-from-ada/tests/wpt/urltestdata.json")
        good += [case["input"] for case in cases if isinstance(case, dict)]
    link = Mutator(rng, good, WORDS, LETTERS + HALF).case()
    return Written(link, rng.choice(BASES), rng.choice(CHARSETS))


def check(written: Written) -> None:
    """A link gives a URL that does not change when resolved again, or ValueError."""
    write_fields([(written.link, written.link)], written.charset)
    next_of_links(written.link)
    site = Site(BASES[0])
    for key in (site.key(written.link), site.key(written.link, written.base)):
        assert key is None or spoken(key) is not None
    try:
        url = resolve(written.link, written.base, written.charset)
    except ValueError:
        return
    assert url.isascii()
    assert resolve(url) == url
    plain = absolute(written.link, written.base, written.charset)
    assert absolute(plain, written.base) == plain
    own = canonical(written.link, written.base)
    assert own == canonical(written.link, written.base)
    assert own.isascii()
    without_parts(own, IGNORED)
    parts_of(own)
    origin_of(url)


TARGET = Target("urls", make, check)
