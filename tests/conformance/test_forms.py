"""The form submission tests of the Web Platform Tests: application/x-www-form-urlencoded."""

import json
from pathlib import Path

import lxml.html

from longline.model import Response
from longline.source import parse, submit


def test_forms_are_sent_as_browsers_send_them(vectors: Path) -> None:
    """Every case of the suite is sent as expected, by POST and by GET."""
    cases = json.loads((vectors / "wpt-forms/urlencoded2.json").read_text())["cases"]
    assert len(cases) == 19
    page = parse(Response(url="http://x.example/", status=200, body=b"<form>"), "html")
    for case in cases:
        form = lxml.html.fromstring("<form></form>", base_url="http://x.example/")
        form.set("accept-charset", case.get("charset", "utf-8"))
        # A script may enter values that no markup can contain.
        data = [(case["name"], case["value"])]
        assert submit(form, page, data=data).url == f"http://x.example/?{case['expected']}"
        form.set("method", "post")
        assert submit(form, page, data=data).body.decode() == case["expected"], case["d"]
