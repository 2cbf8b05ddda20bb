"""The table `[ask]` of a source spec: how to query a source, and how to write a query."""

from typing import Literal

import msgspec


class Table(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A table of the spec; unknown keys are an error, missing ones take their default."""


class Form(Table, frozen=True):
    """How to query by filling a form.

    If a browser types into it, `selector` may be the box itself, without a `field`; with `post` the
    page may send the words by POST.
    """

    page: str
    selector: str
    field: str = ""
    button: str = ""
    opener: str = ""
    post: bool = False
    fields: dict[str, str] = {}


class Dialect(Table, frozen=True, rename={"and_": "and", "not_": "not", "or_": "or"}):
    """How a query is written.

    Without `all` a query needs a term; with it, `all` also stands before excluded terms alone.
    `forms` is "fold" (accents), "plural", a language's stems such as "english", or two joined by
    "+". A harvest trusts it until answers contradict it; if it is not given, the harvest finds it
    out.
    """

    and_: str = " "
    not_: str = ""
    or_: str = ""
    group: str = "({terms})"
    quote: str = '"{term}"'
    quote_all: bool = False
    max_terms: int | None = None
    forms: str = ""
    all: str | None = None


class Ask(Table, frozen=True):
    """How to query: by a template (`url`, `method`, `body`, `headers`) or by a `form`.

    If only its length shows that a page is the last, a page with fewer than `page_size` hits is.
    `short_ends = false` is for sources whose pages differ in length.

    With `paging = "session"` a request for a later page does not name its query: the site uses the
    last query of the session.

    With `browser` the system's Chromium opens the pages, and waits until their scripts are done.

    `newest` names the fields that put the newest documents first, with their values; empty if this
    is always the order, None if it is unknown.

    With `ranking = "meaning"` a search always has as many hits as it can show, whatever the query;
    an answer of `limit` hits is not part of a larger one. AND, NOT and quotation marks have no
    effect; a query may be an entire text.

    `key` is "env:" and the name of an environment variable, whose value fills {key}.

    With `lists` no words are sent: `url` is a search index, a sitemap, a feed or another list, and
    is read to its end. A list of "all" names every document; a "part" may leave some out, and a
    harvest of it is never complete. `also` gives the URLs of its other files, which are read after
    `url`.

    With `matches = "prefix"` a query is the start of a name, as in a box that completes words.
    """

    url: str = ""
    method: Literal["GET", "POST"] = "GET"
    body: str = ""
    headers: dict[str, str] = {}
    form: Form | None = None
    first_page: int = 1
    first_offset: int = 0
    first_next: str = ""
    next_url: str = ""
    next_body: str = ""
    paging: Literal["", "session", "query", "none"] = ""
    page_size: int | None = None
    short_ends: bool = True
    limit: int | None = None
    charset: str = "utf-8"
    ranking: Literal["", "meaning"] = ""
    words: list[str] = []
    lists: Literal["", "all", "part"] = ""
    also: list[str] = []
    matches: Literal["words", "prefix"] = "words"
    newest: dict[str, str] | None = None
    browser: bool = False
    key: str = ""
    dialect: Dialect = Dialect()

    @property
    def takes_words(self) -> bool:
        """Whether a query's words are sent; if not, the source is a list that facets limit.

        A source that is a class has no template or form; it takes words.
        """
        if self.form is not None:
            return bool(self.form.field) or self.browser
        return not self.url or "{query}" in self.url + self.body

    @property
    def has_cursor(self) -> bool:
        """Whether a value from the answer (`results.next`) is sent to get the next page."""
        return "{next}" in self.templates

    @property
    def templates(self) -> str:
        """All templates of a request, including those of later pages."""
        return self.url + self.body + self.next_url + self.next_body

    @property
    def later(self) -> "Ask":
        """How pages after the first are requested; a body is sent by POST."""
        url, body = self.next_url or self.url, self.next_body or self.body
        return msgspec.structs.replace(
            self, url=url, body=body, method="POST" if body else self.method
        )
