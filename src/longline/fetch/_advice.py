"""What an error of a site says, and what a user can do about it."""

from collections.abc import Mapping
from http import HTTPStatus

from longline.errors import option

_OF_REQUEST = HTTPStatus.BAD_REQUEST, HTTPStatus.UNPROCESSABLE_ENTITY
MOST_LETTERS = 300
"""Maximum length of an error that is shown in its own words."""

PROXY = option("proxy")
ASKS_FOR_PASSWORD = f"the proxy wants a login: give {PROXY} as http://NAME:PASSWORD@HOST:PORT"

ADVICE: Mapping[int, str] = {
    HTTPStatus.UNAUTHORIZED: "it wants a key or a login; a key goes into a header (--header, in "
    "Python headers=), and longline never logs in",
    HTTPStatus.FORBIDDEN: "the source refuses; ask its owner, and do not try to get around it",
    404: "check the URL",
    405: "it takes another method, such as POST: write a source.toml with [ask] method and body "
    "(docs/how-to/sources/none-of-these.md)",
    407: ASKS_FOR_PASSWORD,
    429: "lower the rate, and come back later",
}
"""Advice for answers by HTTP status."""


def advice_of(status: int, *, has_key: bool = False) -> str:
    """Return what a user can do about an answer with this status, 400 or more.

    Args:
        status: Of the answer.
        has_key: The request had headers of the user's own.

    >>> advice_of(503), advice_of(406)
    ('try again later', 'the source does not take such a request; check its URL, method and body')
    """
    if has_key and status == HTTPStatus.UNAUTHORIZED:
        return "it does not take the headers that were given; check the key in them"
    may_pass = status >= 500 or status in (408, 409, 423, 425)
    other = "the source does not take such a request; check its URL, method and body"
    return ADVICE.get(status, "try again later" if may_pass else other)


def own_words(status: int, content_type: str, body: bytes) -> str:
    r"""Return what a program's interface says of an error in its text, after ": ", or "".

    The text of a 400 or 422 is about the request; that of a 200 is all that names the error.

    >>> own_words(400, "application/json", b'{"error": "no such field"}')
    ': {"error": "no such field"}'
    >>> own_words(400, "text/html", b"<h1>Bad request</h1>"), own_words(400, "", b"\x08\x00z")
    ('', '')
    """
    if (
        status not in (HTTPStatus.OK, *_OF_REQUEST)
        or len(body) > MOST_LETTERS
        or "html" in content_type
    ):
        return ""
    words = " ".join(body.decode("utf-8", "replace").split())
    is_text = words.isprintable() and "\N{REPLACEMENT CHARACTER}" not in words
    return f": {words}" if words and is_text else ""


CHALLENGED = (HTTPStatus.FORBIDDEN, HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.SERVICE_UNAVAILABLE)
_CHALLENGES = (
    *(b"captcha", b"checking your browser", b"just a moment...", b"verify you are human"),
    *(b"verifying you are human", b"enable javascript and cookies to continue"),
)


def is_challenge(status: int, body: bytes) -> bool:
    """Return whether a refusal asks the visitor to show that it is no program.

    >>> is_challenge(503, b"<title>Just a moment...</title>"), is_challenge(503, b"Repairs")
    (True, False)
    """
    lower = body.lower() if status in CHALLENGED else b""
    return any(words in lower for words in _CHALLENGES)
