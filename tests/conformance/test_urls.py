"""The URL tests of the Web Platform Tests, as the library ada ships them."""

import json
from pathlib import Path
from typing import Any

import pytest

from longline.source.answer.links import absolute
from longline.text.url import resolve

FILES = {
    "urltestdata.json": 891,
    "urltestdata-javascript-only.json": 1,
    "ada_extra_urltestdata.json": 28,
    "ada_long_urltestdata.json": 1,
}


@pytest.mark.parametrize(("name", "size"), FILES.items())
def test_links_lead_where_they_lead_browsers(vectors: Path, name: str, size: int) -> None:
    """Every http or https URL of the suite is read as expected; others are no links."""
    cases = read(vectors, name)
    assert len(cases) == size
    for case in cases:
        wanted = case.get("href", "")
        if not wanted.startswith(("http://", "https://")):
            with pytest.raises(ValueError, match=r"."):
                resolve(case["input"], case.get("base") or "")
            continue
        assert resolve(case["input"], case.get("base") or "") == wanted, case
        if case.get("base"):
            link = absolute(case["input"], case["base"])
            assert link.partition("#")[0] == wanted.partition("#")[0], case


# Cases where Python's codecs differ from the Encoding Standard.
NOT_OURS = {("iso-2022-jp", "\x0eA"), ("gb18030", "\ue5e5")}
CODECS = {"big5": "big5hkscs", "euc-kr": "cp949", "shift_jis": "cp932"}


def test_queries_are_written_in_the_charset_of_the_page(vectors: Path) -> None:
    """In any charset a query is written as browsers do, except for two unusual letters."""
    failed = set()
    for case in read(vectors, "percent-encoding.json"):
        for charset, wanted in case["output"].items():
            url = resolve(f"?{case['input']}#", "http://x/", CODECS.get(charset, charset))
            if url != f"http://x/?{wanted}#":
                failed.add((charset, case["input"]))
    assert failed == NOT_OURS


@pytest.mark.parametrize(
    ("name", "size"),
    [("toascii.json", 87), ("IdnaTestV2.json", 2670), ("IdnaTestV2-removed.json", 20)],
)
def test_hosts_of_any_alphabet_are_written_in_ascii(vectors: Path, name: str, size: int) -> None:
    """Every name of the suite is written as expected, or is no host."""
    cases = [case for case in read(vectors, name) if case["input"]]
    assert len(cases) == size
    failed = [case for case in cases if host_of(case["input"]) != case["output"]]
    assert not failed, failed[:5]


def host_of(name: str) -> str | None:
    try:
        return resolve(f"https://{name}/x").removeprefix("https://").partition("/")[0]
    except ValueError:
        return None


def read(vectors: Path, name: str) -> list[dict[str, Any]]:
    path = vectors / "wpt-url-from-ada/tests/wpt" / name
    return [case for case in json.loads(path.read_text()) if isinstance(case, dict)]
