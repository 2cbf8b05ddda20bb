"""Test secrets and their placeholders."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from longline.errors import RefusedError, SpecError
from longline.model import Request, Response
from longline.secrets import Secret, Secrets, masked
from longline.source import read_spec, veil

SPEC = """
[source]
name = "x"
url = "https://me:hunter2@x.example/"
[ask]
url = "https://x.example/${{PLACE}}/s?q={{query}}&key=relevance&sig=ab%2Bcd12345&sort=key"
method = "POST"
body = '{{"apiKey": "a\\"b12345678", "q": "{{query}}", "n": {{size}}}}'
page_size = 5
[ask.headers]
Accept = "text/html"
Authorization = "Bearer {token}"
Cookie = "session=abc; theme=dark"
[results]
hit = "li"
link = "a"
"""


def test_each_place_of_a_secret_is_veiled_and_filled() -> None:
    """Every secret of a spec is replaced in the veiled one, and restored in the request."""
    spec = read_spec(SPEC.format(token="t0k3n"))
    veiled, secrets = veil(spec, {"PLACE": "top/9"})
    assert veiled.source.url == "https://me:~secret.password~@x.example/"
    assert veiled.ask.url == (
        "https://x.example/~secret.PLACE~/s?q={query}&key=~secret.key~&sig=~secret.sig~&sort=key"
    )
    assert '"apiKey": "~secret.apiKey~"' in veiled.ask.body
    assert dict(veiled.ask.headers) == {
        "Accept": "text/html",
        "Authorization": "Bearer ~secret.Authorization~",
        "Cookie": "~secret.Cookie~",
    }
    asked = Request(
        veiled.ask.url, "POST", tuple(veiled.ask.headers.items()), veiled.ask.body.encode()
    )
    sent = secrets.filled(asked)
    assert sent.url == spec.ask.url.replace("${PLACE}", "top%2F9")
    assert dict(sent.headers) == spec.ask.headers
    assert sent.body.decode() == spec.ask.body


def test_placeholder_goes_to_no_other_host() -> None:
    """A page cannot have a secret sent to another host by putting its placeholder into a link."""
    secrets = Secrets([Secret("key", "s3cr3t-99")], ["https://x.example/s"])
    for url in ("https://x.example.evil/", "http://x.example/", "https://x.example:444/", "//["):
        asked = Request(f"{url}?key=~secret.key~", headers=(("A", "~secret.key~"),))
        assert secrets.filled(asked) == asked
    assert "s3cr3t-99" in secrets.filled(Request("https://X.example:443/?key=~secret.key~")).url


def test_plain_word_is_veiled_in_addresses_alone() -> None:
    """A secret that is an ordinary word is only replaced as the parameter's value."""
    secrets = Secrets([Secret("key", "relevance", "key")], ["https://x.example/"])
    text = "relevance matters: <a href='/?p=2&amp;key=relevance'>"
    assert secrets.veiled(text) == text.replace("key=relevance", "key=~secret.key~")


def test_errors_and_answers_are_veiled() -> None:
    """The secret is removed from an error's text and attributes, and from a response."""
    secrets = Secrets([Secret("key", "s3cr3t+99")], ["https://x.example/"])
    error = RefusedError("GET /?key=s3cr3t%2B99", advice="no s3cr3t+99", url="/?s3cr3t%2B99")
    secrets.veil_error(error)
    assert "s3cr3t" not in f"{error} {error.message} {error.advice} {error.url} {error.args}"
    came = Response(
        url="/?key=s3cr3t%2B99",
        status=200,
        headers=(("link", "s3cr3t%2b99"), ("x", "s3cr3t+99")),
        body=b"<p>s3cr3t&#43;99 s3cr3t+99",
    )
    veiled = secrets.veiled_response(came)
    assert "s3cr3t+99" not in repr(veiled)
    assert "%2b99" not in repr(veiled).lower()


@given(st.text(st.characters(codec="utf-8", exclude_categories=["Cs"]), min_size=8))
def test_veiling_undoes_filling(value: str) -> None:
    """For any secret, veiling an address restores the placeholder."""
    value += "0123456789abcdefghij"
    secrets = Secrets([Secret("key", value, "key")], ["https://x.example/"])
    url = "https://x.example/?q=deep&key=~secret.key~&page=2"
    filled = secrets.filled(Request(url)).url
    assert value not in url
    assert secrets.veiled(filled) == url


def test_missing_variable_is_an_error_only_for_asking() -> None:
    """An unset variable prevents requests with a spec, but not reading it."""
    spec = read_spec(SPEC.format(token="${NOWHERE}"))
    with pytest.raises(SpecError, match="PLACE"):
        veil(spec, {})
    assert "NOWHERE" not in str(veil(spec).spec)


def test_masking_leaves_other_parameters() -> None:
    """Only parameters named like a secret are masked, once."""
    text = "https://x.example/?monkey=1&keys=2&x_token=abc: 404"
    once = masked(text)
    assert once.startswith("https://x.example/?monkey=1&keys=2&x_token=~secret.x_token~")
    assert masked(once) == once
